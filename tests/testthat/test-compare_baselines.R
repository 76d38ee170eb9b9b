# The BIC of a regression on some columns, but for a constant.
bic_of <- function(x, j, set) {
  residuals <- stats::lm.fit(cbind(1, x[, set]), x[, j])$residuals
  -nrow(x) / 2 * log(mean(residuals^2)) - length(set) * log(nrow(x)) / 2
}

# All subsets of the candidates.
best_by_bic <- function(x, j, candidates) {
  sets <- unlist(lapply(0:length(candidates), function(k) {
    utils::combn(length(candidates), k, simplify = FALSE)
  }), FALSE)
  scores <- vapply(sets, function(set) bic_of(x, j, candidates[set]), 1)
  sort(candidates[sets[[which.max(scores)]]])
}

test_that("regressors are the best by BIC, or at least none of them is better left out", {
  set.seed(1)
  agreed <- vapply(1:200, function(k) {
    # Correlated candidates with weak effects, so that the penalty decides.
    x <- as.matrix(simulate_sem(random_dag(6, degree = 4), 60))
    x[, 6] <- x[, -6] %*% stats::rnorm(5, sd = 0.15) + stats::rnorm(60)
    chosen <- sort(choose_regressors(stats::cov(x), 6, 1:5, 60))
    without <- vapply(chosen, function(i) bic_of(x, 6, setdiff(chosen, i)), 1)
    expect_true(all(without <= bic_of(x, 6, chosen) + 1e-9))
    identical(chosen, best_by_bic(x, 6, 1:5))
  }, NA)
  # Forward and backward is no search of all subsets.
  expect_gt(mean(agreed), 0.8)
})

test_that("each variable takes its parents from those before it", {
  set.seed(5)
  x <- simulate_sem(random_dag(8), 200)
  for (score in c("variance", "r2")) {
    values <- if (score == "variance") vapply(x, stats::var, 1) else explained_shares(as.matrix(x))
    edges <- which(bnlearn::amat(sort_and_regress(x, score)) == 1, arr.ind = TRUE)
    expect_true(all(values[edges[, 1]] < values[edges[, 2]]))
  }
})

test_that("sorting by variance does well where variances grow along the edges, not without units", {
  set.seed(2)
  shd <- rowMeans(replicate(10, {
    dag <- random_dag(10, degree = 3)
    x <- simulate_sem(dag, 1000)
    networks <- list(sort_and_regress(x, "variance"), sort_and_regress(scale(x), "variance"))
    vapply(networks, function(net) dag_metrics(dag, net)$shd, 1)
  }))
  expect_lt(shd[1], 4)
  expect_gt(shd[2], 3 * shd[1])
})

test_that("sorting by R2 does not depend on units", {
  set.seed(4)
  for (k in 1:10) {
    x <- simulate_sem(random_dag(8), 300)
    other <- as.data.frame(Map(`*`, x, exp(stats::runif(8, -2, 2))))
    networks <- lapply(list(x, other), function(data) bnlearn::amat(sort_and_regress(data, "r2")))
    expect_identical(networks[[2]], networks[[1]])
  }
})

test_that("columns that others determine do no harm", {
  set.seed(3)
  x <- simulate_sem(random_dag(4), 100)
  x$copy <- x$V1
  x$sum <- x$V1 + x$V2
  for (score in c("variance", "r2")) {
    net <- sort_and_regress(x, score)
    expect_true(bnlearn::acyclic(net))
    expect_gt(bnlearn::narcs(net), 0)
  }
})
