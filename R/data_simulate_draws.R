# Draws that the kinds of simulate_sem() share.

draw_gumbel <- function(count) {
  -log(stats::rexp(count))
}

# `shape` filled with numbers whose absolute values are uniform on the range, with random signs.
signed_uniform <- function(shape, range) {
  count <- length(shape)
  shape[] <- stats::runif(count, range[1], range[2]) * sample(c(-1, 1), count, replace = TRUE)
  shape
}

# Columns may be matrices, which data.frame() would split.
as_columns <- function(columns, names) {
  structure(
    stats::setNames(columns, names),
    class = "data.frame", row.names = seq_len(NROW(columns[[1]]))
  )
}
