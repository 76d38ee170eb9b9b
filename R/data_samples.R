# Data frame -> samples: numbers, and what the numbers of each variable mean. Nothing downstream
# looks back at the data frame.
#
# A list with
#   values         n x columns: a continuous variable has `width` columns, a discrete one a column
#                  of level codes from 0; NA is missing. Rows are sorted, so that their order cannot
#                  matter
#   kind           for each variable "continuous" or "discrete"
#   distribution   for each variable "normal", "categorical" or "poisson" (a count: a number that is
#                  declared one)
#   width          components, or number of levels
#   levels         for each variable its levels, or NULL. Levels that do not occur are kept:
#                  bnlearn's scores count them too
#   names          of the variables, sorted, so that the order of columns cannot matter
#   nodes          the names in the order of the data frame: the order of every result
#   components     the width in the data frame: that of a variable seen as signals is smaller
#   signals        see data_signals.R; NULL where there are none
#   codes          see data_level_codes.R; NULL where codes are in the order of the levels
#   center, scale  of each column of `values`: what was taken off and divided by
#   error          for each variable the variance of the error in its columns of `values`
#   fingerprint    what tells these data from others, whatever their scale and their signals
# All but `values` is the description, by which samples_like() encodes new data.
# least: how many rows there must be; counts: names of the columns that are counts.
samples <- function(x, scale = FALSE, latent = NULL, least = 1, counts = NULL) {
  check_flag(scale, "scale")
  columns <- variables_of(x, "x")
  nodes <- names(columns)
  if (length(nodes) < 2) {
    stop_input(
      "`x` must have at least two columns, not ", length(nodes), ".",
      if (any(grepl(";", utils::head(as.character(unlist(columns)), 1)))) {
        " Its values hold semicolons: read.csv2() reads files that have them between the columns."
      }
    )
  }
  check_enough_rows(NROW(columns[[1]]), least)
  columns <- columns[order(nodes, method = "radix")]
  described <- Map(describe_variable, columns, column_labels(names(columns), "x"))
  data <- list(
    kind = vapply(described, `[[`, "", "kind"),
    width = vapply(described, `[[`, 1L, "width"),
    levels = lapply(described, `[[`, "levels"),
    names = names(columns), nodes = nodes
  )
  data$distribution <- distributions(columns, data, counts)
  data$components <- data$width
  data$values <- sorted_rows(encode(columns, data, "x"))
  data$fingerprint <- fingerprint(data$values)
  if (!is.null(latent)) data <- with_signals(data, latent)
  data$center <- rep(0, ncol(data$values))
  data$scale <- rep(1, ncol(data$values))
  if (scale) data <- rescale(with_scale_of(data))
  check_sizes(data, "x", smallest_spread)
  data$error <- error_variances(data)
  data
}

distributions <- function(columns, data, counts) {
  unknown <- setdiff(counts, data$names)
  if (length(unknown) > 0) {
    stop_input("`counts` must be columns of `x`, but ", quoted(unknown[1]), " is not one.")
  }
  for (name in counts) {
    column <- columns[[name]]
    whole <- data$kind[[name]] == "continuous" && data$width[[name]] == 1 &&
      all(is.na(column) | (column >= 0 & column == floor(column)))
    if (!whole) {
      stop_input(
        column_labels(name, "x"), " is declared a count and must have whole numbers from 0."
      )
    }
  }
  of_kind <- ifelse(data$kind == "discrete", "categorical", "normal")
  replace(of_kind, data$names %in% counts, "poisson")
}

# A learner needs rows enough to contradict an edge. With nine rows of pure noise one pair of
# columns in eleven is correlated beyond 0.6 (Student's t), and a network has many pairs.
least_rows <- 10

check_enough_rows <- function(rows, least) {
  if (rows < least) {
    stop_input(
      "`x` must have at least ", least, " rows to learn a network from, not ", rows, "."
    )
  }
}

error_variances <- function(data) {
  vapply(seq_along(data$names), function(j) {
    signal <- data$signals[[data$names[j]]]
    if (is.null(signal)) 0 else signal$error / data$scale[sum(column_count(data)[seq_len(j)])]^2
  }, 1)
}

# New data encoded as those that `description` tells of: the same columns, in any order and possibly
# among others, with the same levels and the same scale. Values may be missing, also all of them.
samples_like <- function(x, description, argument = "newdata") {
  columns <- columns_like(description$nodes, x, argument)
  data <- description
  data$width <- data$components
  data$values <- encode(columns[data$names], data, argument)
  if (!is.null(data$signals)) data <- to_signals(data)
  data <- rescale(data)
  check_sizes(data, argument)
  data
}

# ---- A column -> its kind, width and levels ----

describe_variable <- function(column, label) {
  switch(kind_of(column, label),
    discrete = describe_discrete(column, label),
    continuous = describe_continuous(column, label)
  )
}

kind_of <- function(column, label) {
  if (inherits(column, c("Date", "POSIXt", "difftime"))) {
    stop_input(label, " is a date or time: make it a number or a factor.")
  }
  if (is.factor(column) && !is_sound_factor(column)) {
    stop_input(label, " is a damaged factor: its codes do not fit its levels.")
  }
  if (is_plain_number(column)) {
    return("continuous")
  }
  categories <- is.factor(column) || is.character(column) || is.logical(column)
  if (categories && length(dim(column)) < 2) {
    return("discrete")
  }
  stop_input(
    label, " must be numeric, a factor, logical, character or a numeric matrix, not ",
    if (is.matrix(column)) paste("a", typeof(column), "matrix") else class(column)[1], "."
  )
}

# A vector or a matrix. Numbers of a foreign class may not mean what they hold, as bit64's integers.
is_plain_number <- function(column) {
  is.numeric(column) && length(dim(column)) <= 2 &&
    (!is.object(column) || inherits(column, c("AsIs", "ts")))
}

is_sound_factor <- function(column) {
  typeof(column) == "integer" && is.character(levels(column)) &&
    all(unclass(column) %in% c(NA, seq_along(levels(column))))
}

describe_discrete <- function(column, label) {
  seen <- unique(as.character(column))
  seen <- seen[!is.na(seen)]
  if (length(seen) == 0) {
    stop_input(label, " has no values: all are missing.")
  }
  if (length(seen) == 1) {
    stop_input(label, " is constant: ", quoted(seen), " is its only value.")
  }
  levels <- if (is.factor(column)) levels(column)[!is.na(levels(column))] else seen
  if (!all(validEnc(levels))) {
    stop_input(label, " must hold valid text, but ", quoted(levels[!validEnc(levels)]), " is not.")
  }
  levels <- enc2utf8(levels)
  # By code points where the column has no order of its own: the locale must not matter.
  if (!is.factor(column)) levels <- sort(levels, method = "radix")
  list(kind = "discrete", width = length(levels), levels = levels)
}

describe_continuous <- function(column, label) {
  values <- as.matrix(column)
  if (ncol(values) == 0) {
    stop_input(label, " is a matrix without columns.")
  }
  for (k in seq_len(ncol(values))) {
    component <- if (ncol(values) == 1) {
      label
    } else {
      paste0("Component ", k, " of c", substring(label, 2))
    }
    seen <- values[!is.na(values[, k]), k]
    if (length(seen) == 0) {
      stop_input(component, " has no values: all are missing.")
    }
    if (all(seen == seen[1])) {
      stop_input(component, " is constant: it cannot be part of a network.")
    }
  }
  list(kind = "continuous", width = ncol(values), levels = NULL)
}

# ---- Columns -> numbers ----

encode <- function(columns, data, argument) {
  count <- column_count(data)
  values <- matrix(NA_real_, NROW(columns[[1]]), sum(count))
  labels <- column_labels(data$names, argument)
  for (j in seq_along(columns)) {
    # Before the assignment: with a call of ours in its index R 4.5 copies the whole matrix.
    places <- places_of(count, j)
    column <-
      encode_variable(columns[[j]], labels[j], data$kind[[j]], data$width[[j]], data$levels[[j]])
    values[, places] <- codes_from_places(column, data$codes[[data$names[j]]])
  }
  values
}

encode_variable <- function(column, label, kind, width, levels) {
  # A column of bare NA is logical, whatever its kind.
  if (is.logical(column) && all(is.na(column))) {
    return(NA_real_)
  }
  if (kind_of(column, label) != kind) {
    stop_input(
      label, " must be ", if (kind == "discrete") "discrete" else "numeric",
      " as in the data that the network was learned from."
    )
  }
  if (kind == "discrete") {
    encode_discrete(column, label, levels)
  } else {
    encode_continuous(column, label, width)
  }
}

encode_discrete <- function(column, label, levels) {
  texts <- enc2utf8(as.character(column))
  codes <- match(texts, levels)
  unknown <- unique(texts[is.na(codes) & !is.na(texts)])
  if (length(unknown) > 0) {
    stop_input(
      label, " has ", quoted(unknown), ", but the network knows only ", quoted(levels), "."
    )
  }
  codes - 1
}

encode_continuous <- function(column, label, width) {
  if (NCOL(column) != width) {
    stop_input(label, " must have ", width, " components, not ", NCOL(column), ".")
  }
  if (any(is.infinite(column))) {
    stop_input(label, " has infinite values: replace them by numbers or NA.")
  }
  as.numeric(column)
}

# ---- Scale ----

# Training multiplies up to four values (Adam squares gradients, which are products of two): beyond
# these sizes the product leaves the range of numbers.
largest_value <- 1e75
smallest_spread <- 1e-75

# The columns of `values` that hold continuous variables, named by their variable.
continuous_columns <- function(data) {
  kind <- rep(data$kind, column_count(data))
  names(kind) <- rep(data$names, column_count(data))
  which(kind == "continuous")
}

# Counts have no unit that could be changed.
with_scale_of <- function(data) {
  counts <- data$names[data$distribution == "poisson"]
  columns <- continuous_columns(data)
  for (k in columns[!names(columns) %in% counts]) {
    column <- data$values[, k]
    # Sums and squares of numbers from -1 to 1 cannot overflow.
    size <- max(abs(column), na.rm = TRUE)
    data$center[k] <- mean(column / size, na.rm = TRUE) * size
    data$scale[k] <- max(stats::sd(column / size, na.rm = TRUE) * size, .Machine$double.xmin)
  }
  data
}

rescale <- function(data) {
  for (k in continuous_columns(data)) {
    # The difference of halves cannot overflow.
    data$values[, k] <- (data$values[, k] / 2 - data$center[k] / 2) / (data$scale[k] / 2)
  }
  data
}

check_sizes <- function(data, argument, least_spread = 0) {
  columns <- continuous_columns(data)
  labels <- column_labels(names(columns), argument)
  for (k in seq_along(columns)) {
    seen <- data$values[, columns[k]]
    if (anyNA(seen)) seen <- seen[!is.na(seen)]
    if (length(seen) == 0) next
    ends <- range(seen)
    if (any(abs(ends) > largest_value)) {
      stop_input(
        labels[k], " has values up to ", format(max(abs(ends)), digits = 2),
        ", too large to compute with: change its units or scale it."
      )
    }
    if (diff(ends) < least_spread) {
      stop_input(
        labels[k], " has values that differ by ", format(diff(ends), digits = 2),
        " at most, too little to compute with: change its units or scale it."
      )
    }
  }
}

# What tells data from others, without keeping them: two sums for each column, of the known values
# and of these times their row. values: of samples(), unscaled.
fingerprint <- function(values) {
  row <- as.numeric(seq_len(nrow(values)))
  by_row <- drop(crossprod(row, values))
  for (k in which(is.na(by_row))) by_row[k] <- sum(row * values[, k], na.rm = TRUE)
  c(nrow(values), colSums(values, na.rm = TRUE), by_row)
}

# before, now: from samples(), of the first without `values`. Sums may be rounded in another way on
# another machine.
same_data <- function(before, now) {
  identical(before$names, now$names) && length(before$fingerprint) == length(now$fingerprint) &&
    isTRUE(all.equal(before$fingerprint, now$fingerprint, tolerance = 1e-10))
}

# A matrix of the sorted variables in the order of the data frame.
in_nodes_order <- function(matrix, data) {
  structure(matrix, dimnames = list(data$names, data$names))[data$nodes, data$nodes]
}
