# Statistics of all rows, where these stay where they are.
#
# A learner gets the sample as it would get a data frame, and beside it these, from which the scores
# of its search come:
#   values   the distinct rows of discrete columns with their `counts`; else no rows
#   ask      where there are too many of these: counts the joint levels of some columns
#   products, sizes, scales    of the features of numbers
#   covariance                 of numbers
#   total    the number of rows

# Why scores cannot come from all rows; NULL where they can.
reason_for_sample <- function(described) {
  if (any(described$missing > 0)) {
    return("since values are missing")
  }
  if (length(unique(described$kind)) > 1) {
    return("since numbers and discrete columns are mixed")
  }
}

rows_in_all <- function(rows) {
  if (is.null(rows$n)) NROW(variables_of(rows$x, "x")[[1]]) else rows$n
}

# What the search of dag_gnn() is given: `data`, from samples() or the statistics of all rows, the
# `prior`, `threads`, the `density` of the noise where the sample told it, and what
# the result says of all this.
search_statistics <- function(asked) {
  rows <- asked$rows
  known <- list(data = asked$data, prior = asked$prior, threads = asked$threads)
  if (is.null(rows$source)) {
    known$source <- source_note(rows)
    return(known)
  }
  reason <- reason_for_sample(rows$described)
  if (asked$control$effects == "joint") reason <- "since joint effects need rows"
  if (length(asked$control$counts) > 0) reason <- "since counts need rows"
  if (asked$control$density == "estimated") reason <- "since noise densities need rows"
  if (is.null(reason)) {
    found <- additive_statistics(rows, asked$data, asked$control, asked$scale, asked$threads)
    reason <- attr(found, "reason")
  }
  if (!is.null(reason)) {
    known$source <- source_note(rows, reason)
    return(known)
  }
  directed <- noise_directions(asked)
  if (!is.null(directed)) {
    against <- reversed_edges(directed)
    free <- !edge_numbers(against) %in% edge_numbers(known$prior$required)
    known$prior$forbidden <- sorted_edges(
      rbind(known$prior$forbidden, against[free, , drop = FALSE])
    )
    known$density <- "estimated"
  }
  known$data <- found
  known$threads <- threads_for(found, asked$threads)
  known$source <- source_note(
    rows, threshold = asked$threshold, parameters = TRUE, directions = !is.null(directed)
  )
  known
}

# Rows of the sample that noise densities are estimated from.
most_density_rows <- 10000

# The edges that the sample has where the density of its noise is not normal, which tells their
# directions; NULL where it is normal. In the order of the nodes.
noise_directions <- function(asked) {
  data <- asked$data
  if (any(data$kind == "discrete") || asked$control$density != "auto") {
    return(NULL)
  }
  chosen <- unique(round(seq(1, nrow(asked$rows$x), length.out = most_density_rows)))
  some <- samples(asked$rows$x[chosen, , drop = FALSE], asked$scale)
  found <- learn_structure_cpp(
    some, asked$control, prior_on(asked$prior, data$names), integer(), asked$threads,
    asked$time_limit, NULL
  )
  if (found$density == "estimated") renumbered_edges(found$edges, data$names, data$nodes)
}

# Samples with what bnlearn's scores need of all rows in their place.
with_statistics <- function(data, rows) {
  data$source <- source_note(rows)
  if (is.null(rows$source)) {
    return(data)
  }
  known <- set_statistics(rows, data)
  data$source <- source_note(rows, attr(known, "reason"))
  data[names(known)] <- known
  data
}

# What the scores in the core read of samples.
scored_fields <- function(data) {
  intersect(c("values", "kind", "width", "counts", "covariance", "total", "ask"), names(data))
}

# R answers on its own thread only.
threads_for <- function(data, threads) if (is.null(data$ask)) threads else 1L

# For notears(): moments as of linear_moments(), and distinct rows for the logistic loss.
notears_statistics <- function(rows, data, loss, threshold) {
  note <- function(reason = NULL) source_note(rows, reason, threshold)
  known <- list(moments = linear_moments(data), source = note())
  if (is.null(rows$source)) {
    return(known)
  }
  if (loss == "least_squares") {
    known$moments <- seen_moments(rows, known$moments)
    return(known)
  }
  reason <- if (all_discrete(rows$described)) {
    reason_for_sample(rows$described)
  } else {
    "since the logistic loss of numbers needs rows"
  }
  if (is.null(reason)) {
    found <- discrete_statistics(rows, data)
    reason <- attr(found, "reason")
    if (is.null(reason) && is.null(found$counts)) {
      reason <- "since too many combinations of levels occur"
    }
  }
  if (is.null(reason)) {
    known$distinct <- list(values = found$values, weights = found$counts / found$total)
  }
  known$source <- note(reason)
  known
}

# The moments of all rows, each of those that have the values. sample: moments of the sample.
seen_moments <- function(rows, sample) {
  names <- names(sample$center)
  columns <- list(name = names, center = sample$center, scale = sample$sd)
  found <- ask_source(rows$source, sums_of(rows, columns))
  check_seen_together(found$rows, names)
  # Sums about the centre of the sample, moved to that of all rows.
  shift <- diag(found$sums) / diag(found$rows)
  centred <- found$products - shift * t(found$sums) - t(shift * t(found$sums)) +
    tcrossprod(shift) * found$rows
  sd <- sqrt(diag(centred) / diag(found$rows))
  check_variation(sd, names)
  correlation <- centred / found$rows / tcrossprod(sd)
  if (any(rows$described$missing > 0)) correlation <- nearest_semidefinite(correlation)
  dimnames(correlation) <- list(names, names)
  list(
    center = sample$center + shift * sample$sd, sd = sd * sample$sd, correlation = correlation
  )
}

# What sum_seen() gives, by the fewer sums that are enough where no value is missing.
sums_of <- function(rows, columns) {
  if (any(rows$described$missing > 0)) {
    return(sum_seen(rows$source, columns))
  }
  bases <- Map(linear_basis, columns$center, columns$scale)
  names(bases) <- columns$name
  products <- sum_features(rows$source, bases, 1)
  check_same_rows(products[1, 1], rows)
  m <- length(bases)
  list(
    rows = matrix(products[1, 1], m, m), sums = matrix(products[-1, 1], m, m),
    products = products[-1, -1]
  )
}

all_discrete <- function(described) all(described$kind == "discrete")

# For the local scores of dag_gnn(): a list as above, or NULL with a reason as its attribute.
# scale: whether all variables count as of variance 1.
additive_statistics <- function(rows, data, control, scale, threads) {
  if (all_discrete(rows$described)) {
    return(discrete_statistics(rows, data))
  }
  values <- number_matrix(rows$x, data$names)
  splines <- if (control$effects == "linear") 1 else control$splines
  bases <- stats::setNames(spline_bases_cpp(values, splines), data$names)
  products <- ask_source(rows$source, sum_features(rows$source, bases, threads))
  check_same_rows(products[1, 1], rows)
  sizes <- vapply(bases, basis_size, 1L)
  first <- cumsum(c(2, sizes))[seq_along(sizes)]
  variances <- diag(products)[first] / products[1, 1] - (products[first, 1] / products[1, 1])^2
  check_variation(variances, data$names)
  units <- vapply(bases, `[`, 1, 2)
  list(
    products = products, sizes = sizes, total = rows$n,
    scales = if (scale) 1 / sqrt(variances) else units,
    # The quartiles are those of the sample.
    tails = tail_weights_cpp(values, sqrt(variances) * units)
  )
}

# For bnlearn's scores.
set_statistics <- function(rows, data) {
  if (all_discrete(rows$described)) {
    return(discrete_statistics(rows, data))
  }
  linear <- list(effects = "linear")
  known <- additive_statistics(rows, data, linear, FALSE, 1)
  means <- known$products[-1, 1] / known$total
  covariance <- known$products[-1, -1] / known$total - tcrossprod(means)
  covariance <- covariance * tcrossprod(known$scales)
  no_rows <- matrix(0, 0, length(data$names))
  c(data[c("kind", "width")], list(values = no_rows, covariance = covariance, total = rows$n))
}

discrete_statistics <- function(rows, data) {
  known <- data[c("kind", "width")]
  known$total <- rows$n
  count <- function(names, most) {
    ask_source(rows$source, count_jointly(rows$source, names, most))
  }
  most <- min(rows$source$most_combinations, most_cells %/% length(data$names))
  counted <- count(data$names, most)
  if (!is.null(counted)) {
    codes <- Map(
      function(column, levels) match(as.character(column), levels) - 1,
      counted$levels[data$names], data$levels[data$names]
    )
    known$values <- matrix(as.numeric(unlist(codes)), length(counted$rows))
    known$counts <- counted$rows
    check_same_rows(sum(known$counts), rows)
    return(known)
  }
  if (!identical(rows$source$sums, "sql")) {
    return(structure(list(), reason = "since too many combinations of levels occur"))
  }
  known$values <- matrix(0, 0, length(data$names))
  known$ask <- function(places) count(data$names[places], Inf)$rows
  known
}

check_same_rows <- function(count, rows) {
  if (count != rows$n) {
    stop_input(
      "The rows in ", rows$label, " changed while they were read: there were ", rows$n,
      ", then ", count, "."
    )
  }
}

check_variation <- function(variances, names) {
  if (!all(is.finite(variances))) stop_infinite(names[!is.finite(variances)][1])
  if (any(!(variances > 0))) {
    stop_input(
      column_labels(names[!(variances > 0)][1], "x"),
      " is constant: it cannot be part of a network."
    )
  }
}

# What the result says of the rows that it comes from. reason: why all of it is from the sample.
# threshold: its rule; parameters: whether there are some. Both come from the sample.
source_note <- function(rows, reason = NULL, threshold = NULL, parameters = FALSE,
                        directions = FALSE) {
  if (is.null(rows$label)) {
    return(NULL)
  }
  read <- nrow(rows$x)
  used <- if (is.null(rows$source)) {
    "all rows were read"
  } else if (!is.null(reason)) {
    paste0("learned from a random sample of ", format_count(read), " rows, ", reason)
  } else {
    sampled <- c(
      if (parameters) "parameters", if (identical(threshold, "bic")) "threshold",
      if (directions) "directions (from the density of the noise)"
    )
    listed <- sub(", ([^,]+)$", " and \\1", paste(sampled, collapse = ", "))
    from <- paste0(", ", listed, " from a random sample of ", format_count(read))
    paste0("learned from all rows", if (length(sampled) > 0) from)
  }
  list(label = rows$label, n = rows$n, read = read, reason = reason, used = used)
}

format_count <- function(number) format(number, big.mark = " ", scientific = FALSE)

source_text <- function(details) {
  if (!is.null(details$source)) paste0(details$source$label, "; ", details$source$used)
}
