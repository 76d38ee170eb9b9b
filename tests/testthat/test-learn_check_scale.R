test_that("a learner that does not see the scale agrees with itself", {
  set.seed(1)
  checked <- check_scale(bnlearn::gaussian.test[1:400, ], bnlearn::hc)
  expect_identical(checked$agreement, 1)
  expect_true(all(checked$edges$fate == "same"))
})

test_that("edges that rest on the units are told apart", {
  # Joins what has twice the standard deviation: after standardising, nothing.
  by_spread <- function(x) {
    net <- bnlearn::empty.graph(names(x))
    if (sd(x$b) > 2 * sd(x$a)) net <- bnlearn::set.arc(net, "a", "b")
    net
  }
  checked <- check_scale(data.frame(a = 1:9, b = 10 * (9:1)^2), by_spread)
  expect_identical(checked$edges$fate, "only raw")
  expect_identical(checked$agreement, 0)
})

test_that("each fate is found", {
  make <- function(text) bnlearn::model2network(text)
  edges <- compare_edges(make("[a][b|a][c|b][d]"), make("[b][a|b][c][d|c]"))
  expect_identical(paste(edges$from, edges$to), c("a b", "b c", "c d"))
  expect_identical(edges$fate, c("reversed", "only raw", "only standardised"))
  expect_identical(compare_edges(make("[a][b|a]"), make("[a][b|a]"))$fate, "same")
  expect_identical(nrow(compare_edges(make("[a][b]"), make("[a][b]"))), 0L)
})

test_that("data are standardised in the form they came in", {
  x <- data.frame(a = c(1, 2, NA, 5), f = factor(c("u", "v", "u", "v")))
  x$v <- matrix(c(1:4, 1e300, 0, -1e300, 0), 4)
  z <- standardised_data(x)
  expect_identical(z$f, x$f)
  expect_equal(z$a, as.vector(scale(x$a)))
  expect_equal(apply(z$v, 2, sd), c(1, 1))
  expect_equal(apply(standardised_data(array(rnorm(24), 4:2)), 2:3, sd), matrix(1, 3, 2))
})

test_that("both fits of dag_gnn() use the same random numbers", {
  x <- bnlearn::gaussian.test[1:100, 1:3]
  x[] <- scale(x)
  quick <- dag_gnn_control(epochs = 2, max_rounds = 2)
  checked <- check_scale(x, control = quick)
  expect_equal(coef(checked$raw), coef(checked$standardised))
})

test_that("what people read", {
  raw <- bnlearn::model2network("[a][b|a][c|b][d]")
  other <- bnlearn::model2network("[b][a|b][c][d|c]")
  x <- data.frame(a = 1:9, b = (1:9)^2, c = sin(1:9), d = cos(1:9))
  expect_snapshot(check_scale(x, function(x) if (sd(x$a) > 1) raw else other))
  expect_snapshot(check_scale(x, function(x) raw))
})

test_that("wrong arguments are named", {
  expect_error(check_scale(1), "`x` must be", class = "daggnn_input_error")
  expect_error(
    check_scale(bnlearn::learning.test), "must have a continuous column",
    class = "daggnn_input_error"
  )
  expect_error(
    check_scale(bnlearn::gaussian.test, function(x) 1), "must return a bnlearn network",
    class = "daggnn_input_error"
  )
})
