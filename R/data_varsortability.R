# What the scale of the data alone gives away of the order of a network.

#' Varsortability and R2-sortability
#'
#' Simulated data often have variances that grow along the edges of the true network. A learner that
#' minimises squared errors can then find the order of the variables by their scale alone, and will
#' do worse on data with other units. These measures say how far that is the case: they count, over
#' the ancestors and descendants of a network, how often the descendant has the larger variance, or
#' the larger share of variance explained by all other variables (R2, which does not depend on
#' units).
#'
#' With E the adjacency matrix, the measure is the sum over path lengths k = 1, 2, ... and over all
#' pairs (i, j) with at least one directed path of length k from i to j, of 1 where the score of j
#' is above that of i, 1/2 where the two are equal (to a relative 1e-9) and 0 otherwise, divided by
#' the number of terms. The score is the variance (Reisach et al. 2021, section 3.1) or the R2 of
#' the linear regression of the variable on all others (Reisach et al. 2023, equation 3).
#'
#' 1 means that sorting by the score gives a causal order, 1/2 that the score says nothing, 0 that
#' sorting backwards does. On standardised data varsortability is 1/2.
#'
#' @param x The data, with continuous variables only: a data frame or matrix. Missing values are
#'   left out, in variances one by one and in regressions by row.
#' @param dag The network: of class `"bn"` or `"bn.fit"` ([random_dag()], [dag_gnn()] and all of
#'   bnlearn), or an adjacency or weight matrix. A matrix without names has its nodes in the order
#'   of the columns of `x`.
#' @param score `"variance"` (default) or `"r2"`. The latter needs more complete rows than columns.
#' @return A number from 0 to 1, or `NA` where the network has no edges.
#' @references Reisach, Seiler and Weichwald (2021), Beware of the simulated DAG! Causal discovery
#'   benchmarks may be easy to game, NeurIPS 34. Reisach, Tami, Seiler, Chambaz and Weichwald
#'   (2023), A scale-invariant sorting criterion to find a causal order in additive noise models,
#'   NeurIPS 36.
#' @seealso [simulate_sem()], [dag_gnn()] with `scale = TRUE`.
#' @examples
#' set.seed(1)
#' dag <- random_dag(10)
#' x <- simulate_sem(dag, 1000)
#' varsortability(x, dag)
#' varsortability(scale(x), dag)
#' varsortability(scale(x), dag, "r2")
#' @export
varsortability <- function(x, dag, score = c("variance", "r2")) {
  score <- check_choice(score, "score", c("variance", "r2"))
  data <- samples(x)
  scalar <- data$kind == "continuous" & data$width == 1
  if (!all(scalar)) {
    stop_input(
      "`x` must have continuous variables of one component only, but ",
      quoted(data$names[!scalar]), if (sum(!scalar) == 1) " is not." else " are not."
    )
  }
  adjacency <- adjacency_on(dag, data$nodes, "dag", "x")[data$names, data$names]
  check_dag(adjacency, "dag")
  scores <- switch(score,
    variance = apply(data$values, 2, stats::var, na.rm = TRUE),
    r2 = explained_shares(data$values)
  )
  order_agreement(adjacency, scores)
}

# For each column the R2 of its regression on all others: 1 - 1 / [C^-1]_jj, C the correlations.
explained_shares <- function(values) {
  values <- values[stats::complete.cases(values), , drop = FALSE]
  if (nrow(values) <= ncol(values)) {
    stop_input(
      "`x` must have more complete rows than columns for `score = \"r2\"`, not ", nrow(values),
      " rows and ", ncol(values), " columns."
    )
  }
  spectrum <- eigen(stats::cor(values), symmetric = TRUE)
  # Columns that others determine exactly have no inverse: with a floor their R2 is 1 but for
  # rounding.
  floor <- .Machine$double.eps * ncol(values)
  1 - 1 / drop(spectrum$vectors^2 %*% (1 / pmax(spectrum$values, floor)))
}

order_agreement <- function(adjacency, scores, tolerance = 1e-9) {
  m <- length(scores)
  gap <- outer(scores, scores, function(from, to) to - from)
  equal <- abs(gap) <= tolerance * outer(abs(scores), abs(scores), pmax)
  agreement <- ifelse(equal, 0.5, (gap > 0) * 1)
  parents <- lapply(seq_len(m), function(j) which(adjacency[, j] != 0))
  # reached[i, j]: there is a path of the present length from i to j.
  reached <- adjacency != 0
  agreed <- 0
  pairs <- 0
  while (any(reached)) {
    agreed <- agreed + sum(agreement[reached])
    pairs <- pairs + sum(reached)
    reached <- vapply(parents, function(p) rowSums(reached[, p, drop = FALSE]) > 0, logical(m))
  }
  if (pairs > 0) agreed / pairs else NA_real_
}
