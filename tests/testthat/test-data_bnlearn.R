read <- function(...) utils::read.csv(text = c(...), stringsAsFactors = FALSE)

survey <- local({
  set.seed(3)
  n <- 120
  smoker <- sample(c("yes", "no", "formerly"), n, replace = TRUE)
  ill <- runif(n) < ifelse(smoker == "no", 0.2, 0.6)
  dose <- as.integer(20 + 10 * (smoker == "yes") + rnorm(n, 0, 3))
  data.frame(smoker, ill, dose, weight = 50 + dose + rnorm(n))
})

test_that("bnlearn takes what read.csv() makes, once it is in bnlearn's form", {
  net <- dag_gnn(survey, tiers = list(c("smoker", "ill"), c("dose", "weight")))
  expect_error(bnlearn::bn.fit(net, survey), "type: integer|type: character|type: logical")
  x <- bnlearn_data(survey)
  expect_identical(vapply(x, typeof, ""), c(
    smoker = "integer", ill = "integer", dose = "double", weight = "double"
  ))
  expect_s3_class(bnlearn::bn.fit(net, x), "bn.fit")
  expect_true(is.finite(bnlearn::score(net, x, type = "bic-cg")))
  expect_s3_class(bnlearn::hc(x), "bn")
})

test_that("values, rows and the order of columns stay; levels do not depend on the locale", {
  x <- survey
  x$smoker[2] <- NA
  x$dose[3] <- NA
  rownames(x) <- paste0("person", seq_len(nrow(x)))
  given <- bnlearn_data(x)
  expect_named(given, names(x))
  expect_identical(row.names(given), row.names(x))
  expect_identical(as.character(given$smoker), x$smoker)
  expect_equal(given$dose, x$dose)
  mixed_case <- bnlearn_data(data.frame(a = c("b", "A", "a", "B"), y = 1:4))
  expect_identical(levels(mixed_case$a), c("A", "B", "a", "b"))
})

test_that("factors keep their levels and their order, and a level NA is a missing value", {
  sizes <- c("small", "large", "huge")
  x <- data.frame(
    size = factor(c("small", "large", "small"), sizes, ordered = TRUE),
    kind = factor(c("a", NA, "b"), exclude = NULL)
  )
  given <- bnlearn_data(x)
  expect_identical(given$size, x$size)
  expect_identical(levels(given$kind), c("a", "b"))
  expect_identical(is.na(given$kind), c(FALSE, TRUE, FALSE))
})

test_that("tibbles, data.tables and matrices become plain data frames", {
  plain <- bnlearn_data(survey)
  expect_identical(class(plain), "data.frame")
  if (requireNamespace("tibble", quietly = TRUE)) {
    expect_identical(bnlearn_data(tibble::as_tibble(survey)), plain)
  }
  if (requireNamespace("data.table", quietly = TRUE)) {
    expect_identical(bnlearn_data(data.table::as.data.table(survey)), plain)
  }
  counts <- matrix(1:6, 3, dimnames = list(NULL, c("a", "b")))
  expect_identical(bnlearn_data(counts), data.frame(a = c(1, 2, 3), b = c(4, 5, 6)))
})

test_that("new data get the levels and columns of the old ones", {
  x <- bnlearn_data(survey)
  new <- read("weight,extra,smoker,dose,ill", "70,1,yes,21,TRUE", "60,2,no,20,FALSE")
  given <- bnlearn_data(new, like = x)
  expect_named(given, names(x))
  expect_identical(lapply(given, levels), lapply(x, levels))
  expect_type(given$dose, "double")
  holes <- bnlearn_data(transform(new, ill = NA, dose = NA), like = x)
  expect_identical(lapply(holes, class), lapply(x, class))
  expect_identical(levels(holes$ill), levels(x$ill))
  net <- dag_gnn(survey, tiers = list(c("smoker", "ill"), c("dose", "weight")))
  fitted <- bnlearn::bn.fit(net, x)
  expect_length(predict(fitted, "weight", given), 2)
})

test_that("what bnlearn cannot have is named", {
  x <- data.frame(day = as.Date("2020-01-01") + 0:2, a = 1:3)
  wide <- data.frame(a = 1:3)
  wide$signal <- matrix(1:6, 3)
  like <- bnlearn_data(survey)
  expect_error_snapshot({
    bnlearn_data(x)
    bnlearn_data(wide)
    bnlearn_data("survey.csv")
    bnlearn_data(survey, like = "x")
    bnlearn_data(survey[-1], like)
    bnlearn_data(transform(survey, smoker = "maybe"), like)
    bnlearn_data(transform(survey, smoker = 1), like)
  })
})
