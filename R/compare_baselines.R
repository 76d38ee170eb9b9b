# Networks that learn little or nothing: what every learner should be better than.

# Functions of the data and of the number of edges of a random network, each with a row of its own
# in compare_learners().
baseline_learners <- list(
  empty = function(x, edges) bnlearn::empty.graph(samples(x)$nodes),
  random_dag = function(x, edges) random_network(samples(x)$nodes, edges),
  sort_variance = function(x, edges) sort_and_regress(x, "variance"),
  sort_r2 = function(x, edges) sort_and_regress(x, "r2")
)

random_network <- function(nodes, edges) {
  dag <- random_dag(nodes, edges = edges)
  bn_of(bnlearn::amat(dag), "random_dag")
}

# The variables in increasing order of their variance, or of the share of it that all others
# explain; each takes its parents from those before it (Reisach et al. 2021, 2023).
sort_and_regress <- function(x, score) {
  label <- paste0("\"sort_", score, "\"")
  values <- as.matrix(only_numbers(x, label))
  if (nrow(values) <= ncol(values)) {
    stop_input(
      label, " needs more rows than columns, but `x` has ", nrow(values), " rows and ",
      ncol(values), " columns."
    )
  }
  scores <- switch(score,
    variance = apply(values, 2, stats::var),
    r2 = explained_shares(values)
  )
  covariance <- stats::cov(values)
  order <- order(scores)
  adjacency <- matrix(0L, ncol(values), ncol(values), dimnames = dimnames(covariance))
  for (k in seq_along(order)[-1]) {
    parents <- choose_regressors(covariance, order[k], order[seq_len(k - 1)], nrow(values))
    adjacency[parents, order[k]] <- 1L
  }
  bn_of(adjacency, label)
}

# A variable with less than this share of its variance left is determined by the chosen regressors.
determined_share <- 1e-10

# The regressors of variable j among the candidates that the BIC takes: forward, as long as one more
# gains more than BIC charges for its parameter, then backward.
choose_regressors <- function(covariance, j, candidates, n) {
  charge <- log(n) / 2
  # Covariances given the regressors that are chosen so far.
  partial <- covariance
  chosen <- integer()
  repeat {
    open <- setdiff(candidates, chosen)
    left <- diag(partial) / diag(covariance)
    open <- open[left[open] > determined_share]
    if (length(open) == 0 || left[j] <= determined_share) break
    explained <- partial[open, j]^2 / (diag(partial)[open] * partial[j, j])
    best <- which.max(explained)
    if (-n / 2 * log(1 - min(explained[best], 1)) <= charge) break
    chosen <- c(chosen, open[best])
    partial <- partial - tcrossprod(partial[, open[best]]) / partial[open[best], open[best]]
  }
  drop_regressors(covariance, j, chosen, n, charge)
}

drop_regressors <- function(covariance, j, chosen, n, charge) {
  while (length(chosen) > 0) {
    precision <- tryCatch(
      solve(covariance[c(j, chosen), c(j, chosen)]), error = function(condition) NULL
    )
    if (is.null(precision)) break
    # The residual variance without a regressor, in units of that with it.
    own <- diag(precision)[-1]
    growth <- 1 / (1 - precision[1, -1]^2 / (own * precision[1, 1]))
    loss <- n / 2 * log(growth)
    if (min(loss) > charge) break
    chosen <- chosen[-which.min(loss)]
  }
  chosen
}

# Complete numeric columns, as a data frame. label: who needs them.
only_numbers <- function(x, label) {
  frame <- scorable(x, label)
  discrete <- vapply(frame, is.factor, NA)
  if (any(discrete)) {
    stop_input(
      label, " is for numbers, but column ", quoted(names(frame)[discrete][1]), " of `x` is ",
      "discrete."
    )
  }
  frame
}

# The rows that are not of learners, in this order.
reference_names <- c(names(baseline_learners), "truth")
