# Time to a certified optimum, next to the optima that are known.
#
#   Rscript exact.R [--quick] [--threads=2] [--time_limit=300] [--csv=exact.csv]
#
# One row per data set: its rows, the most parents, the score that was found, the bound, the gap, is
# it proven, the seconds for all (local scores included), the seconds of processor time, which other
# work on the machine does not change, and the known optimum. Child, Alarm and Pigs (n = 1000) are
# read from the folder that DAGGNN_DATA names; the others come with bnlearn.
# --quick leaves out what takes more than a few seconds.

library(daggnn)

arguments <- commandArgs(trailingOnly = TRUE)
option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), arguments, value = TRUE)
  if (length(given) > 0) sub("^[^=]*=", "", given[1]) else default
}
quick <- "--quick" %in% arguments
threads <- as.integer(option("threads", "2"))
time_limit <- as.numeric(option("time_limit", "300"))
csv <- option("csv", "")

from_file <- function(...) {
  x <- utils::read.table(file.path(Sys.getenv("DAGGNN_DATA"), ...))
  x[] <- lapply(x, factor)
  x
}
from_bnlearn <- function(name) {
  where <- new.env()
  utils::data(list = name, package = "bnlearn", envir = where)
  where[[name]]
}

# The optima: of Child, Alarm and Pigs found once by a trial of this method, of the others published
# by users of GOBNILP.
cases <- list(
  list(data = "learning.test", score = "bde", maxp = 3, known = -24028.0948, quick = TRUE),
  list(
    data = "Child", file = c("mmhc", "Child_s1000_v1.txt"), maxp = 3, known = -12660.8292,
    quick = TRUE
  ),
  list(
    data = "Alarm", file = c("mmhc", "Alarm1_s1000_v1.txt"), maxp = 3, known = -10358.8583,
    quick = TRUE
  ),
  list(data = "insurance", maxp = 3, known = -264708.860, quick = TRUE),
  list(data = "Pigs", file = c("pigs", "pigs_1000.txt.gz"), maxp = 2, known = -348810.4381),
  list(data = "alarm", maxp = 3, known = -218632.316),
  list(data = "hailfinder", maxp = 3, known = -990162.805)
)

run_case <- function(case) {
  x <- if (is.null(case$file)) {
    from_bnlearn(case$data)
  } else {
    do.call(from_file, as.list(case$file))
  }
  type <- if (is.null(case$score)) "bic" else case$score
  before <- proc.time()
  net <- exact_dag(
    x, maxp = case$maxp, score = type, iss = 1, threads = threads, time_limit = time_limit
  )
  used <- sum((proc.time() - before)[c("user.self", "sys.self")])
  row <- data.frame(
    data = case$data, n = nrow(x), m = ncol(x), maxp = case$maxp, type = type, score = net$score,
    bound = net$bound, gap = net$gap, optimal = net$optimal, cuts = net$cuts, seconds = net$seconds,
    processor = used, known = case$known
  )
  cat(sprintf(
    "%-14s %6d %5d %5d %-5s %15.4f %15.4f %8.5f %% %-7s %6d %8.1f %9.1f %15.4f\n",
    row$data, row$n, row$m, row$maxp, row$type, row$score, row$bound, 100 * row$gap,
    row$optimal, row$cuts, row$seconds, row$processor, row$known
  ))
  row
}

cat(sprintf(
  "%-14s %6s %5s %5s %-5s %15s %15s %10s %-7s %6s %8s %9s %15s\n", "data", "n", "m", "maxp", "type",
  "score", "bound", "gap", "optimal", "cuts", "seconds", "processor",
  "known optimum"
))
rows <- list()
for (case in cases) {
  if (quick && !isTRUE(case$quick)) next
  if (!is.null(case$file) && Sys.getenv("DAGGNN_DATA") == "") {
    cat(case$data, ": left out, DAGGNN_DATA is not set\n", sep = "")
    next
  }
  rows[[length(rows) + 1]] <- run_case(case)
}
if (nzchar(csv)) utils::write.csv(do.call(rbind, rows), csv, row.names = FALSE)
