# Data of a random linear network, standardised: variances tell nothing of the order.
linear_data <- function(m, degree, n) {
  as.data.frame(scale(simulate_sem(random_dag(m, degree = degree), n)))
}

classes_of <- function(net) bnlearn::amat(net$daggnn$cpdag)

test_that("the class is that of pcalg's ges()", {
  skip_if_not_installed("pcalg")
  # From 200 rows on; below, the two BICs can differ about an edge.
  set.seed(1)
  for (k in 1:25) {
    m <- sample(4:12, 1)
    x <- linear_data(m, sample(1:3, 1), sample(c(200, 500, 2000), 1))
    theirs <- bnlearn::amat(ges(x))
    expect_identical(classes_of(fges(x, threads = 1))[names(x), names(x)], theirs)
  }
})

test_that("the network is a DAG of the class", {
  set.seed(2)
  x <- linear_data(10, 3, 300)
  net <- fges(x)
  expect_s3_class(net, "bn")
  expect_true(bnlearn::directed(net))
  expect_identical(bnlearn::amat(bnlearn::cpdag(net)), classes_of(net))
  expect_identical(names(net$nodes), names(x))
  steps <- net$daggnn$steps
  expect_equal(nrow(bnlearn::arcs(net)), steps[["inserted"]] - steps[["deleted"]])
  expect_output(print(net), "learned by fges")
})

test_that("the known network of discrete data is found", {
  truth <- bnlearn::model2network("[A][C][F][B|A][D|A:C][E|B:F]")
  net <- fges(bnlearn::learning.test)
  expect_identical(dag_metrics(truth, net)$shd_cpdag, 0L)
  expect_equal(
    net$daggnn$score, bnlearn::score(net, bnlearn::learning.test, type = "bic"),
    tolerance = 1e-9
  )
})

test_that("the order of columns and rows, units and threads change nothing", {
  set.seed(3)
  x <- linear_data(12, 3, 200)
  found <- classes_of(fges(x, threads = 1))
  expect_identical(classes_of(fges(x, threads = 2)), found)
  other <- x[sample(nrow(x)), sample(ncol(x))]
  units <- exp(seq(-5, 5, length.out = 12))
  other[] <- Map(function(column, unit) unit * column + 3, other, units)
  expect_identical(classes_of(fges(other))[names(x), names(x)], found)
})

test_that("whitelist, blacklist, tiers and maxp hold", {
  set.seed(4)
  x <- linear_data(8, 4, 500)
  nodes <- names(x)
  free <- fges(x)
  arcs <- bnlearn::arcs(free)
  tiers <- list(nodes[5:8], nodes[1:4])
  nets <- list(
    fges(x, whitelist = arcs[1, 2:1], blacklist = arcs[2:5, ], tiers = NULL),
    fges(x, tiers = tiers), fges(x, maxp = 1), fges(x, maxp = 0)
  )
  has <- function(net, from, to) bnlearn::amat(net)[cbind(from, to)] == 1
  expect_true(has(nets[[1]], arcs[1, 2], arcs[1, 1]))
  expect_false(any(has(nets[[1]], arcs[2:5, 1], arcs[2:5, 2])))
  expect_identical(sum(bnlearn::amat(nets[[2]])[nodes[1:4], nodes[5:8]]), 0L)
  expect_identical(sum(classes_of(nets[[2]])[nodes[1:4], nodes[5:8]]), 0L)
  expect_identical(max(colSums(bnlearn::amat(nets[[3]]))), 1)
  expect_identical(nrow(bnlearn::arcs(nets[[4]])), 0L)
})

test_that("wrong arguments are told", {
  rows <- bnlearn::learning.test[1:100, ]
  expect_error(fges(rows, maxp = -1), "^`maxp` must be", class = "daggnn_input_error")
  expect_error(
    fges(rows, rbind(c("A", "B"), c("C", "B")), maxp = 1), "gives \"B\" 2 parents, but `maxp` is 1",
    class = "daggnn_input_error"
  )
})

test_that("a search that has no time gives what it has, and says so", {
  set.seed(5)
  expect_warning(net <- fges(linear_data(6, 2, 100), time_limit = 0), "reached `time_limit`")
  expect_identical(nrow(bnlearn::arcs(net)), 0L)
  expect_identical(net$daggnn$reason, "time_limit")
})

test_that("fges and pc are learners by name", {
  set.seed(6)
  dag <- random_dag(6, degree = 2)
  x <- simulate_sem(dag, 2000)
  table <- compare_learners(x, c("fges", "pc", "exact"), truth = dag)
  expect_identical(table$learner[1:3], c("fges", "pc", "exact"))
  expect_true(all(is.na(table$message[1:3])))
  expect_equal(table$bic[1], table$bic[3])
  expect_identical(table$shd_cpdag[1], 0L)
})
