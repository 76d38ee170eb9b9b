# Pair by pair, as one would count by hand.
slow_metrics <- function(true, found) {
  counts <- c(correct = 0, reversed = 0, extra = 0, missing = 0)
  m <- nrow(true)
  for (i in seq_len(m - 1)) {
    for (j in seq(i + 1, m)) {
      truth <- paste0(true[i, j], true[j, i])
      learned <- paste0(found[i, j], found[j, i])
      what <- if (truth == "00") {
        if (learned != "00") "extra"
      } else if (learned == "00") {
        "missing"
      } else if (learned == truth || learned == "11") {
        "correct"
      } else {
        "reversed"
      }
      if (!is.null(what)) counts[what] <- counts[what] + 1
    }
  }
  edges <- sum(counts[c("correct", "reversed", "extra")])
  wrong <- sum(counts[c("reversed", "extra")])
  list(
    edges = edges, correct = counts[["correct"]], reversed = counts[["reversed"]],
    extra = counts[["extra"]], missing = counts[["missing"]],
    shd = sum(counts[c("reversed", "extra", "missing")]),
    fdr = wrong / max(edges, 1), tpr = counts[["correct"]] / max(sum(true), 1),
    fpr = wrong / max(m * (m - 1) / 2 - sum(true), 1)
  )
}

# A pair that is not the same in both CPDAGs counts one.
slow_cpdag_distance <- function(a, b) {
  a <- bnlearn::amat(a)
  b <- bnlearn::amat(b)
  sum((a != b | t(a) != t(b))[upper.tri(a)])
}

test_that("metrics agree with counting pair by pair and with bnlearn's distance", {
  set.seed(1)
  for (repetition in 1:40) {
    m <- sample(2:8, 1)
    truth <- random_dag(m, degree = stats::runif(1, 0, m - 1))
    learned <- random_dag(m, degree = stats::runif(1, 0, m - 1))
    result <- dag_metrics(truth, learned)
    slow <- slow_metrics(bnlearn::amat(truth), bnlearn::amat(learned))
    expect_equal(as.list(result[names(slow)]), slow)
    cpdags <- slow_cpdag_distance(bnlearn::cpdag(truth), bnlearn::cpdag(learned))
    expect_equal(result$shd_cpdag, cpdags)
  }
})

test_that("undirected edges count as in NOTEARS", {
  set.seed(2)
  for (repetition in 1:20) {
    truth <- random_dag(6)
    learned <- bnlearn::cpdag(random_dag(6))
    slow <- slow_metrics(bnlearn::amat(truth), bnlearn::amat(learned))
    expect_equal(as.list(dag_metrics(truth, learned)[names(slow)]), slow)
  }
  truth <- random_dag(6)
  perfect <- dag_metrics(truth, bnlearn::cpdag(truth))
  expect_equal(perfect$shd, 0)
  expect_equal(perfect$shd_cpdag, 0)
})

test_that("the truth itself is without error, and its reverse is all reversed", {
  set.seed(3)
  truth <- random_dag(9)
  same <- dag_metrics(truth, truth)
  expect_equal(unlist(same[c("shd", "fdr", "fpr", "shd_cpdag")]), c(0, 0, 0, 0), ignore_attr = TRUE)
  expect_equal(same$tpr, 1)
  back <- dag_metrics(truth, t(coef(truth)))
  expect_equal(back$shd, bnlearn::narcs(truth))
  expect_equal(back$reversed, back$shd)
  expect_equal(back$fdr, 1)
})

test_that("nodes are matched by name, unnamed matrices by position", {
  set.seed(4)
  truth <- random_dag(7)
  learned <- random_dag(7)
  weights <- coef(learned)
  shuffled <- sample(7)
  expect_identical(dag_metrics(truth, weights[shuffled, shuffled]), dag_metrics(truth, learned))
  expect_identical(dag_metrics(truth, unname(weights)), dag_metrics(truth, learned))
  expect_identical(dag_metrics(unname(coef(truth)), unname(weights)), dag_metrics(truth, learned))
})

test_that("an empty network is all missing, without division by zero", {
  set.seed(5)
  truth <- random_dag(5)
  empty <- bnlearn::empty.graph(bnlearn::nodes(truth))
  result <- dag_metrics(truth, empty)
  expect_equal(result$shd, bnlearn::narcs(truth))
  expect_equal(c(result$fdr, result$tpr, result$fpr), c(0, 0, 0))
  expect_equal(dag_metrics(empty, truth)$tpr, 0)
})

test_that("networks that do not fit together are named", {
  set.seed(6)
  truth <- random_dag(3, degree = 2)
  cycle <- matrix(c(0, 0, 1, 1, 0, 0, 0, 1, 0), 3)
  expect_error_snapshot({
    dag_metrics(truth, random_dag(4))
    dag_metrics(truth, random_dag(c("V1", "V2", "X"), degree = 2))
    dag_metrics(truth, cycle)
    dag_metrics(cycle, truth)
    dag_metrics(bnlearn::cpdag(truth), truth)
    dag_metrics(truth, "hc")
  })
})
