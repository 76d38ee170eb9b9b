# Faults and what they cost: what was done, how often, and what was lost.
#
#   Rscript faults.R [--quick] [--folder=.]
#
# A row for each fault. `lost` counts resamples or rounds that an undisturbed run has and the
# disturbed one does not; `same` says whether the result is that of the undisturbed run. Workers and
# processes are killed by kill -9, so this needs a Unix. --quick repeats each fault once. Writes
# faults.csv and faults.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options()
repeats <- if (settings$quick) 1 else 5

set.seed(1)
x <- simulate_sem(random_dag(5), 300)
resamples <- 12
# Slow enough to be hit in the middle.
slow <- function(x) {
  Sys.sleep(0.15)
  bnlearn::hc(x)
}
environment(slow) <- globalenv()

kill_later <- function(pids, seconds) {
  command <- sprintf("(sleep %g; kill -9 %s) > /dev/null 2>&1 &", seconds, paste(pids,
    collapse = " "))
  system(command)
}

with_workers <- function(make, use) {
  cluster <- make(2)
  on.exit({
    # stopCluster() gives up at the first worker that is dead.
    try(parallel::stopCluster(cluster), silent = TRUE)
    for (node in cluster) try(close(node$con), silent = TRUE)
  })
  parallel::clusterCall(cluster, eval, call(".libPaths", .libPaths()))
  use(cluster, unlist(parallel::clusterCall(cluster, Sys.getpid)))
}

boot <- function(learner, seed, cluster = NULL) {
  set.seed(seed)
  suppressWarnings(boot_dag(x, resamples, learner, cluster = cluster))
}

outcome <- function(disturbed, undisturbed) {
  c(
    lost = sum(attr(disturbed, "resamples")$status != "done"),
    same = identical(disturbed$strength, undisturbed$strength) &&
      identical(disturbed$direction, undisturbed$direction)
  )
}

lose_workers <- function(make, how_many) {
  function(seed) {
    undisturbed <- boot(bnlearn::hc, seed)
    with_workers(make, function(cluster, pids) {
      kill_later(utils::head(pids, how_many), 0.5)
      outcome(boot(slow, seed, cluster), undisturbed)
    })
  }
}

# A task that fails at its first try.
flaky <- function(seed) {
  seen <- list()
  learner <- function(x) {
    known <- any(vapply(seen, identical, NA, x))
    seen[[length(seen) + 1]] <<- x
    if (known) bnlearn::hc(x) else stop("bad luck")
  }
  outcome(boot(learner, seed), boot(bnlearn::hc, seed))
}

# A fit in another process, killed after its second round, and gone on with here.
kill_fit <- function(seed) {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  file <- file.path(folder, "fit.rds")
  saveRDS(x, file.path(folder, "x.rds"))
  control <- function(...) {
    dag_gnn_control(epochs = 100, h_tolerance = 0, c_max = Inf, polish = FALSE, ...)
  }
  saveRDS(control(checkpoint = file, max_rounds = 10000), file.path(folder, "control.rds"))
  script <- c(
    "folder <- commandArgs(TRUE)[1]", "cat(Sys.getpid(), file = file.path(folder, 'pid'))",
    sprintf("set.seed(%d)", seed),
    paste(
      "daggnn::dag_gnn(readRDS(file.path(folder, 'x.rds')),",
      "control = readRDS(file.path(folder, 'control.rds')))"
    )
  )
  writeLines(script, file.path(folder, "fit.R"))
  system2(
    file.path(R.home("bin"), "Rscript"), c(file.path(folder, "fit.R"), folder), wait = FALSE,
    env = paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
  )
  rounds <- function() if (file.exists(file)) nrow(readRDS(file)$daggnn$trace) else 0
  while (rounds() < 2) Sys.sleep(0.05)
  tools::pskill(scan(file.path(folder, "pid"), quiet = TRUE), 9)
  Sys.sleep(0.2)
  kept <- readRDS(file)
  most <- nrow(kept$daggnn$trace) + 1
  fit <- function(...) suppressWarnings(dag_gnn(x, ..., control = control(max_rounds = most)))
  set.seed(seed)
  undisturbed <- fit()
  resumed <- fit(start = kept)
  c(
    lost = nrow(undisturbed$daggnn$trace) - nrow(resumed$daggnn$trace),
    same = identical(resumed$daggnn$weights, undisturbed$daggnn$weights)
  )
}

faults <- list(
  "one of two socket workers killed" = lose_workers(parallel::makePSOCKcluster, 1),
  "both socket workers killed" = lose_workers(parallel::makePSOCKcluster, 2),
  "each resample fails once" = flaky,
  "a fit killed, gone on from its checkpoint" = kill_fit
)
if (requireNamespace("mirai", quietly = TRUE)) {
  faults[["one of two mirai daemons killed"]] <- lose_workers(mirai::make_cluster, 1)
}

repeat_fault <- function(name) {
  outcomes <- vapply(seq_len(repeats), function(k) faults[[name]](10 + k), c(lost = 0, same = 0))
  data.frame(
    fault = name, times = repeats, lost = sum(outcomes["lost", ]), same = sum(outcomes["same", ])
  )
}

formats <- c(fault = "%-42s", times = "%5.0f", lost = "%5.0f", same = "%5.0f")
table <- run_cases(
  names(faults), names(faults), repeat_fault, settings, print_rows(formats)
)
write_picture(function() {
  ends <- rbind("the undisturbed result" = table$same, "another" = table$times - table$same)
  draw_bars(
    ends, table$fault, "Faults, and what came of them", "times",
    fill = colours[c("blue", "vermillion")]
  )
}, 9, 4, settings)
