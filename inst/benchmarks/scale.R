# Large problems trained to the end: many variables, many rows.
#
#   Rscript scale.R [--quick] [--threads=2] [--csv=scale.csv]
#
# A row for each problem: rows, variables, the reason for stopping, rounds, epochs, seconds, the
# peak of memory in GiB (of the process that learns it alone, as Linux counts it), and SHD, FDR and
# TPR against the true graph. --quick shrinks both problems. Each runs in a process of its own.

arguments <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(given) > 0) sub("^[^=]*=", "", given[1]) else default
}
quick <- "--quick" %in% arguments
threads <- as.integer(option("threads", "2"))
csv <- option("csv", "scale.csv")

problems <- if (quick) {
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
  library(daggnn)
  set.seed(1)
  dag <- random_dag(m)
  x <- simulate_sem(dag, n)
  net <- dag_gnn(x, threads = threads)
  trace <- net$daggnn$trace
  data.frame(
    m = m, n = n, reason = net$daggnn$reason, rounds = nrow(trace), epochs = sum(trace$epochs),
    seconds = net$daggnn$seconds, peak_gib = peak_memory(),
    dag_metrics(dag, net)[c("edges", "shd", "fdr", "tpr")]
  )
}

# A child calls this script again with one problem and leaves its row in a file.
one <- option("one", "")
if (nzchar(one)) {
  problem <- as.numeric(strsplit(one, ",")[[1]])
  saveRDS(learn(problem[1], problem[2], threads), option("into", ""))
  quit(save = "no")
}

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
rows <- lapply(problems, function(problem) {
  into <- tempfile(fileext = ".rds")
  status <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(
      shQuote(script), paste0("--one=", paste(problem, collapse = ",")),
      paste0("--into=", into), paste0("--threads=", threads)
    ),
    env = paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
  )
  if (status != 0 || !file.exists(into)) {
    return(data.frame(
      m = problem[["m"]], n = problem[["n"]], reason = "failed", rounds = NA, epochs = NA,
      seconds = NA, peak_gib = NA, edges = NA, shd = NA, fdr = NA, tpr = NA
    ))
  }
  row <- readRDS(into)
  print(row, row.names = FALSE, digits = 3)
  row
})
table <- do.call(rbind, rows)
cat("\n")
print(table, row.names = FALSE, digits = 3)
utils::write.csv(table, csv, row.names = FALSE)
