# Random networks with weights: the truth of simulations.

#' A random directed acyclic graph with edge weights
#'
#' Draws the graphs of the paper's synthetic data: a random graph, a random order of its nodes, and
#' a random weight for each edge. The result is a bnlearn network that also carries its weights, so
#' that [simulate_sem()] can draw data from it.
#'
#' `"erdos-renyi"`: each pair of nodes is joined with the same probability, `degree / (m - 1)`, and
#' the edge points to the later node in the random order. The number of edges is thus random, with
#' mean m `degree` / 2. With `edges`, exactly that many pairs are joined, and every choice of pairs
#' has the same probability. What the literature calls ER1, ER2 and ER4 has 1, 2 and 4 edges for
#' each node: `edges = m`, `2 * m` and `4 * m`.
#'
#' `"scale-free"`: nodes arrive one after the other, and each sends `degree / 2` edges (rounded, at
#' least one) to nodes that are there already, chosen in proportion to one plus the number of edges
#' that they have (Barabasi and Albert 1999). A few nodes thus get very many parents. With `edges`,
#' the newcomers share that many edges as equally as possible.
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
#' @param edges The exact number of edges, from 0 to m (m - 1) / 2, instead of `degree`. `NULL`, the
#'   default, leaves it to `degree`.
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
#'
#' # Exactly 40 of the 45 possible edges.
#' bnlearn::narcs(random_dag(10, edges = 40))
#' @export
random_dag <- function(nodes, degree = 3, graph = c("erdos-renyi", "scale-free"),
                       weights = c(0.5, 2), edges = NULL) {
  nodes <- check_nodes(nodes)
  m <- length(nodes)
  if (!is.null(edges)) {
    if (!missing(degree)) stop_input("`degree` and `edges` exclude each other: give one of them.")
    edges <- check_number(edges, "edges", 0, m * (m - 1) / 2, whole = TRUE)
  } else {
    degree <- check_number(degree, "degree", 0, m - 1)
  }
  graph <- check_choice(graph, "graph", c("erdos-renyi", "scale-free"))
  check_range(weights, "weights")
  adjacency <- switch(graph,
    "erdos-renyi" = if (is.null(edges)) erdos_renyi(m, degree) else fixed_edges(m, edges),
    "scale-free" = scale_free(if (is.null(edges)) equal_joins(m, degree) else share_edges(m, edges))
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

# The same with an exact number of edges.
fixed_edges <- function(m, edges) {
  adjacency <- matrix(0L, m, m)
  pairs <- which(upper.tri(adjacency))
  adjacency[pairs[sample.int(length(pairs), edges)]] <- 1L
  adjacency
}

# 0/1, strictly lower triangular: a new node points to older ones. joins: how many edges each node
# sends when it arrives.
scale_free <- function(joins) {
  m <- length(joins)
  adjacency <- matrix(0L, m, m)
  edges <- rep(0, m)
  for (new in seq_len(m)[-1]) {
    older <- seq_len(new - 1)
    chosen <- sample.int(new - 1, joins[new], prob = 1 + edges[older])
    adjacency[new, chosen] <- 1L
    edges[chosen] <- edges[chosen] + 1
    edges[new] <- length(chosen)
  }
  adjacency
}

equal_joins <- function(m, degree) {
  pmin(max(1, round(degree / 2)), seq_len(m) - 1)
}

# As equal as possible with this sum, where the k-th node has k - 1 others to point to.
share_edges <- function(m, edges) {
  joins <- rep(0, m)
  while (sum(joins) < edges) {
    open <- which(joins < seq_len(m) - 1)
    left <- edges - sum(joins)
    if (left < length(open)) open <- open[sample.int(length(open), left)]
    joins[open] <- joins[open] + 1
  }
  joins
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
