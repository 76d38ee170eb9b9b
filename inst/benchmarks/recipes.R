# What nonlinear.R, ordinary.R and orders.R share: changes of the columns that carry no meaning,
# missing values, learners, and one run of a learner as a row. Seeds of reported rows start at 101;
# nothing in the package was decided on them.

first_seed <- 101

# -- Data ------------------------------------------------------------------------------------------

# Each column in units of its own.
other_units <- function(x) {
  numeric <- vapply(x, is.numeric, NA)
  x[numeric] <- lapply(x[numeric], function(column) column * exp(stats::runif(1, -2, 2)))
  x
}

standardised <- function(x) as.data.frame(scale(x))

column_forms <- list(raw = identity, units = other_units, standardised = standardised)

# Each value is missing with the same probability; a row without any value keeps its first one.
with_missing <- function(x, share) {
  missing <- matrix(stats::runif(nrow(x) * ncol(x)) < share, nrow(x))
  missing[rowSums(missing) == ncol(x), 1] <- FALSE
  for (j in seq_along(x)) x[missing[, j], j] <- NA
  x
}

# Missing values replaced by the most frequent level, or by the mean.
imputed <- function(x) {
  typical <- function(column) {
    if (is.factor(column)) names(which.max(table(column))) else mean(column, na.rm = TRUE)
  }
  x[] <- lapply(x, function(column) replace(column, is.na(column), typical(column)))
  x
}

complete_rows <- function(x) x[stats::complete.cases(x), , drop = FALSE]

# A network of a .bif or .bif.gz file with its tables.
read_network <- function(file) {
  connection <- gzfile(file)
  on.exit(close(connection))
  plain <- tempfile(fileext = ".bif")
  writeLines(readLines(connection), plain)
  suppressWarnings(bnlearn::read.bif(plain))
}

# -- Networks --------------------------------------------------------------------------------------

# The number of pairs of nodes that two networks do not treat alike.
changed_pairs <- function(a, b) {
  nodes <- bnlearn::nodes(a)
  a <- bnlearn::amat(a)
  b <- bnlearn::amat(b)[nodes, nodes]
  sum((a != b | t(a) != t(b))[upper.tri(a)])
}

# -- Learners --------------------------------------------------------------------------------------

# What bnlearn learns from: numbers as doubles, complete rows.
for_bnlearn <- function(x) {
  x[] <- lapply(x, function(column) if (is.numeric(column)) as.numeric(column) else column)
  complete_rows(x)
}

learner_functions <- list(
  dag_gnn = function(x) dag_gnn(x),
  notears = function(x) notears(x),
  notears_l1 = function(x) notears(x, lambda = 0.1),
  hc = function(x) bnlearn::hc(for_bnlearn(x)),
  tabu = function(x) bnlearn::tabu(for_bnlearn(x)),
  imputed_dag_gnn = function(x) dag_gnn(imputed(x)),
  imputed_hc = function(x) bnlearn::hc(for_bnlearn(imputed(x))),
  complete_dag_gnn = function(x) dag_gnn(complete_rows(x))
)

check_learner_names <- function(names) {
  unknown <- setdiff(names, names(learner_functions))
  if (length(unknown) > 0) {
    stop(
      "unknown learner ", unknown[1], "; there are ",
      paste(names(learner_functions), collapse = ", "), call. = FALSE
    )
  }
}

# list(net, seconds, message): what a learner makes of the data, or why it failed. Its own progress
# and its warnings would come between the rows.
learn <- function(learner, x) {
  before <- options(daggnn.progress = FALSE, daggnn.threads = settings$threads)
  on.exit(options(before))
  began <- proc.time()[["elapsed"]]
  outcome <- tryCatch(
    list(net = suppressWarnings(learner_functions[[learner]](x)), message = NA_character_),
    error = function(condition) list(net = NULL, message = conditionMessage(condition))
  )
  outcome$seconds <- proc.time()[["elapsed"]] - began
  outcome
}

# A row of figures of one run. truth: the true network, if there is one.
figures <- function(outcome, truth = NULL) {
  row <- data.frame(
    edges = NA_real_, shd = NA_real_, shd_cpdag = NA_real_, seconds = outcome$seconds,
    message = outcome$message
  )
  if (is.null(outcome$net)) {
    return(row)
  }
  row$edges <- bnlearn::narcs(outcome$net)
  if (!is.null(truth)) {
    row[c("shd", "shd_cpdag")] <- dag_metrics(truth, outcome$net)[c("shd", "shd_cpdag")]
  }
  row
}

# -- Rows ------------------------------------------------------------------------------------------

# "12.3 +- 4.5", "12.3" for a single value, "-" where there is none.
mean_and_spread <- function(values, digits = 1) {
  values <- values[!is.na(values)]
  if (length(values) == 0) {
    return("-")
  }
  shown <- formatC(c(mean(values), stats::sd(values)), format = "f", digits = digits)
  if (length(values) == 1) shown[1] else paste(shown, collapse = " +- ")
}

# Says at the end which learners failed, and with which messages.
tell_failures <- function(runs, by) {
  failed <- unique(runs[!is.na(runs$message), c(by, "message")])
  if (nrow(failed) > 0) cat("\n")
  for (k in seq_len(nrow(failed))) {
    cat(
      "failed: ", paste(unlist(failed[k, by]), collapse = ", "), ": ", failed$message[k], "\n",
      sep = ""
    )
  }
}
