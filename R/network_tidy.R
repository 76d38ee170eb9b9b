# Networks as tables, for users of the tidyverse. The generics come from the package generics, which
# broom and tidymodels share.

#' A network as tables
#'
#' `tidy()` and `as.data.frame()` give a row for each edge, `glance()` one row for the network, and
#' `augment()` the data with fitted values and residuals beside them.
#'
#' @param x A network of this package, or strengths from [boot_dag()].
#' @param strength Strengths from [boot_dag()] or bnlearn, to be shown beside the edges; optional.
#' @param data The data for `augment()`: those that the network was learned from, or new ones with
#'   the same variables. By default the former are found again by their name.
#' @param newdata New data for `augment()`; another name for `data`.
#' @param row.names,optional Not used.
#' @param threshold For strengths, the least strength of the edges to list, from 0 to 1; 0 lists all
#'   pairs that were joined at least once.
#' @param ... Not used.
#' @return `tidy()` and `as.data.frame()`: a data frame with `from` and `to` and, where they are
#'   known, `weight`, `share` (of the child's standard deviation), `gain` (what the edge adds to the
#'   score), `strength` and `direction` (by bootstrap). Where the effect is a curve, the sign of
#'   `weight` and `share` is that of its straight part only: look at `plot(x, what = "effects")`.
#'
#'   `glance()`: a data frame of one row with the `learner`, `model`, `nodes`, `edges`, `n` (rows of
#'   data), `converged` and `seconds`; values that a learner does not have are `NA`.
#'
#'   `augment()`: the data frame with `.fitted_<name>` and `.resid_<name>` for each variable. For a
#'   discrete variable `.fitted_` is the most probable level and `.prob_<name>` the probability of
#'   the observed one, instead of a residual. For a vector-valued variable both are matrix columns.
#'
#'   Tables are tibbles where the package tibble is installed.
#' @seealso [summary.daggnn()], [fitted.daggnn()], [boot_dag()]
#' @examples
#' x <- bnlearn::gaussian.test[1:500, ]
#' net <- dag_gnn(x)
#' tidy(net)
#' glance(net)
#' augment(net, x)
#' tidy(net, strength = boot_dag(x, R = 5, learner = bnlearn::hc))
#' @importFrom generics tidy
#' @export
tidy.daggnn <- function(x, strength = NULL, ...) {
  if (inherits(x, "bn.fit")) {
    x <- bnlearn::bn.net(x)
  }
  as_tibble_if(edge_facts(x, check_strength(strength, x)))
}

#' @rdname tidy.daggnn
#' @export
as.data.frame.daggnn <- function(x, row.names = NULL, optional = FALSE, ...) {
  edge_facts(if (inherits(x, "bn.fit")) bnlearn::bn.net(x) else x)
}

#' @rdname tidy.daggnn
#' @export
tidy.boot_dag <- function(x, threshold = 0, ...) {
  threshold <- check_number(threshold, "threshold", 0, 1)
  table <- data.frame(
    from = x$from, to = x$to, strength = x$strength, direction = x$direction
  )
  kept <- table$strength * table$direction > 0 & table$strength >= threshold
  table <- table[kept, ]
  table <- table[order(-table$strength, -table$direction), ]
  rownames(table) <- NULL
  as_tibble_if(table)
}

#' @rdname tidy.daggnn
#' @importFrom generics glance
#' @export
glance.daggnn <- function(x, ...) {
  check_network(x, "x")
  details <- x$daggnn
  or_na <- function(value, otherwise) if (length(value) == 1) value else otherwise
  as_tibble_if(data.frame(
    learner = or_na(details$learner, NA_character_), model = or_na(details$model, NA_character_),
    nodes = length(x$nodes), edges = nrow(x$arcs), n = or_na(details[["n"]], NA_integer_),
    converged = if (is.null(details$reason)) NA else details$reason == "converged",
    seconds = or_na(details$seconds, NA_real_)
  ))
}

#' @rdname tidy.daggnn
#' @importFrom generics augment
#' @export
augment.daggnn <- function(x, data = NULL, newdata = NULL, ...) {
  check_model(x)
  if (!is.null(newdata)) data <- newdata
  data <- needed_data_of(x, data, parent.frame(), "augment", "data")
  nodes <- x$daggnn$nodes
  seen <- columns_like(nodes, data, "data")
  response <- expected_columns(x, data, "response", "data")
  probability <- expected_columns(x, data, "prob", "data")
  levels <- x$daggnn$samples$levels
  columns <- if (is.data.frame(data)) as.list(data) else seen
  columns[paste0(".fitted_", nodes)] <- response[nodes]
  for (name in nodes) {
    if (is.null(levels[[name]])) {
      columns[[paste0(".resid_", name)]] <- seen[[name]] - response[[name]]
    } else {
      own <- cbind(seq_along(seen[[name]]), match(as.character(seen[[name]]), levels[[name]]))
      columns[[paste0(".prob_", name)]] <- unclass(probability[[name]])[own]
    }
  }
  as_tibble_if(as_frame(columns, if (is.data.frame(data)) row.names(data)))
}

# Generics that users of this package need not attach another one for.
#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

as_tibble_if <- function(table) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}
