# A learner whose network is known: `a -> b` below a weight of 1, and below 0.1 a second edge that
# half of the subsamples have.
known <- function(x, lambda, always = FALSE) {
  net <- bnlearn::empty.graph(names(x))
  if (lambda < 1) net <- bnlearn::set.arc(net, "a", "b")
  if (lambda < 0.1 && (always || x$c[1] > 0)) net <- bnlearn::set.arc(net, "a", "c")
  net
}
set.seed(4)
rows <- data.frame(a = rnorm(100))
rows$b <- rows$a + rnorm(100)
rows$c <- rnorm(100)

test_that("BIC takes the best network of the path", {
  chosen <- select_penalty(rows, c(2, 0.5, 0.01), learner = known, always = TRUE)
  expect_identical(chosen$path$weight, c(0.01, 0.5, 2))
  expect_identical(chosen$path$edges, c(2, 1, 0))
  twin <- vapply(
    chosen$path$weight, function(l) bnlearn::score(known(rows, l, TRUE), rows, type = "bic-g"), 1
  )
  expect_equal(chosen$path$bic, twin)
  expect_identical(chosen$weight, 0.5)
  expect_identical(bnlearn::modelstring(chosen$net), "[a][c][b|a]")
})

test_that("of equal BICs the sparser weight is taken", {
  chosen <- select_penalty(rows, c(0.2, 0.5), learner = known)
  expect_identical(chosen$weight, 0.5)
})

test_that("stability takes the smallest weight with stable edges", {
  set.seed(1)
  chosen <- select_penalty(rows, c(0.01, 0.5, 2), "stability", known, resamples = 40)
  expect_identical(chosen$weight, 0.5)
  expect_gt(chosen$path$instability[1], 0.05)
  expect_identical(chosen$path$instability[2:3], c(0, 0))
})

test_that("where no weight is stable the largest is taken, with a warning", {
  expect_warning(
    chosen <- select_penalty(rows, c(0.01, 0.02), "stability", known, most_unstable = 0),
    "No weight of `grid`", class = "daggnn_warning"
  )
  expect_identical(chosen$weight, 0.02)
})

test_that("a fit that fails ends the path", {
  fails <- function(x, lambda) if (lambda == 1) stop("no luck") else known(x, lambda)
  expect_error(
    select_penalty(rows, c(0, 1), learner = fails), "failed on 1 of 2 fits.*no luck",
    class = "daggnn_input_error"
  )
})

test_that("instability is the mean of 2 p (1 - p) over pairs, made monotone", {
  nodes <- c("a", "b", "c")
  with_edge <- matrix(0, 3, 3, dimnames = list(nodes, nodes))
  with_edge["a", "b"] <- 1
  none <- 0 * with_edge
  found <- list(none, with_edge, none, none, none, none, none, none)
  expect_equal(instability(found, c(0.1, 1), nodes), rep(2 * 1 / 4 * 3 / 4 / 3, 2))
  expect_equal(instability(list(with_edge, none, t(with_edge), none), c(0.1, 1), nodes), c(0, 0))
})

test_that("dag_gnn() gets the weight, a larger one gives a sparser network, clusters agree", {
  set.seed(2)
  x <- bnlearn::gaussian.test[1:200, 1:4]
  x[] <- scale(x)
  # The search after training would find the same edges whatever the penalty.
  quick <- dag_gnn_control(epochs = 30, max_rounds = 5)
  path <- function(cluster) {
    set.seed(2)
    select_penalty(x, c(0, 100), control = quick, cluster = cluster)
  }
  here <- path(NULL)
  expect_identical(here$net$daggnn$control$penalty, "l1")
  expect_lt(here$path$edges[2], here$path$edges[1])
  expect_identical(path(local_cluster(2))$path, here$path)
})

test_that("what people read", {
  expect_snapshot(select_penalty(rows, c(0.01, 0.5, 2), learner = known, always = TRUE))
  set.seed(1)
  expect_snapshot(select_penalty(rows, c(0.5, 2), "stability", known))
})

test_that("a path can be drawn", {
  grDevices::pdf(NULL)
  defer(grDevices::dev.off(), environment())
  chosen <- select_penalty(rows, c(0, 0.5, 2), learner = known)
  expect_identical(plot(chosen, main = "path"), chosen)
})

test_that("the path tells how many fits are done", {
  slow <- function(x, lambda) {
    Sys.sleep(1.1) # two of them are more than progress_delay
    known(x, lambda)
  }
  told <- capture_messages(select_penalty(rows, c(0.2, 0.5), learner = slow, progress = TRUE))
  expect_match(told, "select_penalty: 2 of 2")
})

test_that("wrong arguments are named", {
  wrong <- function(..., says) {
    expect_error(select_penalty(...), says, class = "daggnn_input_error")
  }
  wrong(rows, -1, says = "`grid` must hold")
  wrong(rows, numeric(), says = "`grid` must hold")
  wrong(rows, criterion = "aic", says = "`criterion` must be")
  wrong(rows, resamples = 1, says = "`resamples` must be")
  wrong(rows, learner = function(x, lambda) 1, says = "must return a bnlearn network")
  rows$a[1] <- NA
  wrong(rows, says = "column \"a\" of `x` has missing values")
})
