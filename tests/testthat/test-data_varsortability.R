# Path by path: every directed path is walked, and each pair counts once for each length.
slow_agreement <- function(adjacency, scores) {
  m <- nrow(adjacency)
  ends <- list()
  walk <- function(start, node, length) {
    for (child in which(adjacency[node, ] != 0)) {
      ends[[paste(start, child, length)]] <<- c(start, child)
      walk(start, child, length + 1)
    }
  }
  for (start in seq_len(m)) walk(start, start, 1)
  mean(vapply(ends, function(end) {
    gap <- scores[end[2]] - scores[end[1]]
    if (abs(gap) < 1e-9 * max(scores[end])) 0.5 else as.numeric(gap > 0)
  }, 1))
}

test_that("both measures agree with walking every path", {
  set.seed(1)
  for (repetition in 1:10) {
    dag <- random_dag(7, degree = 4)
    x <- simulate_sem(dag, 60, "cosine", noise_scale = stats::runif(7, 0.5, 2))
    adjacency <- bnlearn::amat(dag)
    expect_equal(varsortability(x, dag), slow_agreement(adjacency, vapply(x, stats::var, 1)))
    r2 <- vapply(names(x), function(node) {
      summary(stats::lm(stats::reformulate(setdiff(names(x), node), node), x))$r.squared
    }, 1)
    expect_equal(varsortability(x, dag, "r2"), slow_agreement(adjacency, r2))
  }
})

test_that("variances that grow along the edges give 1, falling ones 0, equal ones 1/2", {
  dag <- bnlearn::model2network("[a][b|a][c|a:b]")
  set.seed(2)
  x <- data.frame(a = stats::rnorm(50), b = stats::rnorm(50), c = stats::rnorm(50))
  x[] <- scale(x)
  expect_equal(varsortability(x, dag), 0.5)
  growing <- as.data.frame(as.matrix(x) %*% diag(1:3))
  names(growing) <- names(x)
  expect_equal(varsortability(growing, dag), 1)
  falling <- stats::setNames(rev(growing), names(x))
  expect_equal(varsortability(falling, dag), 0)
  expect_identical(varsortability(x, bnlearn::empty.graph(names(x))), NA_real_)
})

test_that("the R2 version does not depend on units, nor either on the order of columns", {
  set.seed(3)
  dag <- random_dag(6)
  x <- simulate_sem(dag, 100)
  units <- as.data.frame(Map(`*`, x, c(1e-3, 1, 1e3, 7, 0.2, 5)))
  expect_equal(varsortability(units, dag, "r2"), varsortability(x, dag, "r2"))
  expect_equal(varsortability(x[6:1], dag), varsortability(x, dag))
  expect_equal(varsortability(x, unname(coef(dag))), varsortability(x, dag))
  expect_equal(varsortability(x[c(2, 1, 3:6)], coef(dag), "r2"), varsortability(x, dag, "r2"))
})

test_that("columns that others determine have R2 1, and missing values are left out", {
  set.seed(4)
  x <- data.frame(a = stats::rnorm(30), b = stats::rnorm(30), d = stats::rnorm(30))
  x$c <- x$a + x$b
  expect_equal(explained_shares(as.matrix(x))[c(1, 2, 4)], c(1, 1, 1))
  expect_lt(explained_shares(as.matrix(x))[3], 0.5)
  dag <- bnlearn::model2network("[a][b][c|a:b][d]")
  expect_equal(varsortability(x, dag, "r2"), 0.5)
  x$a[1:5] <- NA
  expect_equal(
    varsortability(x, dag, "r2"), varsortability(x[-(1:5), ], dag, "r2")
  )
})

test_that("what cannot be measured is named", {
  set.seed(5)
  dag <- random_dag(3, degree = 2)
  x <- simulate_sem(dag, 20)
  expect_error_snapshot({
    varsortability(x, random_dag(4))
    varsortability(x, random_dag(c("V1", "V2", "X"), degree = 2))
    varsortability(x, coef(dag) + t(coef(dag)))
    varsortability(x, dag, "entropy")
    varsortability(x[1:3, ], dag, "r2")
    varsortability(transform(x, V2 = V2 > 0, V3 = factor(V3 > 0)), dag)
    varsortability(x, "dag")
  })
})
