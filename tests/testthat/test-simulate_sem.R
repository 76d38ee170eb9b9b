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

test_that("the seed rules, names are kept, and one row is enough", {
  nodes <- c("my var", "b", "\u00e9", "b.1")
  set.seed(1)
  dag <- random_dag(nodes, degree = 2)
  for (type in c("linear", "cosine", "sine", "vector", "discrete", "mixed")) {
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
})

test_that("wrong arguments are named", {
  dag <- matrix(c(0, 0, 1, 0), 2, dimnames = list(c("a", "b"), c("a", "b")))
  expect_snapshot(error = TRUE, {
    simulate_sem("a", 10)
    simulate_sem(dag + t(dag), 10)
    simulate_sem(dag, 0)
    simulate_sem(dag, 10, "quadratic")
    simulate_sem(dag, 10, noise = "cauchy")
    simulate_sem(dag, 10, noise_scale = 0)
    simulate_sem(dag, 10, noise_scale = c(1, 2, 3))
    simulate_sem(dag, 10, "vector", d = 0)
    simulate_sem(dag, 10, "discrete", levels = 1)
    simulate_sem(dag, 10, "discrete", concentration = 0)
    simulate_sem(dag, 10, "mixed", discrete = "c")
    simulate_sem(dag, 10, "mixed", discrete = 2)
  })
})
