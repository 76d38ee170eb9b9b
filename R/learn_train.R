# A network by training in the core.

train_network <- function(start, asked) {
  data <- asked$data
  control <- asked$control
  control$seed <- draw_seed()
  begin <- starting_point(start, data, asked$model, control)
  control$seed <- begin$control$seed
  asked$control <- control
  # Rules that look at the data again would cost too much after each round.
  quick_rule <- if (is.numeric(asked$threshold)) asked$threshold else paper_threshold
  prior <- prior_on(asked$prior, data$names)
  fit <- learn_cpp(
    data, asked$model, trained_control(begin$control), allowed_edges(prior) * 1,
    required_edges(prior) * 1, asked$threads, asked$time_limit, asked$show, begin$from,
    checkpoint_writer(control$checkpoint, function(fit) trained_network(fit, quick_rule, asked))
  )
  # Ctrl-C while the rule looks at the data ends the fit as it does before.
  tryCatch(trained_network(fit, asked$threshold, asked), interrupt = function(signal) {
    trained_network(replace(fit, "reason", "interrupt"), quick_rule, asked)
  })
}

# The core's words for the noise of a trained mechanism.
trained_control <- function(control) {
  control$noise <- if (identical(control$noise, "common")) "equal" else "learned"
  control
}

# fit: from learn_cpp(), with the variables sorted; asked: what dag_gnn() was asked, checked. The
# rule may be another than the one that was asked for.
trained_network <- function(fit, rule, asked) {
  data <- asked$data
  trained <- in_nodes_order(fit$weights, data)
  details <- c(described(asked), list(
    weights = in_data_units(trained, data), shares = shares_of(trained, data),
    trace = fit$trace, reason = fit$reason, parameters = fit$parameters,
    # Training that has converged has nothing to go on with.
    state = if (fit$reason != "converged") fit$state
  ))
  edges <- choose_edges(rule, details, asked$columns)
  details <- c(details, edges[setdiff(names(edges), "edges")])
  details$seconds <- proc.time()[["elapsed"]] - asked$began
  network_of_edges(edges$edges, data$nodes, details, class = "dag_gnn")
}
