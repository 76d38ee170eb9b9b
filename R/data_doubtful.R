# Columns that can be learned from, but hardly mean what a network makes of them.

# data: from samples(). One warning that names the columns.
warn_doubtful_columns <- function(data) {
  identifiers <- data$names[vapply(seq_along(data$names), function(j) {
    data$kind[j] == "discrete" && looks_like_identifier(column_of(data, j))
  }, NA)]
  if (length(identifiers) > 0) {
    warn_user(
      "Column ", quoted(identifiers), " of `x` has nearly as many levels as rows: if it ",
      "identifies rows, leave it out."
    )
  }
  twins <- duplicated_columns(data)
  if (length(twins) > 0) {
    warn_user(
      "Columns of `x` that repeat each other up to their units: ",
      paste(vapply(twins, quoted, ""), collapse = "; "),
      ". One explains the other completely, so that their edges say nothing about the rest."
    )
  }
}

column_of <- function(data, j) data$values[, places_of(column_count(data), j)[1]]

looks_like_identifier <- function(codes) {
  known <- codes[!is.na(codes)]
  length(known) > 20 && length(unique(known)) > 0.9 * length(known)
}

# Pairs of scalar columns with the same values, or a correlation of 1 up to rounding.
duplicated_columns <- function(data) {
  single <- which(column_count(data) == 1)
  values <- vapply(single, function(j) standard_scores(as.numeric(column_of(data, j))), numeric(
    nrow(data$values)
  ))
  # A column that was turned around is the same column: these sums do not depend on the sign.
  keys <- colSums(round(abs(values), 9), na.rm = TRUE)
  twins <- list()
  for (key in keys[duplicated(signif(keys, 8))]) {
    alike <- which(abs(keys - key) <= 1e-7 * (1 + abs(key)))
    for (pair in utils::combn(alike, 2, simplify = FALSE)) {
      if (same_up_to_sign(values[, pair[1]], values[, pair[2]])) {
        twins <- c(twins, list(data$names[single[pair]]))
      }
    }
  }
  unique(twins)
}

# One sign for the whole column: all balanced binary columns have the same absolute scores.
same_up_to_sign <- function(one, other) {
  known <- !is.na(one) & !is.na(other)
  one <- one[known]
  other <- other[known]
  length(one) > 0 && (all(abs(one - other) < 1e-8) || all(abs(one + other) < 1e-8))
}
