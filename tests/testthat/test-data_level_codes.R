x <- data.frame(
  a = factor(c("u", "v", "v", "w", "w", "w"), levels = c("w", "u", "v")),
  n = c(3, 1, 2, 5, 4, 6),
  b = factor(c("p", "q", "p", "p", NA, "q"), levels = c("never", "q", "p"))
)

test_that("the most frequent level has the code 0, and levels that never occur come last", {
  data <- with_level_codes(samples(x), "frequency")
  expect_identical(data$levels$a[data$codes$a], c("w", "v", "u"))
  expect_identical(data$levels$b[data$codes$b], c("p", "q", "never"))
  expect_null(data$codes$n)
  expect_identical(tabulate(data$values[, 1] + 1), 3:1)
  expect_identical(sort(data$values[, 3]), as.numeric(1:6))
})

test_that("new rows get the codes of the rows that were learned from", {
  data <- with_level_codes(samples(x), "frequency")
  again <- samples_like(x[c("b", "n", "a")], data[names(data) != "values"])
  expect_identical(sorted_rows(again$values), data$values)
  expect_identical(samples_like(x[1, ], data)$values, matrix(c(2, 0, 3), 1))
})

test_that("codes and places of levels lead back to each other", {
  codes <- c(3L, 1L, 2L)
  places <- c(0, 1, NA, 2)
  expect_identical(codes_from_places(places, codes), c(1, 2, NA, 0))
  expect_identical(places_from_codes(codes_from_places(places, codes), codes), places)
  expect_identical(codes_from_places(places, NULL), places)
  expect_identical(places_from_codes(places, NULL), places)
})

test_that("the axis puts the levels of ordered variables in their order, whatever their names", {
  set.seed(1)
  trait <- rnorm(2000)
  grade <- function(cuts) cut(trait + rnorm(2000), c(-Inf, cuts, Inf), labels = FALSE)
  ordered <- list(a = grade(c(-1, 0.2, 1.5)), b = grade(c(-0.5, 1)), c = grade(c(-2, -1, 0.3)))
  shuffled <- as.data.frame(lapply(ordered, function(k) factor(c("d", "a", "c", "b")[k])))
  data <- with_level_codes(samples(shuffled), "axis")
  for (name in names(ordered)) {
    found <- match(data$levels[[name]][data$codes[[name]]], c("d", "a", "c", "b"))
    expect_true(all(diff(found) == 1) || all(diff(found) == -1))
  }
  # The same axis from counts of all rows by hand.
  levels <- table(shuffled$b)
  by_hand <- cbind(table(shuffled$b, shuffled$a), table(shuffled$b, shuffled$c))
  decomposed <- svd((by_hand - outer(rowSums(by_hand) / 2, colSums(by_hand)) / 2000) /
    sqrt(outer(rowSums(by_hand) / 2, colSums(by_hand)) / 2000))
  expected <- decomposed$u[, 1] / sqrt(as.numeric(levels))
  scores <- first_axis(as.numeric(levels), by_hand, rep(1:2, c(4, 4)))
  expect_equal(abs(scores), abs(expected))
})

test_that("levels that never occur come last on the axis too, and missing values stay missing", {
  data <- with_level_codes(samples(x[c("a", "b")]), "axis")
  expect_identical(data$levels$b[data$codes$b[3]], "never")
  expect_identical(sum(is.na(data$values)), 1L)
})
