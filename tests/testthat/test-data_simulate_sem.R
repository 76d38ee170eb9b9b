# Row by row, by the paper's formulas, from the noise that the seed gives.
slow_continuous <- function(weights, z, type) {
  order <- topological_order(weights)
  x <- z
  for (row in seq_len(nrow(z))) {
    for (j in order) {
      x[row, j] <- z[row, j]
      s <- 0
      for (i in seq_len(nrow(weights))) {
        if (weights[i, j] == 0) next
        s <- s + weights[i, j] * switch(type,
          linear = x[row, i],
          cosine = cos(x[row, i] + 1),
          sine = x[row, i] + 0.5
        )
      }
      x[row, j] <- z[row, j] + if (type == "sine" && any(weights[, j] != 0)) 2 * sin(s) + s else s
    }
  }
  x
}

test_that("continuous models follow the paper's formulas", {
  set.seed(1)
  dag <- random_dag(6)
  for (type in c("linear", "cosine", "sine")) {
    set.seed(7)
    x <- simulate_sem(dag, 20, type)
    set.seed(7)
    z <- matrix(stats::rnorm(120), 20, 6)
    expect_equal(unname(as.matrix(x)), slow_continuous(coef(dag), z, type))
  }
})

test_that("linear data solve (I - A') x = z", {
  set.seed(2)
  dag <- random_dag(15)
  set.seed(3)
  x <- as.matrix(simulate_sem(dag, 100, noise = "gumbel", noise_scale = 2))
  set.seed(3)
  z <- -2 * log(matrix(stats::rexp(1500), 100, 15))
  expect_equal(unname(x %*% (diag(15) - coef(dag))), z)
})

test_that("noise has the distribution that was asked for", {
  set.seed(4)
  empty <- bnlearn::empty.graph(c("a", "b"))
  gumbel <- function(q) exp(-exp(-q))
  fits <- function(x, cdf, ...) expect_gt(stats::ks.test(x, cdf, ...)$p.value, 0.001)
  fits(simulate_sem(empty, 2000)$a, "pnorm")
  fits(simulate_sem(empty, 2000, noise = "exponential")$b, "pexp")
  fits(simulate_sem(empty, 2000, noise = "gumbel")$a, gumbel)
  x <- simulate_sem(empty, 2000, noise_scale = c(1, 5))
  fits(x$b, "pnorm", 0, 5)
  fits(x$a, "pnorm")
})

test_that("t, uniform and Laplace noise have mean 0 and variance 1", {
  set.seed(14)
  empty <- bnlearn::empty.graph(c("a", "b"))
  fits <- function(x, cdf) expect_gt(stats::ks.test(x, cdf)$p.value, 0.001)
  laplace <- function(q) ifelse(q < 0, exp(q * sqrt(2)) / 2, 1 - exp(-q * sqrt(2)) / 2)
  fits(simulate_sem(empty, 4000, noise = "laplace")$a, laplace)
  uniform <- function(q) stats::punif(q, -sqrt(3), sqrt(3))
  fits(simulate_sem(empty, 4000, noise = "uniform")$b, uniform)
  fits(simulate_sem(empty, 4000, noise = "t")$a, function(q) stats::pt(q * sqrt(5 / 3), 5))
  fits(simulate_sem(empty, 4000, noise = "t", df = 3)$a, function(q) stats::pt(q * sqrt(3), 3))
  fits(simulate_sem(empty, 4000, noise = "t", df = Inf)$a, "pnorm")
})

test_that("noise_range draws each variance uniformly on the range, whatever the distribution", {
  set.seed(15)
  empty <- bnlearn::empty.graph(sprintf("V%d", 1:100))
  for (noise in c("normal", "exponential", "gumbel", "uniform", "laplace")) {
    x <- simulate_sem(empty, 4000, noise = noise, noise_range = c(0.4, 0.8))
    variances <- vapply(x, stats::var, 1)
    # The standard error of a variance is at most 0.8 * sqrt(8 / 4000), for the exponential.
    expect_gt(min(variances), 0.4 - 0.12)
    expect_lt(max(variances), 0.8 + 0.12)
    expect_gt(stats::ks.test(variances, "punif", 0.4, 0.8)$p.value, 0.001)
  }
  constant <- simulate_sem(empty, 4000, noise_range = c(9, 9))
  expect_equal(mean(vapply(constant, stats::var, 1)), 9, tolerance = 0.02)
})

# Covariances over draws against the kernel, point by point.
expect_kernel <- function(draw, points, draws = 4000) {
  values <- replicate(draws, draw(points))
  kernel <- exp(-as.matrix(stats::dist(points))^2 / 2)
  # A covariance of two standard normal numbers has a standard error of at most sqrt(2 / draws).
  expect_lt(max(abs(tcrossprod(values) / draws - kernel)), 5 * sqrt(2 / draws))
  expect_lt(max(abs(rowMeans(values))), 5 / sqrt(draws))
}

test_that("curves and functions of several parents have the covariance of the Gaussian kernel", {
  set.seed(16)
  line <- c(-12, -0.5, 0, 0.3, 1, 1.5, 7, 9)
  expect_kernel(function(points) draw_gp_curve(points[, 1]), matrix(line))
  plane <- cbind(line / 4, c(0, 1, 0, 0.2, -1, 0.5, 2, 2))
  expect_kernel(draw_gp, plane)
  expect_kernel(draw_by_random_frequencies, plane)
  # One parent: both ways give the same process.
  expect_kernel(draw_gp, matrix(line))
  # Too wide for the series, with two points that are close to each other.
  expect_kernel(draw_gp, matrix(c(0, 0.7, 5000)))
})

test_that("the series of a curve is the Gaussian kernel to rounding", {
  for (width in c(0, 0.1, 3, 51)) {
    series <- kernel_series(width)
    d <- seq(0, width, length.out = 50)
    covariance <- cos(outer(d, series$frequencies)) %*% series$variances
    expect_equal(drop(covariance), exp(-d^2 / 2), tolerance = 1e-12)
  }
})

test_that("functions of rows that are equal or nearly so have values that are", {
  set.seed(17)
  points <- matrix(stats::rnorm(40), 20)
  points <- rbind(points, points, points + 1e-7)
  for (draw in list(draw_gp, draw_by_random_frequencies)) {
    values <- matrix(draw(points), 20)
    expect_equal(values[, 1], values[, 2], tolerance = 1e-5)
    expect_equal(values[, 1], values[, 3], tolerance = 1e-5)
  }
})

test_that("an additive function is a sum over the parents, a joint one is not", {
  weights <- matrix(0, 3, 3)
  weights[1:2, 3] <- 1
  # Interaction of the signs of the parents, over many data sets: none in a sum.
  interaction <- function(type) {
    mean(replicate(200, {
      x <- simulate_sem(weights, 500, type, noise_scale = c(1, 1, 0.1))
      cell <- tapply(x$V3, list(x$V1 > 0, x$V2 > 0), mean)
      (cell[1, 1] - cell[1, 2] - cell[2, 1] + cell[2, 2])^2
    }))
  }
  set.seed(18)
  expect_lt(interaction("gp_additive"), 0.1)
  expect_gt(interaction("gp"), 0.3)
})

# Row by row with the random numbers of the package, in its order.
slow_random_functions <- function(weights, z, type) {
  signed <- function(count) stats::runif(count, 0.5, 2) * sample(c(-1, 1), count, replace = TRUE)
  x <- z
  for (j in topological_order(weights)) {
    parents <- which(weights[, j] != 0)
    if (length(parents) == 0) next
    w <- matrix(signed(length(parents) * if (type == "mlp") 100 else 3), length(parents))
    out <- if (type == "mlp") signed(100)
    for (row in seq_len(nrow(z))) {
      index <- vapply(seq_len(ncol(w)), function(k) sum(x[row, parents] * w[, k]), 1)
      f <- if (type == "mlp") {
        sum(out / (1 + exp(-index)))
      } else {
        tanh(index[1]) + cos(index[2]) + sin(index[3])
      }
      x[row, j] <- x[row, j] + f
    }
  }
  x
}

test_that("mlp and mim follow the formulas of NOTEARS", {
  set.seed(19)
  dag <- random_dag(6, edges = 9)
  for (type in c("mlp", "mim")) {
    set.seed(20)
    x <- simulate_sem(dag, 15, type)
    set.seed(20)
    z <- matrix(stats::rnorm(90), 15)
    expect_equal(unname(as.matrix(x)), slow_random_functions(coef(dag), z, type))
  }
})

test_that("random functions do not depend on the weights, only on the edges", {
  set.seed(21)
  dag <- random_dag(6)
  for (type in c("gp_additive", "gp", "mlp", "mim")) {
    set.seed(22)
    x <- simulate_sem(dag, 30, type)
    set.seed(22)
    expect_identical(simulate_sem(coef(dag) * 5, 30, type), x)
  }
})

test_that("post-nonlinear data are increasing curves of linear sums", {
  set.seed(23)
  dag <- random_dag(12, edges = 20)
  set.seed(24)
  x <- as.matrix(simulate_sem(dag, 300, "post_nonlinear", noise = "uniform"))
  set.seed(24)
  z <- matrix(stats::runif(3600, -sqrt(3), sqrt(3)), 300)
  inner <- x %*% coef(dag) + z
  kinds <- vapply(colnames(x), function(node) {
    u <- inner[, node]
    expect_false(is.unsorted(x[order(u), node]))
    matches <- c(
      sigmoid = isTRUE(all.equal(x[, node], u + 2 * tanh(2 * u))),
      logarithm = isTRUE(all.equal(x[, node], log(3 * u + sqrt(9 * u^2 + 1))))
    )
    expect_identical(sum(matches), 1L)
    names(which(matches))
  }, "")
  expect_setequal(kinds, c("sigmoid", "logarithm"))
})

test_that("vector-valued data are scaled and shifted copies of one linear sample, plus noise", {
  set.seed(5)
  dag <- random_dag(5)
  set.seed(8)
  x <- simulate_sem(dag, 4000, "vector", d = 3)
  expect_identical(dim(x$V1), c(4000L, 3L))
  set.seed(8)
  base <- simulate_sem(dag, 4000)
  u <- stats::rnorm(3)
  v <- stats::rnorm(3)
  for (node in names(x)) {
    for (k in 1:3) {
      z <- x[[node]][, k] - u[k] * base[[node]] - v[k]
      expect_gt(stats::ks.test(z, "pnorm")$p.value, 1e-4)
    }
  }
})

test_that("discrete data have one distribution for each configuration of the parents", {
  dag <- bnlearn::model2network("[a][b][c|a:b]")
  set.seed(6)
  x <- simulate_sem(dag, 30000, "discrete", levels = c(2, 3, 4))
  expect_identical(vapply(x, nlevels, 1L), c(a = 2L, b = 3L, c = 4L))
  expect_gt(stats::chisq.test(table(x$a, x$b))$p.value, 0.001)
  # Halves of the same configuration agree, different configurations do not.
  configuration <- interaction(x$a, x$b)
  half <- rep(1:2, length.out = nrow(x))
  within <- vapply(levels(configuration), function(level) {
    rows <- configuration == level
    counts <- table(half[rows], x$c[rows])
    suppressWarnings(stats::chisq.test(counts[, colSums(counts) > 0, drop = FALSE])$p.value)
  }, 1)
  expect_gt(min(within), 1e-4)
  between <- suppressWarnings(stats::chisq.test(table(configuration, x$c)))
  expect_lt(between$p.value, 1e-10)
})

test_that("a node with very many parents has a table too", {
  weights <- matrix(0, 41, 41)
  weights[-41, 41] <- 1
  set.seed(7)
  x <- simulate_sem(weights, 50, "discrete", levels = 4)
  expect_true(all(x$V41 %in% paste0("l", 1:4)))
})

test_that("mixed data follow their sums", {
  dag <- matrix(0, 3, 3, dimnames = list(c("a", "b", "c"), c("a", "b", "c")))
  dag["a", "b"] <- 2
  dag["a", "c"] <- 3
  set.seed(8)
  x <- simulate_sem(dag, 5000, "mixed", discrete = c("a", "c"), levels = 2)
  expect_s3_class(x$a, "factor")
  expect_type(x$b, "double")
  # b given a is normal with unit variance around a mean of its own for each level.
  centred <- x$b - stats::ave(x$b, x$a)
  expect_gt(stats::ks.test(centred, "pnorm")$p.value, 0.001)
  expect_gt(abs(diff(tapply(x$b, x$a, mean))), 0.2)
  expect_lt(stats::chisq.test(table(x$a, x$c))$p.value, 1e-6)
  continuous <- simulate_sem(dag, 10, "mixed", discrete = 0)
  expect_true(all(vapply(continuous, is.numeric, NA)))
  half <- simulate_sem(random_dag(10), 10, "mixed")
  expect_identical(sum(vapply(half, is.factor, NA)), 5L)
})

test_that("mixed data without discrete variables are linear data", {
  set.seed(9)
  dag <- random_dag(6)
  set.seed(10)
  mixed <- simulate_sem(dag, 20, "mixed", discrete = character())
  set.seed(10)
  expect_equal(mixed, simulate_sem(dag, 20))
})

test_that("conditional Gaussian data have a regression of their own for each configuration", {
  nodes <- c("a", "b", "c", "d", "e")
  dag <- matrix(0, 5, 5, dimnames = list(nodes, nodes))
  dag["a", "b"] <- dag["b", "d"] <- dag["a", "d"] <- 1
  dag["c", "d"] <- 2
  dag["c", "e"] <- -3
  set.seed(25)
  x <- simulate_sem(dag, 20000, "conditional_gaussian", discrete = c("a", "b"), levels = 2)
  expect_identical(vapply(x, is.factor, NA), c(a = TRUE, b = TRUE, c = FALSE, d = FALSE, e = FALSE))
  fits <- lapply(split(x, list(x$a, x$b)), function(rows) stats::lm(d ~ c, rows))
  slopes <- vapply(fits, function(fit) stats::coef(fit)[["c"]], 1)
  spreads <- vapply(fits, stats::sigma, 1)
  for (fit in fits) {
    residuals <- stats::residuals(fit) / stats::sigma(fit)
    expect_gt(stats::ks.test(residuals, "pnorm")$p.value, 0.001)
  }
  # The weight 2 times a number from 0.5 to 1.5, of either sign; noise from 0.5 to 1.5.
  expect_true(all(abs(slopes) > 0.9 & abs(slopes) < 3.1))
  expect_true(all(spreads > 0.45 & spreads < 1.55))
  expect_gt(min(dist(slopes)), 0.05)
  expect_gt(min(dist(spreads)), 0.02)
  expect_gt(min(dist(vapply(fits, function(fit) stats::coef(fit)[[1]], 1))), 0.02)
  # Without discrete parents, the linear model.
  expect_gt(stats::ks.test(x$e + 3 * x$c, "pnorm")$p.value, 0.001)
  expect_lt(stats::chisq.test(table(x$a, x$b))$p.value, 1e-6)
})

test_that("no discrete variable of conditional Gaussian data has a continuous parent", {
  set.seed(26)
  for (k in 1:20) {
    dag <- random_dag(9, edges = 14)
    share <- k / 20
    x <- simulate_sem(dag, 20, "conditional_gaussian", discrete = share)
    discrete <- vapply(x, is.factor, NA)
    expect_identical(sum(discrete), as.integer(round(share * 9)))
    expect_false(any(coef(dag)[!discrete, discrete] != 0))
  }
  chosen <- replicate(300, {
    x <- simulate_sem(matrix(0, 4, 4), 1, "conditional_gaussian", discrete = 0.5)
    vapply(x, is.factor, NA)
  })
  # Without edges every variable has the same chance.
  expect_gt(stats::chisq.test(rowSums(chosen))$p.value, 0.001)
  dag <- bnlearn::model2network("[a][b|a]")
  set.seed(27)
  linear <- simulate_sem(dag, 10)
  set.seed(27)
  expect_equal(simulate_sem(dag, 10, "conditional_gaussian", discrete = character()), linear)
})

test_that("the seed rules, names are kept, and one row is enough", {
  nodes <- c("my var", "b", "\u00e9", "b.1")
  set.seed(1)
  dag <- random_dag(nodes, degree = 2)
  for (type in eval(formals(simulate_sem)$type)) {
    draw <- function(seed) {
      set.seed(seed)
      simulate_sem(dag, 30, type)
    }
    expect_identical(draw(1), draw(1))
    expect_false(identical(draw(1), draw(2)))
    expect_identical(names(draw(1)), nodes)
    expect_identical(dim(simulate_sem(dag, 1, type)), c(1L, 4L))
  }
})

test_that("large data take seconds", {
  skip_unless_slow()
  set.seed(1)
  seconds <- system.time({
    x <- simulate_sem(random_dag(1000), 10000)
  })[["elapsed"]]
  expect_identical(dim(x), c(10000L, 1000L))
  expect_lt(seconds, 20)
  dag <- random_dag(200, edges = 200)
  for (type in c("gp_additive", "mlp", "mim", "post_nonlinear", "conditional_gaussian")) {
    seconds <- system.time(simulate_sem(dag, 10000, type))[["elapsed"]]
    expect_lt(seconds, 30)
  }
  expect_lt(system.time(simulate_sem(dag, 1000, "gp"))[["elapsed"]], 120)
})

test_that("wrong arguments are named", {
  dag <- matrix(c(0, 0, 1, 0), 2, dimnames = list(c("a", "b"), c("a", "b")))
  expect_error_snapshot({
    simulate_sem("a", 10)
    simulate_sem(dag + t(dag), 10)
    simulate_sem(dag, 0)
    simulate_sem(dag, 10, "quadratic")
    simulate_sem(dag, 10, noise = "cauchy")
    simulate_sem(dag, 10, noise_scale = 0)
    simulate_sem(dag, 10, noise_scale = c(1, 2, 3))
    simulate_sem(dag, 10, noise = "t", df = 2)
    simulate_sem(dag, 10, noise_range = 0.5)
    simulate_sem(dag, 10, noise_range = c(0, 1))
    simulate_sem(dag, 10, noise_range = c(0.4, 0.8), noise_scale = 2)
    simulate_sem(dag, 10, "vector", d = 0)
    simulate_sem(dag, 10, "discrete", levels = 1)
    simulate_sem(dag, 10, "discrete", concentration = 0)
    simulate_sem(dag, 10, "mixed", discrete = "c")
    simulate_sem(dag, 10, "mixed", discrete = 2)
    simulate_sem(dag, 10, "conditional_gaussian", discrete = "b")
    simulate_sem(dag, 10, "conditional_gaussian", discrete = "c")
    simulate_sem(dag, 10, "conditional_gaussian", discrete = 2)
  })
})
