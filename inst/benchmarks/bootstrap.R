# The bootstrap on two workers against one, and from a warm start against a cold one.
#
#   Rscript bootstrap.R [--quick] [--folder=.]
#
# A row for each way: resamples, seconds, seconds per resample, how many times faster than the first
# row (one worker, cold start), and the mean absolute difference of its strengths from that row's
# (0 where the way must not matter). --quick draws fewer resamples from fewer rows. Writes
# bootstrap.csv and bootstrap.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options()
resamples <- if (settings$quick) 8 else 40

set.seed(1)
dag <- random_dag(if (settings$quick) 6 else 10)
x <- simulate_sem(dag, if (settings$quick) 500 else 1000)

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
  strength <- strength$strength * strength$direction
  if (is.null(reference)) reference <<- list(seconds = seconds, strength = strength)
  data.frame(
    way = way, workers = count, resamples = resamples, full_fit_seconds = first,
    seconds = seconds, per_resample = seconds / resamples,
    times_faster = reference$seconds / seconds,
    strengths_differ_by = mean(abs(strength - reference$strength))
  )
}

ways <- list(
  list("cold start", 1, FALSE), list("cold start", 2, FALSE), list("warm start", 1, TRUE),
  list("warm start", 2, TRUE)
)
labels <- vapply(ways, function(way) {
  paste0(way[[1]], ", ", way[[2]], if (way[[2]] == 1) " worker" else " workers")
}, "")
reference <- NULL # the first way's seconds and strengths
table <- run_cases(ways, labels, function(way) do.call(run, way), settings)
cat(
  "\nTwo workers against one:", format(table$seconds[1] / table$seconds[2], digits = 3),
  "times (cold),", format(table$seconds[3] / table$seconds[4], digits = 3), "times (warm)\n"
)
write_picture(function() {
  draw_bars(table$per_resample, labels, "Bootstrap", "seconds per resample")
}, 7, 3, settings)
