# Vector-valued variables as few signals that are seen with error.
#
# The d components of a variable may be d looks at fewer numbers, its signals: X = S U' + center +
# E, U with orthonormal columns, E independent errors of one variance. U and that variance are
# shared by all variables with d components, as the paper's networks are shared by its variables: U
# spans the first principal directions of what they have in common, and the others tell the errors'
# variance.
#
# data$signals: for each variable NULL, or a list with directions (U), center (of each component)
# and error (the variance of an error)

# data: unscaled, from samples(). Each variable with more than `latent` components becomes `latent`
# signals.
with_signals <- function(data, latent) {
  data$signals <- stats::setNames(vector("list", length(data$names)), data$names)
  vectors <- data$kind == "continuous" & data$width > latent
  for (width in unique(data$width[vectors])) {
    alike <- which(vectors & data$width == width)
    columns <- lapply(alike, function(j) component_values(data, j))
    covariances <- lapply(columns, stats::cov, use = "pairwise.complete.obs")
    common <- Reduce(`+`, covariances) / length(alike)
    common[is.na(common)] <- 0
    axes <- eigen(common, symmetric = TRUE)
    for (k in seq_along(alike)) {
      data$signals[[alike[k]]] <- list(
        directions = axes$vectors[, seq_len(latent), drop = FALSE],
        center = colMeans(columns[[k]], na.rm = TRUE),
        error = max(mean(axes$values[-seq_len(latent)]), 0)
      )
    }
  }
  to_signals(data)
}

component_values <- function(data, j) {
  data$values[, places_of(column_count(data), j), drop = FALSE]
}

# data with the components of its variables in `values`: with their signals there instead.
to_signals <- function(data) {
  seen <- !vapply(data$signals, is.null, NA)
  columns <- lapply(seq_along(data$names), function(j) {
    values <- component_values(data, j)
    if (seen[j]) signals_from_components(values, data$signals[[j]]) else values
  })
  data$values <- do.call(cbind, columns)
  data$width[seen] <- vapply(data$signals[seen], function(signal) ncol(signal$directions), 1L)
  data
}

# Least squares on the components that are not missing.
signals_from_components <- function(values, signal) {
  values <- sweep(values, 2, signal$center)
  signals <- values %*% signal$directions
  for (row in which(rowSums(is.na(values)) > 0)) {
    known <- !is.na(values[row, ])
    U <- signal$directions[known, , drop = FALSE]
    signals[row, ] <- if (sum(known) < ncol(U)) NA else qr.coef(qr(U), values[row, known])
  }
  signals
}

components_from_signals <- function(values, signal) {
  sweep(values %*% t(signal$directions), 2, signal$center, "+")
}

# What errors add to components that were drawn from signals: the signals have their part already.
draw_errors <- function(n, signal) {
  U <- signal$directions
  errors <- matrix(stats::rnorm(n * nrow(U), sd = sqrt(signal$error)), n)
  errors - errors %*% U %*% t(U)
}
