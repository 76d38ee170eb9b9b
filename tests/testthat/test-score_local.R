# The scores of ten sets, compared with bnlearn's.
expect_bnlearn_scores <- function(scores, x, type, ...) {
  before <- cumsum(c(0, scores$size))
  set.seed(1)
  for (s in sample(length(scores$child), min(10, length(scores$child)))) {
    net <- bnlearn::empty.graph(names(x))
    child <- scores$names[scores$child[s]]
    for (p in scores$parents[before[s] + seq_len(scores$size[s])]) {
      net <- bnlearn::set.arc(net, scores$names[p], child)
    }
    # bnlearn warns of small iss and of levels that never occur.
    all <- suppressWarnings(bnlearn::score(net, x, type = type, by.node = TRUE, ...))
    wanted <- all[[child]]
    expect_equal(scores$score[s], wanted, tolerance = 1e-8 / abs(wanted))
  }
}

test_that("discrete scores are bnlearn's to 1e-8", {
  x <- bnlearn::learning.test
  for (type in c("bic", "aic")) {
    expect_bnlearn_scores(local_scores(x, maxp = 5, score = type), x, type)
  }
  for (iss in c(0.5, 1, 10)) {
    expect_bnlearn_scores(local_scores(x, maxp = 4, score = "bde", iss = iss), x, "bde", iss = iss)
  }
})

test_that("Gaussian scores are bnlearn's to 1e-8", {
  x <- bnlearn::gaussian.test
  expect_bnlearn_scores(local_scores(x, maxp = 5), x, "bic-g")
  expect_bnlearn_scores(local_scores(x, maxp = 3, score = "aic"), x, "aic-g")
})

test_that("levels that never occur count as parameters, as in bnlearn", {
  x <- random_factors(60, 4, 1)
  x[[1]] <- factor(x[[1]], levels = c(levels(x[[1]]), "never"))
  expect_bnlearn_scores(local_scores(x), x, "bic")
  expect_bnlearn_scores(local_scores(x, score = "bde"), x, "bde", iss = 1)
})

test_that("every set beats all its subsets, and no set that does is missing", {
  x <- random_factors(200, 5, 2)
  for (type in c("bic", "bde")) {
    scores <- local_scores(x, maxp = 4, score = type)
    before <- cumsum(c(0, scores$size))
    kept <- vapply(seq_along(scores$child), function(s) {
      parents <- sort(scores$parents[before[s] + seq_len(scores$size[s])])
      paste(scores$child[s], paste(parents, collapse = ","))
    }, "")
    wanted <- character()
    for (child in 1:5) {
      others <- setdiff(1:5, child)
      subsets <- lapply(0:15, function(code) others[bitwAnd(code, c(1, 2, 4, 8)) > 0])
      value <- vapply(subsets, function(parents) {
        net <- bnlearn::empty.graph(scores$names)
        for (p in parents) net <- bnlearn::set.arc(net, scores$names[p], scores$names[child])
        bnlearn::score(net, x, type = type, by.node = TRUE)[[scores$names[child]]]
      }, 1)
      for (k in seq_along(subsets)) {
        smaller <- vapply(subsets, function(s) {
          length(s) < length(subsets[[k]]) && all(s %in% subsets[[k]])
        }, NA)
        if (all(value[smaller] < value[k])) {
          wanted <- c(wanted, paste(child, paste(subsets[[k]], collapse = ",")))
        }
      }
    }
    expect_setequal(kept, wanted)
  }
})

test_that("the order of columns and the number of threads change nothing", {
  x <- random_factors(300, 8, 3)
  scores <- local_scores(x, threads = 1)
  other <- local_scores(x[, 8:1], threads = 2)
  fields <- c("names", "child", "score", "size", "parents")
  expect_identical(unclass(scores)[fields], unclass(other)[fields])
})

test_that("a variable that others determine linearly is no trouble", {
  x <- bnlearn::gaussian.test[1:200, 1:4]
  x$E <- x$A + x$B
  x$F <- x$A
  expect_true(all(is.finite(local_scores(x)$score)))
})

test_that("data without a score are refused, and the column is named", {
  x <- bnlearn::learning.test[1:50, 1:3]
  x$B[3] <- NA
  expect_error(local_scores(x), "Column \"B\" of `x` has missing", class = "daggnn_input_error")
  x <- data.frame(a = factor(c(1, 2, 1)), b = c(0.1, 0.4, 0.2))
  expect_error(local_scores(x), "all discrete or all numeric", class = "daggnn_input_error")
  x <- data.frame(a = stats::rnorm(9))
  x$b <- matrix(stats::rnorm(18), 9)
  expect_error(local_scores(x), "Column \"b\" of `x` is a vector", class = "daggnn_input_error")
  expect_error(
    local_scores(bnlearn::gaussian.test, score = "bde"), "must be \"bic\" or \"aic\"",
    class = "daggnn_input_error"
  )
  expect_error(
    local_scores(bnlearn::learning.test, whitelist = cbind(c("A", "B"), "C"), maxp = 1),
    "gives \"C\" 2 parents, but `maxp` is 1", class = "daggnn_input_error"
  )
  expect_error(
    local_scores(random_factors(50, 40, 1), maxp = 15), "`maxp` must be smaller than 15 for 40",
    class = "daggnn_input_error"
  )
})
