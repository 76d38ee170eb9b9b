#' Learn a linear Bayesian network with NOTEARS
#'
#' The linear baseline of the paper: minimises
#' loss(A) + `lambda` sum |A| subject to h(A o A) = 0 by the augmented Lagrangian method, each
#' subproblem by L-BFGS with bounds.
#'
#' The least-squares loss |X - X A|^2 / (2 n) of the centred data needs the data once, for their
#' covariance matrix: no step depends on the number of rows. The logistic loss has an intercept for
#' each variable, and equal rows are counted once.
#'
#' Where values are missing, least squares takes each covariance from the rows that have both
#' values, and then the nearest positive semidefinite matrix; the logistic loss leaves out missing
#' responses and replaces missing predictors by the mean of their column. No row is dropped.
#'
#' The least-squares loss depends on the scale of the data: in other units, a variable may have
#' another place in the network. `scale = TRUE` standardises the columns first. Without a penalty,
#' multiplying all columns by the same factor makes no difference.
#'
#' @param x A data frame or matrix of continuous columns, or, for the logistic loss, of columns with
#'   two levels (factors, logicals, characters, or the numbers 0 and 1; also a sparse 0/1 Matrix).
#'   Also a database table, an Arrow dataset or a file in chunks: see [data_source()].
#' @param whitelist,blacklist Edges that must and must not be in the network: a matrix or data frame
#'   with two columns of names, from and to.
#' @param tiers A list of vectors of names: no edge leads from a later tier to an earlier one.
#' @param lambda The weight of the penalty on sum |A|, from 0 (none, the default). Edges of the
#'   whitelist are not penalised.
#' @param loss `"least_squares"` or `"logistic"`. By default the first, and the second where all
#'   columns are discrete.
#' @param constraint The acyclicity constraint h: `"exponential"`, tr exp(A o A) - m, as in NOTEARS,
#'   or `"polynomial"` or `"logdet"`, as in [dag_gnn_control()].
#' @param threshold Edges are kept where |A| is above this, from 0 (0.3 in the paper, which is also
#'   what `"auto"` means here); or `"bic"`, the threshold whose network has the best BIC, as in
#'   [rethreshold()].
#' @param scale Whether to standardise the columns first. The threshold is then for the weights
#'   between standardised columns; `coef()` reports them in the units of the data. It has no effect
#'   on the logistic loss.
#' @param start A network to start from, as in bnlearn: with its weights where it has some, else
#'   with those of the linear regressions of its nodes on their parents. By default no edges.
#' @param max_rounds The most subproblems, from 1.
#' @param h_tolerance Training ends when h is at most this, from 0.
#' @param c_max Training ends when the weight c of the constraint grows beyond this.
#' @param time_limit Seconds after which training stops and gives back what it has, from 0.
#' @param progress Whether to show a progress bar on training that takes more than two seconds; by
#'   default the option `daggnn.progress`, else `TRUE` in interactive sessions only.
#' @param debug Whether to print a line for each round.
#' @return A network of class `c("notears", "daggnn", "bn")`, which bnlearn's functions accept.
#' @references Zheng, Aragam, Ravikumar and Xing (2018), DAGs with NO TEARS: continuous optimization
#'   for structure learning, <https://arxiv.org/abs/1803.01422>.
#' @seealso [dag_gnn()] for nonlinear effects; [exact_dag()] for the certified best network;
#'   [compare_learners()] for all of them in one table.
#' @examples
#' set.seed(1)
#' dag <- random_dag(10, degree = 2)
#' net <- notears(simulate_sem(dag, 1000))
#' dag_metrics(dag, net)
#' @export
notears <- function(x, whitelist = NULL, blacklist = NULL, tiers = NULL, lambda = 0, loss = NULL,
                    constraint = c("exponential", "polynomial", "logdet"), threshold = 0.3,
                    scale = FALSE, start = NULL, max_rounds = 100, h_tolerance = 1e-8,
                    c_max = 1e16, time_limit = Inf, progress = NULL, debug = FALSE) {
  began <- proc.time()[["elapsed"]]
  call <- named_call(match.call(), "notears")
  rule <- check_threshold(threshold)
  control <- list(
    penalty = check_number(lambda, "lambda", 0),
    constraint = check_choice(constraint, "constraint", c("exponential", "polynomial", "logdet")),
    threshold = if (is.numeric(rule)) rule else paper_threshold,
    max_rounds = check_number(max_rounds, "max_rounds", 1, .Machine$integer.max, whole = TRUE),
    c = 1, eta = 10, gamma = 1 / 4,
    h_tolerance = check_number(h_tolerance, "h_tolerance", 0),
    c_max = check_number(c_max, "c_max", 0, open = TRUE)
  )
  scale <- check_flag(scale, "scale")
  time_limit <- check_number(time_limit, "time_limit", 0)
  reporter <- progress_reporter("notears", progress, debug)
  on.exit(reporter$done())
  rows <- read_rows(x)
  data <- samples(rows$x, least = least_rows)
  loss <- choose_linear_loss(loss, data)
  scale <- scale && loss == "least_squares"
  prior <- check_prior(data$nodes, whitelist, blacklist, tiers)

  known <- notears_statistics(rows, data, loss, rule)
  data$distinct <- known$distinct
  moments <- known$moments
  ratio <- outer(moments$sd, 1 / moments$sd)
  # One unit for all columns, or each column in its own; 0 and 1 are numbers without a unit.
  unit <- if (loss == "logistic") {
    1
  } else if (scale) {
    moments$sd
  } else {
    sqrt(mean(moments$sd^2))
  }
  if (loss == "least_squares" && !scale) check_spread(moments$sd)
  trained <- train_notears(
    data, loss, moments, unit, prior, start, control, time_limit, reporter$update
  )
  warn_unfinished(trained$reason, "notears")

  nodes <- data$nodes
  shares <- (trained$weights * ratio)[nodes, nodes]
  weights <- trained$weights[nodes, nodes]
  decided <- list(weights = weights, shares = shares, scaled = scale, prior = prior)
  edges <- choose_edges(rule, decided, variables_of(rows$x, "x")[nodes])
  network_of_edges(
    edges$edges, nodes,
    list(
      learner = "notears", loss = loss, weights = weights, shares = shares,
      threshold = edges$threshold, threshold_rule = rule, dropped = edges$dropped,
      path = edges$path, trace = trained$trace, reason = trained$reason, prior = prior,
      samples = data[setdiff(names(data), c("values", "distinct"))],
      parameters = c(moments, list(intercepts = trained$intercepts)),
      control = control, scaled = scale, n = rows_in_all(rows), source = known$source,
      seconds = proc.time()[["elapsed"]] - began, call = call
    ),
    class = "notears"
  )
}

# The loss that was asked for, or the one that the data call for; an error where they cannot go
# together.
choose_linear_loss <- function(loss, data) {
  discrete <- data$kind == "discrete"
  if (is.null(loss)) {
    loss <- if (all(discrete)) "logistic" else "least_squares"
  }
  loss <- check_choice(loss, "loss", c("least_squares", "logistic"))
  vector <- data$names[!discrete & data$width > 1]
  if (length(vector) > 0) {
    stop_input("Column ", quoted(vector[1]), " of `x` is vector-valued: use dag_gnn().")
  }
  if (loss == "least_squares" && any(discrete)) {
    stop_input(
      "Column ", quoted(data$names[discrete][1]), " of `x` is discrete and `loss = ",
      "\"least_squares\"` wants numbers: use dag_gnn(), or `loss = \"logistic\"` where all ",
      "columns have two levels."
    )
  }
  if (loss == "logistic") check_binary(data)
  loss
}

check_binary <- function(data) {
  other <- colSums(data$values != 0 & data$values != 1, na.rm = TRUE) > 0
  if (any(other)) {
    stop_input(
      "Column ", quoted(data$names[other][1]), " of `x` must have two levels, or hold only 0 and ",
      "1, for `loss = \"logistic\"`: use dag_gnn() for others."
    )
  }
}

# The squares of standard deviations further apart than this cannot be added up in a double.
widest_spread <- 1e8

check_spread <- function(sd) {
  if (max(sd) > widest_spread * min(sd)) {
    ends <- names(sd)[c(which.max(sd), which.min(sd))]
    stop_input(
      "Columns ", quoted(ends[1]), " and ", quoted(ends[2]), " of `x` have standard deviations of ",
      format(max(sd), digits = 2), " and ", format(min(sd), digits = 2), ", too far apart for one ",
      "network: change their units, or use `scale = TRUE`."
    )
  }
}

# Everything here is in the sorted order of data$names; the weights come back in the data's units.
train_notears <- function(data, loss, moments, unit, prior, start, control, time_limit, show) {
  sorted <- data$names
  to_unit <- outer(rep_len(unit, length(sorted)), 1 / rep_len(unit, length(sorted)))
  prior <- prior_on(prior, sorted)
  allowed <- allowed_edges(prior) * 1
  initial <- linear_start(start, moments, data$nodes)[sorted, sorted] * allowed
  rows <- if (loss == "logistic") {
    if (is.null(data$distinct)) distinct_rows(data$values) else data$distinct
  } else {
    list(values = moments$correlation * outer(moments$sd / unit, moments$sd / unit), weights = 0)
  }
  common <- loss == "least_squares" && length(unit) == 1
  if (common) control$penalty <- control$penalty / unit / unit
  # A penalty beyond the largest covariance leaves no edge; infinity would only spoil the sums.
  control$penalty <- min(control$penalty, sqrt(.Machine$double.xmax))
  fit <- notears_cpp(
    loss, rows$values, rows$weights, allowed, required_edges(prior) * 1,
    initial * to_unit, control, time_limit, show
  )
  if (common) fit$trace$loss <- fit$trace$loss * unit * unit
  fit$weights <- structure(fit$weights / to_unit, dimnames = list(sorted, sorted))
  fit
}

# Equal rows once, each with its share of all rows.
distinct_rows <- function(values) {
  key <- do.call(paste, as.data.frame(values))
  first <- which(!duplicated(key))
  list(
    values = unname(values[first, , drop = FALSE]),
    weights = tabulate(match(key, key[first]), length(first)) / nrow(values)
  )
}

# The weights that `start` gives to the edges, in the units of the data.
linear_start <- function(start, moments, nodes) {
  weights <- matrix(0, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  if (is.null(start)) {
    return(weights)
  }
  if (!inherits(start, "bn") || !setequal(names(start$nodes), nodes)) {
    stop_input(
      "`start` must be a network over the columns of `x`, not ",
      if (inherits(start, "bn")) "over others" else show_value(start), "."
    )
  }
  if (is_network(start) && !is.null(start$daggnn$weights)) {
    return(stats::coef(start)[nodes, nodes])
  }
  for (node in nodes) {
    parents <- bnlearn::parents(start, node)
    if (length(parents) == 0) next
    # A little ridge, for parents that depend on each other.
    among <- moments$correlation[parents, parents, drop = FALSE] + diag(1e-8, length(parents))
    standard <- solve(among, moments$correlation[parents, node])
    weights[parents, node] <- standard * moments$sd[[node]] / moments$sd[parents]
  }
  weights
}
