#' Draw another network from the same weights
#'
#' Chooses the edges of a learned network again from its weights, by another threshold or by the
#' best BIC, without learning again. After a search (`model = "mechanism"`), only edges that the
#' search found have a weight.
#'
#' @param net A network with weights, from [dag_gnn()] or [notears()].
#' @param threshold A number from 0: edges with |A| above it are kept; `"bic"`: the threshold whose
#'   network has the best BIC (bnlearn's: higher is better) on `x`; or `"auto"`, as in
#'   [dag_gnn()].
#' @param x The data that the network was learned from, for `"bic"` and, where variables are
#'   discrete, for `"auto"`. The network keeps no copy of them; by default they are looked up by the
#'   name that they had in the call that learned it. Variables must be single numbers or discrete.
#'   With missing values, each variable is scored on the rows where it and its parents are known.
#' @return The network with its new edges. For `"bic"`, `net$daggnn$path` is a data frame with the
#'   `threshold`, the number of `edges` and the `bic` of every network on the way from no edge to
#'   the most, which `plot(net, what = "path")` draws.
#' @details Whitelisted edges stay whatever the threshold, and blacklisted ones stay out. Edges
#'   enter from the strongest to the weakest, and one that would close a cycle is left out, so the
#'   networks are nested. The path ends where a variable would have more parameters than there are
#'   rows, where a factor would have a numeric parent (bnlearn has no score for that, and a
#'   warning says so), and when ten edges for each variable did not improve the BIC.
#' @seealso [coef.daggnn()] for the weights, [summary.daggnn()] for edges near the threshold.
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' rethreshold(net, 0.5)
#' rethreshold(net, "bic")
#' @export
rethreshold <- function(net, threshold, x = NULL) {
  check_weighted(net, "net")
  rule <- check_threshold(threshold)
  details <- net$daggnn
  if (is.character(rule)) x <- data_of(net, x, parent.frame())
  columns <- if (!is.null(x)) columns_like(details$nodes, x, "x")
  edges <- choose_edges(rule, details, columns)
  details$threshold_rule <- rule
  details[c("threshold", "path")] <- NULL
  kept <- c("threshold", "path", "dropped")
  details[kept] <- edges[kept]
  class <- intersect(class(net), network_classes)
  network_of_edges(edges$edges, details$nodes, details, class)
}

# The weights that thresholds are for: after training on standardised columns, those between such.
threshold_weights <- function(details) {
  if (isTRUE(details$scaled)) details$shares else details$weights
}

check_threshold <- function(threshold) {
  if (identical(threshold, "auto") || identical(threshold, "bic")) {
    return(threshold)
  }
  if (!is.numeric(threshold) || length(threshold) != 1 || is.na(threshold) || threshold < 0) {
    stop_input(
      "`threshold` must be a number from 0 to Inf, \"auto\" or \"bic\", not ",
      show_value(threshold), "."
    )
  }
  as.numeric(threshold)
}

# The paper's threshold, for its model and for linear ones.
paper_threshold <- 0.3

# Edges by a rule from check_threshold(). details: what the network knows of how it was learned;
# columns: the data as a list of columns in the nodes' order, or NULL. Gives the `edges`, those
# `dropped` to break cycles, and where they apply `threshold` and `path`.
choose_edges <- function(rule, details, columns) {
  weights <- threshold_weights(details)
  if (identical(rule, "auto") && identical(details$model, "vae")) rule <- vae_rule(details)
  if (identical(rule, "auto")) {
    threshold <- if (is.null(details$choice)) paper_threshold else 0
    found <- edges_from_weights(weights, threshold, details$prior)
    return(c(found, list(threshold = threshold)))
  }
  path <- NULL
  threshold <- rule
  if (identical(rule, "bic")) {
    if (is.null(columns)) {
      stop_input("`x` must be the data that `net` was learned from: \"bic\" is decided on them.")
    }
    path <- bic_path(weights, details$prior, columns)
    threshold <- best_threshold(path)
  }
  c(edges_from_weights(weights, threshold, details$prior), list(threshold = threshold, path = path))
}

# The way ends when this many edges per variable have come since the best network.
path_patience <- 10

best_threshold <- function(path) {
  path$threshold[which.max(path$bic)]
}

# The networks from no edge but the required ones to all that fit, each with one edge more than the
# one before: a data frame of threshold (the middle of those that give this network), edges and bic.
# columns: named list of data columns; prior: from check_prior(), as weights in the nodes' order.
bic_path <- function(weights, prior, columns) {
  local_bic <- local_bic_scorer(columns)
  nodes <- rownames(weights)
  found <- strongest_first(weights, 0, prior)$kept
  required <- edge_numbers(found) %in% edge_numbers(prior$required)
  parents <- stats::setNames(vector("list", length(nodes)), nodes)
  for (k in which(required)) {
    to <- found[k, 2]
    parents[[to]] <- c(parents[[to]], nodes[found[k, 1]])
  }
  local <- vapply(nodes, function(node) local_bic(node, parents[[node]]), 0)
  if (anyNA(local)) {
    stop_input("The whitelisted edges alone have no BIC on `x`: give the threshold as a number.")
  }

  optional <- found[!required, , drop = FALSE]
  bic <- sum(local)
  for (k in seq_len(nrow(optional))) {
    to <- optional[k, 2]
    parents[[to]] <- c(parents[[to]], nodes[optional[k, 1]])
    local[to] <- local_bic(nodes[to], parents[[to]])
    if (is.na(local[to]) || k - which.max(bic) > path_patience * length(nodes)) break
    bic[k + 1] <- sum(local)
  }
  # Without optional edges every threshold gives the required ones alone.
  above <- if (any(optional[, 3] > 0)) 1.2 * max(optional[, 3]) else 1
  sizes <- c(above, optional[, 3], 0)
  last <- sizes[seq_along(bic)]
  middle <- (last + sizes[seq_along(bic) + 1]) / 2
  path <- data.frame(threshold = middle, edges = sum(required) + seq_along(bic) - 1, bic = bic)
  # Of edges equally strong, no threshold takes one without the other.
  path[last > middle, , drop = FALSE]
}

# A function of a node and its parents: bnlearn's BIC of the node, NA where it has more parameters
# than there are rows, or where bnlearn has none.
local_bic_scorer <- function(columns) {
  data <- scorable_columns(columns)
  discrete <- vapply(data, is.factor, NA)
  if (!any(discrete) && !anyNA(data, recursive = TRUE)) {
    gaussian_bic_scorer(as.matrix(data))
  } else {
    bnlearn_bic_scorer(data, discrete)
  }
}

bnlearn_bic_scorer <- function(data, discrete) {
  n <- nrow(data)
  size <- function(node, parents) {
    cells <- prod(vapply(data[parents[discrete[parents]]], nlevels, 1L))
    cells * if (discrete[node]) nlevels(data[[node]]) - 1 else sum(!discrete[parents]) + 2
  }
  function(node, parents) {
    numbers <- parents[!discrete[parents]]
    if (discrete[node] && length(numbers) > 0) {
      warn_user(
        "bnlearn has no BIC for an edge from a number to a factor (", numbers[1], " -> ", node,
        "): the search for the best threshold ends above it. Such edges can be blacklisted."
      )
      return(NA_real_)
    }
    if (size(node, parents) > n) {
      return(NA_real_)
    }
    kinds <- discrete[c(node, parents)]
    suffix <- if (all(kinds)) "" else if (!any(kinds)) "-g" else "-cg"
    family <- data[c(node, parents)]
    family <- family[stats::complete.cases(family), , drop = FALSE]
    if (nrow(family) == 0) {
      return(NA_real_)
    }
    graph <- bnlearn::empty.graph(names(family))
    bnlearn::arcs(graph) <- cbind(from = parents, to = rep(node, length(parents)))
    # bnlearn warns of levels that do not occur; here they count as parameters, as they should.
    score_by <- function(type) {
      type <- paste0(type, suffix)
      suppressWarnings(bnlearn::score(graph, family, type = type, by.node = TRUE))[[node]]
    }
    if (nrow(family) == n) {
      return(score_by("bic"))
    }
    likelihood <- score_by("loglik")
    parameters <- (likelihood - score_by("bic")) / (log(nrow(family)) / 2)
    likelihood * n / nrow(family) - parameters * log(n) / 2
  }
}

# The same for complete numbers, from their second moments: the rows are looked at only once.
gaussian_bic_scorer <- function(values) {
  n <- nrow(values)
  products <- crossprod(sweep(values, 2, colMeans(values)))
  function(node, parents) {
    parameters <- length(parents) + 2
    if (parameters > n) {
      return(NA_real_)
    }
    total <- products[node, node]
    explained <- if (length(parents) > 0) {
      # qr() leaves out parents that others repeat.
      slopes <- qr.coef(qr(products[parents, parents]), products[parents, node])
      sum(slopes * products[parents, node], na.rm = TRUE)
    } else {
      0
    }
    # A perfect fit has no likelihood: what is left is rounding, and is kept above it.
    left <- max(total - explained, 1e-14 * total)
    degrees <- max(n - length(parents) - 1, 1)
    -n / 2 * log(2 * pi * left / degrees) - degrees / 2 - parameters * log(n) / 2
  }
}

# Columns as bnlearn scores them, missing values among them.
scorable_columns <- function(columns) {
  wide <- vapply(columns, function(column) length(dim(column)) == 2, NA)
  if (any(wide)) {
    stop_input(
      "Column ", quoted(names(columns)[wide]), " of `x` is a matrix, and \"bic\" is for single ",
      "numbers and factors: give the threshold as a number."
    )
  }
  # Complains about columns that no score can be computed from.
  Map(describe_variable, columns, column_labels(names(columns), "x"))
  numbers_and_factors(columns)
}

# The rule that "auto" stands for.
vae_rule <- function(details) {
  # How large weights are depends on the numbers that levels get: no threshold suits all data.
  if (all(details$samples$kind == "discrete")) "bic" else paper_threshold
}
