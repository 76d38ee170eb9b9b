# What a task does in these tests: fails, is slow, or draws random numbers. Workers have no copy of
# the test environment, so the functions carry base R's.
draw <- function(task) c(task, stats::runif(2))
slow_draw <- function(task, seconds) {
  Sys.sleep(seconds)
  c(task, stats::runif(2))
}
draw_unless <- function(task, bad) if (task %in% bad) stop("task ", task, " is bad") else task
environment(draw) <- environment(slow_draw) <- environment(draw_unless) <- baseenv()

test_that("every task has its own stream, ruled by the seed, and R's generator is left alone", {
  set.seed(5)
  first <- run_tasks(draw, list(), 4)
  after <- runif(1)
  set.seed(5)
  second <- run_tasks(draw, list(), 6)
  expect_identical(second$values[1:4], first$values)
  expect_length(unique(vapply(second$values, `[`, 1, 2)), 6)
  expect_identical(runif(1), after)
})

test_that("a generator that was never used keeps its kind", {
  skip_on_os("windows")
  said <- in_new_process(
    "drawn <- daggnn:::with_stream(daggnn:::random_streams(1)[[1]], runif(1))", "cat(RNGkind()[1])"
  )
  expect_match(said, "Mersenne-Twister")
})

test_that("a task that fails is tried three times, then reported, and the others are done", {
  done <- run_tasks(draw_unless, list(c(2, 5)), 6)
  expect_identical(done$table$status[c(2, 5)], c("failed", "failed"))
  expect_identical(done$table$tries, c(1L, 3L, 1L, 1L, 3L, 1L))
  expect_match(done$table$message[2], "task 2 is bad")
  expect_identical(unlist(done$values), c(1L, 3L, 4L, 6L))
})

test_that("each settled task is reported, and a report can stop the rest", {
  told <- integer()
  report <- function(settled) {
    told <<- c(told, settled)
    settled < 3
  }
  done <- run_tasks(draw, list(), 6, report = report)
  expect_identical(told, 1:3)
  expect_true(done$interrupted)
  expect_identical(done$table$status, rep(c("done", "not run"), each = 3))
})

test_that("an interrupt gives back what is done", {
  interrupted <- function(task) {
    if (task == 3) signalCondition(structure(class = c("interrupt", "condition"), list()))
    task
  }
  done <- run_tasks(interrupted, list(), 5)
  expect_true(done$interrupted)
  expect_identical(done$table$status, c("done", "done", "not run", "not run", "not run"))
})

test_that("a socket cluster, and parallel's own means, give what this process gives", {
  cluster <- local_cluster(2)
  set.seed(8)
  here <- run_tasks(draw, list(), 7)
  set.seed(8)
  there <- run_tasks(draw, list(), 7, cluster)
  expect_identical(there, here)

  set.seed(8)
  job <- list(fun = draw, args = list(), streams = random_streams(7))
  ledger <- new_ledger(7)
  run_on_cluster(job, ledger, wave_courier(cluster))
  expect_identical(ledger$values, here$values)

  failed <- run_tasks(draw_unless, list(c(2, 5)), 6, cluster)
  expect_identical(failed$table, run_tasks(draw_unless, list(c(2, 5)), 6)$table)
})

test_that("more workers than tasks, and one task, are no trouble", {
  cluster <- local_cluster(2)
  expect_identical(run_tasks(draw_unless, list(0), 1, cluster)$values, list(1L))
  expect_identical(run_tasks(draw_unless, list(0), 1)$values, list(1L))
})

test_that("a worker that is killed loses nothing: its task is done by another", {
  skip_on_os("windows")
  cluster <- local_cluster(2)
  pids <- worker_pids(cluster)
  set.seed(3)
  undisturbed <- run_tasks(draw, list(), 12)
  kill_later(pids[1], 0.5)
  set.seed(3)
  disturbed <- run_tasks(slow_draw, list(0.15), 12, cluster)
  expect_identical(disturbed$values, undisturbed$values)
  expect_length(disturbed$lost, 1)
  expect_identical(sort(disturbed$table$tries), c(rep(1L, 11), 2L))
})

test_that("where all workers are killed, this process does the rest", {
  skip_on_os("windows")
  cluster <- local_cluster(2)
  set.seed(3)
  undisturbed <- run_tasks(draw, list(), 8)
  for (pid in worker_pids(cluster)) kill_later(pid, 0.4)
  set.seed(3)
  disturbed <- run_tasks(slow_draw, list(0.15), 8, cluster)
  expect_identical(disturbed$values, undisturbed$values)
  expect_length(disturbed$lost, 2)
})

test_that("a worker without the package says so", {
  cluster <- parallel::makePSOCKcluster(1)
  defer(parallel::stopCluster(cluster), environment())
  parallel::clusterCall(cluster, eval, quote(asNamespace <- NULL))
  parallel::clusterEvalQ(cluster, .libPaths(.Library))
  skip_if(file.exists(file.path(.Library, "daggnn")), "the package is in R's own library")
  skip_if(
    parallel::clusterEvalQ(cluster, requireNamespace("daggnn", quietly = TRUE))[[1]],
    "workers find the package by themselves"
  )
  done <- run_tasks(draw_unless, list(0), 3, cluster)
  expect_match(done$lost, "daggnn")
  expect_identical(unlist(done$values), 1:3)
})

test_that("a mirai cluster gives the same, also when a daemon is killed", {
  skip_if_not_installed("mirai")
  skip_on_os("windows")
  cluster <- local_cluster(2, mirai::make_cluster)
  set.seed(3)
  undisturbed <- run_tasks(draw, list(), 12)
  set.seed(3)
  expect_identical(run_tasks(draw, list(), 12, cluster), undisturbed)
  kill_later(worker_pids(cluster)[1], 0.5)
  set.seed(3)
  disturbed <- run_tasks(slow_draw, list(0.15), 12, cluster)
  expect_identical(disturbed$values, undisturbed$values)
  # Any daemon may take any message: the one that was killed may have held both.
  expect_true(length(disturbed$lost) %in% 1:2)
})
