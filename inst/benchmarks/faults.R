# Faults and what they cost: what was done, how often, and what was lost.
#
#   Rscript faults.R [--quick] [--folder=.]
#
# A row for each fault. `lost` counts resamples, rounds or checkpoints that an undisturbed run has
# and the disturbed one does not; `same` says how often the result is that of the undisturbed run.
# Workers and processes are killed by kill -9, fits at a random moment, so this needs a Unix.
# --quick repeats each fault once. Writes faults.csv and faults.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options()
repeats <- if (settings$quick) 1 else 20

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

# -- faults of a fit, which runs in a process of its own -------------------------------------------

fit_control <- function(...) {
  dag_gnn_control(epochs = 100, h_tolerance = 0, c_max = Inf, ...)
}

fit_here <- function(rounds, ...) {
  suppressWarnings(dag_gnn(x, ..., model = "vae", control = fit_control(max_rounds = rounds)))
}

# Begins a fit that leaves its checkpoints as fit.rds in `folder`, and in the end its weights and
# its network, and returns when as many rounds are written. before: what the shell does first.
begin_fit <- function(folder, seed, control, rounds = 2, before = "") {
  saveRDS(list(x = x, seed = seed, control = control), file.path(folder, "asked.rds"))
  code <- c(
    "folder <- commandArgs(TRUE)[1]",
    "asked <- readRDS(file.path(folder, 'asked.rds'))",
    "cat(Sys.getpid(), file = file.path(folder, 'pid'))",
    "set.seed(asked$seed)",
    "net <- daggnn::dag_gnn(asked$x, model = 'vae', control = asked$control)",
    "keep <- function(what, name) {",
    "  saveRDS(what, file.path(folder, 'begun.rds'))",
    "  file.rename(file.path(folder, 'begun.rds'), file.path(folder, name))",
    "}",
    "keep(net$daggnn$weights, 'weights.rds')",
    "keep(net, 'net.rds')"
  )
  writeLines(code, file.path(folder, "fit.R"))
  words <- shQuote(c(file.path(R.home("bin"), "Rscript"), file.path(folder, "fit.R"), folder))
  call <- paste(c(same_libraries(), words), collapse = " ")
  system(paste(before, call, "> /dev/null 2>&1"), wait = FALSE)
  file <- file.path(folder, "fit.rds")
  wait_for(rounds == 0 || (file.exists(file) && nrow(readRDS(file)$daggnn$trace) >= rounds))
}

# Waits for `condition`, an expression, to come true.
wait_for <- function(condition, seconds = 120) {
  condition <- substitute(condition)
  began <- proc.time()[["elapsed"]]
  while (!eval(condition, parent.frame())) {
    waited <- proc.time()[["elapsed"]] - began
    if (waited > seconds) stop("waited too long for ", deparse1(condition))
    Sys.sleep(0.02)
  }
}

signal_fit <- function(folder, signal) {
  Sys.sleep(stats::runif(1, 0, 0.1)) # at any moment of a round, also while a file is written
  tools::pskill(scan(file.path(folder, "pid"), quiet = TRUE), signal)
}

# The fit that was cut off, gone on with for one round more, against one that nothing disturbed.
go_on <- function(kept, seed) {
  rounds <- nrow(kept$daggnn$trace) + 1
  set.seed(seed)
  undisturbed <- fit_here(rounds)
  resumed <- fit_here(rounds, start = kept)
  c(
    lost = nrow(undisturbed$daggnn$trace) - nrow(resumed$daggnn$trace),
    same = identical(resumed$daggnn$weights, undisturbed$daggnn$weights)
  )
}

in_folder <- function(use) {
  function(seed) {
    folder <- tempfile()
    dir.create(folder)
    on.exit(unlink(folder, recursive = TRUE))
    use(folder, seed)
  }
}

kill_fit <- in_folder(function(folder, seed) {
  file <- file.path(folder, "fit.rds")
  begin_fit(folder, seed, fit_control(checkpoint = file, max_rounds = 10000))
  signal_fit(folder, tools::SIGKILL)
  Sys.sleep(0.2)
  go_on(readRDS(file), seed)
})

interrupt_fit <- in_folder(function(folder, seed) {
  file <- file.path(folder, "fit.rds")
  begin_fit(folder, seed, fit_control(checkpoint = file, max_rounds = 10000))
  signal_fit(folder, tools::SIGINT)
  net <- file.path(folder, "net.rds")
  wait_for(file.exists(net))
  go_on(readRDS(net), seed)
})

# A process that cannot write a file of more than a kilobyte or two: the fit ends as if nothing had
# happened, and the checkpoint of before is whole.
fill_disk <- in_folder(function(folder, seed) {
  file <- file.path(folder, "fit.rds")
  before <- fit_here(2)
  saveRDS(before, file)
  control <- fit_control(checkpoint = file, max_rounds = 4)
  begin_fit(folder, seed, control, rounds = 0, before = "trap '' XFSZ; ulimit -f 2;")
  weights <- file.path(folder, "weights.rds")
  wait_for(file.exists(weights))
  set.seed(seed)
  c(
    lost = !identical(readRDS(file)$daggnn$weights, before$daggnn$weights),
    same = identical(readRDS(weights), fit_here(4)$daggnn$weights)
  )
})

faults <- list(
  "one of two socket workers killed" = lose_workers(parallel::makePSOCKcluster, 1),
  "both socket workers killed" = lose_workers(parallel::makePSOCKcluster, 2),
  "each resample fails once" = flaky,
  "a fit killed, gone on from its checkpoint" = kill_fit,
  "a fit interrupted, gone on from its network" = interrupt_fit,
  "a full disk under a fit's checkpoint" = fill_disk
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

formats <- c(fault = "%-44s", times = "%5.0f", lost = "%5.0f", same = "%5.0f")
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
