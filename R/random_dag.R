# Random networks with weights: the truth of simulations.

#' A random directed acyclic graph with edge weights
#'
#' Draws the graphs of the paper's synthetic data: a random graph, a random order of its nodes, and
#' a random weight for each edge. The result is a bnlearn network that also carries its weights, so
#' that [simulate_sem()] can draw data from it.
#'
#' `"erdos-renyi"`: each pair of nodes is joined with the same probability, `degree / (m - 1)`, and
#' the edge points to the later node in the random order.
#'
#' `"scale-free"`: nodes arrive one after the other, and each sends `degree / 2` edges (rounded, at
#' least one) to nodes that are there already, chosen in proportion to one plus the number of edges
#' that they have (Barabasi and Albert 1999). A few nodes thus get very many parents.
#'
#' Random numbers come from R's generator: [set.seed()] makes the result reproducible.
#'
#' @param nodes The number of nodes (m in the paper), at least 2, or their names. A number gives the
#'   names V1, V2, ...
#' @param degree Expected number of edges at a node, in and out together: from 0 to m - 1; the paper
#'   has 3.
#' @param graph `"erdos-renyi"` (default, as in the paper) or `"scale-free"`.
#' @param weights The range of the absolute weights, two positive numbers in increasing order. A
#'   weight is uniform on this range, and its sign is drawn with equal chances. The default is 0.5
#'   to 2.
#' @return A network of class `"bn"`, and of class `"weighted_dag"` for its weights: `coef()` gives
#'   the matrix A of the paper, where `A[i, j]` is the weight of the edge from i to j and 0 stands
#'   for no edge.
#' @references Yu, Chen, Gao and Yu (2019), DAG-GNN: DAG structure learning with graph neural
#'   networks, section 4.1. Barabasi and Albert (1999), Emergence of scaling in random networks,
#'   Science 286.
#' @seealso [simulate_sem()] for data from the network, [dag_metrics()] to compare it with what was
#'   learned.
#' @examples
#' set.seed(1)
#' dag <- random_dag(10, degree = 3)
#' bnlearn::arcs(dag)
#' round(coef(dag), 1)
#' @export
random_dag <- function(nodes, degree = 3, graph = c("erdos-renyi", "scale-free"),
                       weights = c(0.5, 2)) {
  nodes <- check_nodes(nodes)
  m <- length(nodes)
  degree <- check_number(degree, "degree", 0, m - 1)
  graph <- check_choice(graph, "graph", c("erdos-renyi", "scale-free"))
  check_range(weights, "weights")
  adjacency <- switch(graph,
    "erdos-renyi" = erdos_renyi(m, degree),
    "scale-free" = scale_free(m, degree)
  )
  order <- sample.int(m)
  adjacency <- adjacency[order, order]
  dimnames(adjacency) <- list(nodes, nodes)
  new_weighted_dag(random_weights(adjacency, weights))
}

# 0/1, strictly upper triangular.
erdos_renyi <- function(m, degree) {
  adjacency <- matrix(0L, m, m)
  pairs <- upper.tri(adjacency)
  adjacency[pairs] <- as.integer(stats::runif(sum(pairs)) < degree / (m - 1))
  adjacency
}

# 0/1, strictly lower triangular: a new node points to older ones.
scale_free <- function(m, degree) {
  adjacency <- matrix(0L, m, m)
  joins <- max(1, round(degree / 2))
  edges <- rep(0, m)
  for (new in seq_len(m)[-1]) {
    older <- seq_len(new - 1)
    chosen <- sample.int(new - 1, min(joins, new - 1), prob = 1 + edges[older])
    adjacency[new, chosen] <- 1L
    edges[chosen] <- edges[chosen] + 1
    edges[new] <- length(chosen)
  }
  adjacency
}

# The adjacency matrix with a random weight in place of each 1.
random_weights <- function(adjacency, range) {
  count <- sum(adjacency)
  size <- stats::runif(count, range[1], range[2])
  sign <- sample(c(-1, 1), count, replace = TRUE)
  weights <- adjacency * 1
  weights[adjacency == 1] <- size * sign
  weights
}

new_weighted_dag <- function(weights) {
  net <- bnlearn::empty.graph(rownames(weights))
  bnlearn::amat(net) <- (weights != 0) * 1L
  net$weights <- weights
  class(net) <- c("weighted_dag", "bn")
  net
}

# bnlearn's generics dispatch by S4 classes: they must know that a "weighted_dag" is a "bn".
setClass("weighted_dag", contains = "bn", representation("VIRTUAL"))

# bnlearn::bn.fit() keeps our class on what it makes of a network; its coefficients are its own.
#' @export
#' @importFrom stats coef
coef.weighted_dag <- function(object, ...) {
  if (inherits(object, "bn.fit")) NextMethod() else weights_of(object, "object")
}

check_nodes <- function(nodes) {
  if (!is.character(nodes)) {
    return(default_names(check_number(nodes, "nodes", 2, 1e5, whole = TRUE)))
  }
  if (length(nodes) < 2 || anyNA(nodes) || any(nodes == "") || anyDuplicated(nodes)) {
    stop_input(
      "`nodes` must be a number of nodes or at least two names, none of them empty or twice."
    )
  }
  nodes
}

check_range <- function(range, argument) {
  two <- is.numeric(range) && length(range) == 2
  if (!two || !all(is.finite(range)) || range[1] <= 0 || range[1] > range[2]) {
    stop_input(
      "`", argument, "` must be two positive numbers in increasing order, not ",
      if (two) paste(range, collapse = " and ") else show_value(range), "."
    )
  }
}
