# The result of every learner: a bnlearn network with what the learner knows beside it.
#
# bnlearn's functions keep our class and net$daggnn on what they make of a network: on an edited
# copy (drop.arc()), on a graph that is no longer a DAG (cpdag()), on what another learner made of
# it (hc(start = net)), with other nodes (rename.nodes()), and on fitted parameters (bn.fit()). So
# every method asks first what it was given, and leaves what is not ours to bnlearn.

# Learners that give their name to the class of what they return.
network_classes <- c("dag_gnn", "notears", "exact_dag", "gobnilp")

# bnlearn's generics dispatch by S4 classes: they must know that our networks are "bn".
setClass("daggnn", contains = "bn", representation("VIRTUAL"))
for (name in network_classes) setClass(name, contains = "daggnn", representation("VIRTUAL"))
rm(name)

# adjacency: 0/1, [i, j] is i -> j.
new_network <- function(adjacency, details, class = character()) {
  network_of_edges(edge_list(adjacency), rownames(adjacency), details, class)
}

# edges: those of a DAG, a list of edges; details: a named list, kept as net$daggnn. bnlearn reads
# some names in learning$args and only prints algorithms it knows, so nothing of ours goes there.
network_of_edges <- function(edges, nodes, details, class = character()) {
  stopifnot(class %in% network_classes, are_acyclic(edges, length(nodes)))
  net <- bn_of_edges(edges, nodes)
  if (!is.null(details$prior)) {
    arcs <- prior_arcs(details$prior)
    net$learning$whitelist <- arcs$required
    net$learning$blacklist <- arcs$forbidden
  }
  details$nodes <- nodes
  details$arcs <- net$arcs
  net$daggnn <- details
  class(net) <- c(class, "daggnn", "bn")
  net
}

# The "bn" that bnlearn's amat<- makes, without a matrix: see help("bn-class", "bnlearn").
bn_of_edges <- function(edges, nodes) {
  m <- length(nodes)
  by <- function(of, at) {
    unname(split(of, factor(at, seq_len(m))))
  }
  parents <- by(edges[, 1], edges[, 2])
  children <- by(edges[, 2], edges[, 1])
  net <- bnlearn::empty.graph(nodes)
  net$nodes <- stats::setNames(lapply(seq_len(m), function(j) {
    neighbours <- sort(c(parents[[j]], children[[j]]))
    blanket <- unique(c(neighbours, unlist(parents[children[[j]]])))
    list(
      mb = nodes[sort(setdiff(blanket, j))], nbr = nodes[neighbours],
      parents = nodes[sort(parents[[j]])], children = nodes[sort(children[[j]])]
    )
  }), nodes)
  net$arcs <- arcs_of_edges(edges[order(edges[, 1], edges[, 2]), , drop = FALSE], nodes)
  net
}

# The edges of a network in any form that bnlearn knows.
edges_of_bn <- function(net, nodes = names(net$nodes)) {
  sorted_edges(match(net$arcs, nodes))
}

# Is this a network of ours, edited or not, and still a DAG over the variables that were learned
# from?
is_network <- function(net) {
  inherits(net, "daggnn") && !inherits(net, "bn.fit") && is.list(net$daggnn) &&
    net$learning$algo == "empty" && setequal(names(net$nodes), net$daggnn$nodes) &&
    are_acyclic(edges_of_bn(net), length(net$nodes))
}

check_network <- function(net, argument = "object") {
  if (!inherits(net, "daggnn") || inherits(net, "bn.fit")) {
    stop_input("`", argument, "` must be a network of this package, not ", show_value(net), ".")
  }
  if (!is_network(net)) {
    stop_input(
      "`", argument, "` must still be a DAG over the variables that it was learned from: another ",
      "function has changed it since."
    )
  }
  net
}

# The network, or an error that says why it has no raw weights.
check_weighted <- function(net, argument = "object") {
  check_network(net, argument)
  if (is.null(net$daggnn$weights)) {
    stop_input("`", argument, "` comes from ", net$daggnn$learner, "(), which has no weights.")
  }
  invisible(net)
}

# Edges that came and went since the network was learned, as two matrices of arcs.
edits_of <- function(net) {
  key <- function(arcs) paste(arcs[, 1], arcs[, 2], sep = "\r")
  learned <- net$daggnn$arcs
  list(
    added = net$arcs[!key(net$arcs) %in% key(learned), , drop = FALSE],
    removed = learned[!key(learned) %in% key(net$arcs), , drop = FALSE]
  )
}

#' The weights of a learned network
#'
#' @param object A network from [dag_gnn()] or [notears()].
#' @param what `"weights"`, the raw weights A, or `"shares"`: the share of the child's standard
#'   deviation that each edge carries, which can be compared between edges whatever the units.
#' @param ... Not used.
#' @return The weighted adjacency matrix A before the threshold: `A[i, j]` belongs to the edge i ->
#'   j. Where the effect is a curve, the sign is that of its straight part only.
#' @seealso [rethreshold()], which chooses another network from the same weights.
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' round(coef(net), 2)
#' round(coef(net, "shares"), 2)
#' @export
coef.daggnn <- function(object, what = c("weights", "shares"), ...) {
  if (inherits(object, "bn.fit")) {
    return(NextMethod())
  }
  what <- check_choice(what, "what", c("weights", "shares"))
  check_weighted(object)
  if (is.null(object$daggnn[[what]])) {
    stop_input("`object` comes from ", object$daggnn$learner, "(), which has no ", what, ".")
  }
  as.matrix(object$daggnn[[what]])
}
