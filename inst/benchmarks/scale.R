# Large problems: many variables, many rows.
#
#   Rscript scale.R [--quick] [--problems=1,3] [--threads=2] [--folder=.]
#
# A row for each problem, or for the first to the third of them: kind of data, expected degree,
# variables, rows, the model chosen, the reason for stopping, seconds on the clock and of the
# processor, the peak of memory in GiB (of the process that learns it, with its data, as Linux
# counts it), and where the true graph is known the SHD, FDR and TPR against it and the share of its
# adjacencies that were found. `exponent` is that of the processor's seconds in the number of
# variables, from the row before with the same kind, degree and rows. "boss" is linear data with
# weights from -1 to 1, standardised, as in Andrews et al. (2023); "cosine" is the paper's, whose
# effects are additive. Tables of the size of the networks andes and munin1, with random graphs,
# bnlearn's alarm, and Pigs (where DAGGNN_DATA names a folder that has it) are compared with hc().
# --quick shrinks all problems. Data are made by a process of their own, so that their memory does
# not count. Writes scale.csv and scale.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

# one, step, data, into: of the processes of one problem, see below.
settings <- script_options(problems = c(1, Inf), one = 0, step = "", data = "", into = "")

problem <- function(kind, degree, m, n) {
  data.frame(kind = kind, degree = degree, m = m, n = n)
}
problems <- if (settings$quick) {
  rbind(
    problem("linear", 3, c(100, 200, 400), 1000), problem("boss", 10, 100, 500),
    problem("gp_additive", 3, 30, 500), problem("linear", 3, 20, 20000),
    problem("alarm", NA, 37, 1000), problem("andes", 3, 40, 500)
  )
} else {
  rbind(
    problem("linear", 3, c(250, 500, 1000), 10000),
    problem("linear", 3, c(1250, 2500, 5000, 10000), 2000),
    problem("boss", 20, c(500, 1000), 1000), problem("gp_additive", 3, c(100, 200), 2000),
    problem("cosine", 3, c(500, 1000), 10000), problem("linear", 3, 50, 1000000),
    problem("andes", 3, 223, 1000), problem("munin1", 3, 152, 1000),
    problem("alarm", NA, 37, 20000), problem("pigs", NA, 441, 1000)
  )
}
if (!nzchar(Sys.getenv("DAGGNN_DATA"))) problems <- problems[problems$kind != "pigs", ]

# ---- Data ----

# A list: the data `x` and, where they come from a known network, its `arcs`.
make_data <- function(asked) {
  if (asked$kind == "alarm") {
    x <- bnlearn::alarm
    return(list(x = x[seq_len(min(asked$n, nrow(x))), ]))
  }
  if (asked$kind == "pigs") {
    return(list(x = read_levels("pigs", "pigs_1000.txt.gz")))
  }
  set.seed(101)
  if (asked$kind == "linear" && asked$m > 1000) {
    return(sparse_linear(asked$m, asked$degree, asked$n))
  }
  weights <- if (asked$kind == "boss") c(1e-6, 1) else c(0.5, 2)
  dag <- random_dag(asked$m, degree = asked$degree, weights = weights)
  x <- switch(asked$kind,
    boss = as.data.frame(scale(simulate_sem(dag, asked$n))),
    andes = simulate_sem(dag, asked$n, "discrete", levels = 2),
    munin1 = simulate_sem(dag, asked$n, "discrete", levels = sample(2:10, asked$m, TRUE)),
    simulate_sem(dag, asked$n, asked$kind)
  )
  if (!is.factor(x[[1]])) {
    return(list(x = x, arcs = bnlearn::arcs(dag)))
  }
  # A rare level may not occur in so few rows.
  varies <- vapply(x, function(column) length(unique(column)) > 1, NA)
  list(x = x[varies])
}

# What random_dag() and simulate_sem() make, without matrices of all pairs of variables.
sparse_linear <- function(m, degree, n) {
  pairs <- m * (m - 1) / 2
  number <- sample.int(pairs, stats::rbinom(1, pairs, degree / (m - 1))) - 1
  to <- floor((1 + sqrt(1 + 8 * number)) / 2)
  from <- number - to * (to - 1) / 2
  node <- sample.int(m)
  from <- node[from + 1]
  to <- node[to + 1]
  weight <- stats::runif(length(from), 0.5, 2) * sample(c(-1, 1), length(from), TRUE)
  x <- matrix(stats::rnorm(n * m), n, m, dimnames = list(NULL, sprintf("V%d", seq_len(m))))
  into <- split(seq_along(to), factor(to, seq_len(m)))
  for (child in node) {
    own <- into[[child]]
    if (length(own) > 0) x[, child] <- x[, child] + x[, from[own], drop = FALSE] %*% weight[own]
  }
  list(x = as.data.frame(x), arcs = cbind(from = colnames(x)[from], to = colnames(x)[to]))
}

# ---- Learning ----

# The largest resident size of this process so far, in GiB; NA where the system does not tell.
peak_memory <- function() {
  if (!file.exists("/proc/self/status")) {
    return(NA_real_)
  }
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024^2
}

no_metrics <- c(shd = NA_real_, fdr = NA_real_, tpr = NA_real_, recall = NA_real_)
unknown <- data.frame(
  model = NA, reason = "failed", seconds = NA_real_, processor = NA_real_, peak_gib = NA_real_,
  edges = NA_real_, as.list(no_metrics), hc_seconds = NA_real_, bic_above_hc = NA_real_
)

learn <- function(asked, data, threads) {
  time <- system.time(
    net <- dag_gnn(data$x, threads = threads, progress = settings$progress),
    gcFirst = FALSE
  )
  row <- unknown
  row$peak_gib <- peak_memory()
  row$model <- net$daggnn$choice$effects
  row$reason <- net$daggnn$reason
  row$seconds <- time[["elapsed"]]
  row$processor <- time[["user.self"]] + time[["sys.self"]]
  row$edges <- nrow(net$arcs)
  if (!is.null(data$arcs)) row[names(no_metrics)] <- as.list(compare_arcs(data$arcs, net$arcs))
  if (is.factor(data$x[[1]])) {
    row$hc_seconds <- system.time(climbed <- bnlearn::hc(data$x))[["elapsed"]]
    bic <- function(net) bnlearn::score(net, data$x, type = "bic")
    row$bic_above_hc <- bic(net) - bic(climbed)
  }
  row
}

# As dag_metrics(), from lists of arcs.
compare_arcs <- function(true, learned) {
  key <- function(from, to) paste(from, to)
  known <- key(true[, 1], true[, 2])
  right <- sum(key(learned[, 1], learned[, 2]) %in% known)
  reversed <- sum(key(learned[, 2], learned[, 1]) %in% known)
  adjacent <- right + reversed
  c(
    shd = nrow(true) + nrow(learned) - adjacent - right,
    fdr = 1 - right / max(nrow(learned), 1), tpr = right / nrow(true),
    recall = adjacent / nrow(true)
  )
}

# ---- Processes ----

# A child makes the data of one problem, another learns from them and leaves its row in a file.
if (settings$step == "make") {
  saveRDS(make_data(problems[settings$one, ]), settings$into, compress = FALSE)
  quit(save = "no")
}
if (settings$step == "learn") {
  data <- readRDS(settings$data)
  saveRDS(learn(problems[settings$one, ], data, settings$threads), settings$into)
  quit(save = "no")
}

call_again <- function(number, step, data, into) {
  system2(
    file.path(R.home("bin"), "Rscript"),
    c(
      shQuote(script), paste0("--one=", number), paste0("--step=", step), paste0("--into=", into),
      if (nzchar(data)) paste0("--data=", data), paste0("--threads=", settings$threads),
      if (settings$quick) "--quick", if (settings$progress) "--progress"
    ),
    env = same_libraries()
  )
}

learn_apart <- function(number) {
  data <- tempfile(fileext = ".rds")
  into <- tempfile(fileext = ".rds")
  on.exit(unlink(c(data, into)))
  made <- call_again(number, "make", "", data)
  done <- made == 0 && call_again(number, "learn", data, into) == 0 && file.exists(into)
  cbind(problems[number, ], exponent = NA_real_, if (done) readRDS(into) else unknown)
}

earlier <- NULL
with_exponent <- function(number) {
  row <- learn_apart(number)
  alike <- earlier[paste(earlier$kind, earlier$n) == paste(row$kind, row$n), ]
  if (NROW(alike) > 0) {
    before <- alike[nrow(alike), ]
    row$exponent <- log(row$processor / before$processor) / log(row$m / before$m)
  }
  earlier <<- rbind(earlier, row)
  row
}

numbers <- seq_len(nrow(problems))
numbers <- numbers[numbers >= settings$problems[1] & numbers <= settings$problems[2]]
labels <- sprintf("%s, m = %.0f, n = %.0f", problems$kind, problems$m, problems$n)[numbers]
formats <- c(
  kind = "%-12s", degree = "%6.0f", m = "%5.0f", n = "%8.0f", exponent = "%8.2f", model = "%-8s",
  reason = "%-10s", seconds = "%8.1f", processor = "%9.1f", peak_gib = "%8.2f", edges = "%6.0f",
  shd = "%5.0f", fdr = "%5.3f", tpr = "%5.3f", recall = "%6.3f", hc_seconds = "%10.1f",
  bic_above_hc = "%12.1f"
)
table <- run_cases(numbers, labels, with_exponent, settings, print_rows(formats))
write_picture(function() {
  draw_bars(table$seconds, labels, "From data to network", "seconds")
}, 7, 4, settings)
