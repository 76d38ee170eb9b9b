#' Learn a Bayesian network with graph neural networks
#'
#' Learns the structure of a Bayesian network by continuous optimisation over a weighted adjacency
#' matrix A under a smooth acyclicity constraint. `model = "vae"` is the paper's (Yu, Chen, Gao and
#' Yu 2019), complete: a variational autoencoder whose encoder and decoder are graph neural networks
#' on A, trained by the augmented Lagrangian method. `model = "mechanism"`, the default, is this
#' package's own: the same graph neural network used as the mechanism that makes the data,
#' X = phi(A' g(X)) + Z, whose likelihood is exact for a DAG. What follows the training of the
#' mechanism, to make its graph exact, and the rule `"auto"` are this package's own as well.
#'
#' @details
#' The result can be used wherever bnlearn takes a network: `score()`, `bn.fit()`, `compare()`,
#' `graphviz.plot()` and all others. It carries the weights ([coef()][coef.daggnn]), the trace of
#' the training ([plot()][plot.daggnn]) and the reason why it ended ([summary()][summary.daggnn]).
#'
#' **The mechanism.** Every variable offers features: a continuous one g(x), a vector one for each
#' component, a discrete one the indicators of its levels. A block of weights leads from the
#' features of i to the outputs of j, a single number between two continuous variables; A_ij is that
#' number, or the norm of the block. Continuous outputs go through phi, discrete ones through a
#' softmax. g and phi are small networks shared by all variables, and A alone carries the scale.
#'
#' **After training**, the mechanism's graph is made exact. Where all variables are numbers, by hill
#' climbing over DAGs by the model's own penalised likelihood, with a way out of local optima, in
#' turns with training on the DAG alone; in our trials this, more than the constraint, is what makes
#' the graphs right. Where each variable has a noise variance of its own, as with `scale = TRUE`, it
#' is done from no edge at all too, and the better graph stays. An edge must be worth its price to
#' the likelihood of all, and to that of its own child also where the noise may be larger in some
#' rows than in others (White 1980): a few wild rows make no edge. Where some variables are
#' discrete, by training among the edges that agree with the order that was found, each at its price
#' by BIC; if all are, and no value is missing, the order is first moved to where those that
#' training joined make the best parents by BIC. `dag_gnn_control(polish = FALSE)` leaves it out.
#'
#' **Vectors as signals.** Where the components of a matrix column are several looks at one number,
#' `dag_gnn_control(latent = 1)` joins these numbers instead of all components. The direction that
#' the components share is found by principal components, and what does not lie along it tells the
#' error that the number is seen with, which the search then allows for. `latent` may be larger.
#'
#' **Missing values** have no part in the likelihood of their own variable. As a parent, a missing
#' value is replaced by its prediction (mechanism) or by a number that is learned (autoencoder).
#'
#' **Reproducible.** `set.seed()` rules everything; the number of threads and the order of columns
#' and rows change nothing.
#'
#' @param x A data frame: numeric columns are continuous, factors, logicals and characters discrete,
#'   matrix columns vector-valued. Also a numeric matrix, an n x m x d array (m variables of
#'   dimension d) or a sparse 0/1 Matrix. Missing values may be anywhere.
#' @param whitelist,blacklist Edges that must and must not be in the network: a matrix or data frame
#'   with two columns of names, from and to.
#' @param tiers A list of vectors of names: no edge leads from a later tier to an earlier one.
#' @param model `"mechanism"`, this package's model, or `"vae"`, the paper's.
#' @param threshold How weights become edges: a number from 0, above which |A| makes an edge;
#'   `"bic"`, the number whose network has the best BIC (bnlearn's) on `x`; or `"auto"`, by what the
#'   model itself holds for an edge. See [rethreshold()] for another threshold without training
#'   again.
#' @param start Where training begins. A network from `dag_gnn()`: where it was learned from the
#'   same rows and has not converged (it was interrupted, ran out of time or rounds, or is a
#'   checkpoint), training goes on where it stopped, and arguments that are not given again are as
#'   they were there; with other rows, it begins with the parameters of that network. A matrix of
#'   weights, `[i, j]` for the edge from i to j, or any other network: it begins with these weights.
#' @param scale Whether to standardise continuous columns first. The scale of the data can give the
#'   order of the variables away (see [varsortability()]); without it, the noise of each variable
#'   has a variance of its own, which the mechanism then learns. Weights are given in the units of
#'   the data all the same; the threshold is for standardised ones, `coef(net, "shares")`.
#' @param refine Whether to go on from the learned network to one with a better BIC, by [refine()].
#' @param time_limit Seconds after which training stops and gives back what it has.
#' @param threads Number of threads; by default the environment variable `DAGGNN_THREADS`, else the
#'   option `daggnn.threads`, else 2. The result does not depend on it.
#' @param progress Whether to show a progress bar on training that takes more than two seconds; by
#'   default the option `daggnn.progress`, else `TRUE` in interactive sessions only.
#' @param debug Whether to print a line for each round.
#' @param control From [dag_gnn_control()].
#' @return A network of class `c("dag_gnn", "daggnn", "bn")`: everything in bnlearn takes it.
#' @references Yu, Chen, Gao and Yu (2019), DAG-GNN: DAG structure learning with graph neural
#'   networks, ICML, <https://arxiv.org/abs/1904.10098>.
#'
#'   White (1980), A heteroskedasticity-consistent covariance matrix estimator and a direct test for
#'   heteroskedasticity, Econometrica, <doi:10.2307/1912934>.
#' @seealso [dag_gnn_control()] for all that can be set, [rethreshold()], [refine()], [boot_dag()]
#'   for the strength of edges, [compare_learners()].
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' bnlearn::modelstring(net)
#' @export
dag_gnn <- function(x, whitelist = NULL, blacklist = NULL, tiers = NULL,
                    model = c("mechanism", "vae"), threshold = "auto", start = NULL,
                    scale = FALSE, refine = FALSE, time_limit = Inf, threads = NULL,
                    progress = NULL, debug = FALSE, control = dag_gnn_control()) {
  began <- proc.time()[["elapsed"]]
  call <- named_call(match.call(), "dag_gnn")
  if (is_dag_gnn(start)) {
    # What is not said again is as it was.
    if (missing(model)) model <- start$daggnn$model
    if (missing(control)) control <- start$daggnn$control
    if (missing(threshold)) threshold <- start$daggnn$threshold_rule
    if (missing(scale)) scale <- isTRUE(start$daggnn$scaled)
  }
  model <- check_choice(model, "model", c("mechanism", "vae"))
  threshold <- check_threshold(threshold)
  time_limit <- check_number(time_limit, "time_limit", 0)
  threads <- check_threads(threads)
  reporter <- progress_reporter("dag_gnn", progress, debug)
  on.exit(reporter$done())
  scale <- check_flag(scale, "scale")
  refined <- check_flag(refine, "refine")
  check_control(control)
  data <- samples(x, scale, given_latent(control, model))
  if (refined) scorable(x, "`refine = TRUE`")
  free <- is.null(whitelist) && is.null(blacklist) && is.null(tiers)
  prior <- if (free && is_dag_gnn(start)) {
    prior_of(start, data$nodes)
  } else {
    check_prior(data$nodes, whitelist, blacklist, tiers)
  }
  control <- complete_control(control, model, data, scale)
  control$seed <- draw_seed()
  begin <- starting_point(start, data, model, control)
  control$seed <- begin$control$seed

  asked <- list(
    model = model, data = data, columns = variables_of(x, "x")[data$nodes], scale = scale,
    prior = prior, threshold = threshold, control = control, call = call, began = began
  )
  # Rules that look at the data again would cost too much after each round.
  quick_rule <- if (is.numeric(threshold)) threshold else paper_threshold
  sorted <- data$names
  fit <- learn_cpp(
    data, model, begin$control, prior$allowed[sorted, sorted] * 1,
    prior$required[sorted, sorted] * 1, threads, time_limit, reporter$update, begin$from,
    checkpoint_writer(control$checkpoint, function(fit) network_of_fit(fit, quick_rule, asked))
  )
  # Ctrl-C while the rule looks at the data ends the fit as it does before.
  net <- tryCatch(network_of_fit(fit, threshold, asked), interrupt = function(signal) {
    network_of_fit(replace(fit, "reason", "interrupt"), quick_rule, asked)
  })
  warn_unfinished(net$daggnn$reason, "dag_gnn")
  if (refined) refine(net, x, threads = threads, debug = debug) else net
}

# fit: from learn_cpp(), with the variables sorted; asked: what dag_gnn() was asked, checked. The
# rule may be another than the one that was asked for.
network_of_fit <- function(fit, rule, asked) {
  data <- asked$data
  in_nodes_order <- function(matrix) {
    structure(matrix, dimnames = list(data$names, data$names))[data$nodes, data$nodes]
  }
  trained <- in_nodes_order(fit$weights)
  details <- list(
    learner = "dag_gnn", model = asked$model, weights = in_data_units(trained, data),
    shares = shares_of(trained, data), scaled = asked$scale, threshold_rule = asked$threshold,
    worth = if (length(fit$worth) > 0) in_nodes_order(fit$worth),
    trace = fit$trace, reason = fit$reason, prior = asked$prior,
    samples = data[setdiff(names(data), "values")], parameters = fit$parameters,
    # Training that has converged has nothing to go on with.
    state = if (fit$reason != "converged") fit$state, control = asked$control,
    n = nrow(data$values), call = asked$call
  )
  edges <- choose_edges(rule, details, asked$columns)
  details <- c(details, edges[setdiff(names(edges), "adjacency")])
  details$seconds <- proc.time()[["elapsed"]] - asked$began
  new_network(edges$adjacency, details, class = "dag_gnn")
}
