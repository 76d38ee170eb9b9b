# Discrete variables of simulate_sem(): tables, and models in which they stand beside numbers.

# The level of each variable, n x m, by number.
discrete_codes <- function(weights, order, n, levels, concentration) {
  codes <- matrix(1L, n, nrow(weights))
  for (j in order) {
    configuration <- configurations(codes, which(weights[, j] != 0), levels)
    table <- random_table(max(configuration), levels[j], concentration)
    codes[, j] <- draw_from_table(table, configuration)
  }
  codes
}

# A number for each row, 1, 2, ..., that tells the configuration of these variables.
configurations <- function(codes, variables, levels) {
  configuration <- rep(1L, nrow(codes))
  for (i in variables) {
    # Renumbered after each parent: only configurations that occur are counted, so that they never
    # overflow, however many parents there are.
    configuration <- (configuration - 1) * levels[i] + codes[, i]
    configuration <- match(configuration, unique(configuration))
  }
  configuration
}

factor_columns <- function(codes, levels, nodes) {
  columns <- lapply(seq_along(levels), function(j) as_factor(codes[, j], levels[j]))
  as_columns(columns, nodes)
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

# How far slopes and noise of one configuration may be from those of the whole, as factors.
configuration_spread <- c(0.5, 1.5)

sem_conditional_gaussian <- function(weights, order, z, levels, concentration, is_discrete) {
  n <- nrow(z)
  nodes <- rownames(weights)
  codes <- matrix(1L, n, length(nodes))
  # No discrete variable has a continuous parent, so that their tables can be drawn first.
  discrete <- which(is_discrete)
  if (length(discrete) > 0) {
    codes[, discrete] <- discrete_codes(
      weights[discrete, discrete, drop = FALSE], match(intersect(order, discrete), discrete), n,
      levels[discrete], concentration
    )
  }
  x <- z
  for (j in intersect(order, which(!is_discrete))) {
    groups <- which(weights[, j] != 0 & is_discrete)
    parents <- which(weights[, j] != 0 & !is_discrete)
    slopes <- rep(weights[parents, j], each = n)
    if (length(groups) > 0) {
      configuration <- configurations(codes, groups, levels)
      count <- max(configuration)
      intercept <- stats::rnorm(count, sd = sqrt(sum(weights[groups, j]^2)))
      multiples <- signed_uniform(matrix(0, count, length(parents)), configuration_spread)
      spread <- stats::runif(count, configuration_spread[1], configuration_spread[2])
      x[, j] <- intercept[configuration] + spread[configuration] * x[, j]
      slopes <- slopes * multiples[configuration, ]
    }
    x[, j] <- x[, j] + rowSums(x[, parents, drop = FALSE] * slopes)
  }
  columns <- lapply(seq_along(nodes), function(j) {
    if (is_discrete[j]) as_factor(codes[, j], levels[j]) else x[, j]
  })
  as_columns(columns, nodes)
}

in_sds <- function(x) {
  spread <- stats::sd(x)
  if (length(x) > 1 && spread > 0) (x - mean(x)) / spread else x - mean(x)
}

as_factor <- function(codes, levels) {
  factor(codes, seq_len(levels), paste0("l", seq_len(levels)))
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

# As choose_discrete(), but with every parent of a discrete variable discrete.
choose_discrete_ancestors <- function(discrete, weights) {
  nodes <- rownames(weights)
  if (!is.character(discrete)) {
    share <- check_number(discrete, "discrete", 0, 1)
    first <- utils::head(random_topological_order(weights), round(share * length(nodes)))
    return(seq_along(nodes) %in% first)
  }
  is_discrete <- choose_discrete(discrete, nodes)
  bad <- which(weights != 0 & outer(!is_discrete, is_discrete), arr.ind = TRUE)
  if (nrow(bad) > 0) {
    stop_input(
      "`discrete` must name all parents of a discrete variable where `type` is ",
      "\"conditional_gaussian\", but ", quoted(nodes[bad[1, 2]]), " has the continuous parent ",
      quoted(nodes[bad[1, 1]]), "."
    )
  }
  is_discrete
}

random_topological_order <- function(weights) {
  parents_left <- colSums(weights != 0)
  order <- integer()
  while (length(order) < nrow(weights)) {
    ready <- setdiff(which(parents_left == 0), order)
    chosen <- ready[sample.int(length(ready), 1)]
    order <- c(order, chosen)
    parents_left <- parents_left - (weights[chosen, ] != 0)
  }
  order
}
