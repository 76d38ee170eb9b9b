# Weights that grow with what an edge explains, and some noise.
weighted_network <- function(x, arcs, class = "dag_gnn", ...) {
  net <- known_network(names(x), arcs, seq(2, 0.4, length.out = length(arcs)), class = class, ...)
  set.seed(3)
  A <- net$daggnn$weights
  absent <- A == 0 & upper.tri(A)
  A[absent] <- runif(sum(absent), 0, 0.2)
  net$daggnn$weights <- A
  net
}
gaussian_arcs <- c("A>C", "B>C", "B>D", "D>F", "A>F", "E>F", "G>F")

test_that("a number keeps the edges above it", {
  net <- gaussian_network(weights = c(1.5, 0.32, -0.8, 0.9, 1, 0.7, 2), class = "dag_gnn")
  fewer <- rethreshold(net, 0.75)
  expect_s3_class(fewer, c("dag_gnn", "daggnn", "bn"), exact = TRUE)
  expect_equal(bnlearn::narcs(fewer), 5)
  expect_identical(fewer$daggnn$threshold, 0.75)
  expect_true(all.equal(rethreshold(fewer, 0.3), net))
  expect_equal(bnlearn::narcs(rethreshold(net, Inf)), 0)
})

test_that("\"bic\" finds the threshold of the best BIC, for every kind of data", {
  cases <- list(
    list(x = bnlearn::gaussian.test, arcs = gaussian_arcs, type = "bic-g"),
    list(
      x = bnlearn::learning.test, arcs = c("A>B", "A>D", "C>D", "B>E", "F>E"), type = "bic"
    ),
    list(
      x = bnlearn::clgaussian.test, arcs = c("A>D", "B>D", "D>G", "C>H", "B>G"), type = "bic-cg"
    )
  )
  for (case in cases) {
    x <- case$x[1:1000, ]
    prior <- check_prior(names(x), blacklist = continuous_to_discrete(x))
    net <- weighted_network(x, case$arcs, prior = prior)
    best <- rethreshold(net, "bic", x)
    path <- best$daggnn$path
    # The slow, obvious twin: every threshold by bnlearn.
    twin <- vapply(path$threshold, function(threshold) {
      bnlearn::score(rethreshold(net, threshold), x, type = case$type)
    }, 0)
    expect_equal(path$bic, twin, tolerance = 1e-8)
    expect_equal(bnlearn::score(best, x, type = case$type), max(twin))
    expect_equal(path$edges[which.max(path$bic)], bnlearn::narcs(best))
    expect_identical(best$daggnn$threshold_rule, "bic")
  }
})

test_that("required edges are on the whole way, and forbidden ones nowhere", {
  x <- bnlearn::gaussian.test[1:500, ]
  prior <- check_prior(names(x), whitelist = c("C", "E"), blacklist = cbind("A", "C"))
  net <- weighted_network(x, gaussian_arcs, prior = prior)
  best <- rethreshold(net, "bic", x)
  expect_equal(min(best$daggnn$path$edges), 1)
  expect_identical(bnlearn::amat(best)["C", "E"], 1L)
  expect_identical(bnlearn::amat(best)["A", "C"], 0L)
  expect_identical(bnlearn::amat(rethreshold(net, 0))["A", "C"], 0L)
})

test_that("missing values cost rows where they are, and change the choice little", {
  x <- bnlearn::gaussian.test[1:2000, ]
  net <- weighted_network(x, gaussian_arcs)
  full <- rethreshold(net, "bic", x)
  set.seed(1)
  for (name in names(x)) x[sample(nrow(x), 100), name] <- NA
  holed <- rethreshold(net, "bic", x)
  expect_true(all(bnlearn::amat(holed)[cbind(c("A", "B", "D"), c("C", "D", "F"))] == 1))
  expect_equal(max(holed$daggnn$path$bic), max(full$daggnn$path$bic), tolerance = 0.02)
})

test_that("the way ends before a variable has more parameters than rows", {
  x <- bnlearn::learning.test[1:30, ]
  net <- weighted_network(x, c("A>F", "B>F", "C>F", "D>F", "E>F"))
  path <- rethreshold(net, "bic", x)$daggnn$path
  expect_lt(max(path$edges), 5)
})

test_that("collinear columns give finite scores", {
  x <- bnlearn::gaussian.test[1:200, ]
  x$B <- 2 * x$A
  x$C <- x$A + x$B
  net <- weighted_network(x, gaussian_arcs)
  expect_true(all(is.finite(rethreshold(net, "bic", x)$daggnn$path$bic)))
})

test_that("edges of the same strength come together", {
  net <- gaussian_network(weights = rep(1, 7), class = "dag_gnn")
  path <- rethreshold(net, "bic", bnlearn::gaussian.test)$daggnn$path
  expect_equal(path$edges, c(0, 7))
})

test_that("an edge that bnlearn cannot score ends the way with a warning", {
  x <- bnlearn::clgaussian.test[1:500, ]
  net <- known_network(names(x), c("A>D", "D>B"), c(2, 1), class = "dag_gnn")
  expect_warning(
    path <- rethreshold(net, "bic", x)$daggnn$path,
    "no BIC for an edge from a number to a factor (D -> B): the search", fixed = TRUE,
    class = "daggnn_warning"
  )
  expect_equal(path$edges, c(0, 1))
})

test_that("a whitelist that bnlearn cannot score leaves only numbers", {
  x <- bnlearn::clgaussian.test[1:500, ]
  prior <- check_prior(names(x), whitelist = c("D", "B"))
  net <- known_network(names(x), "D>B", 2, class = "dag_gnn", prior = prior)
  expect_error(
    suppressWarnings(rethreshold(net, "bic", x)), "whitelisted edges", class = "daggnn_input_error"
  )
})

test_that("\"bic\" keeps the required edges where no other is allowed", {
  x <- bnlearn::learning.test[1:50, c("A", "B")]
  prior <- check_prior(names(x), whitelist = cbind("A", "B"))
  net <- known_network(names(x), "A>B", 1, class = "dag_gnn", prior = prior)
  best <- rethreshold(net, "bic", x)
  expect_identical(bnlearn::modelstring(best), "[A][B|A]")
  expect_equal(best$daggnn$path$edges, 1)
})

test_that("wrong thresholds and data are named", {
  net <- gaussian_network(class = "dag_gnn")
  x <- bnlearn::gaussian.test[1:10, ]
  wide <- constant <- x
  wide$A <- as.matrix(x[c("A", "B")])
  constant$A <- 1
  expect_error_snapshot({
    rethreshold(net, -1)
    rethreshold(net, "best")
    rethreshold(net, "bic")
    rethreshold(net, "bic", bnlearn::learning.test)
    rethreshold(bnlearn::hc(bnlearn::gaussian.test), 1)
    rethreshold(net, "bic", wide)
    rethreshold(net, "bic", constant)
  })
})

test_that("an edge that improves nothing does not end the path by BIC", {
  set.seed(1)
  x <- data.frame(A = rnorm(200), B = rnorm(200))
  x$C <- x$B + rnorm(200)
  weights <- matrix(0, 3, 3, dimnames = list(names(x), names(x)))
  # The largest weight is noise.
  weights["A", "C"] <- 0.9
  weights["B", "C"] <- 0.5
  path <- bic_path(weights, check_prior(names(x), NULL, NULL), as.list(x))
  expect_identical(path$edges, c(0, 1, 2))
  expect_lt(path$bic[2], path$bic[1])
  expect_identical(which.max(path$bic), 3L)
})
