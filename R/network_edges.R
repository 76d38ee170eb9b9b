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
    strength = found$dropped[, 3], stringsAsFactors = FALSE
  )
  list(adjacency = adjacency, dropped = dropped)
}

is_acyclic_matrix <- function(adjacency) {
  none <- matrix(0, nrow(adjacency), ncol(adjacency))
  nrow(acyclic_edges_cpp((adjacency != 0) * 1, 0, none)$dropped) == 0
}
