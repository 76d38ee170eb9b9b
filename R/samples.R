# Data frame -> samples: numbers, and what the numbers of each variable mean. Nothing downstream looks
# back at the data frame.
#
# A list with
#   values   n x columns: a continuous variable has `width` columns, a discrete one a column of level
#            codes from 0; NA is missing
#   kind     for each variable "continuous" or "discrete"
#   width    components, or number of levels
#   levels   for each variable its levels, or NULL
#   names    of the variables, sorted, so that the order of columns cannot matter
#   nodes    the names in the order of the data frame: the order of every result
#   center, scale  of each column of `values`: what was taken off and divided by
samples <- function(x, scale = FALSE) {
  columns <- variables_of(x)
  nodes <- names(columns)
  check_names(nodes)
  encoded <- Map(encode_variable, columns, nodes)
  encoded <- encoded[order(nodes, method = "radix")]
  values <- do.call(cbind, lapply(unname(encoded), `[[`, "values"))
  kind <- vapply(encoded, `[[`, "", "kind")
  width <- vapply(encoded, `[[`, 1L, "width")
  data <- list(
    values = values, kind = kind, width = width, levels = lapply(encoded, `[[`, "levels"),
    names = names(encoded), nodes = nodes,
    center = rep(0, ncol(values)), scale = rep(1, ncol(values))
  )
  if (scale) standardise(data) else data
}

standardise <- function(data) {
  continuous <- rep(data$kind == "continuous", ifelse(data$kind == "continuous", data$width, 1L))
  for (k in which(continuous)) {
    column <- data$values[, k]
    data$center[k] <- mean(column, na.rm = TRUE)
    data$scale[k] <- stats::sd(column, na.rm = TRUE)
    data$values[, k] <- (column - data$center[k]) / data$scale[k]
  }
  data
}

# A named list of columns: vectors, factors or numeric matrices.
variables_of <- function(x) {
  if (inherits(x, "Matrix")) {
    return(columns_of_matrix(as.matrix(x), binary = TRUE))
  }
  if (is.data.frame(x)) {
    return(as.list(x))
  }
  if (is.array(x) && length(dim(x)) == 3) {
    return(columns_of_array(x))
  }
  if (is.matrix(x)) {
    return(columns_of_matrix(x, binary = FALSE))
  }
  stop_input(
    "`x` must be a data frame, a numeric matrix, an array of three dimensions or a sparse 0/1 ",
    "Matrix, not ", show_value(x), "."
  )
}

columns_of_matrix <- function(x, binary) {
  if (binary && !all(x %in% c(0, 1))) {
    stop_input("`x` is a sparse Matrix and must hold only 0 and 1.")
  }
  if (!is.numeric(x) && !is.logical(x)) {
    stop_input("`x` is a matrix and must be numeric, not ", typeof(x), ".")
  }
  if (is.null(colnames(x))) colnames(x) <- paste0("V", seq_len(ncol(x)))
  columns <- lapply(seq_len(ncol(x)), function(j) if (binary) x[, j] == 1 else x[, j])
  stats::setNames(columns, colnames(x))
}

columns_of_array <- function(x) {
  if (!is.numeric(x)) {
    stop_input("`x` is an array and must be numeric, not ", typeof(x), ".")
  }
  names <- dimnames(x)[[2]]
  if (is.null(names)) names <- paste0("V", seq_len(dim(x)[2]))
  columns <- lapply(seq_len(dim(x)[2]), function(j) matrix(x[, j, ], dim(x)[1], dim(x)[3]))
  stats::setNames(columns, names)
}

check_names <- function(names) {
  if (length(names) < 2) {
    stop_input("`x` must have at least two columns, not ", length(names), ".")
  }
  empty <- is.na(names) | names == ""
  if (any(empty)) {
    stop_input("`x` must have a name for each column, but column ", which(empty)[1], " has none.")
  }
  if (anyDuplicated(names)) {
    stop_input("`x` must not have two columns named ", quoted(names[duplicated(names)][1]), ".")
  }
}

encode_variable <- function(column, name) {
  if (NROW(column) == 0) {
    stop_input("`x` must have at least one row.")
  }
  if (inherits(column, c("Date", "POSIXt", "difftime"))) {
    stop_input("Column \"", name, "\" of `x` is a date or time: make it a number or a factor.")
  }
  if (is.factor(column) || is.character(column) || is.logical(column)) {
    return(encode_discrete(column, name))
  }
  if (!is.numeric(column)) {
    stop_input(
      "Column \"", name, "\" of `x` must be numeric, a factor, logical or character, not ",
      class(column)[1], "."
    )
  }
  encode_continuous(column, name)
}

encode_discrete <- function(column, name) {
  factor <- if (is.factor(column)) column else factor(column)
  if (all(is.na(factor))) {
    stop_input("Column \"", name, "\" of `x` has no values: all are missing.")
  }
  if (nlevels(factor) < 2) {
    stop_input("Column \"", name, "\" of `x` must have at least two levels, not ", nlevels(factor), ".")
  }
  list(
    values = matrix(as.numeric(unclass(factor)) - 1), kind = "discrete", width = nlevels(factor),
    levels = levels(factor)
  )
}

encode_continuous <- function(column, name) {
  values <- matrix(as.numeric(column), NROW(column))
  if (any(is.infinite(values))) {
    stop_input("Column \"", name, "\" of `x` has infinite values: replace them by numbers or NA.")
  }
  for (k in seq_len(ncol(values))) {
    seen <- values[!is.na(values[, k]), k]
    if (length(seen) == 0) {
      stop_input("Column \"", name, "\" of `x` has no values: all are missing.")
    }
    if (all(seen == seen[1])) {
      stop_input("Column \"", name, "\" of `x` is constant: it cannot be part of a network.")
    }
  }
  list(values = values, kind = "continuous", width = ncol(values), levels = NULL)
}
