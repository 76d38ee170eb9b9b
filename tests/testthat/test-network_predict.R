# One short fit for each model and kind of data.
quick <- dag_gnn_control(epochs = 5, max_rounds = 3)

mixed_data <- function(n = 300) {
  set.seed(1)
  a <- rnorm(n)
  wide <- cbind(p = a + rnorm(n), q = -a + rnorm(n))
  data.frame(
    number = a, wide = I(wide), text = ifelse(a + rnorm(n) > 0, "up", "down"),
    flag = a + rnorm(n) > 0, level = cut(a + rnorm(n), c(-Inf, -1, 1, Inf), c("l", "m", "h"))
  )
}
fits <- local({
  x <- mixed_data()
  set.seed(2)
  lapply(c(vae = "vae", mechanism = "mechanism"), function(model) {
    suppressWarnings(dag_gnn(x, model = model, threshold = 0.3, control = quick))
  })
})

for (model in names(fits)) {
  test_that(paste("predictions have the form of the data:", model), {
    x <- mixed_data()
    net <- fits[[model]]
    expected <- predict(net, x[1:20, 5:1])
    expect_named(expected, names(x))
    expect_identical(dim(expected), c(20L, 5L))
    expect_type(expected$number, "double")
    expect_identical(dim(expected$wide), c(20L, 2L))
    expect_identical(colnames(expected$wide), c("p", "q"))
    expect_type(expected$text, "character")
    expect_type(expected$flag, "logical")
    expect_identical(levels(expected$level), c("l", "m", "h"))

    probabilities <- predict(net, x, type = "prob")
    expect_equal(rowSums(probabilities$level), rep(1, nrow(x)))
    expect_identical(colnames(probabilities$text), c("down", "up"))
    expect_identical(predict(net, x)$text == "up", probabilities$text[, "up"] > 0.5)
    expect_identical(fitted(net, x), predict(net, x))
  })

  test_that(paste("residuals are what was not expected:", model), {
    x <- mixed_data()
    net <- fits[[model]]
    left <- residuals(net, x)
    expect_equal(left$number, x$number - predict(net, x)$number)
    expect_equal(unclass(left$wide), unclass(x$wide) - predict(net, x)$wide, ignore_attr = TRUE)
    probability <- predict(net, x, type = "prob")$flag
    expect_equal(left$flag[, "TRUE"], x$flag - probability[, "TRUE"])
  })

  test_that(paste("missing values are no obstacle:", model), {
    x <- mixed_data()
    x[1:5, "number"] <- NA
    x[3:8, "text"] <- NA
    expect_false(anyNA(predict(fits[[model]], x), recursive = TRUE))
    expect_identical(is.na(residuals(fits[[model]], x)$number[1:6]), c(rep(TRUE, 5), FALSE))
  })

  test_that(paste("new rows look like the data, and a seed repeats them:", model), {
    x <- mixed_data()
    set.seed(5)
    before <- .Random.seed
    rows <- simulate(fits[[model]], 50, seed = 3)
    expect_identical(.Random.seed, before)
    expect_identical(rows, simulate(fits[[model]], 50, seed = 3))
    expect_false(identical(rows, simulate(fits[[model]], 50)))
    expect_named(rows, names(x))
    expect_identical(dim(rows), c(50L, 5L))
    expect_identical(dim(rows$wide), c(50L, 2L))
    expect_identical(levels(rows$level), c("l", "m", "h"))
    expect_false(anyNA(rows, recursive = TRUE))
  })
}

test_that("standardised training predicts in the units of the data", {
  set.seed(1)
  a <- rnorm(500)
  x <- data.frame(a = 100 + 10 * a, b = -3 + 0.1 * a + rnorm(500, 0, 0.01))
  net <- dag_gnn(x, whitelist = c("a", "b"), scale = TRUE, threshold = 0.3)
  expect_gt(cor(predict(net, x)$b, x$b), 0.9)
  expect_lt(abs(mean(residuals(net, x)$b)), 0.03)
  set.seed(2)
  rows <- simulate(net, 2000)
  expect_lt(abs(mean(rows$a) - 100), 2)
  expect_lt(abs(mean(rows$b) + 3), 0.03)
})

test_that("a column that is not there counts as missing", {
  x <- mixed_data()
  for (net in fits) {
    for (name in names(x)) {
      unknown <- x
      unknown[[name]] <- NA
      expect_equal(
        suppressWarnings(predict(net, x[names(x) != name], "prob")), predict(net, unknown, "prob")
      )
    }
  }
})

test_that("a parent that is not there is told, a child is not", {
  x <- bnlearn::gaussian.test[1:300, ]
  net <- notears(x[1:3], whitelist = rbind(c("A", "C"), c("B", "C")), threshold = 10)
  expect_silent(predict(net, x[c("A", "B")]))
  expect_silent(predict(net, node = "A", data = x["B"]))
  expect_warning(predict(net, x[c("A", "C")]), "`newdata` lacks \"B\", a parent")
  expect_warning(predict(net, node = "C", data = x["A"]), "`data` lacks \"B\", a parent")
})

test_that("one variable is predicted in bnlearn's form, by names or without", {
  x <- mixed_data()
  net <- fits$mechanism
  for (name in names(x)) {
    expect_identical(predict(net, node = name, data = x), predict(net, x)[[name]])
    expect_identical(predict(net, name, x), predict(net, x)[[name]])
    expect_identical(predict(net, x, node = name), predict(net, x)[[name]])
  }
  expect_identical(
    predict(net, node = "text", data = x, type = "prob"), predict(net, x, type = "prob")$text
  )
})

test_that("data without a name are asked for by the name of the argument", {
  net <- bnlearn::gaussian.test[1:100, ] |> transform(A = A + 1) |> notears()
  expect_error_snapshot({
    fitted(net)
    residuals(net)
  })
  expect_identical(dim(fitted(net, x = bnlearn::gaussian.test)), c(5000L, 7L))
})

test_that("what cannot be predicted is named", {
  x <- mixed_data()
  net <- fits$mechanism
  expect_error_snapshot({
    predict(net)
    predict(net, node = "nowhere", data = x)
    predict(net, node = "number")
    predict(net, data.frame(other = 1:3))
    predict(net, x, type = "class")
    simulate(net, 0)
    simulate(net, 1, seed = "a")
  })
  x$text[2] <- "sideways"
  expect_error_snapshot(predict(net, x))
  exact <- exact_dag(bnlearn::gaussian.test[1:100, 1:3])
  expect_error_snapshot(predict(exact, bnlearn::gaussian.test))
})

test_that("the linear model predicts by its equations", {
  x <- bnlearn::gaussian.test[1:500, ]
  net <- notears(x)
  A <- coef(net)
  centred <- scale(as.matrix(x), scale = FALSE)
  expect_equal(as.matrix(predict(net, x)), centred %*% A + attr(centred, "scaled:center")[col(x)],
    ignore_attr = TRUE
  )
  holed <- x
  holed$A[1:3] <- NA
  expect_false(anyNA(predict(net, holed)))
})

test_that("rows of the linear model have the moments of the data", {
  set.seed(4)
  a <- rnorm(3000, 5)
  x <- data.frame(b = 2 * a + rnorm(3000), a = a)
  net <- notears(x, whitelist = c("a", "b"), threshold = 0.1)
  rows <- simulate(net, 3000, seed = 1)
  expect_equal(colMeans(rows), colMeans(x), tolerance = 0.05)
  expect_equal(cov(rows), cov(x), tolerance = 0.1)
})

test_that("binary columns of the linear model get probabilities", {
  set.seed(4)
  a <- rnorm(2000) > 0
  x <- data.frame(a = a, b = ifelse(a, runif(2000) < 0.9, runif(2000) < 0.1))
  net <- notears(x, whitelist = c("a", "b"), threshold = 0.1)
  probability <- predict(net, x, type = "prob")$b[, "TRUE"]
  expect_equal(mean(probability), mean(x$b), tolerance = 0.05)
  expect_type(predict(net, x)$b, "logical")
  rows <- simulate(net, 2000, seed = 1)
  expect_equal(mean(rows$b == "TRUE"), mean(x$b), tolerance = 0.1)
})

test_that("what is wrong with the data is said of the argument that the user gave", {
  net <- notears(bnlearn::gaussian.test[1:100, ])
  for (method in list(fitted, residuals)) {
    expect_error(method(net, x = 1), "`x` must be a data frame", class = "daggnn_input_error")
    expect_error(
      method(net, x = bnlearn::gaussian.test[1:5, 1:3]), "`x` must have all variables",
      class = "daggnn_input_error"
    )
  }
  expect_error(
    predict(net, newdata = 1), "`newdata` must be a data frame", class = "daggnn_input_error"
  )
})
