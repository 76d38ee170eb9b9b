# Every way to keep the strongest parents of each child, tried one by one.
slow_bic <- function(weights, x, type) {
  nodes <- rownames(weights)
  best <- vapply(nodes, function(child) {
    parents <- nodes[order(-abs(weights[, child]))]
    parents <- parents[abs(weights[parents, child]) > 0]
    max(vapply(0:length(parents), function(k) {
      net <- bnlearn::empty.graph(nodes)
      for (parent in parents[seq_len(k)]) net <- bnlearn::set.arc(net, parent, child)
      bnlearn::score(net, x, type = type, by.node = TRUE)[[child]]
    }, 1))
  }, 1)
  sum(best)
}

score_of <- function(adjacency, x, type) sum(local_scores_of(adjacency, x, type))

test_that("each child keeps the strongest parents that its BIC pays for", {
  set.seed(1)
  for (x in list(bnlearn::learning.test, bnlearn::gaussian.test)) {
    type <- if (is.factor(x[[1]])) "bic" else "bic-g"
    nodes <- names(x)
    weights <- matrix(runif(length(nodes)^2), length(nodes), dimnames = list(nodes, nodes))
    weights[lower.tri(weights, diag = TRUE)] <- 0
    edges <- bic_edges(weights, check_prior(nodes), x)
    expect_equal(score_of(edges$adjacency, x, type), slow_bic(weights, x, type))
    expect_identical(nrow(edges$dropped), 0L)
  }
})

test_that("required edges stay whatever the BIC says", {
  x <- bnlearn::learning.test
  nodes <- names(x)
  weights <- matrix(0, 6, 6, dimnames = list(nodes, nodes))
  edges <- bic_edges(weights, check_prior(nodes, whitelist = c("A", "F")), x)
  expect_identical(sum(edges$adjacency), 1L)
  expect_identical(edges$adjacency[["A", "F"]], 1L)
})
