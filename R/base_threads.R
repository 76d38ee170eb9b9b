# How many threads to use: the argument, else the environment, else the option, else two.
check_threads <- function(threads = NULL) {
  if (is.null(threads)) {
    set <- Sys.getenv("DAGGNN_THREADS", "")
    default <- getOption("daggnn.threads", 2)
    threads <- if (nzchar(set)) suppressWarnings(as.numeric(set)) else default
  }
  as.integer(check_number(threads, "threads", 1, 1024, whole = TRUE))
}

# One draw from R's generator seeds all streams of the core, so that set.seed() rules them.
draw_seed <- function() {
  floor(stats::runif(1) * 2^53)
}
