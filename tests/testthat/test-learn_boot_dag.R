rows <- bnlearn::gaussian.test[1:300, ]

test_that("strengths are bnlearn's, and count the networks of the resamples", {
  kept <- list()
  recorded <- function(x) {
    kept[[length(kept) + 1]] <<- bnlearn::hc(x)
    kept[[length(kept)]]
  }
  set.seed(1)
  strength <- boot_dag(rows, 15, recorded)
  expect_s3_class(strength, "bn.strength")
  twin <- bnlearn::custom.strength(kept, names(rows), cpdag = FALSE)
  expect_equal(strength, twin, ignore_attr = TRUE)
  expect_s3_class(bnlearn::averaged.network(strength), "bn")
  expect_type(bnlearn::inclusion.threshold(strength), "double")
  expect_identical(attr(strength, "resamples")$status, rep("done", 15))
})

test_that("strengths can be drawn", {
  skip_if_not_installed("Rgraphviz")
  set.seed(1)
  strength <- boot_dag(rows, 5, bnlearn::hc)
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  defer(grDevices::dev.off(), environment())
  drawn <- bnlearn::strength.plot(bnlearn::averaged.network(strength), strength)
  expect_s4_class(drawn, "graphNEL")
})

test_that("the size of a resample and further arguments reach the learner", {
  seen <- integer()
  sized <- function(x, most) {
    seen <<- c(seen, nrow(x))
    bnlearn::hc(x, maxp = most)
  }
  strength <- boot_dag(rows, 3, sized, m = 50, most = 1)
  expect_identical(seen, rep(50L, 3))
  expect_lte(max(tapply(strength$strength * strength$direction, strength$to, max)), 1)
})

test_that("a warm start gives each resample the network of all rows to begin with", {
  calls <- list()
  learner <- function(x, start = NULL) {
    calls[[length(calls) + 1]] <<- list(rows = nrow(x), start = start)
    bnlearn::hc(x, start = start)
  }
  strength <- boot_dag(rows, 3, learner, m = 50, warm_start = TRUE)
  expect_identical(vapply(calls, `[[`, 1L, "rows"), c(300L, 50L, 50L, 50L))
  expect_null(calls[[1]]$start)
  for (call in calls[-1]) expect_identical(call$start, bnlearn::hc(rows))
  expect_s3_class(strength, "bn.strength")
})

test_that("matrices, arrays and columns that are matrices are resampled by rows", {
  from_first <- function(x) {
    net <- bnlearn::empty.graph(samples(x)$nodes)
    stopifnot(nrow(x) == 20)
    net
  }
  wide <- data.frame(a = rnorm(20))
  wide$b <- matrix(rnorm(40), 20)
  for (x in list(matrix(rnorm(60), 20), array(rnorm(80), c(20, 2, 2)), wide)) {
    expect_true(all(boot_dag(x, 2, from_first)$strength == 0))
  }
})

test_that("resamples that fail are left out with a warning, and an error where all fail", {
  first <- NULL
  fails_once <- function(x) {
    if (is.null(first)) first <<- x
    if (identical(x, first)) stop("no luck")
    bnlearn::hc(x)
  }
  expect_warning(
    strength <- boot_dag(rows, 4, fails_once), "failed on 1 of 4 resamples.*no luck",
    class = "daggnn_warning"
  )
  expect_identical(sum(attr(strength, "resamples")$status == "done"), 3L)
  expect_error(
    boot_dag(rows, 2, function(x) stop("never")), "failed on each resample, first with: never",
    class = "daggnn_input_error"
  )
  expect_error(
    boot_dag(rows, 2, function(x) 1), "must return a bnlearn network", class = "daggnn_input_error"
  )
})

test_that("an interrupted fit ends the bootstrap with the strengths so far", {
  calls <- 0
  interrupted <- function(x) {
    calls <<- calls + 1
    net <- bnlearn::empty.graph(names(x))
    amat <- bnlearn::amat(net)
    reason <- if (calls == 3) "interrupt" else "converged"
    new_network(amat, list(reason = reason), "dag_gnn")
  }
  expect_warning(strength <- boot_dag(rows, 10, interrupted), "2 of 10 resamples are done")
  expect_identical(calls, 3)
})

test_that("resamples that did not converge are counted", {
  calls <- 0
  seldom <- function(x) {
    calls <<- calls + 1
    reason <- if (calls %% 2 == 0) "max_rounds" else "converged"
    new_network(bnlearn::amat(bnlearn::empty.graph(names(x))), list(reason = reason), "dag_gnn")
  }
  expect_warning(boot_dag(rows, 4, seldom), "2 of 4 fits did not converge \\(max_rounds: 2\\)")
  expect_no_warning(boot_dag(rows, 2, bnlearn::hc))
})

test_that("the bootstrap of dag_gnn is the same here, on sockets and by mirai", {
  quick <- dag_gnn_control(epochs = 2, max_rounds = 3)
  strengths <- function(cluster) {
    # To make a cluster may take random numbers.
    force(cluster)
    set.seed(2)
    boot_dag(rows[c("A", "B", "C")], 4, dag_gnn, cluster = cluster, control = quick)
  }
  here <- strengths(NULL)
  expect_identical(strengths(local_cluster(2)), here)
  skip_if_not_installed("mirai")
  expect_identical(strengths(local_cluster(2, mirai::make_cluster)), here)
})

test_that("the bootstrap tells how many resamples are done, and learners keep quiet meanwhile", {
  talks <- function(x) {
    expect_false(getOption("daggnn.progress"))
    Sys.sleep(1.1) # two of them are more than progress_delay
    bnlearn::hc(x)
  }
  told <- capture_messages(boot_dag(rows, 2, talks, progress = TRUE))
  expect_match(told, "boot_dag: 2 of 2")
  expect_null(getOption("daggnn.progress"))
  expect_length(capture_messages(boot_dag(rows, 2, bnlearn::hc)), 0)
})

test_that("a worker that hangs is told of, and costs no resample", {
  cluster <- local_cluster(2)
  parallel::clusterCall(cluster, loadNamespace, "daggnn")
  first <- tempfile()
  hangs_once <- function(x) {
    if (!file.exists(first)) {
      file.create(first)
      Sys.sleep(20)
    }
    bnlearn::hc(x)
  }
  environment(hangs_once) <- list2env(list(first = first), parent = baseenv())
  set.seed(3)
  here <- boot_dag(rows, 4, bnlearn::hc)
  set.seed(3)
  expect_warning(
    there <- boot_dag(rows, 4, hangs_once, cluster = cluster, task_limit = 2), "were lost",
    class = "daggnn_warning"
  )
  expect_identical(there$strength, here$strength)
  expect_identical(sort(attr(there, "resamples")$tries), c(1L, 1L, 1L, 2L))
  expect_match(attr(there, "lost"), "it gave no answer within `task_limit`")
  expect_length(attr(here, "lost"), 0)
})

test_that("wrong arguments are named", {
  expect_error(
    boot_dag(rows, 2, bnlearn::hc, task_limit = -1), "`task_limit` must be a number above 0",
    class = "daggnn_input_error"
  )
  expect_error(boot_dag(rows, 0), "`R` must be", class = "daggnn_input_error")
  expect_error(boot_dag(rows, 2, "hc"), "`learner` must be", class = "daggnn_input_error")
  expect_error(boot_dag(rows, 2, m = 0), "`m` must be", class = "daggnn_input_error")
  expect_error(boot_dag(rows, 2, cluster = 2), "`cluster` must be", class = "daggnn_input_error")
  expect_error(boot_dag(1:3, 2), "`x` must be", class = "daggnn_input_error")
})

test_that("with seeds, all rows are learned from and each network is that of its seed", {
  x <- bnlearn::gaussian.test[1:60, 1:4]
  rows_seen <- integer()
  # A learner whose random numbers decide.
  coin <- function(x) {
    rows_seen <<- c(rows_seen, nrow(x))
    net <- bnlearn::empty.graph(names(x))
    if (stats::runif(1) < 0.5) bnlearn::set.arc(net, "A", "B") else net
  }
  strength <- boot_dag(x, seeds = 1:10, learner = coin)
  expect_identical(rows_seen, rep(60L, 10))
  heads <- vapply(1:10, function(seed) {
    set.seed(seed)
    stats::runif(1) < 0.5
  }, NA)
  joined <- strength$from == "A" & strength$to == "B"
  expect_equal(strength$strength[joined], mean(heads))
  expect_identical(attr(strength, "resamples")$seed, 1:10)
  expect_s3_class(bnlearn::averaged.network(strength), "bn")
})

test_that("seeds leave the caller's generator alone", {
  x <- bnlearn::gaussian.test[1:60, 1:4]
  set.seed(4)
  stats::runif(1)
  before <- RNGkind()
  boot_dag(x, seeds = 1:2, learner = bnlearn::hc)
  expect_identical(RNGkind(), before)
})

test_that("seeds are whole numbers, each once", {
  x <- bnlearn::gaussian.test[1:60, 1:4]
  expect_error_snapshot({
    boot_dag(x, seeds = "a")
    boot_dag(x, seeds = c(1, 1.5))
    boot_dag(x, seeds = c(3, 3))
  })
})
