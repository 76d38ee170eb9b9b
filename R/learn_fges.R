# Greedy equivalence search (Chickering 2002; FGES of Ramsey et al. 2017), the fourth learner of the
# paper. The phases are those of pcalg's ges(): forward, backward, turning, repeated until none of
# them finds anything. The BIC is bnlearn's, which divides the residual sum of squares by n - p - 1,
# where pcalg's divides it by n: with few rows the two can decide differently about an edge.

# The result is a DAG of the class that was found; net$daggnn$cpdag is the class, an edge without
# direction wherever the data and the prior knowledge leave it open. Whitelist, blacklist and tiers
# hold for the DAG, and the class has no other members than those that keep them.
fges <- function(x, whitelist = NULL, blacklist = NULL, maxp = Inf, time_limit = Inf, tiers = NULL,
                 threads = NULL) {
  clock <- stopwatch(check_number(time_limit, "time_limit", 0))
  data <- scorable_samples(x, "bic")
  prior <- check_prior(data$names, whitelist, blacklist, tiers)
  maxp <- check_number(maxp, "maxp", 0, whole = TRUE)
  check_required_parents(maxp, prior)
  found <- fges_cpp(
    data[scored_fields(data)], "bic", allowed_edges(prior) * 1, required_edges(prior) * 1, maxp,
    threads_for(data, check_threads(threads)), clock$left()
  )
  if (found$stop != "none") warn_unfinished(found$stop, "fges")

  nodes <- data$nodes
  in_nodes_order <- function(matrix) {
    structure(matrix, dimnames = list(data$names, data$names))[nodes, nodes, drop = FALSE]
  }
  details <- list(
    learner = "fges", cpdag = cpdag_network(in_nodes_order(found$cpdag), nodes), type = "bic",
    score = found$score, steps = unlist(found[c("inserted", "deleted", "turned")]),
    reason = if (found$stop != "none") found$stop,
    prior = prior_on(prior, nodes),
    n = if (is.null(data$total)) nrow(data$values) else data$total, source = data$source,
    seconds = clock$seconds(), call = match.call()
  )
  new_network(in_nodes_order(found$dag), details)
}
