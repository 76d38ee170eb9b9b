#' Learn a Bayesian network
#'
#' Learns the structure of a Bayesian network: which variable depends on which, as a directed graph
#' without cycles. `model = "mechanism"`, the default, finds the network whose families explain the
#' data best after their complexity is charged, by a search over orders of the variables.
#' `model = "vae"` is the full model of the paper (Yu, Chen, Gao and Yu 2019): a variational
#' autoencoder whose encoder and decoder are graph neural networks on a weighted adjacency matrix A,
#' trained under a smooth acyclicity constraint by the augmented Lagrangian method.
#'
#' @details
#' The result can be used wherever bnlearn takes a network: `score()`, `bn.fit()`, `compare()`,
#' `graphviz.plot()` and others; [bnlearn_data()] converts the data to what these functions accept.
#' The result also has the weights ([coef()][coef.daggnn]), what each edge adds to the score, and
#' the model that was chosen ([summary()][summary.daggnn]).
#'
#' **The mechanism.** X_j = phi_j(sum_i B_ij g(X_i)) + Z_j: every variable offers features to its
#' children, a number smooth functions of itself (splines, the first of them linear), a factor
#' contrasts of its levels, and receives a mean or the probabilities of its levels. Four kinds of
#' effects are compared: `"linear"`; `"additive"`, a smooth curve for each parent; `"index"`,
#' smooth curves of weighted sums of the parents; `"joint"`, one
#' smooth function of all parents of a child, for parents that interact. A discrete child has a
#' table of probabilities, or a multinomial logit where a parent is a number; a child that is
#' declared a count (`counts` in [dag_gnn_control()]) a Poisson regression; a numeric child of
#' discrete parents may have a regression for each of their configurations. The noise has a variance
#' for each variable or one for all, and is normal or has a density that is estimated from the
#' residuals.
#'
#' **The score** of a family is its log-likelihood with linear parameters charged as in BIC and
#' curves integrated out (log evidence). A network with E edges among M pairs of variables is
#' charged `edge_charge` times log C(M, E) beside, the prior of networks of unknown density: in a
#' sparse network an edge costs more than in a dense one, and equivalent networks are charged the
#' same. Edges between variables with heavy tails are charged more (see [dag_gnn_control()]).
#' It does not depend on the units of numeric columns. Which of the models above is used is decided
#' by the same score, and `print()` and `summary()` say which and by how much. Only where
#' all noise variances are equal in the given units do these units matter: then a common variance
#' has the better score, and determines directions that other data leave open.
#'
#' **The search** goes over orders of the variables. Each takes its parents from those before it by
#' grow and shrink; a move takes one variable to another place; when no move helps, the order is
#' perturbed and the search is run again. It draws no random numbers from R's generator: the same
#' data give the same network whatever the seed and the number of threads, and, near ties apart,
#' whatever the order of rows and columns.
#'
#' **Training.** `dag_gnn_control(train = TRUE)` first trains the special case in which all
#' variables share one curve g and one curve phi, under the acyclicity constraint, and the search
#' begins with the order that it finds. In our trials this hardly changed any network, so it is not
#' the default.
#'
#' **Vectors as signals.** Where the components of a matrix column are repeated noisy measurements
#' of one quantity, `dag_gnn_control(latent = 1)` learns edges between these quantities instead of
#' all components. Their common direction is found by principal components, and the remaining
#' variation estimates the measurement error, which the score allows for. `latent` may be larger.
#'
#' **The autoencoder on discrete data.** The networks of `model = "vae"` are shared by all
#' variables, so that level k of one variable is the same thing to them as level k of another.
#' Levels are therefore numbered by what the data say (`numbering` in [dag_gnn_control()]), and
#' their names and their order do not matter, except between levels that are equally frequent. By
#' default the model is trained with two numberings and the network with the better BIC is kept,
#' each level gets one value (`latent = 1`), and the threshold is the one whose network has the best
#' BIC, because the size of the weights depends on these values. One weight for each pair of
#' variables can only say how far their values rise and fall together: expect a BIC well below that
#' of the default model. A warning says when the network has no edge.
#'
#' **Missing values** are drawn several times given the other values of their row, in turns with the
#' search (structural EM); no row is dropped. The autoencoder learns a number for each instead.
#'
#' **Columns that look wrong.** Text with a different value in most rows is an error, since it
#' identifies rows or was misread. Dates and numbers with decimal commas that were read as text, and
#' empty text as a level, are warnings that say what to do.
#'
#' @param x A data frame: numeric columns are continuous, factors, logicals and characters discrete,
#'   matrix columns vector-valued. Also a numeric matrix, an n x m x d array (m variables of
#'   dimension d) or a sparse 0/1 Matrix. Missing values may be anywhere. Also a database table, an
#'   Arrow dataset or a file in chunks: see [data_source()] and [chunks()].
#' @param whitelist,blacklist Edges that must and must not be in the network: a matrix or data frame
#'   with two columns of names, from and to.
#' @param tiers A list of vectors of names: no edge leads from a later tier to an earlier one.
#' @param model `"mechanism"`, this package's model, or `"vae"`, the paper's.
#' @param threshold How weights become edges: a number from 0, above which |A| makes an edge;
#'   `"bic"`, the number whose network has the best BIC (bnlearn's) on `x`; or `"auto"`: the network
#'   that the search found, and for `model = "vae"` the paper's threshold of 0.3, or `"bic"` where
#'   all variables are discrete. See [rethreshold()] for another threshold without learning again.
#' @param start Where learning begins: a network over the columns of `x`, or a matrix of weights,
#'   `[i, j]` for the edge from i to j. The search of the mechanism begins with its order. Training
#'   goes on where a network from `dag_gnn()` stopped (it was interrupted, ran out of time or
#'   rounds, or is a checkpoint) if the rows are the same, and begins with its parameters otherwise;
#'   arguments you omit keep their earlier values.
#' @param scale For `model = "vae"`: whether to standardise continuous columns first. The scale of
#'   the data can give the order of the variables away (see [varsortability()]). Weights are given
#'   in the units of the data all the same; the threshold is for standardised ones,
#'   `coef(net, "shares")`. With the mechanism, it makes sure that a common noise variance in the
#'   given units plays no part.
#' @param time_limit Seconds after which the learner stops and gives back what it has.
#' @param threads Number of threads; by default the environment variable `DAGGNN_THREADS`, else the
#'   option `daggnn.threads`, else 2. The result does not depend on it.
#' @param progress Whether to show a progress bar on work that takes more than two seconds; by
#'   default the option `daggnn.progress`, else `TRUE` in interactive sessions only.
#' @param debug Whether to print a line for each round.
#' @param control From [dag_gnn_control()].
#' @return A network of class `c("dag_gnn", "daggnn", "bn")`, which bnlearn's functions accept.
#' @references Yu, Chen, Gao and Yu (2019), DAG-GNN: DAG structure learning with graph neural
#'   networks, ICML, <https://arxiv.org/abs/1904.10098>.
#'
#'   Andrews, Ramsey, Sanchez Romero, Camchong and Kummerfeld (2023), Fast scalable and accurate
#'   discovery of DAGs using the best order score search and grow-shrink trees, NeurIPS.
#'
#'   Scott and Berger (2010), Bayes and empirical-Bayes multiplicity adjustment in the
#'   variable-selection problem, Annals of Statistics, <doi:10.1214/10-AOS792>.
#'
#'   Nowzohour and Buehlmann (2016), Score-based causal learning in additive noise models,
#'   Statistics, <doi:10.1080/02331888.2015.1060237>.
#' @seealso [dag_gnn_control()] for all options, [rethreshold()], [refine()], [boot_dag()]
#'   for the strength of edges, [compare_learners()].
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' net
#' plot(net)
#'
#' # A known order in time: no edge leads from a later tier to an earlier one.
#' dag_gnn(bnlearn::learning.test, tiers = list(c("A", "F"), c("B", "C", "D", "E")))
#'
#' # Numbers, factors and missing values together.
#' x <- bnlearn::clgaussian.test[1:300, ]
#' x$G[1:30] <- NA
#' bnlearn::modelstring(dag_gnn(x))
#'
#' # Other units do not change the network.
#' y <- bnlearn::gaussian.test
#' y$A <- 1000 * y$A
#' identical(bnlearn::arcs(dag_gnn(y)), bnlearn::arcs(net))
#'
#' # Stopped early, by a time limit or by Ctrl-C, and resumed from there.
#' early <- suppressWarnings(dag_gnn(y, time_limit = 0.001))
#' early$daggnn$reason
#' dag_gnn(y, start = early)$daggnn$reason
#' @export
dag_gnn <- function(x, whitelist = NULL, blacklist = NULL, tiers = NULL,
                    model = c("mechanism", "vae"), threshold = "auto", start = NULL,
                    scale = FALSE, time_limit = Inf, threads = NULL, progress = NULL,
                    debug = FALSE, control = dag_gnn_control()) {
  began <- proc.time()[["elapsed"]]
  call <- named_call(match.call(), "dag_gnn")
  if (is_dag_gnn(start)) {
    # Arguments that are omitted keep their earlier values.
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
  check_control(control)
  rows <- read_rows(x)
  data <- samples(rows$x, scale, given_latent(control, model), least_rows, control$counts)
  check_doubtful_columns(data, tell = !is.null(reporter$update))
  free <- is.null(whitelist) && is.null(blacklist) && is.null(tiers)
  prior <- if (free && is_dag_gnn(start)) {
    prior_of(start, data$nodes)
  } else {
    check_prior(data$nodes, whitelist, blacklist, tiers)
  }
  control <- complete_control(control, model, data)
  asked <- list(
    model = model, data = data, columns = variables_of(rows$x, "x")[data$nodes], scale = scale,
    prior = prior, threshold = threshold, control = control, call = call, began = began,
    threads = threads, time_limit = time_limit, show = reporter$update, rows = rows
  )
  net <- if (model == "vae") {
    train_vae(start, asked)
  } else if (control$train) {
    search_network(train_network(start, asked), asked)
  } else {
    search_network(start, asked)
  }
  warn_unfinished(net$daggnn$reason, "dag_gnn")
  warn_empty(net)
  net
}
