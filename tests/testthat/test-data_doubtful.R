# Columns that a network can make little of are named in a warning; others are not.

test_that("columns that repeat each other in other units are named", {
  set.seed(1)
  a <- rnorm(50)
  x <- data.frame(a = a, b = rnorm(50), c = 3 - 2 * a, d = rnorm(50))
  expect_warning(dag_gnn(x), "repeat each other.*\"a\", \"c\"")
  f <- factor(rep(c("no", "yes"), 25))
  turned <- factor(rep(c("yes", "no"), 25))
  y <- data.frame(f = f, g = turned, h = factor(sample(f)))
  expect_warning(dag_gnn(y), "\"f\", \"g\"")
})

test_that("balanced binary columns that differ are no copies of each other", {
  set.seed(2)
  x <- data.frame(lapply(1:4, function(k) factor(sample(rep(c("no", "yes"), 30)))))
  names(x) <- letters[1:4]
  expect_no_warning(dag_gnn(x))
  # Nor are columns without a row in which both are known.
  x$a[1:30] <- NA
  x$b[31:60] <- NA
  expect_identical(duplicated_columns(samples(x)), list())
})
