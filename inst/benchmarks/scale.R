# Large problems trained to the end: many variables, many rows.
#
#   Rscript scale.R [--quick] [--threads=2] [--folder=.]
#
# A row for each problem: rows, variables, the reason for stopping, rounds, epochs, seconds, the
# peak of memory in GiB (of the process that learns it alone, as Linux counts it), and SHD, FDR and
# TPR against the true graph. --quick shrinks both problems. Each runs in a process of its own.
# Writes scale.csv and scale.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

# one, into: of the process of one problem, see below.
settings <- script_options(one = c(m = 0, n = 0), into = "")

problems <- if (settings$quick) {
  list(c(m = 100, n = 1000), c(m = 20, n = 20000))
} else {
  list(c(m = 1000, n = 10000), c(m = 50, n = 1000000))
}

# The largest resident size of this process so far, in GiB; NA where the system does not tell.
peak_memory <- function() {
  if (!file.exists("/proc/self/status")) {
    return(NA_real_)
  }
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024^2
}

learn <- function(m, n, threads) {
  set.seed(1)
  dag <- random_dag(m)
  x <- simulate_sem(dag, n)
  net <- dag_gnn(x, threads = threads, progress = settings$progress)
  trace <- net$daggnn$trace
  data.frame(
    m = m, n = n, reason = net$daggnn$reason, rounds = nrow(trace), epochs = sum(trace$epochs),
    seconds = net$daggnn$seconds, peak_gib = peak_memory(),
    dag_metrics(dag, net)[c("edges", "shd", "fdr", "tpr")]
  )
}

# A child calls this script again with one problem and leaves its row in a file.
if (nzchar(settings$into)) {
  saveRDS(learn(settings$one[1], settings$one[2], settings$threads), settings$into)
  quit(save = "no")
}

learn_apart <- function(problem) {
  into <- tempfile(fileext = ".rds")
  status <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(
      shQuote(script), paste0("--one=", paste(problem, collapse = ",")),
      paste0("--into=", into), paste0("--threads=", settings$threads),
      if (settings$progress) "--progress"
    ),
    env = same_libraries()
  )
  if (status != 0 || !file.exists(into)) {
    return(data.frame(
      m = problem[["m"]], n = problem[["n"]], reason = "failed", rounds = NA, epochs = NA,
      seconds = NA, peak_gib = NA, edges = NA, shd = NA, fdr = NA, tpr = NA
    ))
  }
  readRDS(into)
}

labels <- vapply(problems, function(problem) {
  sprintf("m = %.0f, n = %.0f", problem[["m"]], problem[["n"]])
}, "")
formats <- c(
  m = "%5.0f", n = "%8.0f", reason = "%-24s", rounds = "%6.0f", epochs = "%6.0f",
  seconds = "%8.1f", peak_gib = "%8.2f", edges = "%6.0f", shd = "%5.0f", fdr = "%5.3f",
  tpr = "%5.3f"
)
table <- run_cases(problems, labels, learn_apart, settings, print_rows(formats))
write_picture(function() {
  draw_bars(table$seconds, labels, "From data to network", "seconds")
}, 7, 2.5, settings)
