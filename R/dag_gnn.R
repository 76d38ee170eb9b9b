#' Learn a Bayesian network with graph neural networks
#'
#' Learns the structure of a Bayesian network by continuous optimisation over a weighted adjacency
#' matrix A under a smooth acyclicity constraint.
#'
#' @param x A data frame: numeric columns are continuous, factors, logicals and characters discrete,
#'   matrix columns vector-valued. Also a numeric matrix, an n x m x d array (m variables of
#'   dimension d) or a sparse 0/1 Matrix. Missing values may be anywhere.
#' @param whitelist,blacklist Edges that must and must not be in the network: a matrix or data frame
#'   with two columns of names, from and to.
#' @param tiers A list of vectors of names: no edge leads from a later tier to an earlier one.
#' @param model `"mechanism"` or `"vae"`, the paper's.
#' @param threshold Edges are kept where |A| is above this.
#' @param scale Whether to standardise continuous columns first.
#' @param time_limit Seconds after which training stops and gives back what it has.
#' @param threads Number of threads; by default the environment variable `DAGGNN_THREADS`, else the
#'   option `daggnn.threads`, else 2. The result does not depend on it.
#' @param progress Whether to show a progress bar on training that takes more than two seconds; by
#'   default the option `daggnn.progress`, else `TRUE` in interactive sessions only.
#' @param debug Whether to print a line for each round.
#' @param control From [dag_gnn_control()].
#' @return A network of class `c("dag_gnn", "daggnn", "bn")`: everything in bnlearn takes it.
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' bnlearn::modelstring(net)
#' @export
dag_gnn <- function(x, whitelist = NULL, blacklist = NULL, tiers = NULL,
                    model = c("mechanism", "vae"), threshold = 0.3, scale = FALSE,
                    time_limit = Inf, threads = NULL, progress = NULL, debug = FALSE,
                    control = dag_gnn_control()) {
  began <- proc.time()[["elapsed"]]
  call <- match.call()
  model <- check_choice(model, "model", c("mechanism", "vae"))
  control <- complete_control(control, model)
  threshold <- check_number(threshold, "threshold", 0)
  time_limit <- check_number(time_limit, "time_limit", 0)
  threads <- check_threads(threads)
  reporter <- progress_reporter("dag_gnn", progress, debug)
  on.exit(reporter$done())
  data <- samples(x, check_flag(scale, "scale"))
  prior <- check_prior(data$nodes, whitelist, blacklist, tiers)

  sorted <- data$names
  control$seed <- draw_seed()
  fit <- train_cpp(
    data, model, control, prior$allowed[sorted, sorted] * 1, prior$required[sorted, sorted] * 1,
    threads, time_limit, reporter$update
  )
  weights <- structure(fit$weights, dimnames = list(sorted, sorted))[data$nodes, data$nodes]
  edges <- edges_from_weights(weights, threshold, prior)
  new_network(
    edges$adjacency,
    list(
      learner = "dag_gnn", model = model, weights = weights, threshold = threshold,
      threshold_rule = threshold, dropped = edges$dropped, trace = fit$trace, reason = fit$reason,
      prior = prior, samples = data[setdiff(names(data), "values")], parameters = fit$parameters,
      control = control, n = nrow(data$values), seconds = proc.time()[["elapsed"]] - began,
      call = call
    ),
    class = "dag_gnn"
  )
}
