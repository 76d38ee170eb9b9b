# The BIC of a child with these parents.
slow_score <- function(child, parents, x) {
  net <- bnlearn::empty.graph(names(x))
  for (parent in parents) net <- bnlearn::set.arc(net, parent, child)
  type <- if (is.factor(x[[1]])) "bic" else "bic-g"
  bnlearn::score(net, x, type = type, by.node = TRUE)[[child]]
}

test_that("no child would have a better BIC with other parents near those that it has", {
  set.seed(1)
  for (x in list(bnlearn::learning.test, bnlearn::gaussian.test)) {
    nodes <- names(x)
    weights <- matrix(runif(length(nodes)^2), length(nodes), dimnames = list(nodes, nodes))
    weights[lower.tri(weights, diag = TRUE)] <- 0
    edges <- child_edges(weights, check_prior(nodes), as.list(x))
    for (child in nodes) {
      kept <- nodes[edges$adjacency[, child] == 1]
      others <- nodes[order(-weights[, child])]
      others <- others[weights[others, child] > 0]
      expect_true(all(kept %in% others))
      rivals <- c(
        lapply(seq_along(others), function(k) others[seq_len(k)]),
        lapply(kept, function(parent) setdiff(kept, parent)),
        lapply(setdiff(others, kept), function(parent) c(kept, parent)),
        unlist(lapply(kept, function(old) {
          lapply(setdiff(others, kept), function(new) c(setdiff(kept, old), new))
        }), recursive = FALSE),
        list(character())
      )
      scores <- vapply(rivals, function(parents) slow_score(child, parents, x), 1)
      expect_gte(slow_score(child, kept, x), max(scores) - 1e-8)
    }
    expect_identical(nrow(edges$dropped), 0L)
  }
})

test_that("a parent gives way to a weaker one that explains the child better", {
  set.seed(1)
  cause <- sample(0:2, 1000, TRUE)
  copy <- ifelse(runif(1000) < 0.9, cause, sample(0:2, 1000, TRUE))
  child <- ifelse(runif(1000) < 0.8, cause, sample(0:2, 1000, TRUE))
  x <- data.frame(lapply(list(cause = cause, copy = copy, child = child), factor))
  weights <- matrix(0, 3, 3, dimnames = list(names(x), names(x)))
  weights[c("copy", "cause"), "child"] <- c(2, 1)
  edges <- child_edges(weights, check_prior(names(x)), as.list(x))
  expect_identical(rownames(edges$adjacency)[edges$adjacency[, "child"] == 1], "cause")
})

test_that("the order of discrete variables is put right by BIC", {
  set.seed(1)
  a <- sample(0:1, 1000, TRUE)
  b <- sample(0:1, 1000, TRUE)
  child <- ifelse(runif(1000) < 0.95, a * b, 1 - a * b)
  x <- data.frame(lapply(list(child = child, a = a, b = b), factor))
  net <- dag_gnn(x)
  expect_setequal(bnlearn::parents(net, "child"), c("a", "b"))
  expect_gte(bnlearn::score(net, x), bnlearn::score(bnlearn::hc(x), x) - 1e-8)
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
