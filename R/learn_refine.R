#' Improve a network by a search that begins with it
#'
#' Runs the search over orders of [dag_gnn()] from the order of a given network on, and returns the
#' better of the two networks.
#'
#' Where all variables are discrete or all are numbers, and no value is missing, networks are
#' compared by bnlearn's BIC. Other data have the local scores of [dag_gnn()].
#'
#' @param net A network over the columns of `x`: from [dag_gnn()], [notears()] or anything in
#'   bnlearn.
#' @param x The data, as for [dag_gnn()]; also a [data_source()].
#' @param whitelist,blacklist Edges that must and must not be in the network: two columns of names,
#'   from and to. By default those that `net` was learned with.
#' @param maxp The most parents of a node, from 1.
#' @param time_limit Seconds after which the search ends with what it has, from 0.
#' @param threads Number of threads; by default the environment variable `DAGGNN_THREADS`, else the
#'   option `daggnn.threads`, else 2. The result does not depend on it.
#' @param debug Whether to print the scores of both networks.
#' @return The improved network, of the class of `net` where that is one of ours. Its
#'   `$daggnn$refined` is a list with the `score` of the network that was given and of the one in
#'   the end, and the `arcs` that were given.
#' @seealso [exact_dag()] for the certified best network.
#' @examples
#' x <- bnlearn::insurance[1:500, 1:12]
#' climbed <- suppressWarnings(bnlearn::hc(x))
#' refine(climbed, x)$daggnn$refined$score
#' @export
refine <- function(net, x, whitelist = NULL, blacklist = NULL, maxp = Inf, time_limit = Inf,
                   threads = NULL, debug = FALSE) {
  clock <- stopwatch(check_number(time_limit, "time_limit", 0))
  debug <- check_flag(debug, "debug")
  maxp <- min(check_number(maxp, "maxp", 1, whole = TRUE), .Machine$integer.max)
  rows <- read_rows(x)
  data <- samples(rows$x, counts = declared_counts(net))
  check_refinable(net, data)
  prior <- check_prior(
    data$nodes, if (is.null(whitelist)) net$learning$whitelist else whitelist,
    if (is.null(blacklist)) net$learning$blacklist else blacklist
  )
  given <- bnlearn::amat(net)[data$names, data$names]
  simple <- length(unique(data$kind)) == 1 && all(data$width[data$kind == "continuous"] == 1) &&
    !anyNA(data$values) && !any(rows$described$missing > 0) &&
    !any(data$distribution == "poisson")
  sorted <- prior_on(prior, data$names)
  threads <- check_threads(threads)
  scored <- if (simple) with_statistics(data, rows) else data
  found <- if (simple) {
    refine_cpp(
      scored[scored_fields(scored)], sorted, topological_order(given), maxp,
      refining_restarts, threads_for(scored, threads), clock$left()
    )
  } else {
    control <- dag_gnn_control(maxp = min(maxp, 1e9))
    learn_structure_cpp(
      data, control, sorted, topological_order(given), threads, clock$left(), NULL
    )
  }
  # The network that was given, where it agrees with the lists and its BIC is better.
  score <- c(given = NA_real_, refined = found$score)
  edges <- found$edges
  if (simple) {
    score[["given"]] <- if (is.null(scored$total)) {
      known_bic(net, rows$x)
    } else {
      network_bic_cpp(scored[scored_fields(scored)], given)
    }
    number <- edge_numbers(edge_list(given))
    fits <- !any(number %in% edge_numbers(sorted$forbidden)) &&
      all(edge_numbers(sorted$required) %in% number) && all(colSums(given) <= maxp)
    if (fits && isTRUE(score[["given"]] > score[["refined"]])) {
      edges <- edge_list(given)
      score[["refined"]] <- score[["given"]]
    }
  }
  if (debug) cat("* refine: score", paste(names(score), format(score), collapse = ", "), "\n")
  source <- scored$source
  if (is.null(source)) source <- source_note(rows, reason_for_sample(rows$described))
  edges <- renumbered_edges(edges, data$names, data$nodes)
  refined_network(net, edges, prior, score, clock$seconds(), match.call(), source)
}

# Perturbed orders in a row without a better network.
refining_restarts <- 30

# bnlearn's BIC of a network of complete data; NA where it has none.
known_bic <- function(net, x) {
  frame <- scorable(x, "BIC")
  bare <- bnlearn::empty.graph(names(frame))
  bnlearn::arcs(bare) <- bnlearn::arcs(net)
  tryCatch(
    without_level_warnings(bnlearn::score(bare, frame, type = bic_type(frame))),
    error = function(condition) NA_real_
  )
}

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

refined_network <- function(net, edges, prior, score, seconds, call, source = NULL) {
  details <- if (is_network(net)) {
    net$daggnn
  } else {
    list(learner = "refine", call = call, seconds = 0)
  }
  details$prior <- prior
  details$seconds <- details$seconds + seconds
  details$source <- source
  details$refined <- list(score = score, arcs = bnlearn::arcs(net), seconds = seconds)
  network_of_edges(edges, prior$nodes, details, class = intersect(class(net), network_classes))
}
