# From weights to edges.

# weights: m x m, [i, j] is i -> j; prior: from check_prior(), in the same order.
# Returns a 0/1 matrix that is always a DAG, and the edges that had to go to make it one.
edges_from_weights <- function(weights, threshold, prior) {
  nodes <- rownames(weights)
  found <- acyclic_edges_cpp(abs(weights) * prior$allowed, threshold, prior$required * 1)
  adjacency <- matrix(0L, nrow(weights), ncol(weights), dimnames = dimnames(weights))
  adjacency[found$kept[, 1:2, drop = FALSE]] <- 1L
  dropped <- data.frame(
    from = nodes[found$dropped[, 1]], to = nodes[found$dropped[, 2]],
    weight = found$dropped[, 3], stringsAsFactors = FALSE
  )
  list(adjacency = adjacency, dropped = dropped)
}

is_acyclic_matrix <- function(adjacency) {
  none <- matrix(0, nrow(adjacency), ncol(adjacency))
  nrow(acyclic_edges_cpp((adjacency != 0) * 1, 0, none)$dropped) == 0
}

edge_keys <- function(edges) paste(edges$from, edges$to, sep = "\r")

# What is known about each edge of a network from anywhere.
edge_facts <- function(net, strength = NULL) {
  table <- edges_of(net)[c("from", "to")]
  arcs <- as.matrix(table)
  if (is_network(net)) {
    details <- net$daggnn
    known <- list(weight = details$weights, share = details$shares, gain = details$gain)
    for (name in names(known)) {
      if (is.matrix(known[[name]])) table[[name]] <- known[[name]][arcs]
    }
  }
  if (!is.null(strength)) {
    row <- match(edge_keys(table), edge_keys(strength))
    table$strength <- strength$strength[row]
    table$direction <- strength$direction[row]
  }
  table
}

# One row for each edge, directed ones first: an undirected one is in `arcs` both ways.
edges_of <- function(net) {
  arcs <- bnlearn::arcs(net)
  undirected <- bnlearn::undirected.arcs(net)
  key <- function(arcs) paste(arcs[, 1], arcs[, 2], sep = "\r")
  directed <- !key(arcs) %in% key(undirected)
  nodes <- bnlearn::nodes(net)
  first <- match(undirected[, 1], nodes) < match(undirected[, 2], nodes)
  edges <- rbind(arcs[directed, , drop = FALSE], undirected[first, , drop = FALSE])
  data.frame(
    from = edges[, 1], to = edges[, 2], arrow = rep(c(TRUE, FALSE), c(sum(directed), sum(first))),
    row.names = NULL
  )
}
