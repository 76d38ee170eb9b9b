# Data from a known network: structural equation models on a weighted DAG.

#' Simulate data from a structural equation model
#'
#' Draws rows from a network, parents before children. These are the models of the paper's synthetic
#' data (A is the weight matrix, x one row, z its noise), and two more for discrete and mixed data:
#'
#' * `"linear"`: x = A' x + z
#' * `"cosine"`: x = A' cos(x + 1) + z
#' * `"sine"`: x = 2 sin(A' (x + 0.5)) + A' (x + 0.5) + z
#' * `"vector"`: variables with `d` components. With x from the linear model, component k is u_k x +
#'   v_k + z_k, where u_k and v_k are standard normal numbers, the same for all variables and rows,
#'   and z_k is standard normal noise
#' * `"discrete"`: each variable has a random conditional table. Its probabilities for each
#'   configuration of the parents are drawn from a symmetric Dirichlet distribution; the weights of
#'   the network play no part
#' * `"mixed"`: some variables are continuous and some discrete. A continuous parent offers its
#'   value in standard deviations to a discrete child and as it is to a continuous one, a discrete
#'   parent offers a standard normal number for each of its levels, each multiplied by the weight of
#'   the edge. A continuous child is their sum plus noise; a discrete child has such a sum for each
#'   of its levels, and takes the level by multinomial logistic regression
#'
#' Random numbers come from R's generator: [set.seed()] makes the data reproducible.
#'
#' @param dag The network: from [random_dag()] or [dag_gnn()], or a weight matrix A where `A[i, j]`
#'   is the weight of the edge from i to j. A network without weights, such as bnlearn's own, has
#'   weight 1 on each edge.
#' @param n Number of rows, at least 1.
#' @param type The model, see above; `"linear"` by default.
#' @param noise The distribution of z: `"normal"` (default, standard normal), `"exponential"` (rate
#'   1) or `"gumbel"` (location 0, scale 1). As in NOTEARS, the latter two are not centred.
#' @param noise_scale Multiplies the noise: one positive number, or one for each variable; 1 by
#'   default, which makes the noise variances equal.
#' @param d Number of components of each variable where `type` is `"vector"`: from 1, 5 by default
#'   as in the paper.
#' @param levels Number of levels of discrete variables: from 2 to 10000, one number or one for each
#'   variable; 3 by default.
#' @param concentration Parameter of the Dirichlet distribution where `type` is `"discrete"`, from
#'   0.1; 0.5 by default. Smaller values give tables closer to deterministic ones.
#' @param discrete Which variables are discrete where `type` is `"mixed"`: their share, from 0 to 1,
#'   or their names. Half of them by default, drawn at random.
#' @return A data frame with `n` rows and a column for each node: numbers, matrices with `d` columns
#'   where `type` is `"vector"`, factors for discrete variables.
#' @references Yu, Chen, Gao and Yu (2019), DAG-GNN: DAG structure learning with graph neural
#'   networks, section 4.1.
#' @seealso [random_dag()] for the network, [dag_metrics()] to see how much of it was learned,
#'   [varsortability()] for what the scale of such data gives away.
#' @examples
#' set.seed(1)
#' dag <- random_dag(6)
#' head(simulate_sem(dag, 100, "cosine"))
#' head(simulate_sem(dag, 100, "mixed", discrete = c("V1", "V2")))
#' @export
simulate_sem <- function(dag, n,
                         type = c("linear", "cosine", "sine", "vector", "discrete", "mixed"),
                         noise = c("normal", "exponential", "gumbel"), noise_scale = 1, d = 5,
                         levels = 3, concentration = 0.5, discrete = 0.5) {
  weights <- weights_of(dag, "dag")
  order <- topological_order(weights)
  if (is.null(order)) {
    stop_input("`dag` must be a DAG: it has a cycle or an undirected edge.")
  }
  m <- nrow(weights)
  n <- check_number(n, "n", 1, .Machine$integer.max, whole = TRUE)
  type <- check_choice(type, "type", eval(formals()$type))
  noise <- check_choice(noise, "noise", eval(formals()$noise))
  noise_scale <- check_each(noise_scale, "noise_scale", m, 0, open = TRUE)
  levels <- check_each(levels, "levels", m, 2, 10000, whole = TRUE)
  if (type == "discrete") {
    concentration <- check_number(concentration, "concentration", 0.1)
    return(sem_discrete(weights, order, n, levels, concentration))
  }
  z <- draw_noise(noise, n, m) * rep(noise_scale, each = n)
  if (type == "mixed") {
    is_discrete <- choose_discrete(discrete, rownames(weights))
    return(sem_mixed(weights, order, z, levels, is_discrete))
  }
  if (type == "vector") {
    return(sem_vector(weights, order, z, check_number(d, "d", 1, 1e4, whole = TRUE)))
  }
  as.data.frame(sem_continuous(weights, order, z, type))
}

draw_noise <- function(noise, n, m) {
  z <- switch(noise,
    normal = stats::rnorm(n * m),
    exponential = stats::rexp(n * m),
    gumbel = draw_gumbel(n * m)
  )
  matrix(z, n, m)
}

draw_gumbel <- function(count) {
  -log(stats::rexp(count))
}

# What the parents (n x parents) with these weights add to the noise of their child.
mechanisms <- list(
  linear = function(parents, weights) parents %*% weights,
  cosine = function(parents, weights) cos(parents + 1) %*% weights,
  sine = function(parents, weights) {
    u <- (parents + 0.5) %*% weights
    2 * sin(u) + u
  }
)

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

sem_discrete <- function(weights, order, n, levels, concentration) {
  codes <- matrix(1L, n, nrow(weights))
  for (j in order) {
    configuration <- rep(1L, n)
    for (i in which(weights[, j] != 0)) {
      # Renumbered after each parent: only configurations that occur are counted, so that they never
      # overflow, however many parents there are.
      configuration <- (configuration - 1) * levels[i] + codes[, i]
      configuration <- match(configuration, unique(configuration))
    }
    table <- random_table(max(configuration), levels[j], concentration)
    codes[, j] <- draw_from_table(table, configuration)
  }
  columns <- lapply(seq_along(levels), function(j) as_factor(codes[, j], levels[j]))
  as_columns(columns, rownames(weights))
}

# A row of cumulated probabilities for each configuration.
random_table <- function(configurations, levels, concentration) {
  draws <- matrix(stats::rgamma(configurations * levels, concentration), configurations)
  table <- draws / rowSums(draws)
  for (level in seq_len(levels)[-1]) table[, level] <- table[, level] + table[, level - 1]
  table
}

draw_from_table <- function(table, configuration) {
  u <- stats::runif(length(configuration))
  code <- rep(1L, length(configuration))
  for (level in seq_len(ncol(table) - 1)) code <- code + (u > table[configuration, level])
  code
}

sem_mixed <- function(weights, order, z, levels, is_discrete) {
  n <- nrow(z)
  nodes <- rownames(weights)
  columns <- stats::setNames(vector("list", length(nodes)), nodes)
  # What parent i offers to each of `outputs` sums of its child: n x outputs.
  offer <- function(i, outputs) {
    if (is_discrete[i]) {
      effects <- matrix(stats::rnorm(levels[i] * outputs), levels[i])
      return(effects[as.integer(columns[[i]]), , drop = FALSE])
    }
    if (outputs == 1) matrix(columns[[i]]) else outer(in_sds(columns[[i]]), stats::rnorm(outputs))
  }
  for (j in order) {
    outputs <- if (is_discrete[j]) levels[j] else 1
    sums <- matrix(0, n, outputs)
    for (i in which(weights[, j] != 0)) sums <- sums + weights[i, j] * offer(i, outputs)
    columns[[j]] <- if (is_discrete[j]) {
      # The largest of logits with Gumbel noise has the softmax probabilities of the logits.
      as_factor(max.col(sums + draw_gumbel(length(sums)), "first"), levels[j])
    } else {
      sums[, 1] + z[, j]
    }
  }
  as_columns(columns, nodes)
}

in_sds <- function(x) {
  spread <- stats::sd(x)
  if (length(x) > 1 && spread > 0) (x - mean(x)) / spread else x - mean(x)
}

as_factor <- function(codes, levels) {
  factor(codes, seq_len(levels), paste0("l", seq_len(levels)))
}

# Columns may be matrices, which data.frame() would split.
as_columns <- function(columns, names) {
  structure(
    stats::setNames(columns, names),
    class = "data.frame", row.names = seq_len(NROW(columns[[1]]))
  )
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

choose_discrete <- function(discrete, nodes) {
  if (is.character(discrete)) {
    unknown <- setdiff(discrete, nodes)
    if (length(unknown) > 0) {
      stop_input("`discrete` names ", quoted(unknown), ", which is not a node of `dag`.")
    }
    return(nodes %in% discrete)
  }
  share <- check_number(discrete, "discrete", 0, 1)
  m <- length(nodes)
  seq_len(m) %in% sample.int(m, round(share * m))
}
