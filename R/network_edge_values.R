# Edges without a matrix: of thousands of variables, few pairs have an edge, a weight or a rule.
#
# A list of edges is a matrix of two columns of node numbers, from and to, sorted by to and then by
# from. The numbers that some edges have are `edge_values`, which can be asked as a matrix is:
# values[arcs], values[i, j].

# adjacency: a square matrix, not 0 (or TRUE) for an edge.
edge_list <- function(adjacency) {
  unname(which(adjacency != 0, arr.ind = TRUE))
}

sorted_edges <- function(edges) {
  edges <- matrix(as.integer(edges), ncol = 2)
  edges <- edges[!duplicated(edge_numbers(edges)), , drop = FALSE]
  edges[order(edges[, 2], edges[, 1]), , drop = FALSE]
}

# A number for each edge, different from those of all others.
edge_numbers <- function(edges) edges[, 1] + 1e6 * edges[, 2]

reversed_edges <- function(edges) edges[, 2:1, drop = FALSE]

# Edges between nodes that are numbered as in `from`, when these are numbered as in `to`.
renumbered_edges <- function(edges, from, to) {
  sorted_edges(match(from, to)[edges])
}

# A 0/1 matrix; edges: a list of them.
adjacency_of_edges <- function(edges, nodes) {
  adjacency <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  adjacency[edges] <- 1L
  adjacency
}

# edges: a list of edges between m nodes.
are_acyclic <- function(edges, m) {
  none <- logical(nrow(edges))
  nrow(acyclic_edges_cpp(m, edges, none * 1, none)$dropped) == 0
}

# bnlearn's form of a list of edges.
arcs_of_edges <- function(edges, nodes) {
  cbind(from = nodes[edges[, 1]], to = nodes[edges[, 2]])
}

# from, to: numbers of nodes; absent: the value of all other pairs.
edge_values <- function(nodes, from, to, value, absent = 0) {
  edges <- matrix(as.integer(c(from, to)), ncol = 2)
  structure(
    list(nodes = nodes, edges = edges, value = value, absent = absent),
    class = "edge_values"
  )
}

# The same values between the nodes in another order.
reordered_values <- function(values, nodes) {
  place <- match(values$nodes, nodes)
  edge_values(
    nodes, place[values$edges[, 1]], place[values$edges[, 2]], values$value, values$absent
  )
}

# The edges that have values, and these; of a matrix all that are neither 0 nor missing.
listed_values <- function(values) {
  if (inherits(values, "edge_values")) {
    return(list(edges = values$edges, value = values$value))
  }
  edges <- edge_list(values != 0 & !is.na(values))
  list(edges = edges, value = unname(values[edges]))
}

#' @export
`[.edge_values` <- function(x, i, j) {
  if (!missing(j)) {
    return(as.matrix(x)[i, j])
  }
  parts <- unclass(x)
  edges <- if (is.character(i)) matrix(match(i, parts$nodes), ncol = 2) else i
  row <- match(edge_numbers(edges), edge_numbers(parts$edges))
  ifelse(is.na(row), parts$absent, parts$value[row])
}

#' @export
`$.edge_values` <- function(x, name) unclass(x)[[name]]

#' @export
dim.edge_values <- function(x) rep(length(x$nodes), 2)

#' @export
dimnames.edge_values <- function(x) list(x$nodes, x$nodes)

#' @export
as.matrix.edge_values <- function(x, ...) {
  nodes <- x$nodes
  values <- matrix(x$absent, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  values[x$edges] <- x$value
  values
}
