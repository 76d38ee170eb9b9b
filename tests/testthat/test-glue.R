# What the compiled code says where R hands over something that it cannot take. R code checks its
# arguments long before; these are the last line of defence.

two_columns <- function(values = cbind(c(0, 1, 0, 1), c(1, 1, 0, 0)), kind = "discrete") {
  list(values = values, kind = c(kind, kind), width = c(2L, 2L))
}

score_two <- function(data, score = "bic") {
  none <- matrix(0L, 0, 2)
  local_scores_cpp(data, score, 1, 1L, list(forbidden = none, required = none), 1L, Inf)
}

test_that("a name that the core does not know is an error that lists the known ones", {
  expect_type(score_two(two_columns()), "list")
  expect_error(
    score_two(two_columns(), "bicc"),
    '`score` must be "bic", "aic" or "bde", not "bicc".',
    fixed = TRUE
  )
  expect_error(
    score_two(two_columns(kind = "ordinal")),
    '`kind` must be "continuous" or "discrete", not "ordinal".',
    fixed = TRUE
  )
})

test_that("samples that would be converted to a short-lived copy are refused", {
  integers <- cbind(c(0L, 1L, 0L, 1L), c(1L, 1L, 0L, 0L))
  expect_error(score_two(two_columns(integers)), "must be a matrix of doubles", fixed = TRUE)
  expect_error(score_two(two_columns(c(0, 1, 1, 0))), "must be a matrix of doubles", fixed = TRUE)
})
