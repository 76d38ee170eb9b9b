# Runs a learner of daggnn on data of Benchpress. Snakemake gives `snakemake`; the file with
# add_timeout() is Benchpress's own.
source("workflow/scripts/utils/helpers.R")

# Discrete data have the number of levels of each variable in the row below the names, and codes
# from 0 in the others.
read_benchpress <- function(file) {
  x <- read.csv(file, check.names = FALSE)
  first <- unlist(x[1, ])
  rest <- as.matrix(x[-1, , drop = FALSE])
  whole <- all(rest == round(rest), na.rm = TRUE) && all(rest >= 0, na.rm = TRUE)
  discrete <- whole && all(first == round(first)) && all(first >= 2) &&
    all(t(rest) < first, na.rm = TRUE)
  if (!isTRUE(discrete)) {
    return(x)
  }
  x <- x[-1, , drop = FALSE]
  x[] <- Map(function(column, count) factor(column, seq_len(count) - 1), x, first)
  x
}

learn <- function() {
  wildcards <- snakemake@wildcards
  x <- read_benchpress(snakemake@input[["data"]])
  learner <- getExportedValue("daggnn", wildcards[["learner"]])
  arguments <- if (wildcards[["learner"]] == "dag_gnn") list(model = wildcards[["model"]])
  set.seed(as.integer(wildcards[["replicate"]]))

  start <- proc.time()[["elapsed"]]
  net <- do.call(learner, c(list(x), arguments))
  seconds <- proc.time()[["elapsed"]] - start

  adjacency <- bnlearn::amat(net)[names(x), names(x)]
  write.csv(adjacency, snakemake@output[["adjmat"]], row.names = FALSE, quote = FALSE)
  write(seconds, snakemake@output[["time"]])
  # No tests of conditional independence are made.
  cat("None\n", file = snakemake@output[["ntests"]])
}

add_timeout(learn)
