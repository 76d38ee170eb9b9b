# The kinds of data that are not in memory, and what all kinds share.
#
# An object of class "data_source" says where data are. Its methods are
#   describe_rows(source)            number of rows, kinds, levels, missing values, and a sample
#   sum_features(source, bases, threads)   sums of products of features of numeric columns
#   sum_seen(source, columns)        the same of the columns alone, over rows that have both values
#   count_jointly(source, names, most)     how many rows have each joint level of discrete columns:
#                                    `levels`, `rows`; NULL where there are more
# Rows beyond the sample are never held all at once.

# Combinations of levels that are held in memory, and the cells that these have at most.
most_combinations <- 1e6
most_cells <- 2e7

# Levels that a discrete column may have: more would be a name or a number of each row.
most_levels <- 10000

new_source <- function(kind, label, factors, sample, open = NULL, ...) {
  structure(
    list(
      label = label, factors = check_factors(factors),
      sample = check_number(sample, "sample", least_rows, 1e9, whole = TRUE), open = open,
      most_combinations = most_combinations, ...
    ),
    class = c(paste0("source_", kind), "data_source")
  )
}

# A list of levels by the names of the columns; NULL where they are to be found.
check_factors <- function(factors) {
  if (is.character(factors)) {
    return(stats::setNames(vector("list", length(factors)), factors))
  }
  named <- is.list(factors) && !is.null(names(factors)) && all(nzchar(names(factors)))
  if (!is.null(factors) && !named) {
    stop_input(
      "`factors` must be names of columns or a named list of levels, not ", show_value(factors), "."
    )
  }
  lapply(factors, function(levels) if (!is.null(levels)) as.character(levels))
}

describe_rows <- function(source) UseMethod("describe_rows")

sum_features <- function(source, bases, threads) UseMethod("sum_features")

sum_seen <- function(source, columns) UseMethod("sum_seen")

count_jointly <- function(source, names, most) UseMethod("count_jointly")

# The kind of a column by its values; "unknown" where there are none.
source_kind <- function(column, name, source, type = class(column)[1]) {
  if (name %in% names(source$factors)) {
    return("discrete")
  }
  if (is.logical(column) && all(is.na(column))) {
    return("unknown")
  }
  if (is_plain_number(column) && is.null(dim(column)) || inherits(column, "integer64")) {
    return("continuous")
  }
  if (is.factor(column) || is.character(column) || is.logical(column)) {
    return("discrete")
  }
  stop_input(
    column_labels(name, "x"), " has the type ", type, ": only numbers, text and truth values can ",
    "be learned from. Make it one of these or leave it out."
  )
}

check_level_count <- function(levels, name) {
  if (length(levels) > most_levels) {
    stop_input(
      column_labels(name, "x"), " has more than ", most_levels, " levels: if it identifies rows, ",
      "leave it out."
    )
  }
}

stop_infinite <- function(name) {
  stop_input(
    column_labels(name, "x"), " has infinite values or NaN: replace them by numbers or NULL."
  )
}

# Numbers as doubles and levels as text, so that chunks can be put together.
plain_columns <- function(frame, kind) {
  for (k in seq_along(frame)) {
    column <- frame[[k]]
    frame[[k]] <- switch(kind[[k]],
      continuous = as.numeric(column),
      discrete = as.character(column),
      rep(NA, nrow(frame))
    )
  }
  rownames(frame) <- NULL
  frame
}

# Functions that a basis of spline_bases_cpp() has: its numbers are centre, scale, the count of
# knots, the knots, and two matrices with their dimensions first.
basis_parts <- function(numbers) {
  take <- function(count) {
    taken <- numbers[seq_len(count)]
    numbers <<- numbers[-seq_len(count)]
    taken
  }
  matrix_of <- function() {
    size <- take(2)
    matrix(if (prod(size) > 0) take(prod(size)) else numeric(), size[1], size[2])
  }
  parts <- list(center = take(1), scale = take(1))
  count <- take(1)
  parts$knots <- if (count > 0) take(count)
  parts$linear_part <- matrix_of()
  parts$rough <- matrix_of()
  parts
}

# The same form for the column alone: no knots, no curves.
linear_basis <- function(center, scale) c(center, scale, 0, 2, 0, 0, 0)

basis_size <- function(numbers) 1L + ncol(basis_parts(numbers)$rough)
