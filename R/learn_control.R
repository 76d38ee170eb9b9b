#' Control the model, the score, the search and the training of dag_gnn()
#'
#' All options that influence the network: effects, noise and charges of the local scores, the
#' search, and the training of the models, with the paper's symbol where it has one. An argument
#' left at `NULL` takes the default of the model that is trained, as the table below says.
#'
#' @details
#' | argument | `"vae"` | `"mechanism"` |
#' |---|---|---|
#' | `hidden` | 64 | 8; 0 between signals, see `latent` |
#' | `latent` | d; 1 on discrete data | none |
#' | `penalty`, `penalty_weight` | none | see [dag_gnn()] |
#' | `epochs`, `first_epochs` | 15, 60 | 200, 1000 steps; 10, 20 on discrete data |
#' | `graph_rate`, `rate` | 0.01, 0.003 | 0.01, 0.003 |
#' | `eta` | 10 | 10; 4 on discrete data |
#' | `constraint` | polynomial | logdet |
#'
#' @param architecture For `model = "vae"`: the `"paper"`'s encoder and decoder, the `"switched"`
#'   pair with perceptron and identity exchanged, or no networks at all, the `"linear"` structural
#'   equation model.
#' @param hidden Units of each network, from 1 to 10000 (mechanism: from 0, which leaves the network
#'   out).
#' @param latent From 1 to 10000. For `model = "vae"`: d_Z, the dimension of Z for each variable; by
#'   default that of the data, d, and 1 where all variables are discrete: the networks then learn a
#'   value for each level. For `model = "mechanism"`: how many signals a vector-valued
#'   variable has, where its components are repeated noisy measurements of fewer quantities; edges
#'   then join signals. The errors are allowed for where `hidden` is 0, which is then the default.
#'   Without `latent`, each component counts for itself.
#' @param numbering For `model = "vae"`: how the levels of discrete variables are numbered, which
#'   matters because level k of all variables shares its weights. By `"frequency"`, the most
#'   frequent level first; where all variables are discrete, also along the first `"axis"` of the
#'   correspondence analysis of each variable against all others; or `"best"`: where the threshold
#'   is chosen by BIC, both are tried, each with half of the `time_limit`, and the network with the
#'   better BIC is kept; by frequency otherwise.
#' @param biases For `model = "vae"`: whether the networks have biases.
#' @param monte_carlo For `model = "vae"`: L, the number of samples of Z for each row, from 0 to
#'   10000; 0 takes its mean M_Z.
#' @param encoder_variance,decoder_variance For `model = "vae"`: whether S_Z and S_X are the
#'   `"unit"` or `"learned"`.
#' @param counts Names of numeric columns that are counts: whole numbers from 0 that follow a
#'   Poisson distribution whose log rate is linear in the parents. Other columns of whole numbers
#'   are measurements with noise.
#' @param effects For `model = "mechanism"`: how parents act on a numeric child: `"linear"`,
#'   `"additive"` (a smooth curve for each parent), `"index"` (smooth curves of weighted sums of the
#'   parents), `"joint"` (the parents interact), or `"auto"`, the one with the best score. `"auto"`
#'   tries index effects on at most `index_variables` variables and `index_rows` rows, joint effects
#'   on at most `joint_variables` variables and `joint_rows` rows.
#' @param noise For `model = "mechanism"`: whether the noise has a variance of its `"own"` for each
#'   variable, a `"common"` one for all in the units of the data, or `"auto"`, the better score.
#' @param density For `model = "mechanism"`: whether the noise is `"normal"`, has a density that is
#'   `"estimated"` from the residuals, or `"auto"`, the better score.
#' @param edge_charge A network with E edges among M pairs of variables is charged this times
#'   log(choose(M, E)), from 0, beside its parameters, which are charged as in BIC: of so many
#'   possible edges, a few would pay BIC's charge by chance.
#' @param least_edge_charge What each further edge of a dense network is charged at least, from 0.
#' @param model_charge A model replaces a simpler one where its score is higher by this, from 0.
#' @param tail_charge An edge between variables with heavy tails is charged this times the sum, over
#'   both, of the logarithm of the standard deviation divided by what the quartiles tell of it, from
#'   0: one outlier would determine a slope.
#' @param curve_charge,index_charge,joint_charge A family with curves is charged `curve_charge`
#'   times log(m), one with index effects `index_charge` more, one with joint effects
#'   `joint_charge` more: in units of the log-likelihood, from 0.
#' @param density_charge,density_edge_charge A family with an estimated noise density is charged
#'   `density_charge`, and `density_edge_charge` for each parent, from 0.
#' @param splines Functions of itself that a numeric variable offers, from 1.
#' @param intervals,index_terms Intervals of the curve of a weighted sum, from 4, and the most such
#'   curves that a family may have, from 1.
#' @param centres Rows that serve as centres of the kernel of joint effects, from 2.
#' @param index_variables,index_rows,joint_variables,joint_rows See `effects`.
#' @param copies How many times missing values are drawn, from 1.
#' @param restarts After this many perturbed orders in a row without a better network the search
#'   ends, from 0.
#' @param maxp The most parents of a variable, from 1.
#' @param tuning When costly models are tried, and how hard, as a list of any of these numbers: they
#'   decide how long a fit takes, and which effects it may overlook. `dag_gnn_control()$tuning` has
#'   the defaults.
#'   * `effects_by_chance`, `rows_of_chance`: index and joint effects are searched for where the
#'     families of the network gain by them more than `effects_by_chance` times log(m) for each
#'     variable, with `rows_of_chance` rows or more; with fewer rows, the less in proportion.
#'   * `gain_by_chance`: the same for densities and, with more variables than `always_curved`, for
#'     curves: what each variable must gain.
#'   * `costly_restarts`, `density_restarts`, `costly_candidates`: perturbed orders of a search with
#'     index or joint effects and of one with densities, and how many possible parents of a variable
#'     these look at.
#'   * `noise_rounds`, `hopeless_loss`: turns of the common variance and the network, at most; and
#'     what each value may lose by a common variance, in units of the log-likelihood, before costly
#'     effects are searched for under it.
#'   * `imputation_rounds`, `first_sweeps`, `later_sweeps`, `least_copies`: turns of imputation and
#'     quick search, sweeps over the incomplete variables before the first and in each of these, and
#'     the least copies where joint effects are tried.
#' @param train For `model = "mechanism"`: whether to train the mechanism with curves that all
#'   variables share first, and to begin the search with its order.
#' @param constraint The acyclicity constraint h: the paper's `"polynomial"`
#'   tr (I + alpha A o A)^m - m, the `"exponential"` of NOTEARS, or the `"logdet"` of DAGMA.
#' @param penalty,penalty_weight The penalty on the size of each edge's weight: `"none"`, `"l1"` or
#'   `"huber"`, and its weight, from 0.
#' @param epochs,first_epochs The most passes over the data for each subproblem, from 1; the first
#'   one may have a number of its own, which is `epochs` where only that is given.
#' @param patience A subproblem ends early after this many passes without a lower loss, from 1;
#'   `Inf`, the default, runs all `epochs`.
#' @param max_rounds The most subproblems, from 1.
#' @param batch_size Rows per step, from 1; all rows where there are fewer.
#' @param graph_rate,rate Adam's learning rate for A and for the networks, above 0.
#' @param lambda,c Where the Lagrange multiplier lambda and the penalty parameter c begin, from 0.
#' @param eta,gamma c grows by the factor `eta` (above 1) unless |h| fell below `gamma` (from 0 to
#'   1) times its previous value.
#' @param h_tolerance Training ends when h is at most this, from 0.
#' @param c_max Training ends when c grows beyond this.
#' @param checkpoint The name of a file, or `NULL`. After each round the network so far is written
#'   there (by [saveRDS()], and so that the file is whole whenever the process ends), for
#'   `dag_gnn(x, start = readRDS(checkpoint))` to go on from.
#' @return A list of class `"dag_gnn_control"`.
#' @seealso [dag_gnn()]
#' @examples
#' # Linear effects with normal noise, at most three parents for each variable.
#' linear <- dag_gnn_control(effects = "linear", density = "normal", maxp = 3)
#' dag_gnn(bnlearn::gaussian.test, control = linear)
#'
#' # The paper's model, trained for three short rounds only.
#' short <- dag_gnn_control(epochs = 5, max_rounds = 3)
#' suppressWarnings(dag_gnn(bnlearn::gaussian.test[1:500, ], model = "vae", control = short))
#' @export
dag_gnn_control <- function(architecture = c("paper", "switched", "linear"), hidden = NULL,
                            latent = NULL, numbering = c("best", "frequency", "axis"),
                            biases = TRUE, monte_carlo = 0,
                            encoder_variance = c("unit", "learned"),
                            decoder_variance = c("unit", "learned"), counts = NULL,
                            effects = c("auto", "linear", "additive", "index", "joint"),
                            noise = c("auto", "own", "common"),
                            density = c("auto", "normal", "estimated"), edge_charge = 1.5,
                            least_edge_charge = 1, curve_charge = 1, index_charge = 2,
                            joint_charge = 2, model_charge = 2, tail_charge = 1, density_charge = 2,
                            density_edge_charge = 1, splines = 8, intervals = 32, index_terms = 3,
                            centres = 100, index_variables = 100, index_rows = 20000,
                            joint_variables = 30, joint_rows = 3000, copies = 5,
                            restarts = 10, maxp = Inf, tuning = list(), train = FALSE,
                            constraint = NULL,
                            penalty = NULL, penalty_weight = NULL,
                            epochs = NULL, first_epochs = epochs, patience = NULL, max_rounds = 100,
                            batch_size = 100, graph_rate = NULL, rate = NULL,
                            lambda = 0, c = 1, eta = NULL, gamma = 1 / 4,
                            h_tolerance = 1e-8, c_max = 1e20, checkpoint = NULL) {
  optional <- function(value, check, ...) if (is.null(value)) NULL else check(value, ...)
  most <- .Machine$integer.max
  # Memory grows with these: more would be a slip.
  most_units <- 10000
  structure(
    list(
      architecture = check_choice(architecture, "architecture", c("paper", "switched", "linear")),
      hidden = optional(hidden, check_number, "hidden", 0, most_units, whole = TRUE),
      latent = optional(latent, check_number, "latent", 1, most_units, whole = TRUE),
      numbering = check_choice(numbering, "numbering", c("best", "frequency", "axis")),
      biases = check_flag(biases, "biases"),
      monte_carlo = check_number(monte_carlo, "monte_carlo", 0, most_units, whole = TRUE),
      encoder_variance = check_choice(encoder_variance, "encoder_variance", c("unit", "learned")),
      decoder_variance = check_choice(decoder_variance, "decoder_variance", c("unit", "learned")),
      counts = check_counts(counts),
      effects = check_choice(
        effects, "effects", c("auto", "linear", "additive", "index", "joint")
      ),
      noise = check_choice(noise, "noise", c("auto", "own", "common")),
      density = check_choice(density, "density", c("auto", "normal", "estimated")),
      edge_charge = check_number(edge_charge, "edge_charge", 0),
      least_edge_charge = check_number(least_edge_charge, "least_edge_charge", 0),
      curve_charge = check_number(curve_charge, "curve_charge", 0),
      index_charge = check_number(index_charge, "index_charge", 0),
      joint_charge = check_number(joint_charge, "joint_charge", 0),
      model_charge = check_number(model_charge, "model_charge", 0),
      tail_charge = check_number(tail_charge, "tail_charge", 0),
      density_charge = check_number(density_charge, "density_charge", 0),
      density_edge_charge = check_number(density_edge_charge, "density_edge_charge", 0),
      splines = check_number(splines, "splines", 1, 100, whole = TRUE),
      intervals = check_number(intervals, "intervals", 4, 1000, whole = TRUE),
      index_terms = check_number(index_terms, "index_terms", 1, 10, whole = TRUE),
      centres = check_number(centres, "centres", 2, most_units, whole = TRUE),
      index_variables = check_number(index_variables, "index_variables", 0, most, whole = TRUE),
      index_rows = check_number(index_rows, "index_rows", 0, most, whole = TRUE),
      joint_variables = check_number(joint_variables, "joint_variables", 0, most, whole = TRUE),
      joint_rows = check_number(joint_rows, "joint_rows", 0, most, whole = TRUE),
      copies = check_number(copies, "copies", 1, 1000, whole = TRUE),
      restarts = check_number(restarts, "restarts", 0, most, whole = TRUE),
      maxp = min(check_number(maxp, "maxp", 1, whole = TRUE), most),
      tuning = check_tuning(tuning),
      train = check_flag(train, "train"),
      constraint = optional(
        constraint, check_choice, "constraint", c("polynomial", "exponential", "logdet")
      ),
      penalty = optional(penalty, check_choice, "penalty", c("none", "l1", "huber")),
      penalty_weight = optional(penalty_weight, check_number, "penalty_weight", 0),
      epochs = optional(epochs, check_number, "epochs", 1, most, whole = TRUE),
      first_epochs = optional(first_epochs, check_number, "first_epochs", 1, most, whole = TRUE),
      patience = optional(patience, check_number, "patience", 1),
      max_rounds = check_number(max_rounds, "max_rounds", 1, most, whole = TRUE),
      batch_size = check_number(batch_size, "batch_size", 1, most, whole = TRUE),
      graph_rate = optional(graph_rate, check_number, "graph_rate", 0, 1, open = TRUE),
      rate = optional(rate, check_number, "rate", 0, 1, open = TRUE),
      lambda = check_number(lambda, "lambda", 0),
      c = check_number(c, "c", 0, open = TRUE),
      eta = optional(eta, check_number, "eta", 1, open = TRUE),
      gamma = check_number(gamma, "gamma", 0, 1),
      h_tolerance = check_number(h_tolerance, "h_tolerance", 0),
      c_max = check_number(c_max, "c_max", 0, open = TRUE),
      checkpoint = check_checkpoint(checkpoint)
    ),
    class = "dag_gnn_control"
  )
}

# The core knows the names and the defaults; all of them are numbers.
check_tuning <- function(tuning) {
  defaults <- default_options_cpp()$tuning
  if (!is.list(tuning) || !all(names(tuning) %in% names(defaults)) ||
    length(names(tuning)) != length(tuning)) {
    stop_input(
      "`tuning` must be a list with names among ", quoted(names(defaults), length(defaults)),
      ", not ", show_value(tuning), "."
    )
  }
  for (name in names(tuning)) {
    whole <- !name %in% c("effects_by_chance", "rows_of_chance", "gain_by_chance", "hopeless_loss")
    label <- paste0("tuning$", name)
    least <- if (name == "least_copies") 1 else 0
    defaults[[name]] <- check_number(
      tuning[[name]], label, least, .Machine$integer.max, whole = whole
    )
  }
  defaults
}

check_counts <- function(counts) {
  if (!is.null(counts) && (!is.character(counts) || anyNA(counts))) {
    stop_input("`counts` must be names of columns or NULL, not ", show_value(counts), ".")
  }
  as.character(unique(counts))
}

# What an argument left at NULL means: for each model, and for a mechanism of discrete variables.
model_defaults <- list(
  vae = list(
    hidden = 64, latent = 0, constraint = "polynomial", penalty = "none",
    penalty_weight = 0, epochs = 15, first_epochs = 60, patience = Inf, graph_rate = 0.01,
    rate = 0.003, eta = 10
  ),
  mechanism = list(
    hidden = 8, latent = 0, constraint = "logdet", penalty = "none",
    penalty_weight = 0, epochs = 4, first_epochs = 20, patience = Inf, graph_rate = 0.01,
    rate = 0.003, eta = 10
  )
)

# Of numbers, a mechanism needs steps rather than epochs, whatever the number of rows.
numeric_defaults <- function(data, batch_size) {
  n <- nrow(data$values)
  epochs <- function(steps) ceiling(steps * min(batch_size, n) / n)
  list(epochs = epochs(200), first_epochs = epochs(1000))
}

# Blocks of logits have many parameters: the penalty grows with the noise in their gradients, whose
# largest norm over all pairs of m variables is of the order sqrt(log(m) / n).
discrete_defaults <- function(data) {
  list(
    constraint = "logdet", penalty = "l1", epochs = 10, first_epochs = 20, eta = 4,
    penalty_weight = sqrt(log(length(data$names)) / nrow(data$values))
  )
}

check_control <- function(control) {
  if (!inherits(control, "dag_gnn_control")) {
    stop_input("`control` must come from dag_gnn_control(), not be ", show_value(control), ".")
  }
}

# The signals of each vector-valued variable of a mechanism, NULL where they are its components: the
# control of a network that was learned so has 0 there.
given_latent <- function(control, model) {
  if (model == "mechanism" && isTRUE(control$latent > 0)) control$latent
}

# control: from dag_gnn_control()
complete_control <- function(control, model, data) {
  defaults <- model_defaults[[model]]
  if (model == "vae" && all(data$kind == "discrete")) {
    defaults <- utils::modifyList(defaults, vae_discrete_defaults(control))
  }
  if (model == "mechanism" && any(data$kind == "discrete")) {
    defaults <- utils::modifyList(defaults, discrete_defaults(data))
  } else if (model == "mechanism") {
    defaults <- utils::modifyList(defaults, numeric_defaults(data, control$batch_size))
  }
  # Errors of signals can be allowed for only where no network is fitted at the same time.
  if (any(data$width < data$components)) defaults$hidden <- 0
  missing <- vapply(names(defaults), function(name) is.null(control[[name]]), NA)
  control[names(defaults)[missing]] <- defaults[missing]
  control
}

# control: from dag_gnn_control(), not yet complete.
vae_discrete_defaults <- function(control) {
  # Without networks, Z is as wide as X. No penalty, although the paper has one: training shrinks
  # MLP(X) to some tenths and the loss has its square, so that a Huber penalty of 0.01 already
  # outweighs the data, and one of 0.001 does on 441 variables.
  list(latent = if (control$architecture == "linear") 0 else 1)
}
