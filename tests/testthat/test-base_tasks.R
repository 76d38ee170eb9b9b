# What a task does in these tests: fails, is slow, or draws random numbers. Workers have no copy of
# the test environment, so the functions carry base R's.
draw <- function(task) c(task, stats::runif(2))
slow_draw <- function(task, seconds) {
  Sys.sleep(seconds)
  c(task, stats::runif(2))
}
draw_unless <- function(task, bad) if (task %in% bad) stop("task ", task, " is bad") else task
# Hangs on a worker (not in the process `host`): always, or at its first try, which leaves `file`.
draw_late <- function(task, bad, file, host) {
  if (task %in% bad && Sys.getpid() != host && !file.exists(file)) {
    if (nzchar(file)) file.create(file)
    Sys.sleep(20)
  }
  c(task, stats::runif(2))
}
environment(draw) <- environment(slow_draw) <- baseenv()
environment(draw_unless) <- environment(draw_late) <- baseenv()

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

# A cluster whose nodes do not show that they are sockets, as those of MPI are none.
of_another_kind <- function(cluster) {
  cluster[] <- lapply(cluster, function(node) {
    class(node$con) <- "connection"
    node
  })
  cluster
}

test_that("a socket cluster, and one of another kind, give what this process gives", {
  cluster <- local_cluster(2)
  set.seed(8)
  here <- run_tasks(draw, list(), 7)
  set.seed(8)
  there <- run_tasks(draw, list(), 7, cluster)
  expect_identical(there, here)
  set.seed(8)
  expect_identical(run_tasks(draw, list(), 7, of_another_kind(cluster)), here)

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

test_that("where a cluster of another kind loses a worker, this process does the rest", {
  skip_on_os("windows")
  cluster <- local_cluster(2)
  set.seed(3)
  undisturbed <- run_tasks(draw, list(), 8)
  kill_later(worker_pids(cluster)[1], 0.4)
  set.seed(3)
  disturbed <- run_tasks(slow_draw, list(0.15), 8, of_another_kind(cluster))
  expect_identical(disturbed$values, undisturbed$values)
  expect_gt(length(disturbed$lost), 0)
})

test_that("parallel's own functions lose the cluster with a worker, which is why none is used", {
  skip_on_os("windows")
  cluster <- local_cluster(2)
  kill_later(worker_pids(cluster)[1], 0.3)
  slow <- function(task) {
    Sys.sleep(1)
    "of the first call"
  }
  environment(slow) <- baseenv()
  expect_error(parallel::clusterApplyLB(cluster, 1:4, slow))
  # The worker that lives gives its old answer to a new question, and goes on to do so.
  echo <- function(word) parallel::clusterCall(cluster[2], identity, word)[[1]]
  expect_identical(echo("second"), "of the first call")
  expect_identical(echo("third"), "second")
})

test_that("a worker that hangs is given up, its task done by another, and by no third one", {
  cluster <- local_cluster(3)
  # To load the package takes its time, too.
  parallel::clusterCall(cluster, loadNamespace, "daggnn")
  set.seed(3)
  undisturbed <- run_tasks(draw, list(), 6)
  set.seed(3)
  disturbed <- run_tasks(draw_late, list(2, tempfile(), Sys.getpid()), 6, cluster, limit = 2)
  expect_identical(disturbed$values, undisturbed$values)
  expect_match(disturbed$lost, "it gave no answer within `task_limit`")
  expect_identical(disturbed$table$tries, c(1L, 2L, 1L, 1L, 1L, 1L))
  expect_match(disturbed$table$message[2], "it gave no answer within `task_limit`")

  hung <- as.integer(sub("worker ([0-9]).*", "\\1", disturbed$lost))
  done <- run_tasks(draw_late, list(1, "", Sys.getpid()), 3, cluster[-hung], limit = 2)
  expect_identical(done$table$status, c("failed", "done", "done"))
  expect_identical(done$table$tries[1], 2L)
  expect_length(done$lost, 2)
})

test_that("Ctrl-C gives back what is done, and leaves the cluster as it was", {
  skip_where_ctrl_c_is_ignored()
  said <- in_new_process(
    "cluster <- parallel::makePSOCKcluster(2)",
    "parallel::clusterCall(cluster, eval, call('.libPaths', .libPaths()))",
    "parallel::clusterCall(cluster, loadNamespace, 'daggnn')",
    "slow <- function(task) { Sys.sleep(0.5); task }",
    "environment(slow) <- baseenv()",
    "system(sprintf('(sleep 2; kill -INT %d) &', Sys.getpid()))",
    "done <- daggnn:::run_tasks(slow, list(), 40, cluster)",
    "status <- table(factor(done$table$status, c('done', 'not run')))",
    "cat('interrupted:', done$interrupted, all(status > 0), sum(status), '\\n')",
    "cat('again:', unlist(parallel::clusterCall(cluster, identity, 'ok')), '\\n')",
    "parallel::stopCluster(cluster)"
  )
  expect_true("interrupted: TRUE TRUE 40 " %in% said, info = said)
  expect_true("again: ok ok " %in% said, info = said)
})

test_that("`task_limit` is a number above 0", {
  expect_error(run_tasks(draw, list(), 1, limit = 0), "`task_limit` must be a number above 0")
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

test_that("a profile of mirai gives the same, when daemons are killed, hang, and none is left", {
  skip_if_not_installed("mirai")
  skip_on_cran()
  skip_on_os("windows")
  profile <- "daggnn-test"
  mirai::daemons(3, .compute = profile)
  defer(mirai::daemons(0, .compute = profile), environment())
  mirai::everywhere(.libPaths(paths), paths = .libPaths(), .compute = profile)
  process <- function(task) {
    Sys.sleep(0.3) # so that each daemon has one
    Sys.getpid()
  }
  pids <- unlist(mirai::mirai_map(1:3, process, .compute = profile)[])
  expect_length(unique(pids), 3)
  set.seed(3)
  undisturbed <- run_tasks(draw, list(), 12)
  set.seed(3)
  expect_identical(run_tasks(draw, list(), 12, profile), undisturbed)

  kill_later(pids[1], 0.4)
  set.seed(3)
  disturbed <- run_tasks(slow_draw, list(0.15), 12, profile)
  expect_identical(disturbed$values, undisturbed$values)
  expect_length(disturbed$lost, 1)

  set.seed(3)
  late <- run_tasks(draw_late, list(2, tempfile(), Sys.getpid()), 12, profile, limit = 2)
  expect_identical(late$values, undisturbed$values)
  expect_match(late$lost, "no answer within")

  for (pid in pids[-1]) kill_later(pid, 0.2)
  set.seed(3)
  expect_identical(run_tasks(slow_draw, list(0.1), 12, profile)$values, undisturbed$values)
})

test_that("daemons that come late are waited for, and used", {
  skip_if_not_installed("mirai")
  skip_on_cran()
  skip_on_os("windows")
  profile <- "daggnn-late"
  mirai::daemons(url = mirai::local_url(), .compute = profile)
  defer(mirai::daemons(0, .compute = profile), environment())
  call <- unclass(mirai::launch_remote(1, .compute = profile))
  system(paste("(sleep 1;", same_libraries(), call, ") > /dev/null 2>&1 &"))
  process <- function(task) Sys.getpid()
  environment(process) <- baseenv()
  expect_message(done <- run_tasks(process, list(), 2, profile), "Waiting for the first daemon")
  expect_false(Sys.getpid() %in% unlist(done$values))
})

test_that("a profile of mirai without daemons is an error", {
  expect_error(check_cluster("nobody"), "`cluster` must name a compute profile of mirai")
})
