test_that("a data frame goes in, a bnlearn network comes out", {
  set.seed(1)
  a <- rnorm(500)
  b <- 1.5 * a + rnorm(500)
  x <- data.frame(c = -b + rnorm(500), b = b, "an a" = a, check.names = FALSE)
  net <- dag_gnn(x)
  expect_s3_class(net, "bn")
  expect_setequal(
    paste(bnlearn::arcs(net)[, 1], bnlearn::arcs(net)[, 2]),
    c("an a b", "b c")
  )
  expect_identical(net$daggnn$reason, "converged")
  expect_type(bnlearn::score(net, x, type = "bic-g"), "double")
})

test_that("training that is cut short gives the strong edges only, and says so", {
  set.seed(1)
  x <- simulate_sem(random_dag(8), 500)
  expect_warning(net <- dag_gnn(x, time_limit = 0), "`time_limit`", class = "daggnn_warning")
  expect_identical(net$daggnn$reason, "time_limit")
  expect_identical(net$daggnn$threshold, paper_threshold)
})
