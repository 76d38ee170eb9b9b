# Data as bnlearn scores them.

# x as doubles and factors, complete, and a column for each variable. `why` begins the complaint.
scorable <- function(x, why) {
  columns <- variables_of(x, "x")
  for (name in names(columns)) {
    column <- columns[[name]]
    if (NCOL(column) > 1) {
      stop_input(why, " needs scalar variables, but column \"", name, "\" of `x` is a matrix.")
    }
    if (anyNA(column)) {
      stop_input(why, " needs complete data, but column \"", name, "\" of `x` has missing values.")
    }
  }
  numbers_and_factors(columns)
}

# Scalar columns as a data frame of what bnlearn knows.
numbers_and_factors <- function(columns) {
  columns <- lapply(columns, function(column) {
    if (is.numeric(column)) as.numeric(column) else as.factor(column)
  })
  structure(columns, class = "data.frame", row.names = seq_along(columns[[1]]))
}

# bnlearn's BIC for such data.
bic_type <- function(x) {
  discrete <- vapply(x, is.factor, NA)
  if (all(discrete)) "bic" else if (any(discrete)) "bic-cg" else "bic-g"
}

# bnlearn warns of levels that do not occur at each step that looks at the data; they count as
# parameters all the same, and users hear of it nowhere else.
without_level_warnings <- function(code) {
  withCallingHandlers(code, warning = function(condition) {
    if (grepl("levels that are not observed", conditionMessage(condition), fixed = TRUE)) {
      invokeRestart("muffleWarning")
    }
  })
}
