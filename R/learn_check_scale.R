#' Does the network depend on the units of the data?
#'
#' Learns one network from the data as they are and one from standardised columns, with the same
#' random numbers, and compares the two. A learner that minimises squared errors can read the order
#' of the variables from their variances alone. Edges that are reversed or removed by standardising
#' depend on the units of the data.
#'
#' Discrete columns are left as they are. Where all columns are discrete there is nothing to check.
#'
#' @param x The data, as for [dag_gnn()].
#' @param learner A function of the data that returns a bnlearn network, [dag_gnn()] by default.
#' @param ... Further arguments of `learner`, the same for both fits. `scale`, where the learner has
#'   it, is better left at `FALSE`.
#' @return A list of class `"check_scale"` with `raw` and `standardised`, the two networks, and
#'   `edges`, a data frame with a row for each pair that either network joins: `from`, `to` (as in
#'   `raw` where it is there), and `fate`: `"same"`, `"reversed"`, `"only raw"` or
#'   `"only standardised"`; and `agreement`, the share of those rows that are `"same"`, 1 where
#'   both networks are empty.
#' @seealso [varsortability()] for how much the variances alone give away, [boot_dag()] for how much
#'   the rows matter.
#' @examples
#' set.seed(1)
#' dag <- random_dag(6, degree = 2)
#' x <- simulate_sem(dag, 500)
#' check_scale(x, notears)
#' # Hill-climbing by BIC does not depend on units.
#' check_scale(x, bnlearn::hc)
#' @export
check_scale <- function(x, learner = dag_gnn, ...) {
  check_learner(learner)
  data <- samples(x)
  if (!any(data$kind == "continuous")) {
    stop_input("`x` must have a continuous column: discrete ones have no scale to check.")
  }
  stream <- random_streams(1)[[1]]
  raw <- with_stream(stream, check_learned(learner(x, ...), data$nodes))
  standardised <- with_stream(stream, check_learned(learner(standardised_data(x), ...), data$nodes))
  edges <- compare_edges(raw, standardised)
  structure(
    list(
      raw = raw, standardised = standardised, edges = edges,
      agreement = if (nrow(edges) == 0) 1 else mean(edges$fate == "same")
    ),
    class = "check_scale"
  )
}

check_learned <- function(net, nodes) {
  if (!inherits(net, "bn") || !setequal(bnlearn::nodes(net), nodes)) {
    stop_input("`learner` must return a bnlearn network of the columns of `x`.")
  }
  net
}

# x in the form it came in, its continuous columns with mean 0 and standard deviation 1.
standardised_data <- function(x) {
  if (is.array(x) && is.numeric(x)) {
    return(array(apply(x, seq_along(dim(x))[-1], standard_scores), dim(x), dimnames(x)))
  }
  if (is.data.frame(x)) {
    numeric <- vapply(x, is.numeric, NA)
    x[numeric] <- lapply(x[numeric], function(column) {
      if (is.matrix(column)) apply(column, 2, standard_scores) else standard_scores(column)
    })
  }
  x
}

compare_edges <- function(raw, standardised) {
  nodes <- bnlearn::nodes(raw)
  first <- bnlearn::amat(raw) != 0
  second <- bnlearn::amat(standardised)[nodes, nodes] != 0
  shown <- first | (second & !t(first))
  index <- which(shown, arr.ind = TRUE)
  fate <- ifelse(
    !first[index], "only standardised",
    ifelse(second[index], "same", ifelse(t(second)[index], "reversed", "only raw"))
  )
  edges <- data.frame(
    from = nodes[index[, 1]], to = nodes[index[, 2]], fate = as.character(fate),
    stringsAsFactors = FALSE
  )
  edges[order(index[, 1], index[, 2]), , drop = FALSE]
}

#' @export
print.check_scale <- function(x, ...) {
  count <- function(fate) sum(x$edges$fate == fate)
  cat(
    "Raw against standardised data\n",
    "  the same edge:      ", count("same"), "\n",
    "  reversed:           ", count("reversed"), "\n",
    "  only raw:           ", count("only raw"), "\n",
    "  only standardised:  ", count("only standardised"), "\n",
    "  agreement:          ", format(round(100 * x$agreement)), " %\n",
    sep = ""
  )
  changed <- x$edges[x$edges$fate != "same", , drop = FALSE]
  if (nrow(changed) > 0) {
    most <- 10
    cat("Edges that depend on the units:\n")
    shown <- utils::head(changed, most)
    cat(paste0("  ", shown$from, " -> ", shown$to, " (", shown$fate, ")\n"), sep = "")
    if (nrow(changed) > most) cat("  and ", nrow(changed) - most, " more\n", sep = "")
  }
  invisible(x)
}
