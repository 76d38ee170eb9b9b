test_that("BIC needs complete and scalar data, and says which column is not", {
  x <- data.frame(a = c(1, NA, 3), b = 1:3)
  expect_error(scorable(x, "This"), "column \"a\" of `x` has missing", class = "daggnn_input_error")
  x <- data.frame(a = 1:3)
  x$b <- matrix(1:6, 3)
  expect_error(scorable(x, "This"), "column \"b\" of `x` is a matrix", class = "daggnn_input_error")
})

test_that("bnlearn's BIC goes by the kinds of the columns", {
  expect_identical(bic_type(bnlearn::learning.test), "bic")
  expect_identical(bic_type(bnlearn::gaussian.test), "bic-g")
  expect_identical(bic_type(bnlearn::clgaussian.test), "bic-cg")
})
