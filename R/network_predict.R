# What the model behind a network expects of data, and data that it makes up.

#' Predict with a learned network
#'
#' The expected value of each variable given the others, by the model behind the network: for
#' [dag_gnn()] the distribution of each variable given its parents (`model = "mechanism"`) or the
#' decoder's output (`model = "vae"`), for [notears()] the linear equations. For predictions by
#' bnlearn's conditional distributions use [bnlearn::bn.fit()] on the network.
#'
#' @param object A network from [dag_gnn()] or [notears()].
#' @param newdata Data with the variables of the network, in any order and possibly among others.
#'   Values may be missing. A column that is not there counts as missing in every row; a warning
#'   says so where the prediction of another variable uses it.
#' @param node,data bnlearn's form, `predict(object, node, data)`: the name of one variable, and the
#'   data to predict it from. The result is then a vector instead of a data frame.
#' @param x The data that the network was learned from. It keeps no copy of them; by default they
#'   are looked up by the name that they had in the call that learned it. Where the data had no name
#'   there, as after a pipe, give them: `fitted(net, x = data)`.
#' @param type For discrete variables, `"response"` gives the most probable level and `"prob"` the
#'   probability of each.
#' @param ... Not used.
#' @return A data frame with a row for each row of the data and the variables of the network:
#'   expected values for numbers (a matrix column where the variable is one), and for discrete
#'   variables a column of the kind that they are in the data, or a matrix of probabilities. With
#'   `node`, that column alone. `fitted()` is `predict()` for the data that the network was learned
#'   from. `residuals()` are observed minus fitted values; for a discrete variable a matrix, the
#'   indicator of each level minus its probability.
#' @seealso [simulate.daggnn()], [bnlearn::bn.fit()]
#' @examples
#' x <- bnlearn::gaussian.test
#' net <- dag_gnn(x)
#' head(predict(net, x))
#' colMeans(residuals(net)^2)
#'
#' # The variable to predict need not be in the new data, and other values may be missing.
#' new <- x[1:5, names(x) != "C"]
#' new$A[2] <- NA
#' predict(net, new)$C
#' predict(net, node = "C", data = new)
#' @export
predict.daggnn <- function(object, newdata, type = c("response", "prob"), ..., node = NULL,
                           data = NULL) {
  if (inherits(object, "bn.fit")) {
    return(NextMethod())
  }
  check_model(object)
  argument <- "newdata"
  # predict(object, "node", data): bnlearn's form without names.
  if (is.null(node) && !missing(newdata) && is.character(newdata) && is.null(dim(newdata))) {
    node <- newdata
    if (is.null(data) && !missing(type) && !is.character(type)) {
      data <- type
      type <- "response"
    }
    newdata <- NULL
  }
  if (!is.null(data)) {
    argument <- "data"
    newdata <- data
  }
  if (!is.null(node)) node <- check_node(node, object$daggnn$nodes)
  if (missing(newdata) || is.null(newdata)) {
    wanted <- if (is.null(node)) "newdata" else "data"
    stop_input("`", wanted, "` must be given: the network keeps no copy of its data.")
  }
  type <- check_choice(type, "type", c("response", "prob"))
  newdata <- with_absent_columns(object, newdata, node, argument)
  expected <- expected_columns(object, newdata, type, argument)
  if (is.null(node)) expected else expected[[node]]
}

check_node <- function(node, nodes) {
  if (!is.character(node) || length(node) != 1 || !node %in% nodes) {
    stop_input(
      "`node` must be the name of one variable of the network (", quoted(nodes), "), not ",
      show_value(node), "."
    )
  }
  node
}

# Columns that the data lack are added, all of their values missing. node: the only variable that is
# to be predicted, or NULL for all.
with_absent_columns <- function(net, x, node, argument) {
  columns <- variables_of(x, argument)
  nodes <- net$daggnn$nodes
  absent <- setdiff(nodes, names(columns))
  if (length(absent) == 0) {
    return(x)
  }
  if (length(absent) == length(nodes)) {
    stop_input(
      "`", argument, "` must have variables of the network (", quoted(nodes), "), but has none."
    )
  }
  children <- if (is.null(node)) nodes else node
  used <- intersect(absent, net$arcs[net$arcs[, 2] %in% children, 1])
  if (length(used) > 0) {
    warn_user(
      "`", argument, "` lacks ", quoted(used), ", a parent of what is predicted: its values count ",
      "as missing."
    )
  }
  columns[absent] <- list(rep(NA, NROW(columns[[1]])))
  as_frame(columns, if (is.data.frame(x)) row.names(x) else rownames(x))
}

#' @rdname predict.daggnn
#' @importFrom stats fitted
#' @export
fitted.daggnn <- function(object, x = NULL, type = c("response", "prob"), ...) {
  if (inherits(object, "bn.fit")) {
    return(NextMethod())
  }
  check_model(object)
  x <- needed_data_of(object, x, parent.frame(), "fitted")
  expected_columns(object, x, check_choice(type, "type", c("response", "prob")), "x")
}

#' @rdname predict.daggnn
#' @importFrom stats residuals
#' @export
residuals.daggnn <- function(object, x = NULL, ...) {
  if (inherits(object, "bn.fit")) {
    return(NextMethod())
  }
  check_model(object)
  x <- needed_data_of(object, x, parent.frame(), "residuals")
  columns <- columns_like(object$daggnn$nodes, x, "x")
  expected <- expected_columns(object, x, "prob", "x")
  levels <- object$daggnn$samples$levels
  for (name in names(columns)) {
    seen <- columns[[name]]
    if (!is.null(levels[[name]])) seen <- indicators(seen, levels[[name]])
    expected[[name]] <- seen - expected[[name]]
  }
  expected
}

# n x levels: 1 where a value is the level.
indicators <- function(column, levels) {
  1 * outer(as.character(column), stats::setNames(levels, levels), "==")
}

check_model <- function(net) {
  check_network(net)
  if (is.null(net$daggnn$parameters)) {
    stop_input(
      "`object` comes from ", net$daggnn$learner, "(), which learns no model: fit one with ",
      "bnlearn::bn.fit()."
    )
  }
}

# A data frame of what the model expects, in the nodes' order. argument: what the user calls x.
expected_columns <- function(net, x, type, argument) {
  given <- columns_like(net$daggnn$nodes, x, argument)
  data <- samples_like(x, net$daggnn$samples, argument)
  outputs <- if (net$daggnn$learner == "notears") {
    linear_outputs(net$daggnn, data)
  } else if (!is.null(net$daggnn$parameters$families)) {
    predict_families_cpp(net$daggnn$parameters$families, data)
  } else {
    predict_cpp(trained_details(net$daggnn), data)
  }
  columns <- lapply(net$daggnn$nodes, function(name) {
    j <- match(name, data$names)
    output <- outputs[, places_of(data$width, j), drop = FALSE]
    codes <- data$codes[[name]]
    if (!is.null(codes)) output <- output[, order(codes), drop = FALSE]
    if (data$kind[j] == "continuous") {
      in_units(output, j, data, like = given[[name]])
    } else if (type == "prob") {
      structure(output, dimnames = list(NULL, data$levels[[j]]))
    } else {
      as_discrete(data$levels[[j]][max.col(output, "first")], data$levels[[j]], given[[name]])
    }
  })
  as_frame(stats::setNames(columns, net$daggnn$nodes), row.names(x))
}

# The details of a trained network in the words of the core.
trained_details <- function(details) {
  details$control <- trained_control(details$control)
  details
}

# Numbers of the model in the units of the data, as a vector or a matrix.
in_units <- function(values, j, data, like = NULL) {
  first <- sum(utils::head(column_count(data), j - 1))
  k <- first + seq_len(ncol(values))
  values <- sweep(sweep(values, 2, data$scale[k], "*"), 2, data$center[k], "+")
  signal <- data$signals[[data$names[j]]]
  if (!is.null(signal)) values <- components_from_signals(values, signal)
  if (ncol(values) == 1) {
    return(as.vector(values))
  }
  structure(values, dimnames = list(NULL, colnames(like)))
}

# Levels as the column was given: text, logical or a factor.
as_discrete <- function(values, levels, like = NULL) {
  if (is.character(like)) {
    values
  } else if (is.logical(like) && setequal(levels, c("FALSE", "TRUE"))) {
    values == "TRUE"
  } else {
    factor(values, levels)
  }
}

as_frame <- function(columns, rows = NULL) {
  if (is.null(rows)) rows <- seq_len(NROW(columns[[1]]))
  structure(columns, class = "data.frame", row.names = rows)
}

#' New rows from a learned network
#'
#' Draws rows from the model behind the network, along the network's edges: noise goes through the
#' decoder (`model = "vae"`), the mechanisms (`model = "mechanism"`) or the linear equations
#' ([notears()]). Edges that were removed after learning are not used.
#'
#' @param object A network from [dag_gnn()] or [notears()].
#' @param nsim The number of rows, from 1.
#' @param seed A whole number for [set.seed()], or `NULL` to go on with R's generator. With a seed,
#'   the state of the generator is put back afterwards.
#' @param ... Not used.
#' @return A data frame with `nsim` rows and the variables of the network; discrete variables are
#'   factors.
#' @seealso [predict.daggnn()], [simulate_sem()], and [bnlearn::rbn()] for a fitted network.
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' simulate(net, 5, seed = 1)
#' @importFrom stats simulate
#' @export
simulate.daggnn <- function(object, nsim = 1, seed = NULL, ...) {
  check_model(object)
  nsim <- check_number(nsim, "nsim", 1, .Machine$integer.max, whole = TRUE)
  if (!is.null(seed)) {
    restore <- keep_generator()
    on.exit(restore())
    set.seed(check_number(seed, "seed", -.Machine$integer.max, .Machine$integer.max, whole = TRUE))
  }
  details <- object$daggnn
  data <- details$samples
  edges <- bnlearn::amat(object)[data$names, data$names]
  count <- column_count(data)
  values <- if (details$learner == "notears") {
    linear_rows(details, data, edges, nsim)
  } else if (!is.null(details$parameters$families)) {
    simulate_families_cpp(details$parameters$families, edges * 1, nsim, draw_seed())
  } else {
    # The description of the variables is enough: no row is invented.
    described <- utils::modifyList(data, list(values = matrix(0, 0, sum(count))))
    simulate_cpp(trained_details(details), described, edges * 1, nsim, draw_seed())
  }
  columns <- lapply(details$nodes, function(name) {
    j <- match(name, data$names)
    value <- values[, places_of(count, j), drop = FALSE]
    if (data$kind[j] == "continuous") {
      with_errors(in_units(value, j, data), data$signals[[name]])
    } else {
      place <- places_from_codes(value, data$codes[[name]])
      as_discrete(data$levels[[j]][place + 1], data$levels[[j]])
    }
  })
  as_frame(stats::setNames(columns, details$nodes))
}

with_errors <- function(components, signal) {
  if (is.null(signal)) components else components + draw_errors(nrow(components), signal)
}

# A function that puts R's generator back where it is now.
keep_generator <- function() {
  seed <- globalenv()$.Random.seed
  function() {
    if (is.null(seed)) {
      rm(".Random.seed", envir = globalenv())
    } else {
      assign(".Random.seed", seed, envir = globalenv())
    }
  }
}

# ---- The linear model of notears() ----

# What the equations expect: the linear predictor, through the logistic function for 0 and 1.
# A missing value is taken at its mean.
linear_outputs <- function(details, data) {
  sorted <- data$names
  A <- details$weights[sorted, sorted]
  center <- details$parameters$center[sorted]
  values <- data$values
  missing <- is.na(values)
  values[missing] <- center[col(values)[missing]]
  expected <- linear_predictor(details, values, A, center)
  if (details$loss == "least_squares") {
    return(expected)
  }
  # A discrete variable has a column for each of its two levels.
  columns <- lapply(seq_along(sorted), function(j) {
    if (data$kind[j] == "discrete") cbind(1 - expected[, j], expected[, j]) else expected[, j]
  })
  do.call(cbind, columns)
}

# A: of all variables by those that are wanted.
linear_predictor <- function(details, values, A, center) {
  if (details$loss == "least_squares") {
    return(sweep(sweep(values, 2, center) %*% A, 2, center[colnames(A)], "+"))
  }
  intercepts <- stats::setNames(details$parameters$intercepts, details$samples$names)
  stats::plogis(sweep(values %*% A, 2, intercepts[colnames(A)], "+"))
}

# Rows drawn in the order of the network; the noise has what spread the parents leave.
linear_rows <- function(details, data, edges, nsim) {
  sorted <- data$names
  A <- details$weights[sorted, sorted] * edges
  center <- details$parameters$center[sorted]
  sd <- details$parameters$sd[sorted]
  covariance <- details$parameters$correlation[sorted, sorted] * outer(sd, sd)
  left <- diag(crossprod(diag(length(sorted)) - A, covariance %*% (diag(length(sorted)) - A)))
  values <- matrix(center, nsim, length(sorted), byrow = TRUE, dimnames = list(NULL, sorted))
  for (child in sorted[topological_order(edges)]) {
    mean <- linear_predictor(details, values, A[, child, drop = FALSE], center)[, 1]
    values[, child] <- if (details$loss == "logistic") {
      stats::rbinom(nsim, 1, mean)
    } else {
      stats::rnorm(nsim, mean, sqrt(max(left[[child]], 0)))
    }
  }
  unname(values)
}
