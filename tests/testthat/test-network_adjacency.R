test_that("every form of a network gives the same adjacency matrix", {
  net <- bnlearn::model2network("[a][b|a][c|a:b]")
  wanted <- matrix(
    c(0, 0, 0, 1, 0, 0, 1, 1, 0), 3,
    dimnames = list(c("a", "b", "c"), c("a", "b", "c"))
  )
  expect_equal(adjacency_of(net, "dag"), wanted)
  expect_equal(adjacency_of(wanted * -0.7, "dag"), wanted)
  expect_equal(adjacency_of(wanted == 1, "dag"), wanted)
  x <- data.frame(a = c(1, 2, 4, 3), b = c(2, 1, 1, 5), c = c(0, 1, 5, 2))
  expect_equal(adjacency_of(bnlearn::bn.fit(net, x), "dag"), wanted)
  expect_equal(adjacency_of(new_network(wanted, list(weights = wanted * 3)), "dag"), wanted)
})

test_that("weights are those that the network carries on the edges it has", {
  net <- bnlearn::model2network("[a][b|a]")
  expect_equal(weights_of(net, "dag"), bnlearn::amat(net) * 1)
  adjacency <- bnlearn::amat(net)
  raw <- adjacency * 3 + 0.1
  expect_equal(weights_of(new_network(adjacency, list(weights = raw)), "dag"), raw * adjacency)
})

test_that("a topological order has every parent before its children, and a cycle has none", {
  set.seed(1)
  for (m in c(2, 5, 30)) {
    adjacency <- bnlearn::amat(random_dag(m, degree = min(3, m - 1)))
    order <- topological_order(adjacency)
    expect_setequal(order, seq_len(m))
    expect_true(all(adjacency[order, order][lower.tri(adjacency, diag = TRUE)] == 0))
  }
  expect_null(topological_order(matrix(c(0, 1, 1, 0), 2)))
  expect_null(topological_order(matrix(c(0, 0, 0, 1), 2)))
})

test_that("what is no network is named", {
  expect_error_snapshot({
    adjacency_of("a", "truth")
    adjacency_of(matrix(0, 2, 3), "truth")
    adjacency_of(matrix("a", 2, 2), "truth")
    adjacency_of(matrix(NaN, 2, 2), "truth")
    adjacency_of(matrix(0, 2, 2, dimnames = list(c("a", "b"), c("b", "a"))), "truth")
    adjacency_of(matrix(0, 2, 2, dimnames = list(c("a", "a"), c("a", "a"))), "truth")
  })
})
