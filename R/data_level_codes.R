# Which number each level of a discrete variable has, for a model to which that matters.
#
# The networks of the autoencoder are shared by the variables: to them, level k of one variable is
# the same thing as level k of another. Numbered as they happen to be listed, levels would let
# their names decide about edges. Two numberings do not depend on names, but for ties:
#
#   frequency   from the most frequent level to the rarest
#   axis        along the first axis of the correspondence analysis of the variable's levels against
#               those of all other variables, from its more frequent end: the levels of an ordered
#               variable mostly come out in their order
#
# data$codes: for each variable NULL, or the places in data$levels of the levels with the codes 0,
# 1 and so on

# data: from samples(), with codes in the order of data$levels.
with_level_codes <- function(data, numbering) {
  count <- column_count(data)
  discrete <- which(data$kind == "discrete")
  data$codes <- stats::setNames(vector("list", length(data$names)), data$names)
  for (j in discrete) {
    frequency <- tabulate(data$values[, places_of(count, j)] + 1, data$width[[j]])
    data <- recoded(data, j, order(frequency, decreasing = TRUE, method = "radix"))
  }
  if (numbering == "axis" && all(data$kind == "discrete")) {
    along <- axis_orders(data)
    for (j in discrete) data <- recoded(data, j, along[[j]])
  }
  # Sorted by their new codes, rows come in one order whatever the levels are called.
  data$values <- sorted_rows(data$values)
  data
}

# order: of the codes that variable j has now, from the one that becomes 0 on.
recoded <- function(data, j, order) {
  place <- places_of(column_count(data), j)
  data$values[, place] <- codes_from_places(data$values[, place], order)
  before <- data$codes[[j]]
  data$codes[[j]] <- if (is.null(before)) order else before[order]
  data
}

# values: places of levels, from 0. codes: of the variable, or NULL.
codes_from_places <- function(values, codes) {
  if (is.null(codes)) values else match(values + 1, codes) - 1
}
places_from_codes <- function(values, codes) {
  if (is.null(codes)) values else codes[values + 1] - 1
}

# For each variable the order of its levels along the first axis. All variables are discrete, with
# codes from the most frequent level on.
axis_orders <- function(data) {
  counts <- joint_counts(data$values, data$width)
  owner <- rep(seq_along(data$names), data$width)
  lapply(seq_along(data$names), function(j) {
    own <- owner == j
    scores <- first_axis(diag(counts)[own], counts[own, !own, drop = FALSE], owner[!own])
    # Levels that never occur have no place on the axis: they come last. The smaller code of the two
    # ends is the more frequent one.
    along <- order(scores, na.last = NA)
    if (along[1] > along[length(along)]) along <- rev(along)
    c(along, which(is.na(scores)))
  })
}

# Levels by levels, of all variables: how many rows have both.
joint_counts <- function(values, width) {
  counts <- matrix(0, sum(width), sum(width))
  # The indicators of all rows at once may not fit into memory.
  rows_at_once <- 10000
  for (first in seq(1, nrow(values), by = rows_at_once)) {
    rows <- values[first:min(first + rows_at_once - 1, nrow(values)), , drop = FALSE]
    indicators <- do.call(cbind, lapply(seq_along(width), function(j) {
      outer(rows[, j], seq_len(width[j]) - 1, "==")
    }))
    counts <- counts + crossprod(indicators & !is.na(indicators))
  }
  counts
}

# The score of each level, NA where it does not occur. frequency: of each level; table: levels by
# the levels of other variables, `owner` of each column.
first_axis <- function(frequency, table, owner) {
  seen <- frequency > 0
  table <- table[seen, , drop = FALSE]
  totals <- t(rowsum(t(table), owner))[, as.character(owner), drop = FALSE]
  expected <- sweep(totals, 2, colSums(table) / pmax(colSums(totals), 1), "*")
  residuals <- ifelse(expected > 0, (table - expected) / sqrt(expected), 0)
  axis <- eigen(tcrossprod(residuals), symmetric = TRUE)$vectors[, 1]
  scores <- rep(NA_real_, length(frequency))
  scores[seen] <- axis / sqrt(frequency[seen])
  scores
}
