# Edges by BIC: for each child the threshold with the best BIC.

# weights and prior as in edges_from_weights(); x: the data. A child's candidates are the edges that
# stay acyclic together, entered from the strongest to the weakest; it keeps its k strongest parents,
# for the k with the best local BIC, beside the required ones.
bic_edges <- function(weights, prior, x) {
  x <- scorable(x, "`threshold = \"bic\"`")[rownames(weights)]
  type <- bic_type(x)
  candidates <- edges_from_weights(weights, 0, prior)
  strength <- abs(weights) * candidates$adjacency
  rank <- apply(strength, 2, function(column) rank(-column, ties.method = "first"))
  rank[candidates$adjacency == 0] <- Inf
  most <- prefix_limits(rank, x)

  with_parents <- function(k) {
    prior$required | (rank <= matrix(pmin(k, most), nrow(rank), ncol(rank), byrow = TRUE))
  }
  best_score <- rep(-Inf, ncol(rank))
  best <- integer(ncol(rank))
  for (k in 0:max(most)) {
    score <- local_scores_of(with_parents(k), x, type)
    better <- score > best_score
    best[better] <- k
    best_score[better] <- score[better]
  }
  adjacency <- with_parents(best) * 1L
  weakest <- apply(ifelse(adjacency == 1, strength, Inf), 2, min)
  dropped <- candidates$dropped
  list(
    adjacency = adjacency,
    dropped = dropped[dropped$strength >= weakest[dropped$to], , drop = FALSE]
  )
}

# How many parents each child may try: no more than anybody could read, and with a table of
# probabilities of a size that can be filled.
prefix_limits <- function(rank, x, parents = 20, cells = 1e5) {
  levels <- vapply(x, function(column) max(1, nlevels(column)), 1)
  vapply(seq_len(ncol(rank)), function(j) {
    tried <- utils::head(order(rank[, j]), min(parents, sum(is.finite(rank[, j]))))
    sum(levels[j] * cumprod(levels[tried]) <= cells)
  }, 1)
}

local_scores_of <- function(adjacency, x, type) {
  net <- bnlearn::empty.graph(rownames(adjacency))
  bnlearn::amat(net) <- adjacency * 1L
  bnlearn::score(net, x, type = type, by.node = TRUE)[rownames(adjacency)]
}
