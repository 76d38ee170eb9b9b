encoded <- function(..., scale = FALSE) samples(data.frame(..., check.names = FALSE), scale)

test_that("numbers stay as they are, levels become codes from 0", {
  data <- encoded(b = c(1.5, 2, NA), a = factor(c("y", "x", "y"), c("y", "x", "unused")))
  expect_identical(data$names, c("a", "b"))
  expect_identical(data$nodes, c("b", "a"))
  expect_identical(data$kind, c(a = "discrete", b = "continuous"))
  expect_identical(data$width, c(a = 3L, b = 1L))
  expect_identical(data$levels$a, c("y", "x", "unused"))
  expect_identical(data$values, cbind(c(0, 0, 1), c(1.5, NA, 2)))
  expect_identical(data$center, c(0, 0))
  expect_identical(data$scale, c(1, 1))
})

test_that("logical, character and factor columns mean the same", {
  logical <- c(TRUE, FALSE, NA, TRUE)
  other <- c(1, 2, 3, 4)
  as_logical <- encoded(a = logical, b = other)
  expect_identical(as_logical$values, cbind(c(0, 1, 1, NA), c(2, 1, 4, 3)))
  expect_identical(encoded(a = as.character(logical), b = other), as_logical)
  expect_identical(encoded(a = factor(logical), b = other), as_logical)
  expect_identical(encoded(a = addNA(factor(logical)), b = other), as_logical)
})

test_that("every form of the same numbers gives the same samples", {
  x <- data.frame(V1 = c(1, 2, 3), V2 = c(5, 4, 6))
  data <- samples(x)
  expect_identical(samples(as.matrix(x)), data)
  expect_identical(samples(unname(as.matrix(x))), data)
  expect_identical(samples(array(unlist(x), c(3, 2, 1))), data)
  expect_identical(samples(x[2:1])$values, data$values)
  skip_if_not_installed("tibble")
  expect_identical(samples(tibble::as_tibble(x)), data)
  skip_if_not_installed("data.table")
  expect_identical(samples(data.table::as.data.table(x)), data)
})

test_that("the order of rows does not matter, nor do rows that are there twice", {
  set.seed(4)
  numbers <- data.frame(a = stats::rnorm(40), b = stats::rnorm(40))
  tied <- data.frame(a = factor(sample(3, 40, TRUE)), b = sample(c(1:3, NA), 40, TRUE), c = 1:2)
  for (x in list(numbers, tied)) {
    for (scale in c(TRUE, FALSE)) {
      shuffled <- samples(x[sample(nrow(x)), ], scale)
      expect_identical(shuffled, samples(x, scale))
    }
  }
})

test_that("vector-valued variables come as matrix columns or as an array", {
  set.seed(1)
  x <- array(stats::rnorm(24), c(4, 2, 3), list(NULL, c("b", "a"), NULL))
  data <- samples(x)
  expect_identical(data$width, c(a = 3L, b = 3L))
  expect_identical(data$values, cbind(x[, "a", ], x[, "b", ])[order(x[, "a", 1]), ])
  frame <- data.frame(b = I(x[, "b", ]), a = I(x[, "a", ]))
  expect_identical(samples(frame), data)
  frame$c <- c(2.5, 1, 1, 1)
  expect_identical(samples(frame)$width, c(a = 3L, b = 3L, c = 1L))
})

test_that("a sparse 0/1 Matrix is discrete, in all its classes", {
  dense <- matrix(c(0, 1, 1, 0, 0, 1), 3, dimnames = list(NULL, c("b", "a")))
  sparse <- Matrix::Matrix(dense, sparse = TRUE)
  data <- samples(sparse)
  expect_identical(data$values, unname(dense[, c("a", "b")]))
  expect_identical(data$levels$a, c("FALSE", "TRUE"))
  expect_identical(samples(sparse != 0), data)
  expect_identical(samples(methods::as(sparse, "nMatrix")), data)
  expect_identical(samples(as.data.frame(dense == 1)), data)
  expect_identical(samples(Matrix::Diagonal(2))$values, diag(2)[2:1, ])
})

test_that("large sparse matrices need little more memory than their codes", {
  skip_unless_slow()
  set.seed(1)
  sparse <- Matrix::rsparsematrix(2e4, 500, 0.01, rand.x = function(k) rep(1, k))
  codes <- 8 * 2e4 * 500 / 2^20
  gc(reset = TRUE)
  before <- sum(gc()[, 2])
  data <- samples(sparse)
  expect_lt(sum(gc()[, 6]) - before, 3.5 * codes)
  expect_identical(dim(data$values), c(20000L, 500L))
})

test_that("standardised columns have mean 0 and deviation 1, at any scale", {
  set.seed(2)
  base <- stats::rnorm(50)
  for (size in c(1, 1e-12, 1e12, 1e-300, 1e300)) {
    data <- encoded(a = base * size, b = factor(base > 0), scale = TRUE)
    expect_equal(mean(data$values[, 1]), 0)
    expect_equal(stats::sd(data$values[, 1]), 1)
    expect_equal(data$scale[1] / size, stats::sd(base))
    expect_identical(c(data$center[2], data$scale[2]), c(0, 1))
  }
  shifted <- encoded(a = base + 1e9, b = base, scale = TRUE)
  expect_equal(shifted$values[, 1], shifted$values[, 2], tolerance = 1e-6)
})

test_that("names may be anything but empty, missing or twice", {
  nodes <- c("my var", "\u00e9t\u00e9", "if", "a\nb", "1")
  x <- stats::setNames(as.data.frame(matrix(stats::rnorm(20), 4)), nodes)
  expect_identical(samples(x)$nodes, nodes)
  expect_setequal(samples(x)$names, nodes)
  latin <- nodes
  latin[2] <- iconv(latin[2], "UTF-8", "latin1")
  expect_identical(samples(stats::setNames(x, latin)), samples(x))
})

test_that("thousands of levels are encoded", {
  x <- data.frame(a = sprintf("id %05d", 1:5000), b = seq_len(5000))
  expect_identical(samples(x)$width, c(a = 5000L, b = 1L))
  expect_identical(samples(x)$values[, 1], 0:4999 + 0)
})

test_that("new data are encoded as the data before them", {
  set.seed(3)
  x <- data.frame(b = stats::rnorm(20), a = factor(rep(c("u", "v"), 10), c("v", "u", "w")))
  x$c <- matrix(stats::rnorm(40), 20)
  # In the order that samples() would bring them into.
  x <- x[order(x$a, x$b), ]
  for (scale in c(TRUE, FALSE)) {
    data <- samples(x, scale)
    description <- data[setdiff(names(data), "values")]
    again <- samples_like(x, description)
    expect_equal(again[names(data)], data)
    shuffled <- x[c(5, 2), c("c", "a", "b")]
    shuffled$id <- as.Date("2020-01-01")
    expect_equal(samples_like(shuffled, description)$values, data$values[c(5, 2), ])
    missing <- x[1, ]
    missing[] <- list(NA, NA, NA)
    expect_true(all(is.na(samples_like(missing, description)$values)))
    missing$a <- "w"
    expect_identical(samples_like(missing, description)$values[1], 2)
  }
})

test_that("new data that do not fit are named", {
  x <- data.frame(a = c(1, 2, 3), b = c("u", "v", "u"))
  x$c <- matrix(c(1, 2, 3, 4, 6, 5), 3)
  description <- samples(x)
  changed <- function(name, value) {
    x[[name]] <- value
    x
  }
  expect_error_snapshot({
    samples_like(x[c("a", "c")], description)
    samples_like(x[0, ], description)
    samples_like(1:3, description)
    samples_like(changed("a", c("1", "2", "3")), description)
    samples_like(changed("b", 1:3), description)
    samples_like(changed("b", c("u", "w", "t")), description)
    samples_like(changed("c", 1:3), description)
    samples_like(changed("a", c(1, Inf, 2)), description)
    samples_like(changed("a", c(1, 1e200, 2)), description)
  })
})

test_that("what cannot be learned from gets one error that names the column", {
  fine <- data.frame(a = c(1, 2, 3), b = c(3, 1, 2))
  with_c <- function(value) {
    fine$c <- value
    fine
  }
  expect_error_snapshot({
    samples(NULL)
    samples("a")
    samples(mean)
    samples(list(a = 1:3, b = 1:3))
    samples(fine[, 0])
    samples(fine["a"])
    samples(fine[0, ])
    samples(matrix(0, 0, 0))
    samples(array(0, c(2, 2, 2, 2)))
    samples(matrix("a", 2, 2))
    samples(matrix(1i, 2, 2))
    samples(array("a", c(2, 2, 2)))
    samples(array(1:12 + 0, c(2, 6, 0)))
    samples(Matrix::Matrix(c(0, 2, 0, 1), 2, sparse = TRUE))
    samples(stats::setNames(fine, c("a", "a")))
    samples(stats::setNames(fine, c("a", "")))
    samples(stats::setNames(fine, c("a", NA)))
    samples(stats::setNames(fine, c("a", "\xff")))
    samples(with_c(7))
    samples(with_c(c(7, NA, 7)))
    samples(with_c("x"))
    samples(with_c(factor("x")))
    samples(with_c(factor(c("x", "x", NA), c("x", "y"))))
    samples(with_c(TRUE))
    samples(with_c(NA))
    samples(with_c(NA_real_))
    samples(with_c(NA_character_))
    samples(with_c(factor(NA, c("x", "y"))))
    samples(with_c(c(1, Inf, 2)))
    samples(with_c(c("\xff", "x", "y")))
    samples(with_c(list(1, 2, 3)))
    samples(with_c(as.Date("2020-01-01") + 0:2))
    samples(with_c(as.POSIXct("2020-01-01", tz = "UTC") + 0:2))
    samples(with_c(as.difftime(1:3, units = "days")))
    samples(with_c(c(1i, 2, 3)))
    samples(with_c(as.raw(1:3)))
    samples(with_c(structure(c(1, 2, 3), class = "integer64")))
    samples(with_c(cbind(1:3, 7)))
    samples(with_c(cbind(1:3, NA)))
    samples(with_c(cbind(c("a", "b", "c"))))
    samples(with_c(data.frame(d = 1:3)))
    samples(with_c(c(1, 2, 3) * 1e300))
    samples(with_c(c(1, 2, 3) * 1e-300))
    samples(fine, scale = NA)
    samples(structure(fine, names = NULL))
    samples(structure(list(a = 1:3, b = 1:2), class = "data.frame", row.names = 1:3))
    samples(with_c(structure(7L, levels = c("x", "y"), class = "factor")))
  })
})

test_that("too few rows to learn from are an error that names the argument", {
  few <- bnlearn::gaussian.test[1:9, 1:3]
  for (learner in list(dag_gnn, notears)) {
    expect_error(
      learner(few), "`x` must have at least 10 rows to learn a network from, not 9.", fixed = TRUE
    )
    # A single row is too few before it is constant.
    expect_error(learner(few[1, ]), "at least 10 rows", fixed = TRUE)
    expect_s3_class(learner(bnlearn::gaussian.test[1:10, 1:3]), "bn")
  }
})

test_that("time series are numbers", {
  x <- data.frame(y = ts(c(3.5, 1, 2, 8), start = 1990), z = c(1, 4, 2, 2))
  plain <- transform(x, y = as.numeric(y))
  expect_identical(samples(x)$values, samples(plain)$values)
  expect_identical(sapply(bnlearn_data(x), class), c(y = "numeric", z = "numeric"))
})
