# NOTEARS as its authors wrote it, on R's own optim(): a slow, independent twin. G: the covariance.
slow_notears <- function(G, lambda) {
  m <- nrow(G)
  exponential <- function(S) {
    term <- total <- diag(m)
    for (k in 1:60) total <- total + (term <- term %*% S / k)
    total
  }
  as_weights <- function(w) matrix(w[seq_len(m^2)] - w[m^2 + seq_len(m^2)], m)
  h_of <- function(A) sum(diag(exponential(A * A))) - m
  multiplier <- 0
  c <- 1
  objective <- function(w) {
    A <- as_weights(w)
    h <- h_of(A)
    R <- diag(m) - A
    sum(R * (G %*% R)) / 2 + lambda * sum(w) + multiplier * h + c / 2 * h^2
  }
  gradient <- function(w) {
    A <- as_weights(w)
    E <- exponential(A * A)
    dA <- G %*% (A - diag(m)) + (multiplier + c * (sum(diag(E)) - m)) * 2 * t(E) * A
    c(dA + lambda, -dA + lambda)
  }
  upper <- rep(ifelse(diag(m) == 1, 0, Inf), 2)
  w <- numeric(2 * m^2)
  h <- Inf
  repeat {
    w <- optim(
      w, objective, gradient, method = "L-BFGS-B", lower = 0, upper = upper,
      control = list(maxit = 15000, factr = 1e4, pgtol = 0)
    )$par
    new_h <- h_of(as_weights(w))
    multiplier <- multiplier + c * new_h
    if (new_h > h / 4) c <- c * 10
    h <- new_h
    if (h <= 1e-8 || c > 1e16) break
  }
  as_weights(w)
}

linear_data <- function(m, n, seed, degree = 2) {
  set.seed(seed)
  dag <- random_dag(m, degree)
  list(dag = dag, x = simulate_sem(dag, n))
}

test_that("the optimum is the one that optim() finds", {
  for (seed in 1:2) {
    x <- linear_data(4, 500, seed)$x
    # In one unit of variance, as notears() solves it.
    x <- x / sqrt(mean(sapply(x, function(v) mean((v - mean(v))^2))))
    G <- crossprod(scale(as.matrix(x), scale = FALSE)) / nrow(x)
    for (lambda in c(0, 0.05)) {
      fast <- unname(coef(notears(x, lambda = lambda)))
      expect_equal(fast, slow_notears(G, lambda), tolerance = 1e-2)
    }
  }
})

test_that("linear data give their network back", {
  for (m in c(10, 20)) {
    data <- linear_data(m, 5000, 2)
    net <- notears(data$x)
    expect_s3_class(net, c("notears", "daggnn", "bn"), exact = TRUE)
    expect_identical(net$daggnn$reason, "converged")
    expect_equal(dag_metrics(data$dag, net)$shd, 0)
  }
})

test_that("bnlearn takes the network", {
  x <- bnlearn::gaussian.test
  net <- notears(x)
  expect_true(is.finite(bnlearn::score(net, x, type = "bic-g")))
  expect_s3_class(bnlearn::bn.fit(net, x), "bn.fit")
})

test_that("the rounds are kept, and h falls to its tolerance", {
  trace <- notears(linear_data(5, 300, 1)$x)$daggnn$trace
  expect_named(trace, c("round", "epochs", "h", "c", "lambda", "loss", "seconds"))
  expect_lte(tail(trace$h, 1), 1e-8)
  expect_true(all(diff(trace$c) >= 0))
})

test_that("the loss is in the units of the data", {
  data <- linear_data(5, 300, 1)
  net <- notears(data$x)
  x <- scale(as.matrix(data$x), scale = FALSE)
  by_hand <- sum((x - x %*% coef(net))^2) / (2 * nrow(x))
  expect_equal(tail(net$daggnn$trace$loss, 1), by_hand, tolerance = 1e-8)
})

test_that("whitelist, blacklist and tiers hold", {
  data <- linear_data(6, 500, 3)
  x <- data$x
  arcs <- bnlearn::arcs(notears(x))
  blacklisted <- notears(x, blacklist = arcs[1:2, ])
  expect_false(any(duplicated(rbind(arcs[1:2, ], bnlearn::arcs(blacklisted)))))
  expect_identical(unname(coef(blacklisted)[arcs[1:2, ]]), c(0, 0))
  whitelisted <- notears(x, whitelist = arcs[1, 2:1])
  expect_true(all(bnlearn::amat(whitelisted)[arcs[1, 2], arcs[1, 1]] == 1))
  late <- names(x)[1:2]
  tiered <- notears(x, tiers = list(setdiff(names(x), late), late))
  expect_false(any(bnlearn::amat(tiered)[late, setdiff(names(x), late)] == 1))
})

test_that("a penalty shrinks the weights, except those of the whitelist", {
  x <- linear_data(5, 500, 4)$x
  sums <- sapply(c(0, 0.5, 5), function(lambda) sum(abs(coef(notears(x, lambda = lambda)))))
  expect_true(all(diff(sums) < 0))
  arc <- bnlearn::arcs(notears(x))[1, ]
  kept <- notears(x, lambda = Inf, whitelist = arc)
  expect_identical(unname(bnlearn::arcs(kept)), matrix(unname(arc), 1))
  expect_gt(abs(coef(kept)[arc[1], arc[2]]), 0.1)
})

test_that("columns in another order give the same network", {
  x <- linear_data(8, 500, 5)$x
  net <- notears(x)
  for (trial in 1:3) {
    shuffled <- notears(x[sample(8)])
    expect_equal(coef(shuffled)[names(x), names(x)], coef(net), tolerance = 1e-12)
  }
})

test_that("one factor for all columns changes nothing, however large or small", {
  x <- linear_data(6, 500, 6)$x
  net <- notears(x)
  for (factor in c(1e-70, 1e-6, 1e6, 1e70)) {
    expect_equal(coef(notears(x * factor)), coef(net), tolerance = 1e-6)
  }
})

test_that("standardised columns do not notice their units, and weights are in those units", {
  x <- linear_data(6, 500, 6)$x
  net <- notears(x, scale = TRUE)
  factors <- 10^seq(-9, 9, length.out = 6)
  in_units <- notears(as.data.frame(Map(`*`, x, factors)), scale = TRUE)
  expect_identical(bnlearn::amat(in_units), bnlearn::amat(net))
  expect_equal(coef(in_units), coef(net) * outer(1 / factors, factors), tolerance = 1e-6)
  expect_equal(coef(in_units, "shares"), coef(net, "shares"), tolerance = 1e-6)
})

test_that("columns whose units are too far apart are named", {
  x <- linear_data(4, 100, 1)$x
  x[[2]] <- x[[2]] * 1e20
  expect_error(notears(x), "\"V2\".*scale = TRUE", class = "daggnn_input_error")
  expect_no_error(notears(x, scale = TRUE))
})

test_that("collinear columns and copies are no trouble", {
  x <- linear_data(4, 200, 1)$x
  x$copy <- x$V1
  x$sum <- x$V2 + x$V3
  expect_true(all(is.finite(coef(notears(x)))))
})

test_that("the logistic loss finds a chain of 0/1 variables", {
  set.seed(1)
  a <- runif(3000) < 0.5
  b <- runif(3000) < ifelse(a, 0.9, 0.1)
  c <- runif(3000) < ifelse(b, 0.85, 0.1)
  x <- data.frame(a, b, c)
  net <- notears(x, lambda = 0.01)
  expect_identical(net$daggnn$loss, "logistic")
  joined <- bnlearn::amat(net) + t(bnlearn::amat(net))
  expect_identical(unname(joined[upper.tri(joined)]), c(1L, 0L, 1L))
  as_numbers <- notears(as.data.frame(lapply(x, as.numeric)), lambda = 0.01, loss = "logistic")
  expect_equal(coef(as_numbers), coef(net))
  expect_identical(bnlearn::amat(notears(x, lambda = 0.01, scale = TRUE)), bnlearn::amat(net))
  sparse <- notears(Matrix::Matrix(as.matrix(x) * 1, sparse = TRUE), lambda = 0.01)
  expect_equal(coef(sparse), coef(net))
})

test_that("for one child the logistic loss is logistic regression", {
  set.seed(2)
  x <- data.frame(a = rbinom(500, 1, 0.4), b = rbinom(500, 1, 0.6))
  x$y <- rbinom(500, 1, plogis(-1 + 2 * x$a - 1.5 * x$b))
  forbidden <- expand.grid(from = c("a", "b", "y"), to = c("a", "b"), stringsAsFactors = FALSE)
  net <- notears(x, loss = "logistic", blacklist = forbidden[forbidden$from != forbidden$to, ])
  expect_equal(
    unname(coef(net)[c("a", "b"), "y"]), unname(coef(glm(y ~ a + b, binomial, x))[-1]),
    tolerance = 1e-3
  )
})

test_that("missing values are skipped, not fatal", {
  data <- linear_data(6, 2000, 2)
  holes <- data$x
  set.seed(1)
  holes[] <- lapply(holes, function(v) replace(v, runif(2000) < 0.1, NA))
  shd <- function(x) dag_metrics(data$dag, notears(x))$shd
  expect_lte(shd(holes), shd(data$x) + 1)
  few <- holes[1:20, ]
  few[] <- lapply(few, function(v) replace(v, runif(20) < 0.3, NA))
  expect_true(all(is.finite(coef(notears(few)))))
  binary <- as.data.frame(lapply(holes, function(v) v > 0))
  expect_true(all(is.finite(coef(notears(binary, lambda = 0.01)))))
})

test_that("two columns that are never seen together are named", {
  x <- linear_data(4, 20, 1)$x
  x$V1[1:10] <- NA
  x$V3[11:20] <- NA
  expect_error(notears(x), "\"V3\" and \"V1\"|\"V1\" and \"V3\"", class = "daggnn_input_error")
})

test_that("nearest_semidefinite() lifts negative eigenvalues to zero", {
  indefinite <- matrix(c(1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1), 3)
  lifted <- nearest_semidefinite(indefinite)
  before <- eigen(indefinite)$values
  expect_equal(eigen(lifted)$values, pmax(before, 0), tolerance = 1e-12)
  expect_identical(nearest_semidefinite(diag(3)), diag(3))
})

test_that("a start is taken up", {
  x <- linear_data(6, 500, 3)$x
  net <- notears(x)
  again <- notears(x, start = net)
  expect_identical(bnlearn::amat(again), bnlearn::amat(net))
  from_hc <- notears(x, start = bnlearn::hc(x))
  expect_identical(from_hc$daggnn$reason, "converged")
  # With no time to move, the start is what comes back.
  stopped <- suppressWarnings(notears(x, start = bnlearn::hc(x), time_limit = 0, threshold = 1e-6))
  expect_identical(bnlearn::amat(stopped), bnlearn::amat(bnlearn::hc(x)))
  node <- bnlearn::arcs(stopped)[1, "to"]
  parents <- bnlearn::parents(stopped, node)
  regression <- lm(reformulate(parents, node), x)
  expect_equal(unname(coef(stopped)[parents, node]), unname(coef(regression)[-1]), tolerance = 1e-6)
})

test_that("a time limit gives back a network and says so", {
  x <- linear_data(10, 200, 1)$x
  expect_warning(net <- notears(x, time_limit = 0), "time_limit", class = "daggnn_warning")
  expect_identical(net$daggnn$reason, "time_limit")
  expect_true(bnlearn::acyclic(net))
})

test_that("debug prints a line for each round", {
  out <- capture.output(net <- notears(linear_data(4, 200, 1)$x, debug = TRUE))
  expect_length(out, nrow(net$daggnn$trace))
  expect_match(out[1], "round 1")
})

test_that("the threshold can be left to the BIC", {
  data <- linear_data(6, 500, 3)
  net <- notears(data$x, threshold = "bic")
  expect_identical(net$daggnn$threshold_rule, "bic")
  expect_identical(bnlearn::amat(net), bnlearn::amat(rethreshold(notears(data$x), "bic", data$x)))
})

test_that("data that it cannot take get a sentence", {
  expect_error_snapshot({
    notears(bnlearn::clgaussian.test)
    notears(bnlearn::learning.test)
    notears(bnlearn::gaussian.test, loss = "logistic")
    notears(array(rnorm(60), c(10, 3, 2)))
    notears(bnlearn::gaussian.test, loss = "huber")
    notears(bnlearn::gaussian.test, lambda = -1)
    notears(bnlearn::gaussian.test, start = bnlearn::empty.graph(c("a", "b")))
    notears(bnlearn::gaussian.test, start = 3)
  })
})
