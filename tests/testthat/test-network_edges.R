test_that("the weakest edge of a cycle goes, and is named", {
  nodes <- c("a", "b", "c")
  weights <- matrix(0, 3, 3, dimnames = list(nodes, nodes))
  weights["a", "b"] <- 1
  weights["b", "c"] <- -0.9
  weights["c", "a"] <- 0.5
  edges <- edges_from_weights(weights, 0.3, check_prior(nodes))
  expect_identical(edges$adjacency["c", "a"], 0L)
  expect_identical(sum(edges$adjacency), 2L)
  expect_identical(edges$dropped$from, "c")
})
