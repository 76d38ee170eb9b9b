# Data from a known network: structural equation models on a weighted DAG.

#' Simulate data from a structural equation model
#'
#' Draws rows from a network, parents before children. The models are those of the paper's synthetic
#' data, those of other studies that learners are usually compared on, and models of discrete and
#' mixed data.
#'
#' @section Models with the weights of the network:
#' A is the weight matrix, x one row and z its noise.
#'
#' * `"linear"`: x = A' x + z.
#' * `"cosine"`: x = A' cos(x + 1) + z.
#' * `"sine"`: x = 2 sin(A' (x + 0.5)) + A' (x + 0.5) + z.
#' * `"vector"`: variables with `d` components. With x from the linear model, component k is
#'   u_k x + v_k + z_k, where u_k and v_k are standard normal numbers, the same for all variables
#'   and rows, and z_k is standard normal noise.
#' * `"post_nonlinear"`: x_j = h_j((A' x)_j + z_j), where h_j is an increasing curve, for each
#'   variable one of h(u) = u + 2 tanh(2 u), a sigmoid plus a line, and h(u) = asinh(3 u), which
#'   bends like a logarithm on both sides; each of the two has probability 1/2. This is the
#'   post-nonlinear model of Zhang and Hyvarinen (2009) with linear inner functions.
#'
#' @section Models with random functions:
#' x_j = f_j(parents of j) + z_j, where the function f_j is drawn anew at each call. The weights of
#' the network play no part beyond the presence of an edge; a variable without parents is its noise.
#'
#' * `"gp_additive"`: f_j is the sum of one function for each parent, drawn independently from a
#'   Gaussian process with mean 0 and covariance exp(-(u - v)^2 / 2), as in the simulations of CAM
#'   (Buehlmann, Peters and Ernest 2014) and SCORE (Rolland et al. 2022).
#' * `"gp"`: f_j is one draw from a Gaussian process on all parents jointly, with covariance
#'   exp(-|u - v|^2 / 2), as in GraN-DAG (Lachapelle et al. 2020) and in the nonlinear version of
#'   NOTEARS (Zheng et al. 2020).
#' * `"mlp"`: f_j(u) = W2' sigmoid(W1' u), a network with 100 hidden units. Absolute weights are
#'   uniform from 0.5 to 2 and signs are random (Zheng et al. 2020).
#' * `"mim"`, a multiple index model: f_j(u) = tanh(w1' u) + cos(w2' u) + sin(w3' u), with weights
#'   as for `"mlp"` (Zheng et al. 2020).
#'
#' A function of one parent is drawn exactly, up to rounding, from its Fourier series on the range
#' of the parent. A function of several parents is drawn exactly, by the Cholesky decomposition of
#' the covariance matrix, up to 1000 rows; beyond, the process is approximated by random Fourier
#' features (Rahimi and Recht 2007) with 500 frequencies. Its covariances are then right on average
#' over the frequencies, with a standard deviation of at most 0.032. The same approximation is used
#' for one parent whose range exceeds 380 length scales.
#'
#' @section Models with discrete variables:
#' * `"discrete"`: each variable has a random conditional table. Its probabilities for each
#'   configuration of the parents are drawn from a symmetric Dirichlet distribution; the weights of
#'   the network play no part.
#' * `"mixed"`: some variables are continuous and some discrete, in any order. A continuous parent
#'   offers its value in standard deviations to a discrete child and as it is to a continuous one, a
#'   discrete parent offers a standard normal number for each of its levels, each multiplied by the
#'   weight of the edge. A continuous child is their sum plus noise; a discrete child has such a sum
#'   for each of its levels, and takes the level by multinomial logistic regression.
#' * `"conditional_gaussian"`: discrete variables have discrete parents only, and their tables are
#'   as in `"discrete"`. A continuous variable with discrete parents is a linear regression on its
#'   continuous parents, with an intercept, slopes and a noise variance of its own for each
#'   configuration of the discrete parents. The intercept is normal, and its variance is the sum of
#'   the squared weights of the edges from the discrete parents. Each slope is the weight of the
#'   edge times a number that is uniform on +-\[0.5, 1.5\], and the standard deviation of the noise
#'   is multiplied by a number that is uniform on \[0.5, 1.5\]. A variable without discrete parents
#'   is as in `"linear"`. With normal noise these are the networks that bnlearn calls conditional
#'   Gaussian.
#'
#' @section Noise:
#' * `"normal"`: standard normal.
#' * `"exponential"`: exponential with rate 1, as in NOTEARS. Its mean is 1.
#' * `"gumbel"`: Gumbel with location 0 and scale 1, as in NOTEARS. Its mean is 0.58 and its
#'   variance 1.64.
#' * `"t"`: Student's t with `df` degrees of freedom, divided by its standard deviation.
#' * `"uniform"`: uniform on +-sqrt(3), which has variance 1.
#' * `"laplace"`: Laplace (double exponential) with mean 0 and variance 1.
#'
#' Random numbers come from R's generator: [set.seed()] makes the data reproducible.
#'
#' @param dag The network: from [random_dag()] or [dag_gnn()], or a weight matrix A where `A[i, j]`
#'   is the weight of the edge from i to j. A network without weights, such as bnlearn's own, has
#'   weight 1 on each edge.
#' @param n Number of rows, at least 1.
#' @param type The model, see the sections below; `"linear"` by default.
#' @param noise The distribution of z, see the section on noise; `"normal"` by default.
#' @param noise_scale Multiplies the noise: one positive number, or one for each variable in the
#'   order of the nodes; 1 by default, which makes the noise variances equal.
#' @param d Number of components of each variable where `type` is `"vector"`: from 1, 5 by default
#'   as in the paper.
#' @param levels Number of levels of discrete variables: from 2 to 10000, one number or one for each
#'   variable; 3 by default.
#' @param concentration Parameter of the Dirichlet distribution where `type` is `"discrete"` or
#'   `"conditional_gaussian"`, from 0.1; 0.5 by default. Smaller values give tables closer to
#'   deterministic ones.
#' @param discrete Which variables are discrete where `type` is `"mixed"` or
#'   `"conditional_gaussian"`: their share, from 0 to 1, or their names. Half of them by default,
#'   drawn at random; for `"conditional_gaussian"` the discrete variables are the first ones of a
#'   random topological order, so that none has a continuous parent.
#' @param df Degrees of freedom where `noise` is `"t"`: above 2, 5 by default.
#' @param noise_range For unequal noise variances: the lowest and the highest variance, two positive
#'   numbers. The variance of each variable's noise is then uniform on this range, whatever the
#'   distribution of the noise. GraN-DAG has `c(0.4, 0.8)` for variables with parents. `NULL`, the
#'   default, leaves the variances to `noise_scale`.
#' @return A data frame with `n` rows and a column for each node: numbers, matrices with `d` columns
#'   where `type` is `"vector"`, factors for discrete variables.
#' @references
#' Buehlmann, Peters and Ernest (2014), CAM: causal additive models, high-dimensional order search
#' and penalized regression, Annals of Statistics 42.
#'
#' Lachapelle, Brouillard, Deleu and Lacoste-Julien (2020), Gradient-based neural DAG learning,
#' ICLR.
#'
#' Lauritzen and Wermuth (1989), Graphical models for associations between variables, some of which
#' are qualitative and some quantitative, Annals of Statistics 17, for conditional Gaussian data.
#'
#' Rahimi and Recht (2007), Random features for large-scale kernel machines, NIPS 20.
#'
#' Rolland, Cevher, Kleindessner, Russell, Janzing, Schoelkopf and Locatello (2022), Score matching
#' enables causal discovery of nonlinear additive noise models, ICML.
#'
#' Yu, Chen, Gao and Yu (2019), DAG-GNN: DAG structure learning with graph neural networks, ICML,
#' section 4.1.
#'
#' Zhang and Hyvarinen (2009), On the identifiability of the post-nonlinear causal model, UAI.
#'
#' Zheng, Dan, Aragam, Ravikumar and Xing (2020), Learning sparse nonparametric DAGs, AISTATS.
#' @seealso [random_dag()] for the network, [dag_metrics()] to see how much of it was learned,
#'   [varsortability()] for what the scale of such data gives away.
#' @examples
#' set.seed(1)
#' dag <- random_dag(6)
#' head(simulate_sem(dag, 100, "cosine"))
#'
#' # As in GraN-DAG: Gaussian processes with unequal noise variances.
#' dense <- random_dag(10, edges = 40)
#' head(simulate_sem(dense, 100, "gp", noise_range = c(0.4, 0.8)))
#'
#' # Heavy tails; discrete variables beside continuous ones.
#' head(simulate_sem(dag, 100, noise = "t", df = 3))
#' head(simulate_sem(dag, 100, "mixed", discrete = c("V1", "V2")))
#' head(simulate_sem(dag, 100, "conditional_gaussian"))
#' @export
simulate_sem <- function(dag, n,
                         type = c(
                           "linear", "cosine", "sine", "vector", "discrete", "mixed",
                           "gp_additive", "gp", "mlp", "mim", "post_nonlinear",
                           "conditional_gaussian"
                         ),
                         noise = c("normal", "exponential", "gumbel", "t", "uniform", "laplace"),
                         noise_scale = 1, d = 5, levels = 3, concentration = 0.5, discrete = 0.5,
                         df = 5, noise_range = NULL) {
  weights <- weights_of(dag, "dag")
  check_dag(weights, "dag")
  order <- topological_order(weights)
  nodes <- rownames(weights)
  m <- length(nodes)
  n <- check_number(n, "n", 1, .Machine$integer.max, whole = TRUE)
  type <- check_choice(type, "type", eval(formals()$type))
  noise <- check_choice(noise, "noise", eval(formals()$noise))
  noise_scale <- check_each(noise_scale, "noise_scale", m, 0, open = TRUE)
  df <- check_number(df, "df", 2, open = TRUE)
  check_noise_range(noise_range, noise_scale)
  levels <- check_each(levels, "levels", m, 2, 10000, whole = TRUE)
  concentration <- check_number(concentration, "concentration", 0.1)
  if (type == "discrete") {
    codes <- discrete_codes(weights, order, n, levels, concentration)
    return(factor_columns(codes, levels, nodes))
  }
  z <- draw_noise(noise, n, m, df)
  if (!is.null(noise_range)) noise_scale <- draw_noise_scale(noise_range, m, noise, df)
  z <- z * rep(noise_scale, each = n)
  switch(type,
    mixed = sem_mixed(weights, order, z, levels, choose_discrete(discrete, nodes)),
    conditional_gaussian = sem_conditional_gaussian(
      weights, order, z, levels, concentration, choose_discrete_ancestors(discrete, weights)
    ),
    vector = sem_vector(weights, order, z, check_number(d, "d", 1, 1e4, whole = TRUE)),
    post_nonlinear = as.data.frame(sem_post_nonlinear(weights, order, z)),
    as.data.frame(sem_continuous(weights, order, z, type))
  )
}

check_noise_range <- function(noise_range, noise_scale) {
  if (is.null(noise_range)) {
    return(invisible())
  }
  check_range(noise_range, "noise_range")
  if (any(noise_scale != 1)) {
    stop_input("`noise_range` and `noise_scale` both set the noise variances: give one of them.")
  }
}

draw_noise <- function(noise, n, m, df) {
  count <- n * m
  z <- switch(noise,
    normal = stats::rnorm(count),
    exponential = stats::rexp(count),
    gumbel = draw_gumbel(count),
    t = stats::rt(count, df) * sqrt(1 - 2 / df),
    uniform = stats::runif(count, -sqrt(3), sqrt(3)),
    # The difference of two exponential numbers is a Laplace number of variance 2.
    laplace = (stats::rexp(count) - stats::rexp(count)) / sqrt(2)
  )
  matrix(z, n, m)
}

# What to multiply the noise by, so that each variance is uniform on the range.
draw_noise_scale <- function(noise_range, m, noise, df) {
  variance <- if (noise == "gumbel") pi^2 / 6 else 1
  sqrt(stats::runif(m, noise_range[1], noise_range[2]) / variance)
}

# What the parents (n x parents) with these weights add to the noise of their child.
mechanisms <- list(
  linear = function(parents, weights) parents %*% weights,
  cosine = function(parents, weights) cos(parents + 1) %*% weights,
  sine = function(parents, weights) {
    u <- (parents + 0.5) %*% weights
    2 * sin(u) + u
  },
  gp_additive = function(parents, weights) {
    Reduce(`+`, lapply(seq_len(ncol(parents)), function(i) draw_gp_curve(parents[, i])))
  },
  gp = function(parents, weights) draw_gp(parents),
  mlp = function(parents, weights) {
    inner <- draw_weights(ncol(parents), hidden_units)
    outer <- draw_weights(hidden_units, 1)
    stats::plogis(parents %*% inner) %*% outer
  },
  mim = function(parents, weights) {
    index <- parents %*% draw_weights(ncol(parents), 3)
    tanh(index[, 1]) + cos(index[, 2]) + sin(index[, 3])
  }
)

# As in NOTEARS: the hidden units of a network, and the range of its absolute weights.
hidden_units <- 100
function_weights <- c(0.5, 2)

draw_weights <- function(inputs, outputs) {
  signed_uniform(matrix(0, inputs, outputs), function_weights)
}

# z: n x m, turned into x column by column.
sem_continuous <- function(weights, order, z, type) {
  mechanism <- mechanisms[[type]]
  x <- z
  colnames(x) <- colnames(weights)
  for (j in order) {
    parents <- which(weights[, j] != 0)
    if (length(parents) > 0) {
      x[, j] <- x[, j] + mechanism(x[, parents, drop = FALSE], weights[parents, j])
    }
  }
  x
}

post_curves <- list(
  sigmoid = function(u) u + 2 * tanh(2 * u),
  logarithm = function(u) asinh(3 * u)
)

sem_post_nonlinear <- function(weights, order, z) {
  x <- z
  colnames(x) <- colnames(weights)
  curves <- sample(post_curves, ncol(z), replace = TRUE)
  for (j in order) x[, j] <- curves[[j]](z[, j] + x %*% weights[, j])
  x
}

sem_vector <- function(weights, order, z, d) {
  x <- sem_continuous(weights, order, z, "linear")
  n <- nrow(x)
  u <- stats::rnorm(d)
  v <- stats::rnorm(d)
  columns <- lapply(seq_len(ncol(x)), function(j) {
    outer(x[, j], u) + rep(v, each = n) + matrix(stats::rnorm(n * d), n, d)
  })
  as_columns(columns, colnames(x))
}

# One number for each of m variables, from one number or from m.
check_each <- function(values, argument, m, lower, upper = Inf, ...) {
  if (!is.numeric(values) || !length(values) %in% c(1, m)) {
    stop_input(
      "`", argument, "` must be one number or one for each of the ", m, " variables, not ",
      show_value(values), "."
    )
  }
  vapply(rep_len(unname(values), m), check_number, 1, argument, lower, upper, ...)
}
