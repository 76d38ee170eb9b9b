#' Improve a network by its BIC
#'
#' Searches for a network with a better BIC from the one that it is given: first among the edges
#' that were learned, in either direction, then among all that are allowed.
#'
#' Where all variables are discrete or all are numbers, the search is over orders of the nodes, with
#' at most `maxp` parents for each (see [local_scores()]), from the order of the given network on.
#' Up to 100 variables [bnlearn::hc()], without a limit on the parents, goes on from the best. Where
#' some variables are discrete and some are numbers, `hc()` does it alone, from the given network
#' and from none. The result is never worse than the network that was given, provided that it has a
#' score and keeps its own lists.
#'
#' @param net A network over the columns of `x`: from [dag_gnn()], [notears()] or anything in
#'   bnlearn.
#' @param x The data, as for [dag_gnn()]: single columns without missing values.
#' @param whitelist,blacklist Edges that must and must not be in the network: two columns of names,
#'   from and to. By default those that `net` was learned with.
#' @param maxp The most parents of a node in the search over orders, from 1; by default 3, and 2
#'   where there are more than 100 variables.
#' @param time_limit Seconds after which the search ends with what it has, from 0; looked at between
#'   its stages.
#' @param threads Number of threads; by default the environment variable `DAGGNN_THREADS`, else the
#'   option `daggnn.threads`, else 2. The result does not depend on it.
#' @param debug Whether to print the score after each stage.
#' @return The improved network, of the class of `net` where that is one of ours. Its
#'   `$daggnn$refined` is a list with the `score` of the network that was given, with the learned
#'   edges only, and in the end; and the `arcs` that were given.
#' @seealso [exact_dag()] for the certified best network; `refine = TRUE` in [dag_gnn()].
#' @references Scanagatta, Corani and Zaffalon (2017), Improved local search in Bayesian networks
#'   structure learning, PMLR 73, 45-56.
#' @examples
#' net <- bnlearn::empty.graph(names(bnlearn::learning.test))
#' refine(net, bnlearn::learning.test)$daggnn$refined$score
#' @export
refine <- function(net, x, whitelist = NULL, blacklist = NULL, maxp = NULL, time_limit = Inf,
                   threads = NULL, debug = FALSE) {
  clock <- stopwatch(check_number(time_limit, "time_limit", 0))
  debug <- check_flag(debug, "debug")
  data <- samples(x)
  check_refinable(net, data)
  frame <- scorable(x, "Refinement by BIC")
  prior <- check_prior(
    data$nodes, if (is.null(whitelist)) net$learning$whitelist else whitelist,
    if (is.null(blacklist)) net$learning$blacklist else blacklist
  )
  if (is.null(maxp)) maxp <- if (length(data$nodes) <= many_variables) 3 else 2
  maxp <- check_number(maxp, "maxp", 1, whole = TRUE)

  search <- list(
    data = data, frame = frame, type = bic_type(frame),
    prior = admissible(prior, data), maxp = maxp, threads = check_threads(threads), clock = clock
  )
  adjacency <- bnlearn::amat(net)[data$nodes, data$nodes]
  given <- with_prior(adjacency, search$prior)
  among_learned <- best_of(
    search, given, climb(search, given, candidates = adjacency != 0 | t(adjacency) != 0)
  )
  freely <- best_of(search, among_learned, climb(search, among_learned, candidates = NULL))
  score <- c(
    given = bic_or_na(search, adjacency), learned = bic_or_na(search, among_learned),
    freely = bic_or_na(search, freely)
  )
  if (debug) cat("* refine: BIC", paste(names(score), format(score), collapse = ", "), "\n")
  refined_network(net, freely, prior, score, clock$seconds(), match.call())
}

# Beyond this, hill-climbing takes longer than all the rest and finds next to nothing.
many_variables <- 100

check_refinable <- function(net, data) {
  if (!inherits(net, "bn") || inherits(net, "bn.fit") || !setequal(names(net$nodes), data$nodes)) {
    stop_input(
      "`net` must be a network (class \"bn\") over the columns of `x`, not ",
      if (inherits(net, "bn") && !inherits(net, "bn.fit")) "over others" else show_value(net), "."
    )
  }
  if (!bnlearn::directed(net) || !bnlearn::acyclic(net)) {
    stop_input("`net` must have directed edges only, without a cycle.")
  }
}

# bnlearn has no distribution for a factor with a number for a parent.
admissible <- function(prior, data) {
  kind <- data$kind[data$nodes]
  hybrid <- outer(kind == "continuous", kind == "discrete")
  if (any(prior$required & hybrid)) {
    edge <- data$nodes[which(prior$required & hybrid, arr.ind = TRUE)[1, ]]
    stop_input(
      "`whitelist` asks for the edge ", edge[1], " -> ", edge[2], " from a number to a factor, ",
      "which has no BIC."
    )
  }
  prior$allowed <- prior$allowed & !hybrid
  prior
}

# The given edges that may stay, and those that must be there.
with_prior <- function(adjacency, prior) {
  edges_from_weights(adjacency * prior$allowed, 0, prior)$adjacency
}

as_network <- function(adjacency) {
  net <- bnlearn::empty.graph(rownames(adjacency))
  bnlearn::amat(net) <- adjacency
  net
}

bic_or_na <- function(search, adjacency) {
  tryCatch(
    bnlearn::score(as_network(adjacency), search$frame, type = search$type),
    error = function(e) NA_real_
  )
}

best_of <- function(search, ...) {
  found <- list(...)
  scores <- vapply(found, function(adjacency) bic_or_na(search, adjacency), 0)
  found[[max(1, which.max(scores))]]
}

# A better network; candidates: the pairs it may join, or NULL for all.
climb <- function(search, adjacency, candidates) {
  if (search$clock$left() == 0) {
    return(adjacency)
  }
  prior <- search$prior
  if (!is.null(candidates)) prior$allowed <- prior$allowed & (candidates | prior$required)
  mixed <- length(unique(search$data$kind)) > 1
  if (mixed) {
    starts <- list(adjacency)
    if (is.null(candidates)) starts[[2]] <- prior$required * 1L
    return(do.call(best_of, c(list(search), lapply(starts, hill_climb, search, prior))))
  }
  ordered <- best_of(search, adjacency, search_orders(search, adjacency, prior))
  if (nrow(adjacency) <= many_variables) hill_climb(ordered, search, prior) else ordered
}

hill_climb <- function(start, search, prior) {
  forbidden <- !prior$allowed
  diag(forbidden) <- FALSE
  improved <- bnlearn::hc(
    search$frame, start = as_network(start), whitelist = arcs_of(prior$required),
    blacklist = arcs_of(forbidden), score = search$type
  )
  bnlearn::amat(improved)[rownames(start), rownames(start)]
}

# Iterated local search over orders from that of the given network on.
search_orders <- function(search, adjacency, prior) {
  data <- search$data
  sorted <- data$names
  most <- max(search$maxp, colSums(prior$required))
  scores <- score_data(
    data, lapply(prior, function(rule) rule[sorted, sorted]), most, "bic", 1, search$threads,
    search$clock$left()
  )
  order <- match(rownames(adjacency)[topological_order(adjacency)], sorted)
  found <- order_search_cpp(scores, order, order_rounds, order_seed, search$clock$left())
  if (length(found$set) == 0) adjacency else adjacency_of_sets(scores, found$set)
}

refined_network <- function(net, adjacency, prior, score, seconds, call) {
  details <- if (is_network(net)) {
    net$daggnn
  } else {
    list(learner = "refine", call = call, seconds = 0)
  }
  details$prior <- prior
  details$seconds <- details$seconds + seconds
  details$refined <- list(score = score, arcs = bnlearn::arcs(net), seconds = seconds)
  new_network(adjacency, details, class = intersect(class(net), network_classes))
}
