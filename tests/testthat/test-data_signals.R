vector_data <- function(m = 6, n = 3000, seed = 31) {
  set.seed(seed)
  dag <- random_dag(m)
  list(dag = dag, x = simulate_sem(dag, n, "vector"))
}

test_that("signals are the shared direction of the components, and the rest is error", {
  set.seed(1)
  n <- 20000
  u <- c(2, -1, 2) / 3
  x <- data.frame(id = seq_len(n))
  x$a <- outer(3 * rnorm(n), u) + 5 + matrix(rnorm(3 * n, sd = 0.5), n)
  x$b <- outer(2 * rnorm(n), u) + matrix(rnorm(3 * n, sd = 0.5), n)
  x$id <- NULL
  data <- samples(x, latent = 1)
  expect_equal(unname(data$width), c(1, 1))
  expect_equal(unname(data$components), c(3, 3))
  expect_equal(abs(data$signals$a$directions[, 1]), abs(u), tolerance = 0.02)
  expect_equal(data$signals$a$center, c(5, 5, 5), tolerance = 0.02)
  expect_equal(data$error, c(0.25, 0.25), tolerance = 0.03)
  expect_equal(apply(data$values, 2, sd), c(sqrt(9.25), sqrt(4.25)), tolerance = 0.03)
  scaled <- samples(x, scale = TRUE, latent = 1)
  expect_equal(scaled$error, data$error / apply(data$values, 2, var))
})

test_that("variables with no more components than signals stay as they are", {
  x <- vector_data()$x
  x$V1 <- x$V1[, 1]
  data <- samples(x, latent = 2)
  expect_equal(data$width[["V1"]], 1)
  expect_null(data$signals$V1)
  expect_equal(data$width[["V2"]], 2)
  expect_identical(samples(x, latent = 5)$values, samples(x)$values)
  single <- samples(bnlearn::gaussian.test, latent = 1)
  control <- complete_control(dag_gnn_control(latent = 1), "mechanism", single)
  expect_equal(control$hidden, 8)
})

test_that("a signal is told by the components that are not missing", {
  x <- vector_data()$x
  whole <- samples(x, latent = 1)
  signal <- whole$signals$V2
  exact <- components_from_signals(matrix(1:3), signal)
  gappy <- exact
  gappy[1, 2] <- NA
  gappy[2, ] <- NA
  expect_equal(signals_from_components(exact, signal), matrix(c(1, 2, 3)))
  expect_equal(signals_from_components(gappy, signal), matrix(c(1, NA, 3)))
})

test_that("the graph between signals is learned from what is seen with error", {
  data <- vector_data()
  net <- dag_gnn(data$x, control = dag_gnn_control(latent = 1))
  expect_lte(dag_metrics(data$dag, net)$shd, 1)
  expect_equal(net$daggnn$control$hidden, 0)
})

test_that("predictions and draws have the components of the data", {
  data <- vector_data(4, 1000)
  net <- dag_gnn(data$x, control = dag_gnn_control(latent = 1))
  predicted <- predict(net, data$x)
  expect_equal(dim(predicted$V3), c(1000, 5))
  left <- residuals(net, data$x)
  for (node in names(data$x)) {
    # A variable without parents is predicted by its mean.
    expect_lt(sum(left[[node]]^2), sum(sweep(data$x[[node]], 2, colMeans(data$x[[node]]))^2) + 1e-6)
  }
  drawn <- simulate(net, 4000, seed = 1)
  expect_equal(cov(drawn$V3), cov(data$x$V3), tolerance = 0.25)
})

test_that("vector-valued variables with missing components train to the end", {
  x <- vector_data(4, 500)$x
  x$V1[1:20, 2] <- NA
  x$V2[5, ] <- NA
  net <- dag_gnn(x, control = dag_gnn_control(latent = 1))
  expect_true(bnlearn::acyclic(net) && bnlearn::directed(net))
  expect_false(anyNA(predict(net, x)$V2))
})
