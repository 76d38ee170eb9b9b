# The network with the best score of all, and the proof that there is none better.

#' The certified best network
#'
#' Finds the network with the highest score among all those with at most `maxp` parents for each
#' node, and proves that none is better, as the program GOBNILP does. Problems with few nodes are
#' solved by dynamic programming over subsets, larger ones by integer programming with cluster cuts
#' and the solver HiGHS (package \pkg{highs}). If the search is stopped, by `time_limit` or by
#' Ctrl-C, the result is the best network found so far, with a bound on the best possible score.
#'
#' @inheritParams local_scores
#' @param x A data frame or matrix as in [dag_gnn()], all columns discrete or all of them numeric,
#'   without missing values; a [data_source()]; or local scores from [local_scores()] or
#'   [read_jkl()].
#' @param time_limit Seconds after which to return the best network found: a number from 0. Default
#'   `Inf`.
#' @param start A network (class `bn`) to start from: its order of nodes gives the first incumbent.
#'   By default hill-climbing over orders of the nodes gives it, from the scores alone: on the data
#'   tried it is better than the network of [bnlearn::hc()], and it can be stopped at any time.
#' @param method `"dynamic"`: dynamic programming over subsets, for at most 28 nodes, 8 * 2^m bytes;
#'   `"integer"`: integer programming; `"auto"` (default): whichever is faster.
#' @param progress `TRUE` shows incumbent, bound and gap; by default the option `daggnn.progress`,
#'   else in interactive sessions only.
#' @param debug `TRUE` prints a line for each round of the search.
#' @return A network of class `"exact_dag"`, which is a bnlearn `bn`, with
#'   * `optimal`: is it proven that no network is better?
#'   * `score`: of the network, as [bnlearn::score()] gives it
#'   * `bound`: no network has a higher score
#'   * `gap`: `(bound - score) / |score|`, 0 for a proven optimum
#'   * `cuts`: how many cuts the integer program needed
#'   * `seconds`: the time it took
#' @seealso [local_scores()], [read_jkl()], [read_gobnilp()], [bnlearn::hc()]
#' @references Cussens (2011), Bayesian network learning with cutting planes, UAI 27, 153-160.
#'   Silander and Myllymaki (2006), A simple approach for finding the globally optimal Bayesian
#'   network structure, UAI 22, 445-452.
#' @examples
#' x <- bnlearn::learning.test
#' net <- exact_dag(x)
#' net
#' bnlearn::score(net, x, type = "bic")
#'
#' # The best network that agrees with a known order in time.
#' exact_dag(x, tiers = list(c("A", "F"), c("B", "C", "D", "E")))
#'
#' # Stopped at once, without a proof, and resumed from there.
#' early <- suppressWarnings(exact_dag(x, time_limit = 0, method = "integer"))
#' early$optimal
#' exact_dag(x, start = early)$optimal
#' @export
exact_dag <- function(x, whitelist = NULL, blacklist = NULL, maxp = 3, time_limit = Inf,
                      tiers = NULL, score = c("bic", "aic", "bde"), iss = 1, start = NULL,
                      method = c("auto", "dynamic", "integer"), threads = NULL, progress = NULL,
                      debug = FALSE) {
  clock <- stopwatch(check_number(time_limit, "time_limit", 0, Inf))
  method <- check_choice(method, "method", c("auto", "dynamic", "integer"))
  threads <- check_threads(threads)
  reporter <- progress_reporter("exact_dag", progress, debug)
  on.exit(reporter$done())
  scores <- if (inherits(x, "local_scores")) {
    prior <- check_prior(x$names, whitelist, blacklist, tiers)
    restrict_scores(x, prior, check_maxp(maxp, prior))
  } else {
    data <- scorable_samples(x, check_choice(score, "score", c("bic", "aic", "bde")))
    prior <- check_prior(data$names, whitelist, blacklist, tiers)
    score_data(data, prior, maxp, score, iss, threads, clock$left())
  }
  order <- check_start(start, scores$names)
  solution <- solve_scores(scores, method, order, threads, clock, reporter$update)
  exact_network(scores, prior, solution, clock$seconds(), match.call())
}

# The order of the nodes of `start`, as numbers in `names`; none where there is no start.
check_start <- function(start, names) {
  if (is.null(start)) {
    return(integer())
  }
  if (!inherits(start, "bn") || !setequal(bnlearn::nodes(start), names)) {
    stop_input(
      "`start` must be a network (class \"bn\") of the columns of `x`, not ",
      if (inherits(start, "bn")) "one of other nodes" else show_value(start), "."
    )
  }
  if (!bnlearn::directed(start) || !bnlearn::acyclic(start)) {
    stop_input("`start` must have directed edges only, without a cycle.")
  }
  match(bnlearn::node.ordering(start), names)
}

exact_network <- function(scores, prior, solution, seconds, call) {
  adjacency <- adjacency_of_sets(scores, solution$set)
  nodes <- scores$nodes
  details <- list(
    learner = "exact_dag", reason = solution$reason,
    prior = prior_on(prior, nodes),
    method = solution$method, parent_sets = length(scores$child), type = scores$type,
    seconds = seconds, call = call, source = scores$source
  )
  net <- new_network(adjacency, details, class = "exact_dag")
  net$optimal <- solution$optimal
  net$score <- solution$score
  net$bound <- solution$bound
  net$gap <- relative_gap(solution$bound, solution$score)
  net$cuts <- solution$cuts
  net$seconds <- seconds
  net
}

# order: of the nodes, to start from, or empty. The best network of the scores: set (for each node
# its set, a number in the scores), score, bound, optimal, cuts, method, and the reason why the
# search ended.
solve_scores <- function(scores, method, order, threads, clock, show) {
  method <- choose_method(method, length(scores$names))
  incumbent <- order_search_cpp(scores, order, order_rounds, order_seed, clock$left())
  if (scores$stop != "none") {
    return(stopped_solution(incumbent, Inf, scores$stop, method = method))
  }
  if (method == "integer") {
    return(solve_integer(scores, incumbent, clock, show))
  }
  solution <- subset_dp_cpp(scores, threads, clock$left())
  if (solution$stop != "none") {
    return(stopped_solution(incumbent, bound_without_order(scores), solution$stop))
  }
  if (length(solution$set) == 0) stop_without_network()
  list(
    set = solution$set, score = solution$score, bound = solution$score, optimal = TRUE, cuts = 0,
    method = "dynamic", reason = "proven optimal"
  )
}

# Dynamic programming is faster up to `easy_dynamic` nodes, and possible up to `most_dynamic`, where
# it holds 8 * 2^m bytes: 2 GB.
easy_dynamic <- 20L
most_dynamic <- 28L

choose_method <- function(method, m) {
  if (method == "auto") {
    # Without a solver, patience does for it as far as memory goes.
    few <- if (has_solver()) easy_dynamic else most_dynamic
    method <- if (m <= few) "dynamic" else "integer"
  }
  if (method == "dynamic" && m > most_dynamic) {
    stop_input(
      "`method` must be \"integer\" for ", m, " nodes: \"dynamic\" takes at most ", most_dynamic,
      "."
    )
  }
  if (method == "integer" && !has_solver()) {
    stop_input(
      "An exact search over ", m, " nodes needs the solver HiGHS: ",
      "install it by `install.packages(\"highs\")`."
    )
  }
  method
}

has_solver <- function() requireNamespace("highs", quietly = TRUE)

# How often the search over orders starts again, and its fixed seed: the optimum does not depend on
# it, so the user's random numbers are left alone.
order_rounds <- 1000L
order_seed <- 1

# Every node with its best set, cycles or not.
bound_without_order <- function(scores) {
  sum(tapply(scores$score, scores$child, max))
}

#' @export
print.exact_dag <- function(x, ...) {
  if (!is_network(x)) {
    return(NextMethod())
  }
  number <- function(value) formatC(value, format = "f", digits = 4)
  type <- if (is.null(x$daggnn$type)) "score" else toupper(x$daggnn$type)
  cat("\n  Bayesian network learned by exact_dag()\n\n")
  cat(model_lines(x), sep = "\n")
  cat("  nodes: ", length(x$nodes), ", edges: ", nrow(x$arcs), "\n", sep = "")
  field("data", source_text(x$daggnn))
  cat("  ", type, ": ", number(x$score), "\n", sep = "")
  if (x$optimal) {
    cat("  proven optimal: no network with these parent sets is better\n")
  } else {
    cat(
      "  not proven optimal (", x$daggnn$reason, "): bound ", number(x$bound), ", gap ",
      formatC(100 * x$gap, format = "g", digits = 3), " %\n", sep = ""
    )
  }
  cat(
    "  ", x$daggnn$parent_sets, " parent sets, ", x$cuts, " cuts, ", format_seconds(x$seconds),
    "\n\n", sep = ""
  )
  invisible(x)
}
