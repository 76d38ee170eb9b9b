# A network by the search over orders, and what every learned network says of how it was learned.

# start: NULL, a network or a matrix of weights, whose order the search begins with.
search_network <- function(start, asked) {
  data <- asked$data
  sorted <- data$names
  known <- search_statistics(asked)
  found <- learn_structure_cpp(
    known$data, asked$control, known$allowed[sorted, sorted] * 1,
    asked$prior$required[sorted, sorted] * 1, starting_order(start, data), known$threads,
    asked$time_limit, asked$show
  )
  asked$source <- known$source
  if (!is.null(known$density)) found$density <- known$density
  families <- fitted_families(found, data, asked$control, asked$threads)
  details <- c(described(asked), list(
    weights = in_data_units(in_nodes_order(families$weights, data), data),
    shares = in_nodes_order(families$shares, data), gain = in_nodes_order(found$gains, data),
    choice = found[c("effects", "noise", "density", "trials", "score")],
    reason = found$reason,
    parameters = list(families = families[c("numbers", "parameters", "edges")])
  ))
  if (is_dag_gnn(start) && !is.null(start$daggnn$trace)) {
    details[c("trace", "state", "control")] <- start$daggnn[c("trace", "state", "control")]
    if (start$daggnn$reason != "converged") details$reason <- start$daggnn$reason
  }
  edges <- choose_edges(asked$threshold, details, asked$columns)
  details <- c(details, edges[setdiff(names(edges), "adjacency")])
  details$seconds <- proc.time()[["elapsed"]] - asked$began
  new_network(edges$adjacency, details, class = "dag_gnn")
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
