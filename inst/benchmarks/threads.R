# The thread pool beside RcppParallel::parallelFor(), and the product kernels beside Eigen.
#
#   Rscript threads.R [--quick] [--threads=2] [--folder=.]
#
# Jobs as those of training (eight chunks of 10 or 20 microseconds, several jobs in each step) and
# of a search (a task for each variable, of one millisecond or ten). One row per kind of job: the
# median microseconds of a job by the pool and by parallelFor, on one thread, and what parallelFor
# costs relative to the pool. Then one row per size of a product: microseconds by the kernels and by
# Eigen as the package is built, without flags for the processor. Writes threads.csv and threads.png
# into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options()

micro <- 1e6
# Square roots one after the other in a microsecond, on this machine.
steps <- 1e5 / (micro * min(daggnn:::time_jobs_cpp("pool", 1, 1, 1e5, 20)))

cases <- list(
  list(job = "training, 8 x 10 us", tasks = 8, each = 10, times = 4000),
  list(job = "training, 8 x 20 us", tasks = 8, each = 20, times = 4000),
  list(job = "search, 20 x 1 ms", tasks = 20, each = 1000, times = 100),
  list(job = "search, 20 x 10 ms", tasks = 20, each = 10000, times = 20)
)
products <- list(
  list(job = "product, 100 x 20 x 20", n = 100, m = 20, times = 4000),
  list(job = "product, 100 x 100 x 100", n = 100, m = 100, times = 1000),
  list(job = "product, 500 x 500 x 500", n = 500, m = 500, times = 20)
)

time_case <- function(case) {
  times <- if (settings$quick) ceiling(case$times / 10) else case$times
  if (is.null(case$tasks)) {
    seconds <- daggnn:::time_products_cpp(case$n, case$m, times)
    ours <- stats::median(seconds$kernels)
    theirs <- stats::median(seconds$eigen)
    alone <- NA
  } else {
    job <- function(engine, threads) {
      stats::median(
        daggnn:::time_jobs_cpp(engine, threads, case$tasks, case$each * steps, times)
      )
    }
    ours <- job("pool", settings$threads)
    theirs <- job("parallelFor", settings$threads)
    alone <- micro * job("pool", 1)
  }
  data.frame(
    job = case$job, ours = micro * ours, library = micro * theirs, one_thread = alone,
    ratio = theirs / ours
  )
}

cat("Microseconds; ours: the pool or the kernels; library: parallelFor or Eigen\n")
cases <- c(cases, products)
formats <- c(
  job = "%-26s", ours = "%10.1f", library = "%10.1f", one_thread = "%10.1f", ratio = "%7.2f"
)
labels <- vapply(cases, `[[`, "", "job")
table <- run_cases(cases, labels, time_case, settings, print_rows(formats))
write_picture(function() {
  draw_bars(table$ratio, labels, "Time of the library", "relative to ours")
}, 7, 4, settings)
