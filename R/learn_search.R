# A network by the search over orders, and what every learned network says of how it was learned.

# start: NULL, a network or a matrix of weights, whose order the search begins with.
search_network <- function(start, asked) {
  data <- asked$data
  known <- search_statistics(asked)
  found <- learn_structure_cpp(
    known$data, asked$control, prior_on(known$prior, data$names), starting_order(start, data),
    known$threads, asked$time_limit, asked$show
  )
  asked$source <- known$source
  if (!is.null(known$density)) found$density <- known$density
  families <- fitted_families(found, data, asked$control, asked$threads)
  details <- c(described(asked), list(
    weights = in_data_units(reordered_values(families$weights, data$nodes), data),
    shares = reordered_values(families$shares, data$nodes),
    gain = reordered_values(
      edge_values(data$names, found$gains$from, found$gains$to, found$gains$value, NA_real_),
      data$nodes
    ),
    choice = found[c("effects", "noise", "density", "trials", "score")],
    reason = found$reason,
    parameters = list(families = families[c("numbers", "parameters", "edges")])
  ))
  if (is_dag_gnn(start) && !is.null(start$daggnn$trace)) {
    details[c("trace", "state", "control")] <- start$daggnn[c("trace", "state", "control")]
    if (start$daggnn$reason != "converged") details$reason <- start$daggnn$reason
  }
  edges <- choose_edges(asked$threshold, details, asked$columns)
  details <- c(details, edges[setdiff(names(edges), "edges")])
  details$seconds <- proc.time()[["elapsed"]] - asked$began
  network_of_edges(edges$edges, data$nodes, details, class = "dag_gnn")
}

# What both kinds of learning leave in the network.
described <- function(asked) {
  data <- asked$data
  list(
    learner = "dag_gnn", model = asked$model, scaled = asked$scale,
    threshold_rule = asked$threshold, prior = asked$prior,
    samples = data[setdiff(names(data), "values")], control = asked$control,
    n = rows_in_all(asked$rows), call = asked$call,
    # Training sees rows only.
    source = if (is.null(asked$source)) {
      source_note(asked$rows, "since training needs rows")
    } else {
      asked$source
    }
  )
}
