test_that("the weakest edge of a cycle goes, and is named", {
  nodes <- c("a", "b", "c")
  weights <- matrix(0, 3, 3, dimnames = list(nodes, nodes))
  weights["a", "b"] <- 1
  weights["b", "c"] <- -0.9
  weights["c", "a"] <- 0.5
  edges <- edges_from_weights(weights, 0.3, check_prior(nodes))
  expect_identical(edges$edges, cbind(1:2, 2:3))
  expect_identical(edges$dropped$from, "c")
})

test_that("weights in a list give the edges that the same weights in a matrix give", {
  set.seed(1)
  nodes <- letters[1:8]
  for (trial in 1:20) {
    weights <- matrix(rnorm(64) * rbinom(64, 1, 0.4), 8, dimnames = list(nodes, nodes))
    listed <- listed_values(weights)
    values <- edge_values(nodes, listed$edges[, 1], listed$edges[, 2], listed$value)
    prior <- check_prior(nodes, whitelist = c("a", "b"), blacklist = cbind("c", nodes[4:8]))
    expect_identical(
      edges_from_weights(values, 0.5, prior), edges_from_weights(weights, 0.5, prior)
    )
  }
})
