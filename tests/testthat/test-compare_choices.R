rows <- bnlearn::learning.test[1:500, ]

test_that("bnlearn's learners hold to lists, each edge of which may be there twice", {
  whitelist <- rbind(c("A", "C"), c("A", "C"))
  for (name in c("hc", "tabu", "mmhc")) {
    learn <- named_learners()[[name]]
    expect_no_warning(net <- learn(rows, whitelist, cbind("A", "B")))
    arcs <- bnlearn::arcs(net)
    arcs <- paste(arcs[, 1], arcs[, 2])
    expect_true("A C" %in% arcs)
    expect_false("A B" %in% arcs)
    expect_setequal(arcs, {
      twin <- bnlearn::arcs(getExportedValue("bnlearn", name)(
        rows, whitelist = whitelist[1, ], blacklist = c("A", "B")
      ))
      paste(twin[, 1], twin[, 2])
    })
  }
})

test_that("pc is bnlearn's stable version, and takes its level", {
  x <- bnlearn::gaussian.test[1:300, ]
  learn <- named_learners()$pc
  expect_equal(bnlearn::amat(learn(x)), bnlearn::amat(bnlearn::pc.stable(x)))
  strict <- learn(x, alpha = 1e-6)
  expect_equal(bnlearn::amat(strict), bnlearn::amat(bnlearn::pc.stable(x, alpha = 1e-6)))
  expect_false(isTRUE(all.equal(bnlearn::amat(strict), bnlearn::amat(learn(x)))))
  forbidden <- bnlearn::arcs(learn(x))[1, ]
  without <- learn(x, blacklist = rbind(forbidden, rev(forbidden)))
  expect_equal(bnlearn::amat(without)[forbidden[1], forbidden[2]], 0)
})

test_that("wrong lists have our message, whoever learns", {
  for (name in c("hc", "tabu", "mmhc", "pc")) {
    expect_error(
      named_learners()[[name]](rows, cbind("A", "nobody")), "^`whitelist` names \"nobody\"",
      class = "daggnn_input_error"
    )
  }
})

test_that("a likelihood that is not finite is told, not shown", {
  set.seed(1)
  a <- rnorm(50)
  net <- bnlearn::model2network("[a][b|a]")
  fit <- fit_of(net, data.frame(a = a, b = 2 * a), folds = 10)
  expect_null(fit$bic)
  expect_null(fit$loglik)
  expect_match(fit$message, "not finite")
})

test_that("\"exact\" looks at all parent sets of few variables", {
  set.seed(1)
  x <- as.data.frame(matrix(rnorm(3000), 500))
  x$V6 <- x$V6 + rowSums(x[1:5])
  expect_identical(max(lengths(lapply(names(x), bnlearn::parents, x = exact_up_to(x)))), 5L)
})
