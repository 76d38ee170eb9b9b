expect_certified <- function(net, x, type, ...) {
  expect_true(net$optimal)
  expect_identical(net$gap, 0)
  expect_true(bnlearn::acyclic(net))
  expect_equal(net$score, bnlearn::score(net, x, type = type, ...), tolerance = 1e-10)
}

expect_best_of_all <- function(m, seed) {
  x <- random_factors(100, m, seed)
  for (type in c("bic", "bde")) {
    net <- exact_dag(x, maxp = 4, score = type)
    expect_certified(net, x, type)
    expect_equal(net$score, best_by_hand(x, type), tolerance = 1e-10)
  }
  x <- random_numbers(50, m, seed)
  net <- exact_dag(x, maxp = 2)
  expect_certified(net, x, "bic-g")
  expect_equal(net$score, best_by_hand(x, "bic-g", maxp = 2), tolerance = 1e-10)
}

test_that("no DAG of four nodes is better, discrete and Gaussian", {
  for (seed in 1:2) expect_best_of_all(4, seed)
})

test_that("no DAG of five nodes is better, discrete and Gaussian", {
  skip_unless_slow()
  expect_best_of_all(5, 3)
})

test_that("lists and tiers hold, and the network is the best of those that are left", {
  x <- random_factors(100, 4, 5)
  nodes <- names(x)
  whitelist <- cbind(nodes[1], nodes[2])
  blacklist <- cbind(nodes[c(3, 4)], nodes[c(4, 3)])
  tiers <- list(nodes[1], nodes[2:4])
  net <- exact_dag(x, whitelist, blacklist, tiers = tiers)
  rules <- check_prior(nodes, whitelist, blacklist, tiers)
  adjacency <- bnlearn::amat(net)
  required <- required_edges(rules)
  allowed <- allowed_edges(rules)
  expect_true(all(adjacency[required] == 1))
  expect_true(all(allowed[adjacency == 1]))
  best <- best_by_hand(x, "bic", allowed = allowed, required = required)
  expect_equal(net$score, best, tolerance = 1e-10)
})

test_that("the published optimum of learning.test is found", {
  net <- exact_dag(bnlearn::learning.test, score = "bde", iss = 1)
  expect_certified(net, bnlearn::learning.test, "bde", iss = 1)
  expect_equal(net$score, -24028.0948, tolerance = 1e-9)
})

test_that("the order of columns changes nothing but the order of the nodes", {
  x <- random_factors(200, 7, 6)
  net <- exact_dag(x)
  other <- exact_dag(x[, 7:1])
  expect_identical(bnlearn::nodes(other), rev(bnlearn::nodes(net)))
  expect_identical(bnlearn::amat(other)[names(x), names(x)], bnlearn::amat(net))
})

test_that("the user's random numbers are left alone", {
  set.seed(1)
  before <- .Random.seed
  exact_dag(bnlearn::learning.test[1:100, ])
  expect_identical(.Random.seed, before)
})

test_that("no time at all still gives a network, its score and a bound", {
  x <- bnlearn::learning.test
  net <- exact_dag(x, whitelist = cbind("F", "A"), time_limit = 0)
  expect_false(net$optimal)
  expect_identical(net$daggnn$reason, "time limit")
  expect_gte(net$bound, net$score)
  expect_identical(bnlearn::amat(net)["F", "A"], 1L)
  expect_equal(net$score, bnlearn::score(net, x, type = "bic"), tolerance = 1e-10)
})

test_that("local scores can be solved again under other rules", {
  x <- bnlearn::learning.test
  scores <- local_scores(x)
  expect_equal(exact_dag(scores)$score, exact_dag(x)$score)
  net <- exact_dag(scores, blacklist = cbind(c("A", "B"), c("B", "A")))
  expect_equal(net$score, exact_dag(x, blacklist = cbind(c("A", "B"), c("B", "A")))$score)
  expect_lt(net$score, exact_dag(x)$score)
})

test_that("a start that is no network of these columns is refused", {
  x <- bnlearn::learning.test
  expect_error(exact_dag(x, start = 1), "`start` must be a network", class = "daggnn_input_error")
  expect_error(
    exact_dag(x, start = bnlearn::empty.graph(c("A", "B"))), "one of other nodes",
    class = "daggnn_input_error"
  )
  expect_true(exact_dag(x, start = bnlearn::hc(x))$optimal)
})

test_that("the first incumbent is no worse than the network of hill-climbing", {
  tables <- list(
    bnlearn::learning.test[1:500, ], bnlearn::gaussian.test[1:200, ], bnlearn::alarm[1:500, 1:20],
    random_factors(200, 12, 4)
  )
  for (x in tables) {
    scores <- local_scores(x)
    incumbent <- order_search_cpp(scores, integer(), order_rounds, order_seed, Inf)
    hill <- bnlearn::score(hill_climbing(x, maxp = 3), x, type = bic_type(x))
    expect_gte(incumbent$score, hill - 1e-9 * abs(hill))
    # And a start of the user's is never made worse.
    order <- check_start(hill_climbing(x, maxp = 3), scores$names)
    expect_gte(order_search_cpp(scores, order, 0L, 1, Inf)$score, hill - 1e-9 * abs(hill))
  }
})

test_that("print tells what is proven", {
  net <- exact_dag(bnlearn::learning.test)
  net$seconds <- 0
  expect_snapshot(net)
  net <- exact_dag(bnlearn::learning.test, time_limit = 0)
  net$seconds <- 0
  expect_snapshot(net)
})

test_that("a long model string is broken into lines that fit", {
  net <- exact_dag(bnlearn::alarm[1:200, 1:12])
  shown <- utils::capture.output(print(net))
  expect_true(all(nchar(shown) <= getOption("width")))
})
