# Networks that no learner has to be run for.

# arcs: "a>b" and the like; the weights are given in turn.
known_network <- function(nodes, arcs, weights = NULL, class = character(), ...) {
  adjacency <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  ends <- do.call(rbind, strsplit(arcs, ">", fixed = TRUE))
  adjacency[ends] <- 1L
  if (is.null(weights)) weights <- rep(c(1.5, -0.8), length.out = length(arcs))
  A <- adjacency * 0
  A[ends] <- weights
  details <- list(
    learner = "dag_gnn", model = "mechanism", weights = A, threshold = 0.3, threshold_rule = 0.3,
    dropped = data.frame(from = character(), to = character(), weight = numeric()),
    trace = data.frame(
      round = 1:3, epochs = c(60L, 15L, 15L), h = c(1e-2, 1e-5, 5e-9), c = c(1, 10, 100),
      lambda = c(0, 0.01, 0.02), loss = c(3, 2.5, 2.4), seconds = c(0.6, 0.2, 0.2)
    ),
    reason = "converged", prior = check_prior(nodes), control = dag_gnn_control(), n = 5000,
    seconds = 1
  )
  new_network(adjacency, utils::modifyList(details, list(...)), class)
}

# The same with shares beside the weights: weights in units that differ by powers of ten.
with_shares <- function(net) {
  net$daggnn$shares <- net$daggnn$weights / 10
  net$daggnn$weights <- net$daggnn$weights * 10^(seq_along(net$nodes) - 3)
  net
}

gaussian_network <- function(...) {
  known_network(
    names(bnlearn::gaussian.test), c("A>C", "B>C", "B>D", "D>F", "A>F", "E>F", "G>F"), ...
  )
}

discrete_network <- function(...) {
  known_network(names(bnlearn::learning.test), c("A>B", "A>D", "C>D", "B>E", "F>E"), ...)
}

mixed_network <- function(...) {
  known_network(names(bnlearn::clgaussian.test), c("A>D", "B>D", "D>G", "C>H", "H>E"), ...)
}

# Conditional Gaussian networks have no edge from a number to a factor.
continuous_to_discrete <- function(x) {
  discrete <- vapply(x, is.factor, NA)
  arcs <- expand.grid(from = names(x)[!discrete], to = names(x)[discrete], stringsAsFactors = FALSE)
  if (nrow(arcs) == 0) NULL else as.matrix(arcs)
}
