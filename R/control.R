#' Control the model and the training of dag_gnn()
#'
#' Every knob of the models and of their training, with the paper's symbol where it has one. An
#' argument left at `NULL` takes the default of the model that is trained, as the table below says.
#'
#' @details
#' | argument | `"vae"` | `"mechanism"` |
#' |---|---|---|
#' | `hidden` | 64 | 8; 0 between signals, see `latent` |
#' | `penalty`, `penalty_weight` | none; Huber, 0.01 on discrete data | see [dag_gnn()] |
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
#'   default that of the data, d. For `model = "mechanism"`: how many signals a vector-valued
#'   variable has, where its components are several looks, with error, at fewer numbers; edges then
#'   join signals. The errors are allowed for where `hidden` is 0, which is then the default.
#'   Without `latent`, each component counts for itself.
#' @param biases For `model = "vae"`: whether the networks have biases.
#' @param monte_carlo For `model = "vae"`: L, the number of samples of Z for each row, from 0 to
#'   10000; 0 takes its mean M_Z.
#' @param encoder_variance,decoder_variance For `model = "vae"`: whether S_Z and S_X are the
#'   `"unit"` or `"learned"`.
#' @param noise For `model = "mechanism"`: whether the noise has `"equal"` variance for all
#'   variables or a `"learned"` one for each; by default equal, and learned where all columns have
#'   the same standard deviation, as after `dag_gnn(scale = TRUE)`: their scale then says nothing.
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
#' @param eta,gamma c grows by the factor `eta` (above 1) where |h| has not fallen below `gamma`
#'   (from 0 to 1) times what it was.
#' @param h_tolerance Training ends when h is at most this, from 0.
#' @param c_max Training ends when c grows beyond this.
#' @param polish For `model = "mechanism"`: whether the weights become those of a DAG in which each
#'   edge pays its price. Continuous data: hill climbing over DAGs by the model's own likelihood, in
#'   turns with training on the DAG alone; an edge pays by the extended BIC (gamma = 1) and must
#'   explain a hundredth of what its child's other parents leave. Data with discrete variables:
#'   training once more among the edges that agree with the order that was found, each with its
#'   price by BIC.
#' @param checkpoint The name of a file, or `NULL`. After each round the network so far is written
#'   there (by [saveRDS()], and so that the file is whole whenever the process ends), for
#'   `dag_gnn(x, start = readRDS(checkpoint))` to go on from.
#' @return A list of class `"dag_gnn_control"`.
#' @seealso [dag_gnn()]
#' @examples
#' dag_gnn_control(epochs = 5, max_rounds = 3)
#' @export
dag_gnn_control <- function(architecture = c("paper", "switched", "linear"), hidden = NULL,
                            latent = NULL, biases = TRUE, monte_carlo = 0,
                            encoder_variance = c("unit", "learned"),
                            decoder_variance = c("unit", "learned"),
                            noise = NULL, constraint = NULL, penalty = NULL, penalty_weight = NULL,
                            epochs = NULL, first_epochs = epochs, patience = NULL, max_rounds = 100,
                            batch_size = 100, graph_rate = NULL, rate = NULL,
                            lambda = 0, c = 1, eta = NULL, gamma = 1 / 4,
                            h_tolerance = 1e-8, c_max = 1e20, polish = TRUE, checkpoint = NULL) {
  optional <- function(value, check, ...) if (is.null(value)) NULL else check(value, ...)
  most <- .Machine$integer.max
  # Memory grows with these: more would be a slip.
  most_units <- 10000
  structure(
    list(
      architecture = check_choice(architecture, "architecture", c("paper", "switched", "linear")),
      hidden = optional(hidden, check_number, "hidden", 0, most_units, whole = TRUE),
      latent = optional(latent, check_number, "latent", 1, most_units, whole = TRUE),
      biases = check_flag(biases, "biases"),
      monte_carlo = check_number(monte_carlo, "monte_carlo", 0, most_units, whole = TRUE),
      encoder_variance = check_choice(encoder_variance, "encoder_variance", c("unit", "learned")),
      decoder_variance = check_choice(decoder_variance, "decoder_variance", c("unit", "learned")),
      noise = optional(noise, check_choice, "noise", c("equal", "learned")),
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
      polish = check_flag(polish, "polish"),
      checkpoint = check_checkpoint(checkpoint)
    ),
    class = "dag_gnn_control"
  )
}

# What an argument left at NULL means: for each model, and for a mechanism of discrete variables.
model_defaults <- list(
  vae = list(
    hidden = 64, latent = 0, noise = "equal", constraint = "polynomial", penalty = "none",
    penalty_weight = 0, epochs = 15, first_epochs = 60, patience = Inf, graph_rate = 0.01,
    rate = 0.003, eta = 10
  ),
  mechanism = list(
    hidden = 8, latent = 0, noise = "equal", constraint = "logdet", penalty = "none",
    penalty_weight = 0, epochs = 4, first_epochs = 20, patience = Inf, graph_rate = 0.01,
    rate = 0.003, eta = 10
  )
)

# Of numbers, a mechanism needs steps rather than epochs, whatever the number of rows; and where all
# columns have one spread, it says nothing of the noise.
numeric_defaults <- function(data, batch_size) {
  n <- nrow(data$values)
  epochs <- function(steps) ceiling(steps * min(batch_size, n) / n)
  spread <- apply(data$values, 2, stats::sd, na.rm = TRUE)
  standardised <- max(spread) < (1 + 1e-6) * min(spread)
  list(
    epochs = epochs(200), first_epochs = epochs(1000),
    noise = if (standardised) "learned" else "equal"
  )
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
complete_control <- function(control, model, data, scale) {
  defaults <- model_defaults[[model]]
  if (model == "mechanism" && any(data$kind == "discrete")) {
    defaults <- utils::modifyList(defaults, discrete_defaults(data))
  } else if (model == "mechanism") {
    defaults <- utils::modifyList(defaults, numeric_defaults(data, control$batch_size))
  }
  if (scale) defaults$noise <- "learned"
  # Errors of signals can be allowed for only where no network is fitted at the same time.
  if (any(data$width < data$components)) defaults$hidden <- 0
  missing <- vapply(names(defaults), function(name) is.null(control[[name]]), NA)
  control[names(defaults)[missing]] <- defaults[missing]
  control
}
