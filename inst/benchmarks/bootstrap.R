# The bootstrap on two workers against one, and from a warm start against a cold one.
#
#   Rscript bootstrap.R [--quick] [--csv=bootstrap.csv]
#
# A row for each way: resamples, seconds, seconds per resample, how many times faster than the first
# row (one worker, cold start), and the mean absolute difference of its strengths from that row's
# (0 where the way must not matter). --quick draws fewer resamples from fewer rows.

library(daggnn)

arguments <- commandArgs(trailingOnly = TRUE)
quick <- "--quick" %in% arguments
given <- grep("^--csv=", arguments, value = TRUE)
csv <- if (length(given) > 0) sub("^--csv=", "", given[1]) else "bootstrap.csv"
resamples <- if (quick) 8 else 40

set.seed(1)
dag <- random_dag(if (quick) 6 else 10)
x <- simulate_sem(dag, if (quick) 500 else 1000)

workers <- function(count) {
  cluster <- parallel::makeCluster(count)
  parallel::clusterCall(cluster, eval, call(".libPaths", .libPaths()))
  parallel::clusterEvalQ(cluster, loadNamespace("daggnn"))
  cluster
}

run <- function(way, count, warm) {
  cluster <- workers(count)
  on.exit(parallel::stopCluster(cluster))
  set.seed(2)
  # The fit to all rows is not part of the cost per resample.
  began <- proc.time()[["elapsed"]]
  start <- if (warm) dag_gnn(x, threads = 1)
  first <- proc.time()[["elapsed"]] - began
  set.seed(2)
  began <- proc.time()[["elapsed"]]
  strength <- if (warm) {
    boot_dag(x, resamples, cluster = cluster, start = start)
  } else {
    boot_dag(x, resamples, cluster = cluster)
  }
  seconds <- proc.time()[["elapsed"]] - began
  list(
    row = data.frame(
      way = way, workers = count, resamples = resamples, full_fit_seconds = first,
      seconds = seconds, per_resample = seconds / resamples
    ),
    strength = strength$strength * strength$direction
  )
}

runs <- list(
  run("cold start", 1, FALSE), run("cold start", 2, FALSE), run("warm start", 1, TRUE),
  run("warm start", 2, TRUE)
)
table <- do.call(rbind, lapply(runs, `[[`, "row"))
table$times_faster <- table$seconds[1] / table$seconds
table$strengths_differ_by <- vapply(
  runs, function(run) mean(abs(run$strength - runs[[1]]$strength)), 1
)
print(table, row.names = FALSE, digits = 3)
cat(
  "\nTwo workers against one:", format(table$seconds[1] / table$seconds[2], digits = 3),
  "times (cold),", format(table$seconds[3] / table$seconds[4], digits = 3), "times (warm)\n"
)
utils::write.csv(table, csv, row.names = FALSE)
