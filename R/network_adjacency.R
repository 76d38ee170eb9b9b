# A directed graph in any form that users have it, as a matrix: [i, j] is i -> j.

# The adjacency matrix, 0/1 with node names on both sides. An undirected edge is 1 in both places.
adjacency_of <- function(dag, argument) {
  if (is.matrix(dag)) {
    return((check_weights(dag, argument) != 0) * 1)
  }
  bnlearn::amat(as_bn(dag, argument))
}

# The same for a network that must have the nodes of argument `other`, in their order.
adjacency_on <- function(dag, nodes, argument, other) {
  on_nodes(adjacency_of(dag, argument), dag, nodes, argument, other)
}

# What was made of a network, a row and a column for each node, in the order of these nodes. A
# matrix without names has its nodes in that order already.
on_nodes <- function(table, dag, nodes, argument, other) {
  if (nrow(table) != length(nodes)) {
    stop_input(
      "`", argument, "` must have the ", length(nodes), " nodes of `", other, "`, but has ",
      nrow(table), "."
    )
  }
  if (is_unnamed(dag)) dimnames(table) <- list(nodes, nodes)
  absent <- setdiff(nodes, rownames(table))
  if (length(absent) > 0) {
    stop_input(
      "`", argument, "` must have the nodes of `", other, "`, but lacks ", quoted(absent), "."
    )
  }
  table[nodes, nodes]
}

is_unnamed <- function(dag) is.matrix(dag) && is.null(unlist(dimnames(dag)))

check_dag <- function(adjacency, argument) {
  if (is.null(topological_order(adjacency))) {
    stop_input("`", argument, "` must be a DAG: it has a cycle or an undirected edge.")
  }
}

# The weights of the edges: those that the network carries on the edges it has now, else ones.
weights_of <- function(dag, argument) {
  if (is.matrix(dag)) {
    return(check_weights(dag, argument))
  }
  adjacency <- adjacency_of(dag, argument)
  carried <- if (is_network(dag)) dag$daggnn$weights else dag$weights
  if (inherits(dag, "bn.fit") || is.null(carried)) adjacency else as.matrix(carried) * adjacency
}

as_bn <- function(dag, argument) {
  if (inherits(dag, "bn.fit")) {
    return(bnlearn::bn.net(dag))
  }
  if (!inherits(dag, "bn")) {
    stop_input(
      "`", argument, "` must be a network (of class \"bn\" or \"bn.fit\") or an adjacency matrix, ",
      "not ", show_value(dag), "."
    )
  }
  dag
}

# A square matrix of finite numbers; names are made up where it has none.
check_weights <- function(weights, argument) {
  if (!(is.numeric(weights) || is.logical(weights)) || nrow(weights) != ncol(weights)) {
    stop_input(
      "`", argument, "` is a matrix and must be square and numeric, not ", nrow(weights), " x ",
      ncol(weights), " and ", typeof(weights), "."
    )
  }
  if (!all(is.finite(weights))) {
    stop_input("`", argument, "` must hold finite numbers only.")
  }
  nodes <- node_names(weights, argument)
  matrix(as.numeric(weights), nrow(weights), dimnames = list(nodes, nodes))
}

node_names <- function(weights, argument) {
  rows <- rownames(weights)
  columns <- colnames(weights)
  if (is.null(rows) && is.null(columns)) {
    return(default_names(nrow(weights)))
  }
  if (!is.null(rows) && !is.null(columns) && !identical(rows, columns)) {
    stop_input("`", argument, "` must have the same names on its rows and its columns.")
  }
  nodes <- if (is.null(columns)) rows else columns
  if (anyDuplicated(nodes)) {
    stop_input("`", argument, "` names ", quoted(nodes[duplicated(nodes)][1]), " more than once.")
  }
  nodes
}

default_names <- function(m) {
  sprintf("V%d", seq_len(m))
}

# The nodes with every parent before its children, or NULL where there is a cycle.
topological_order <- function(adjacency) {
  parents_left <- colSums(adjacency != 0)
  order <- integer()
  repeat {
    ready <- setdiff(which(parents_left == 0), order)
    if (length(ready) == 0) break
    order <- c(order, ready)
    parents_left <- parents_left - colSums(adjacency[ready, , drop = FALSE] != 0)
  }
  if (length(order) == nrow(adjacency)) unname(order)
}

bn_of <- function(adjacency, argument) {
  directed <- adjacency * !(adjacency & t(adjacency))
  if (is.null(topological_order(directed))) {
    stop_input("`", argument, "` must not have a directed cycle.")
  }
  net <- bnlearn::empty.graph(rownames(adjacency))
  bnlearn::amat(net, check.cycles = FALSE) <- adjacency
  net
}

# A network in which an edge that the matrix has both ways has no direction.
cpdag_network <- function(adjacency, nodes) {
  net <- bnlearn::empty.graph(nodes)
  bnlearn::amat(net, check.cycles = FALSE) <- matrix(
    adjacency * 1L, length(nodes), dimnames = list(nodes, nodes)
  )
  net
}
