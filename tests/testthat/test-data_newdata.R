rows <- bnlearn::gaussian.test[1:300, 1:4]

quick <- dag_gnn_control(epochs = 1, max_rounds = 1)

test_that("data are told from others by their fingerprint, whatever order and scale they have", {
  data <- samples(rows)
  expect_true(same_data(data, samples(rows[300:1, 4:1])))
  expect_true(same_data(data, samples(rows, scale = TRUE)))
  expect_false(same_data(data, samples(rows[1:299, ])))
  swapped <- rows
  swapped[1, 1] <- swapped[1, 1] + 0.001
  expect_false(same_data(data, samples(swapped)))
  expect_false(same_data(data, samples(stats::setNames(rows, LETTERS[11:14]))))
  # Sums of columns are the same, not what stands beside what.
  exchanged <- transform(rows, B = B[c(2, 1, 3:300)])
  expect_false(same_data(data, samples(exchanged)))
})

test_that("the sums of a fingerprint leave out what is missing", {
  values <- cbind(c(1, 2, 4), c(NA, 3, NA), NA)
  expect_identical(fingerprint(values), c(3, 7, 3, 0, 17, 6, 0))
})

test_that("a network finds its data again, from any function that can see them", {
  for (learn in list(function(x) dag_gnn(x, control = quick), function(x) notears(x))) {
    net <- learn(rows)
    x <- rows
    expect_identical(data_of(net, NULL, environment()), rows)
    expect_equal(fitted(net), fitted(net, rows))
    expect_equal(residuals(net), residuals(net, rows))
    expect_identical(
      bnlearn::arcs(rethreshold(net, "bic")), bnlearn::arcs(rethreshold(net, "bic", x))
    )
    expect_identical(summary(net), summary(net, x))
    expect_true("coefficient" %in% names(summary(net)$edges))
  }
  found <- dag_gnn(bnlearn::gaussian.test[1:300, 1:4], control = quick)
  expect_identical(data_of(found, NULL, environment()), rows)
})

test_that("data that are gone or are others now are not found", {
  x <- rows
  net <- notears(x)
  x[1, 1] <- 0
  expect_null(data_of(net, NULL, environment()))
  expect_error(fitted(net), "`x` must be the data", class = "daggnn_input_error")
  expect_error(residuals(net), "`x` must be the data", class = "daggnn_input_error")
  expect_error(rethreshold(net, "bic"), "`x` must be the data", class = "daggnn_input_error")
  expect_null(summary(net)$varsortability)
  expect_s3_class(rethreshold(net, 0.1), "notears")
  expect_null(data_of(net, NULL, emptyenv()))
  expect_identical(data_of(net, rows, emptyenv()), rows)
})

test_that("nothing is computed, drawn or read again", {
  harmless <- expression(x, a$x, bnlearn::asia, x[1:3, -c(1, 2)], a[["x"]])
  harmful <- expression(f(x), f(f), read.csv("x.csv"), simulate_sem(dag, 10), x[f(1)], f(1)$x, c(c))
  for (expression in harmless) expect_true(only_looks_up(expression))
  for (expression in harmful) expect_false(only_looks_up(expression))
  expect_false(only_looks_up(NULL))
})

test_that("do.call() does not put the data into the network", {
  net <- do.call(notears, list(rows))
  expect_identical(net$daggnn$call, quote(notears(x = x)))
})
