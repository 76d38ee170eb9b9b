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

# adjacency: 0/1, [i, j] is i -> j, a DAG; details: a named list, kept as net$daggnn. bnlearn reads
# some names in learning$args and only prints algorithms it knows, so nothing of ours goes there.
new_network <- function(adjacency, details, class = character()) {
  stopifnot(class %in% network_classes)
  net <- bnlearn::empty.graph(rownames(adjacency))
  bnlearn::amat(net) <- adjacency
  stopifnot(bnlearn::directed(net), bnlearn::acyclic(net))
  if (!is.null(details$prior)) {
    net$learning$whitelist <- arcs_of(details$prior$required)
    net$learning$blacklist <- arcs_of(forbidden_edges(details$prior))
  }
  details$nodes <- rownames(adjacency)
  details$arcs <- net$arcs
  net$daggnn <- details
  class(net) <- c(class, "daggnn", "bn")
  net
}

# What check_prior() was told not to allow; loops and the reverse of required edges go without
# saying.
forbidden_edges <- function(prior) {
  forbidden <- !prior$allowed & !t(prior$required)
  diag(forbidden) <- FALSE
  forbidden
}

# bnlearn's form of a set of edges, or NULL where there are none; adjacency: logical or 0/1.
arcs_of <- function(adjacency) {
  index <- which(adjacency != 0, arr.ind = TRUE)
  if (nrow(index) == 0) {
    return(NULL)
  }
  nodes <- rownames(adjacency)
  cbind(from = nodes[index[, 1]], to = nodes[index[, 2]])
}

# Is this a network of ours, edited or not, and still a DAG over the variables that were learned
# from?
is_network <- function(net) {
  inherits(net, "daggnn") && !inherits(net, "bn.fit") && is.list(net$daggnn) &&
    net$learning$algo == "empty" && setequal(names(net$nodes), net$daggnn$nodes) &&
    bnlearn::directed(net) && bnlearn::acyclic(net)
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

# The raw weights of a network, or an error that says why there are none.
learned_weights <- function(net, argument = "object") {
  check_network(net, argument)
  if (is.null(net$daggnn$weights)) {
    stop_input("`", argument, "` comes from ", net$daggnn$learner, "(), which has no weights.")
  }
  net$daggnn$weights
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
  learned_weights(object)
  if (is.null(object$daggnn[[what]])) {
    stop_input("`object` comes from ", object$daggnn$learner, "(), which has no ", what, ".")
  }
  object$daggnn[[what]]
}
