# Means, standard deviations and correlations of numbers, some of which may be missing.

# Mean, standard deviation (divided by n) and correlations of the columns. Where values are missing
# each moment is of the rows that have it, and the matrix of correlations the nearest positive
# semidefinite one, without which least squares would have no minimum.
linear_moments <- function(data) {
  seen <- !is.na(data$values)
  center <- colMeans(data$values, na.rm = TRUE)
  values <- sweep(data$values, 2, center)
  sd <- sqrt(colMeans(values^2, na.rm = TRUE))
  values <- sweep(values, 2, sd, "/")
  if (all(seen)) {
    correlation <- crossprod(values) / nrow(values)
  } else {
    values[!seen] <- 0
    together <- crossprod(seen)
    check_seen_together(together, data$names)
    correlation <- nearest_semidefinite(crossprod(values) / together)
  }
  dimnames(correlation) <- list(data$names, data$names)
  list(
    center = stats::setNames(center, data$names), sd = stats::setNames(sd, data$names),
    correlation = correlation
  )
}

check_seen_together <- function(together, names) {
  if (any(together == 0)) {
    apart <- which(together == 0, arr.ind = TRUE)[1, ]
    stop_input(
      "Columns ", paste(quoted(names[apart[1]]), "and", quoted(names[apart[2]])),
      " of `x` have no row where both are seen: their covariance is unknown."
    )
  }
}

# The nearest in the Frobenius norm: negative eigenvalues become 0.
nearest_semidefinite <- function(symmetric) {
  parts <- eigen(symmetric, symmetric = TRUE)
  if (all(parts$values >= 0)) {
    return(symmetric)
  }
  tcrossprod(sweep(parts$vectors, 2, sqrt(pmax(parts$values, 0)), "*"))
}
