# Forms of data -> a named list of columns: vectors, factors or matrices.

# How errors call the columns of an argument.
column_labels <- function(names, argument) {
  paste0("Column ", quote_names(names), " of `", argument, "`")
}

variables_of <- function(x, argument) {
  columns <- if (is.data.frame(x)) {
    as.list(x)
  } else if (methods::is(x, "Matrix")) {
    columns_of_sparse(x, argument)
  } else if (is.array(x) && length(dim(x)) %in% 2:3) {
    columns_of_array(x, argument)
  } else if (is_elsewhere(x)) {
    stop_input(
      "`", argument, "` must be rows in memory here, not a table or file: give some of its rows, ",
      "as a data frame."
    )
  } else {
    stop_input(
      "`", argument, "` must be a data frame, a numeric matrix, an array of three dimensions or a ",
      "sparse 0/1 Matrix, not ", show_value(x), "."
    )
  }
  if (is.null(names(columns))) names(columns) <- rep("", length(columns))
  check_names(names(columns), argument)
  names(columns) <- enc2utf8(names(columns))
  check_rows(columns, argument)
  columns
}

is_elsewhere <- function(x) inherits(x, c("data_source", "tbl_sql", "DBIConnection", arrow_classes))

arrow_classes <- c("ArrowTabular", "Dataset", "arrow_dplyr_query", "RecordBatchReader")

columns_of_sparse <- function(x, argument) {
  # A pattern matrix has no values: what it holds is TRUE.
  if (methods::.hasSlot(x, "x") && !all(x@x %in% c(0, 1, NA))) {
    stop_input(
      "`", argument, "` is a Matrix and must hold only 0 and 1: give other numbers as an ordinary ",
      "matrix."
    )
  }
  x <- methods::as(x, "CsparseMatrix")
  columns <- lapply(seq_len(ncol(x)), function(j) x[, j] == 1)
  stats::setNames(columns, column_names(x))
}

# n x m, or n x m x d for variables with d components.
columns_of_array <- function(x, argument) {
  if (!is.numeric(x) && !is.logical(x)) {
    stop_input(
      "`", argument, "` is ", if (is.matrix(x)) "a matrix" else "an array",
      " and must be numeric, not ", typeof(x), "."
    )
  }
  column <- if (is.matrix(x)) {
    function(j) x[, j]
  } else {
    function(j) matrix(x[, j, ], dim(x)[1], dim(x)[3])
  }
  stats::setNames(lapply(seq_len(dim(x)[2]), column), column_names(x))
}

column_names <- function(x) {
  names <- dimnames(x)[[2]]
  if (is.null(names)) default_names(dim(x)[2]) else names
}

check_names <- function(names, argument) {
  empty <- is.na(names) | names == ""
  if (any(empty)) {
    stop_input(
      "`", argument, "` must have a name for each column, but column ", which(empty)[1],
      " has none."
    )
  }
  if (!all(validEnc(names))) {
    stop_input(
      "`", argument, "` must have names in valid text, but that of column ",
      which(!validEnc(names))[1], " is not."
    )
  }
  if (anyDuplicated(names)) {
    stop_input(
      "`", argument, "` must not have two columns named ", quoted(names[duplicated(names)][1]), "."
    )
  }
}

# A data frame that was not made by data.frame() may have columns of different lengths.
check_rows <- function(columns, argument) {
  rows <- vapply(columns, NROW, 1L)
  other <- which(rows != rows[1])
  if (length(other) > 0) {
    stop_input(
      column_labels(names(columns)[other[1]], argument), " must have ", rows[1],
      " rows as the first column has, not ", rows[other[1]], "."
    )
  }
  if (any(rows == 0)) {
    stop_input("`", argument, "` must have at least one row.")
  }
}

# A list of columns in the order of the nodes; further columns are left alone.
columns_like <- function(nodes, x, argument) {
  columns <- variables_of(x, argument)
  absent <- setdiff(nodes, names(columns))
  if (length(absent) > 0) {
    stop_input(
      "`", argument, "` must have all variables of the network, but lacks ", quoted(absent), "."
    )
  }
  columns[nodes]
}

# By the first column, then the second and so on. From the last one on, each sort keeps the order
# of what is equal: no second copy of the values is needed.
sorted_rows <- function(values) {
  # Where the first column tells all rows apart, the others need no look.
  keys <- if (anyDuplicated(values[, 1])) rev(seq_len(ncol(values))) else 1
  rows <- seq_len(nrow(values))
  for (k in keys) rows <- rows[order(values[rows, k], method = "radix")]
  values[rows, , drop = FALSE]
}

# Columns of `values` for each variable.
column_count <- function(data) {
  ifelse(data$kind == "continuous", data$width, 1L)
}

# Which columns are those of variable j, where each variable has `count` of them side by side.
places_of <- function(count, j) seq(to = sum(count[seq_len(j)]), length.out = count[j])
