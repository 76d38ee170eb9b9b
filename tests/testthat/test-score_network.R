# A network whose families are fitted to x, as dag_gnn() keeps them.
with_families <- function(dag, x, effects = "additive", density = "normal", scale = FALSE) {
  data <- samples(x, scale)
  adjacency <- bnlearn::amat(dag)
  control <- dag_gnn_control(effects = effects, density = density)
  families <- fit_families(data, edges_of_bn(dag, data$names), control)
  details <- list(
    learner = "dag_gnn", model = "mechanism", samples = data[setdiff(names(data), "values")],
    parameters = list(families = families), n = nrow(x), call = quote(dag_gnn(x = x))
  )
  new_network(adjacency[data$nodes, data$nodes], details, class = "dag_gnn")
}

curved_data <- function(n = 400) {
  set.seed(1)
  a <- rnorm(n)
  b <- 2 * sin(1.5 * a) + rnorm(n, sd = 0.5)
  data.frame(a = a, b = b, c = rnorm(n))
}

mixed_frame <- function(n = 400) {
  set.seed(2)
  f <- factor(sample(c("u", "v", "w"), n, TRUE))
  a <- as.integer(f) + rnorm(n)
  data.frame(
    f = f, a = a, b = ifelse(f == "v", -1, 1) * a + rnorm(n),
    g = factor(ifelse(a + rlogis(n) > 2, "yes", "no")), wide = I(cbind(a + rnorm(n), rnorm(n)))
  )
}
mixed_dag <- bnlearn::model2network("[f][a|f][b|f:a][g|a:f][wide|a]")

test_that("linear scores of complete continuous data are those of bnlearn", {
  x <- bnlearn::gaussian.test[1:300, ]
  for (net in list(bnlearn::hc(x), bnlearn::empty.graph(names(x)))) {
    for (type in c("loglik", "bic")) {
      expect_equal(
        network_score(net, x, type, effects = "linear"),
        bnlearn::score(net, x, type = paste0(type, "-g")), tolerance = 1e-7
      )
    }
  }
  by_node <- network_score(net, x, "loglik", effects = "linear", by_node = TRUE)
  expect_equal(by_node, bnlearn::score(net, x, type = "loglik-g", by.node = TRUE), tolerance = 1e-7)
})

test_that("scores of complete discrete data are those of bnlearn", {
  x <- bnlearn::learning.test[1:500, ]
  net <- bnlearn::hc(x)
  for (type in c("loglik", "bic")) {
    expect_equal(network_score(net, x, type), bnlearn::score(net, x, type = type))
  }
})

test_that("curves count where they are", {
  x <- curved_data()
  dag <- bnlearn::model2network("[a][b|a][c]")
  expect_gt(
    network_score(dag, x, "bic"), network_score(dag, x, "bic", effects = "linear") + 50
  )
  empty <- bnlearn::empty.graph(names(x))
  expect_gt(network_score(dag, x, "predictive"), network_score(empty, x, "predictive"))
})

test_that("an edge that does not help makes the predictive score smaller", {
  x <- curved_data()
  dag <- bnlearn::model2network("[a][b|a][c]")
  more <- bnlearn::model2network("[a][b|a][c|a:b]")
  expect_gt(network_score(more, x, "loglik"), network_score(dag, x, "loglik"))
  expect_lt(network_score(more, x, "predictive"), network_score(dag, x, "predictive"))
})

test_that("the predictive score is that of rows which were held out", {
  x <- bnlearn::gaussian.test[1:60, 1:3]
  dag <- bnlearn::empty.graph(names(x))
  sorted <- x[order(x$A), ]
  fold <- rep_len(1:4, 60)
  by_hand <- sum(vapply(1:4, function(k) {
    sum(mapply(function(seen, new) sum(dnorm(new, mean(seen), sd(seen), log = TRUE)),
      sorted[fold != k, ], sorted[fold == k, ]
    ))
  }, 0))
  expect_equal(network_score(dag, x, "predictive", folds = 4), by_hand, tolerance = 1e-8)
  expect_equal(network_score(dag, x[60:1, 3:1], "predictive", folds = 4), by_hand, tolerance = 1e-8)
})

test_that("mixed, vector-valued and incomplete data have scores", {
  x <- mixed_frame()
  empty <- bnlearn::empty.graph(names(x))
  holes <- x
  set.seed(3)
  for (name in c("f", "a", "b", "g")) holes[[name]][sample(400, 60)] <- NA
  for (data in list(x, holes)) {
    for (type in c("bic", "predictive")) {
      expect_gt(network_score(mixed_dag, data, type), network_score(empty, data, type) + 100)
    }
  }
  # Fewer observed values have a smaller sum of log densities.
  expect_gt(network_score(mixed_dag, holes, "loglik"), network_score(mixed_dag, x, "loglik"))
})

test_that("networks with undirected edges are directed first", {
  x <- bnlearn::gaussian.test[1:300, ]
  net <- bnlearn::hc(x)
  expect_equal(
    network_score(bnlearn::cpdag(net), x, "bic", effects = "linear"),
    network_score(net, x, "bic", effects = "linear"), tolerance = 1e-7
  )
  fitted <- bnlearn::bn.fit(net, x)
  expect_equal(network_score(fitted, x), network_score(net, x))
})

test_that("an estimated density is better where noise is not normal", {
  set.seed(4)
  x <- data.frame(a = rexp(500), b = rexp(500))
  x$b <- x$b + x$a
  dag <- bnlearn::model2network("[a][b|a]")
  expect_gt(
    network_score(dag, x, "predictive", effects = "linear", density = "estimated"),
    network_score(dag, x, "predictive", effects = "linear") + 100
  )
})

test_that("wrong arguments of network_score() are named", {
  x <- bnlearn::gaussian.test[1:50, ]
  net <- bnlearn::empty.graph(names(x))
  expect_error_snapshot({
    network_score(1, x)
    network_score(net, x[-1])
    network_score(net, x, "aic")
    network_score(net, x, "predictive", folds = 1)
    network_score(matrix(c(0, 0, 1, 1, 0, 0, 0, 1, 0), 3), x)
  })
})

test_that("families predict and simulate what the network says", {
  x <- mixed_frame()
  net <- with_families(mixed_dag, x)
  expected <- predict(net, x)
  expect_named(expected, names(x))
  expect_equal(mean(expected$b), mean(x$b), tolerance = 0.05)
  expect_lt(mean((x$b - expected$b)^2), 1.2)
  expect_identical(dim(expected$wide), c(400L, 2L))
  probabilities <- predict(net, x, type = "prob")
  expect_equal(rowSums(probabilities$g), rep(1, 400))
  expect_equal(residuals(net, x)$a, x$a - expected$a)
  holes <- x
  holes$a[1:5] <- NA
  expect_equal(predict(net, holes)$a, expected$a)
  expect_false(anyNA(predict(net, holes)$b))

  drawn <- simulate(net, 2000, seed = 1)
  expect_identical(levels(drawn$f), levels(x$f))
  expect_equal(mean(drawn$g == "yes"), mean(x$g == "yes"), tolerance = 0.1)
  expect_identical(drawn, simulate(net, 2000, seed = 1))
  apart <- bnlearn::drop.arc(net, "f", "a")
  apart <- simulate(apart, 2000, seed = 1)
  expect_lt(summary(lm(a ~ f, apart))$r.squared, 0.01)
})

test_that("families of scaled data give values in the units of the data", {
  x <- data.frame(a = rnorm(200, 50, 10), b = 0)
  x$b <- 3 * x$a + rnorm(200)
  dag <- bnlearn::model2network("[a][b|a]")
  raw <- with_families(dag, x, "linear")
  scaled <- with_families(dag, x, "linear", scale = TRUE)
  expect_equal(predict(raw, x), predict(scaled, x), tolerance = 1e-6)
  expect_equal(logLik(raw, x), logLik(scaled, x), tolerance = 1e-7)
})

test_that("logLik() and BIC() are those of the families", {
  x <- bnlearn::gaussian.test[1:300, ]
  net <- with_families(bnlearn::hc(x), x, "linear")
  value <- logLik(net, x)
  expect_s3_class(value, "logLik")
  expect_equal(as.numeric(value), bnlearn::score(net, x, type = "loglik-g"), tolerance = 1e-7)
  expect_equal(attr(value, "df"), bnlearn::nparams(net, x))
  expect_identical(attr(value, "nobs"), 300L)
  expect_equal(BIC(net, x), bnlearn::score(net, x, type = "bic-g"), tolerance = 1e-7)
  # The data are found again by their name.
  expect_identical(logLik(net), value)
  # Other rows have another likelihood under the same parameters.
  other <- bnlearn::gaussian.test[301:600, ]
  expect_lt(as.numeric(logLik(net, other)), bnlearn::score(net, other, type = "loglik-g"))
})

test_that("logLik() fits families where the network has none for its edges", {
  x <- bnlearn::gaussian.test[1:300, ]
  net <- with_families(bnlearn::hc(x), x, "linear")
  fewer <- bnlearn::drop.arc(net, "A", "C")
  expect_equal(as.numeric(logLik(fewer, x)), network_score(fewer, x), tolerance = 1e-7)
  expect_lt(as.numeric(logLik(fewer, x)), as.numeric(logLik(net, x)))
  found <- notears(x)
  expect_equal(as.numeric(logLik(found, x)), network_score(found, x), tolerance = 1e-7)
  expect_equal(BIC(found, x), network_score(found, x, "bic"), tolerance = 1e-7)
})

test_that("bnlearn's methods see fitted networks", {
  x <- bnlearn::gaussian.test[1:300, ]
  fitted <- bnlearn::bn.fit(with_families(bnlearn::hc(x), x), x)
  by_bnlearn <- bnlearn::score(bnlearn::bn.net(fitted), x, type = "loglik-g")
  expect_equal(as.numeric(logLik(fitted, x)), by_bnlearn, tolerance = 1e-3)
})

test_that("edges carry regression coefficients and shares", {
  x <- bnlearn::gaussian.test[1:300, ]
  data <- samples(x)
  dag <- bnlearn::amat(bnlearn::hc(x))[data$names, data$names]
  families <- fit_families(data, edge_list(dag), dag_gnn_control(effects = "linear"))
  weights <- as.matrix(families$weights)
  parents <- names(which(dag[, "F"] != 0))
  least_squares <- coef(lm(x$F ~ ., x[parents]))[-1]
  expect_equal(weights[parents, "F"], least_squares, tolerance = 1e-6)
  expect_equal(
    as.matrix(families$shares)[parents, "F"], least_squares * vapply(x[parents], sd, 0) / sd(x$F),
    tolerance = 1e-6
  )
  expect_true(all((weights != 0) == (dag != 0)))
})

test_that("families that were changed by hand are an error", {
  x <- bnlearn::gaussian.test[1:100, 1:2]
  net <- with_families(bnlearn::empty.graph(names(x)), x)
  net$daggnn$parameters$families$numbers <- 1:3
  expect_error_snapshot(predict(net, x))
})

test_that("equivalent discrete networks have the same held-out log-likelihood", {
  x <- bnlearn::learning.test[1:300, ]
  one <- bnlearn::model2network("[A][C][F][B|A][D|A:C][E|B:F]")
  other <- bnlearn::model2network("[B][C][F][A|B][D|A:C][E|B:F]")
  wrong <- bnlearn::model2network("[A][C][F][B|A][D|B:C][E|B:F]")
  held_out <- function(net, x) network_score(net, x, "predictive")
  expect_equal(held_out(one, x), held_out(other, x), tolerance = 1e-10)
  expect_gt(held_out(one, x), held_out(wrong, x) + 20)
  # With missing values they agree as far as their draws do.
  set.seed(1)
  x[] <- lapply(x, function(column) replace(column, stats::runif(300) < 0.3, NA))
  expect_lt(abs(held_out(one, x) - held_out(other, x)), 3)
  expect_gt(held_out(one, x), held_out(wrong, x) + 10)
})
