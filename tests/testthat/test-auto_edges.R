# The best score that a child can have with its k strongest parents, every k tried.
slow_best <- function(child, weights, x) {
  nodes <- rownames(weights)
  parents <- nodes[order(-abs(weights[, child]))]
  parents <- parents[abs(weights[parents, child]) > 0]
  type <- if (is.factor(x[[1]])) "bic" else "bic-g"
  max(vapply(0:length(parents), function(k) {
    net <- bnlearn::empty.graph(nodes)
    for (parent in parents[seq_len(k)]) net <- bnlearn::set.arc(net, parent, child)
    bnlearn::score(net, x, type = type, by.node = TRUE)[[child]]
  }, 1))
}

test_that("each child keeps the strongest parents that its BIC pays for", {
  set.seed(1)
  for (x in list(bnlearn::learning.test, bnlearn::gaussian.test)) {
    nodes <- names(x)
    weights <- matrix(runif(length(nodes)^2), length(nodes), dimnames = list(nodes, nodes))
    weights[lower.tri(weights, diag = TRUE)] <- 0
    edges <- child_edges(weights, check_prior(nodes), as.list(x))
    net <- bnlearn::empty.graph(nodes)
    bnlearn::amat(net) <- edges$adjacency
    type <- if (is.factor(x[[1]])) "bic" else "bic-g"
    expect_equal(
      bnlearn::score(net, x, type = type),
      sum(vapply(nodes, slow_best, 1, weights = weights, x = x))
    )
    expect_identical(nrow(edges$dropped), 0L)
  }
})

test_that("required edges stay whatever the BIC says", {
  x <- bnlearn::learning.test
  nodes <- names(x)
  weights <- matrix(0, 6, 6, dimnames = list(nodes, nodes))
  edges <- child_edges(weights, check_prior(nodes, whitelist = c("A", "F")), as.list(x))
  expect_identical(sum(edges$adjacency), 1L)
  expect_identical(edges$adjacency[["A", "F"]], 1L)
})

test_that("levels that do not occur are no reason to warn", {
  set.seed(1)
  x <- bnlearn::learning.test[1:200, ]
  levels(x$A) <- c(levels(x$A), "never")
  expect_no_warning(dag_gnn(x, control = dag_gnn_control(epochs = 1, max_rounds = 2)))
})
