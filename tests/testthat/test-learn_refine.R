bic <- function(net, x, type = "bic") bnlearn::score(net, x, type = type)

test_that("a network gets better, and at least as good as hill-climbing makes it", {
  for (x in list(bnlearn::learning.test[1:1000, ], bnlearn::asia[1:1000, ])) {
    net <- refine(bnlearn::empty.graph(names(x)), x)
    expect_gte(bic(net, x), bic(bnlearn::hc(x), x))
    expect_equal(bic(net, x), net$daggnn$refined$score[["refined"]])
  }
  x <- bnlearn::gaussian.test[1:500, ]
  expect_gte(
    bic(refine(bnlearn::empty.graph(names(x)), x), x, "bic-g"), bic(bnlearn::hc(x), x, "bic-g")
  )
})

test_that("with few variables the certified optimum is found", {
  x <- bnlearn::asia[1:500, ]
  expect_equal(bic(refine(bnlearn::random.graph(names(x)), x), x), exact_dag(x)$score)
})

test_that("mixed and incomplete data are refined by the local scores", {
  x <- bnlearn::clgaussian.test[1:500, ]
  x$G[1:20] <- NA
  net <- refine(bnlearn::empty.graph(names(x)), x)
  expect_gt(nrow(bnlearn::arcs(net)), 3)
  expect_true(is.na(net$daggnn$refined$score[["given"]]))
})

test_that("the network's own whitelist and blacklist are kept", {
  x <- bnlearn::gaussian.test[1:500, ]
  whitelist <- cbind(from = "G", to = "E")
  blacklist <- cbind(from = c("A", "F"), to = c("F", "A"))
  net <- refine(notears(x, whitelist = whitelist, blacklist = blacklist), x)
  expect_s3_class(net, c("notears", "daggnn", "bn"), exact = TRUE)
  expect_identical(bnlearn::amat(net)["G", "E"], 1L)
  expect_identical(bnlearn::amat(net)["A", "F"] + bnlearn::amat(net)["F", "A"], 0L)
  learned <- bnlearn::hc(x, whitelist = whitelist, blacklist = blacklist)
  expect_identical(bnlearn::amat(refine(learned, x))["G", "E"], 1L)
  other <- refine(net, x, whitelist = cbind("E", "G"), blacklist = cbind("D", "B"))
  expect_identical(bnlearn::amat(other)["E", "G"], 1L)
  expect_identical(bnlearn::amat(other)["D", "B"], 0L)
})

test_that("tiers are kept through the network's prior", {
  x <- bnlearn::learning.test[1:500, ]
  tiers <- list(c("E", "D"), c("A", "B", "C", "F"))
  net <- refine(exact_dag(x, tiers = tiers), x)
  expect_false(any(bnlearn::amat(net)[tiers[[2]], tiers[[1]]] == 1))
})

test_that("no node has more than `maxp` parents", {
  x <- bnlearn::gaussian.test[1:500, ]
  net <- refine(bnlearn::empty.graph(names(x)), x, maxp = 1)
  expect_identical(max(colSums(bnlearn::amat(net))), 1)
})

test_that("the same network comes back for columns in another order and any number of threads", {
  x <- bnlearn::asia[1:500, ]
  start <- bnlearn::empty.graph(names(x))
  net <- refine(start, x, threads = 1)
  shuffled <- refine(start, x[rev(names(x))], threads = 2)
  expect_equal(bic(shuffled, x), bic(net, x))
})

test_that("without time the network is no worse than before", {
  x <- bnlearn::asia[1:500, ]
  start <- bnlearn::model2network("[A][S][T|A][L|S][B|S][E|T:L][X|E][D|B:E]")
  expect_gte(bic(refine(start, x, time_limit = 0), x), bic(start, x))
})

test_that("debug prints the scores", {
  x <- bnlearn::learning.test[1:200, ]
  expect_output(refine(bnlearn::empty.graph(names(x)), x, debug = TRUE), "refine: score given")
})

test_that("what cannot be refined gets a sentence", {
  x <- bnlearn::learning.test[1:100, ]
  net <- bnlearn::empty.graph(names(x))
  expect_error_snapshot({
    refine(bnlearn::empty.graph(c("a", "b")), x)
    refine("net", x)
    refine(bnlearn::cpdag(bnlearn::hc(x)), x)
    refine(net, x, maxp = 0)
  })
})
