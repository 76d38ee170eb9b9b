# Large problems: many variables, many rows.
#
#   Rscript scale.R [--quick] [--problems=1,3] [--threads=2] [--folder=.]
#
# A row for each problem, or for the first to the third of them: kind of data, expected degree,
# variables, rows, the model chosen, the reason for stopping, seconds, the peak of memory in GiB (of
# the process that learns it alone, as Linux counts it), SHD, FDR and TPR against the true graph,
# and the share of its adjacencies that were found. Then, for linear data of degree 3, the exponent
# of the seconds in the number of variables. "boss" is linear data with weights from -1 to 1,
# standardised, as in Andrews et al. (2023); "cosine" is the paper's, whose effects are additive.
# The tables of Pigs and bnlearn's alarm are compared with hc() too. --quick shrinks all problems.
# Each runs in a process of its own. Writes scale.csv and scale.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

# one, into: of the process of one problem, see below.
settings <- script_options(problems = c(1, Inf), one = 0, into = "")

problem <- function(kind, degree, m, n) {
  data.frame(kind = kind, degree = degree, m = m, n = n)
}
problems <- if (settings$quick) {
  rbind(
    problem("linear", 3, c(100, 200, 400), 1000), problem("boss", 10, 100, 500),
    problem("gp_additive", 3, 30, 500), problem("linear", 3, 20, 20000),
    problem("alarm", NA, 37, 1000)
  )
} else {
  rbind(
    problem("linear", 3, c(250, 500, 1000), 10000), problem("linear", 3, c(5000, 10000), 2000),
    problem("boss", 20, 1000, 1000), problem("gp_additive", 3, 200, 2000),
    problem("cosine", 3, 1000, 10000),
    problem("linear", 3, 50, 1000000), problem("alarm", NA, 37, 20000),
    problem("pigs", NA, 441, 1000)
  )
}

# The largest resident size of this process so far, in GiB; NA where the system does not tell.
peak_memory <- function() {
  if (!file.exists("/proc/self/status")) {
    return(NA_real_)
  }
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024^2
}

# The data of a problem, and the network that they come from where it is known.
make_data <- function(asked) {
  if (asked$kind == "alarm") {
    x <- bnlearn::alarm
    return(list(x = x[seq_len(min(asked$n, nrow(x))), ]))
  }
  if (asked$kind == "pigs") {
    return(list(x = read_levels("pigs", "pigs_1000.txt.gz")))
  }
  set.seed(101)
  if (asked$kind == "boss") {
    dag <- random_dag(asked$m, degree = asked$degree, weights = c(1e-6, 1))
    return(list(x = as.data.frame(scale(simulate_sem(dag, asked$n))), dag = dag))
  }
  dag <- random_dag(asked$m, degree = asked$degree)
  list(x = simulate_sem(dag, asked$n, asked$kind), dag = dag)
}

no_metrics <- c(edges = NA_real_, shd = NA_real_, fdr = NA_real_, tpr = NA_real_)

learn <- function(asked, threads) {
  data <- make_data(asked)
  net <- dag_gnn(data$x, threads = threads, progress = settings$progress)
  peak <- peak_memory()
  row <- data.frame(
    asked,
    model = net$daggnn$choice$effects, reason = net$daggnn$reason,
    seconds = net$daggnn$seconds, peak_gib = peak, as.list(no_metrics), recall = NA_real_,
    hc_seconds = NA_real_, bic_above_hc = NA_real_
  )
  if (is.null(data$dag)) {
    row$hc_seconds <- system.time(climbed <- bnlearn::hc(data$x))[["elapsed"]]
    bic <- function(net) bnlearn::score(net, data$x, type = "bic")
    row$bic_above_hc <- bic(net) - bic(climbed)
    row$edges <- nrow(bnlearn::arcs(net))
    return(row)
  }
  row[names(no_metrics)] <- dag_metrics(data$dag, net)[names(no_metrics)]
  adjacent <- function(net) bnlearn::amat(net) + t(bnlearn::amat(net)) != 0
  row$recall <- sum(adjacent(data$dag) & adjacent(net)) / sum(adjacent(data$dag))
  row
}

# A child calls this script again with the number of one problem and leaves its row in a file.
if (nzchar(settings$into)) {
  saveRDS(learn(problems[settings$one, ], settings$threads), settings$into)
  quit(save = "no")
}

learn_apart <- function(number) {
  into <- tempfile(fileext = ".rds")
  status <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(
      shQuote(script), paste0("--one=", number), paste0("--into=", into),
      paste0("--threads=", settings$threads), if (settings$quick) "--quick",
      if (settings$progress) "--progress"
    ),
    env = same_libraries()
  )
  if (status != 0 || !file.exists(into)) {
    return(data.frame(
      problems[number, ],
      model = NA, reason = "failed", seconds = NA, peak_gib = NA, as.list(no_metrics), recall = NA,
      hc_seconds = NA, bic_above_hc = NA
    ))
  }
  readRDS(into)
}

numbers <- seq_len(nrow(problems))
numbers <- numbers[numbers >= settings$problems[1] & numbers <= settings$problems[2]]
labels <- sprintf("%s, m = %.0f, n = %.0f", problems$kind, problems$m, problems$n)[numbers]
formats <- c(
  kind = "%-12s", degree = "%6.0f", m = "%5.0f", n = "%8.0f", model = "%-8s", reason = "%-10s",
  seconds = "%8.1f", peak_gib = "%8.2f", edges = "%6.0f", shd = "%5.0f", fdr = "%5.3f",
  tpr = "%5.3f", recall = "%6.3f", hc_seconds = "%10.1f", bic_above_hc = "%12.1f"
)
table <- run_cases(numbers, labels, learn_apart, settings, print_rows(formats))

# Between problems with the same number of rows.
alike <- table$kind == "linear" & table$n == table$n[1] & !is.na(table$seconds)
if (sum(alike) > 1) {
  fit <- stats::lm(log(seconds) ~ log(m), table[alike, ])
  cat(sprintf(
    "\nLinear data of degree 3, n = %.0f: the seconds grow as m to the power of %.2f.\n",
    table$n[1], stats::coef(fit)[[2]]
  ))
}
write_picture(function() {
  draw_bars(table$seconds, labels, "From data to network", "seconds")
}, 7, 4, settings)
