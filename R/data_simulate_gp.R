# Draws of Gaussian processes, the curved effects of simulate_sem().

# Up to this many rows a function of several variables is drawn from its whole covariance matrix.
exact_rows <- 1000
# Beyond, by this many random frequencies.
most_frequencies <- 500
# The standard normal density, which is the spectrum of the kernel, is below rounding from here on.
frequency_limit <- 8

# One draw of the process with covariance exp(-|u - v|^2 / 2) at the rows of `points`.
draw_gp <- function(points) {
  if (ncol(points) == 1) {
    return(draw_gp_curve(points[, 1]))
  }
  if (nrow(points) > exact_rows) {
    return(draw_by_random_frequencies(points))
  }
  squares <- rowSums(points^2)
  distances <- pmax(outer(squares, squares, `+`) - 2 * tcrossprod(points), 0)
  # The matrix is close to singular where rows are close to each other: the pivots tell its rank.
  root <- suppressWarnings(chol(exp(-distances / 2), pivot = TRUE))
  used <- seq_len(attr(root, "rank"))
  draw <- crossprod(root[used, , drop = FALSE], stats::rnorm(length(used)))
  draw[order(attr(root, "pivot"))]
}

# The same for one variable.
draw_gp_curve <- function(u) {
  series <- kernel_series(diff(range(u)))
  if (length(series$frequencies) > most_frequencies) {
    return(draw_by_random_frequencies(matrix(u)))
  }
  draw_waves(matrix(u), t(series$frequencies), series$variances)
}

# The covariance exp(-d^2 / 2) for |d| up to `width` as a sum of variances * cos(frequencies * d).
# By Poisson's summation formula, the series
#   step * sum over whole k of phi(k step) cos(k step d),  phi the standard normal density,
# is the sum of the covariances at d and at all its shifts by the period 2 pi / step. A period
# beyond the width by a length at which the covariance is below rounding makes the shifts vanish.
kernel_series <- function(width) {
  step <- 2 * pi / (width + frequency_limit)
  k <- 0:ceiling(frequency_limit / step)
  # k and -k have the same cosine.
  list(
    frequencies = k * step,
    variances = ifelse(k == 0, 1, 2) * step * stats::dnorm(k * step)
  )
}

# Random Fourier features: the covariance is an average over frequencies from its spectrum.
draw_by_random_frequencies <- function(points) {
  frequencies <- matrix(stats::rnorm(ncol(points) * most_frequencies), ncol(points))
  draw_waves(points, frequencies, rep(1 / most_frequencies, most_frequencies))
}

# A draw with covariance sum over k of variances[k] cos(frequencies[, k]' (u - v)).
draw_waves <- function(points, frequencies, variances) {
  angles <- points %*% frequencies
  weights <- matrix(stats::rnorm(2 * length(variances)), ncol = 2) * sqrt(variances)
  drop(cos(angles) %*% weights[, 1] + sin(angles) %*% weights[, 2])
}
