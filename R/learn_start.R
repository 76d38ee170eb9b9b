# Where training begins: anew, where an earlier fit stopped, or with the weights of another network.

# Which numbers the networks of a model have, and with it how many parameters.
shape_hyperparameters <- c(
  "architecture", "hidden", "latent", "biases", "encoder_variance", "decoder_variance", "noise",
  "train"
)

# start: NULL, a network, or a matrix of weights. Returns a list with `control`, as training needs
# it for this start, and `from`, which learn_cpp() takes. Weights come in the nodes' order.
starting_point <- function(start, data, model, control) {
  if (is.null(start)) {
    return(list(control = control, from = list()))
  }
  if (!is_dag_gnn(start)) {
    return(list(control = control, from = list(weights = beginning_weights(start, data, model))))
  }
  details <- start$daggnn
  check_same_variables(details$samples, data)
  check_same_shape(details, model, control)
  same <- same_data(details$samples, data) && identical(details$samples$scale, data$scale)
  if (!is.null(details$state) && same) {
    control$seed <- details$control$seed
    return(list(control = control, from = details$state))
  }
  list(control = warm_control(control, details$trace), from = details$parameters["theta"])
}

# The order of the sorted variables in a network or matrix of weights, as numbers; none for NULL.
starting_order <- function(start, data) {
  if (is.null(start)) {
    return(integer())
  }
  if (!is.matrix(start) && !inherits(start, c("bn", "bn.fit"))) {
    stop_input(
      "`start` must be NULL, a network or a matrix of weights, not ", show_value(start), "."
    )
  }
  weights <- weights_of(start, "start")
  if (!setequal(rownames(weights), data$names) || nrow(weights) != length(data$names)) {
    stop_input("`start` must have a row and a column for each column of `x`, with their names.")
  }
  weights <- weights[data$names, data$names]
  edges <- edges_from_weights(weights, 0, check_prior(data$names))$edges
  topological_order(adjacency_of_edges(edges, data$names))
}

is_dag_gnn <- function(start) {
  is_network(start) && identical(start$daggnn$learner, "dag_gnn")
}

# Its prior knowledge, for the same nodes in another order.
prior_of <- function(start, nodes) {
  prior <- start$daggnn$prior
  if (!setequal(prior$nodes, nodes)) {
    stop_input("`start` must be a network of the columns of `x`, of the same kinds and levels.")
  }
  prior_on(prior, nodes)
}

check_same_variables <- function(before, data) {
  same <- setequal(before$names, data$names) && identical(before$kind, data$kind) &&
    identical(before$width, data$width) && identical(before$levels, data$levels)
  if (!same) {
    stop_input("`start` must be a network of the columns of `x`, of the same kinds and levels.")
  }
}

check_same_shape <- function(details, model, control) {
  if (!identical(details$model, model)) {
    stop_input(
      "`start` must be a network learned with `model = \"", model, "\"`, not \"",
      details$model, "\"."
    )
  }
  same <- mapply(
    function(before, now) isTRUE(all.equal(before, now)),
    details$control[shape_hyperparameters], control[shape_hyperparameters]
  )
  if (!all(same)) {
    stop_input(
      "`start` must be a network learned with the same `", shape_hyperparameters[!same][1],
      "` as in `control`."
    )
  }
}

# A matrix of weights or any network that has some.
beginning_weights <- function(start, data, model) {
  if (!is.matrix(start) && !inherits(start, c("bn", "bn.fit"))) {
    stop_input(
      "`start` must be NULL, a network or a matrix of weights, not ", show_value(start), "."
    )
  }
  single <- all(data$kind == "continuous" & data$width == 1)
  if (model == "mechanism" && !single) {
    stop_input(
      "`start` must be a network from dag_gnn() where `x` has discrete or matrix columns: ",
      "an edge between them is more than one number."
    )
  }
  weights <- weights_of(start, "start")
  if (!setequal(rownames(weights), data$names) || nrow(weights) != length(data$names)) {
    stop_input("`start` must have a row and a column for each column of `x`, with their names.")
  }
  weights[data$names, data$names]
}

# Parameters that fit other rows of the same kind need no long first round, nor those that only
# bring the constraint to work: training begins in the middle of the way that h had to go.
warm_control <- function(control, trace) {
  constrained <- trace[trace$h > 0, , drop = FALSE]
  if (nrow(constrained) > 0) {
    middle <- sqrt(constrained$h[1] * min(constrained$h))
    begin <- constrained[which(constrained$h <= middle)[1], ]
    control$lambda <- begin$lambda
    control$c <- begin$c
  }
  control$first_epochs <- control$epochs
  control
}
