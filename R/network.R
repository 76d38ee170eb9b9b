# The result of every learner: a bnlearn network with what the learner knows beside it.

# adjacency: 0/1, [i, j] is i -> j, a DAG; details: a named list, kept as net$daggnn. bnlearn reads
# some names in learning$args and only prints algorithms it knows, so nothing of ours goes there.
new_network <- function(adjacency, details, class = character()) {
  net <- bnlearn::empty.graph(rownames(adjacency))
  bnlearn::amat(net) <- adjacency
  stopifnot(bnlearn::directed(net), bnlearn::acyclic(net))
  net$daggnn <- details
  class(net) <- c(class, "daggnn", "bn")
  net
}

# bnlearn::bn.fit() keeps our class on what it makes of a network: that is not one of ours.
is_network <- function(net) {
  inherits(net, "daggnn") && !inherits(net, "bn.fit") && is.list(net$daggnn)
}
