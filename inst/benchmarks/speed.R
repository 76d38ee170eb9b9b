# How fast, on this machine: one epoch of model = "vae" beside the same epoch in PyTorch, threads,
# growth with n and m, memory, and whole calls from data to network.
#
#   Rscript speed.R [--quick] [--folder=.]
#
# --quick                fewer repetitions and smaller sizes
# --folder               where speed.csv and speed.png go
# DAGGNN_YARDSTICK       the PyTorch program, torch_epoch.py; by default in ../yardstick beside the
#                        folder that DAGGNN_DATA names. Its rows are left out where there is none
# DAGGNN_PYTHON          a python3 with torch
# DAGGNN_DATA            a folder with pigs/pigs_1000.txt.gz and fb15k-237/FB15k-237.tar.gz, for the
#                        whole calls on them; left out where there is none, and by --quick
#
# Yardstick and package run in turn, and the ratio of the medians is printed: machines differ and
# are noisy, so only ratios count.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options()
quick <- settings$quick
repetitions <- if (quick) 3 else 5

# -- one epoch -------------------------------------------------------------------------------------

noise <- function(n, m, d = 1) {
  set.seed(1)
  if (d == 1) matrix(rnorm(n * m), n, m) else array(rnorm(n * m * d), c(n, m, d))
}

train <- function(x, epochs, threads = 1, model = "vae") {
  control <- dag_gnn_control(epochs = epochs, patience = Inf, max_rounds = 1)
  set.seed(1)
  suppressWarnings(
    dag_gnn(x, model = model, control = control, threads = threads, progress = FALSE)
  )
}

epoch_seconds <- function(x, epochs, ...) {
  trace <- train(x, epochs, ...)$daggnn$trace
  stopifnot(trace$epochs == epochs)
  trace$seconds / epochs
}

# -- the yardstick ---------------------------------------------------------------------------------

find_yardstick <- function() {
  named <- Sys.getenv("DAGGNN_YARDSTICK")
  data <- Sys.getenv("DAGGNN_DATA")
  if (named == "" && data != "") {
    named <- file.path(dirname(normalizePath(data)), "yardstick", "torch_epoch.py")
  }
  if (named != "" && file.exists(named)) named else NULL
}

has_torch <- function(python) {
  tried <- c("-c", shQuote("import torch"))
  python != "" && system2(python, tried, stdout = FALSE, stderr = FALSE) == 0
}

find_python <- function() {
  candidates <- c(Sys.getenv("DAGGNN_PYTHON"), Sys.which("python3"), "/usr/bin/python3")
  Find(has_torch, unique(candidates))
}

yardstick_seconds <- function(yardstick, m, n, d, epochs) {
  flags <- c("--m", m, "--n", n, "--dim", d, "--threads", 1, "--epochs", epochs)
  as.numeric(system2(yardstick$python, c(shQuote(yardstick$program), flags), stdout = TRUE))
}

# -- rows of the table -----------------------------------------------------------------------------

rows <- list()
report <- function(what, m, n, d = 1, threads = 1, value, unit, yardstick = NA, target = "") {
  ratio <- if (is.na(yardstick)) NA else yardstick / value
  rows[[length(rows) + 1]] <<- data.frame(
    what = what, m = m, n = n, d = d, threads = threads, value = value, unit = unit,
    yardstick = yardstick, ratio = ratio, target = target
  )
  cat(sprintf(
    "%-44s %5s %6s %2s %2s  %10s %-12s %s%s\n", what, m, n, d, threads, signif(value, 4), unit,
    if (is.na(yardstick)) "" else sprintf("yardstick %.4g: %.1f times faster  ", yardstick, ratio),
    if (target == "") "" else paste0("(target: ", target, ")")
  ))
}

began <- proc.time()[["elapsed"]]
section_count <- sum(grepl("^section\\(", readLines(script)))
sections_begun <- 0
close_progress <- function() NULL
section <- function(title) {
  close_progress()
  cat("\n", title, "\n", sep = "")
  close_progress <<- show_progress(title, sections_begun, section_count, began, settings)
  sections_begun <<- sections_begun + 1
}

against_yardstick <- function(yardstick, m, n, d, epochs, yardstick_epochs, target) {
  x <- noise(n, m, d)
  ours <- theirs <- numeric()
  for (repetition in seq_len(repetitions)) {
    if (!is.null(yardstick)) {
      theirs[repetition] <- yardstick_seconds(yardstick, m, n, d, yardstick_epochs)
    }
    ours[repetition] <- epoch_seconds(x, epochs)
  }
  report(
    "one epoch, model = \"vae\"", m, n, d, 1, 1000 * median(ours), "ms",
    if (is.null(yardstick)) NA else 1000 * median(theirs), target
  )
}

compare_models <- function(m, n, epochs) {
  x <- noise(n, m)
  vae <- mechanism <- numeric()
  for (repetition in seq_len(repetitions)) {
    vae[repetition] <- epoch_seconds(x, epochs, model = "vae")
    mechanism[repetition] <- epoch_seconds(x, epochs, model = "mechanism")
  }
  report("one epoch, model = \"mechanism\"", m, n, value = 1000 * median(mechanism), unit = "ms")
  report("time of \"mechanism\" for that of \"vae\"", m, n,
    value = median(mechanism) / median(vae), unit = "times", target = "at most 1"
  )
}

compare_threads <- function(m, n, epochs, model) {
  x <- noise(n, m)
  one <- two <- numeric()
  for (repetition in seq_len(repetitions)) {
    one[repetition] <- epoch_seconds(x, epochs, threads = 1, model = model)
    two[repetition] <- epoch_seconds(x, epochs, threads = 2, model = model)
  }
  report(paste0("two threads against one, \"", model, "\""), m, n, 1, 2,
    median(one) / median(two), "times faster",
    target = "1.6 or more"
  )
}

same_bits <- function(m, n, epochs, model, d = 1) {
  x <- noise(n, m, d)
  weights <- lapply(1:4, function(threads) coef(train(x, epochs, threads, model)))
  same <- all(vapply(weights[-1], identical, NA, weights[[1]]))
  report(paste0("same bits with 1 to 4 threads, \"", model, "\""), m, n, d, 4, same, "1 is yes",
    target = "1"
  )
}

# The power p in time ~ size^p, least squares on the logarithms.
exponent <- function(sizes, seconds) unname(coef(stats::lm(log(seconds) ~ log(sizes)))[2])

growth <- function(what, m, n, epochs, target) {
  seconds <- mapply(function(m, n, epochs) {
    median(replicate(3, epoch_seconds(noise(n, m), epochs)))
  }, m, n, epochs)
  sizes <- if (length(unique(n)) > 1) n else m
  report(what, paste(range(m), collapse = "-"), paste(range(n), collapse = "-"),
    value = exponent(sizes, seconds), unit = "exponent", target = target
  )
}

# Peak memory of a process of its own, above what it had with the data in memory.
peak_memory <- function(m, n) {
  code <- sprintf(paste(
    ".libPaths(%s); library(daggnn); set.seed(1); x <- matrix(rnorm(%d * %d), %d, %d);",
    "read <- function(what) as.numeric(gsub('[^0-9]', '', grep(what,",
    "readLines('/proc/self/status'), value = TRUE)));",
    "invisible(gc()); before <- read('VmRSS');",
    "control <- dag_gnn_control(epochs = 1, patience = Inf, max_rounds = 1);",
    "suppressWarnings(dag_gnn(x, model = 'vae', control = control, threads = 1));",
    "cat((read('VmHWM') - before) / 1024)"
  ), paste(deparse(.libPaths()), collapse = ""), n, m, n, m)
  as.numeric(utils::tail(system2("Rscript", c("-e", shQuote(code)), stdout = TRUE), 1))
}

whole_call <- function(what, m, n, call, target) {
  set.seed(1)
  seconds <- system.time(call())[["elapsed"]]
  report(what, m, n, value = seconds, unit = "s", target = target)
}

# -- data of others --------------------------------------------------------------------------------

data_file <- function(...) {
  path <- file.path(Sys.getenv("DAGGNN_DATA"), ...)
  if (Sys.getenv("DAGGNN_DATA") != "" && file.exists(path)) path else NULL
}

# Each is NULL where its file is not there.
read_pigs <- function() {
  path <- data_file("pigs", "pigs_1000.txt.gz")
  if (is.null(path)) {
    return(NULL)
  }
  x <- utils::read.table(path)
  x[] <- lapply(x, factor)
  x
}

read_knowledge_base <- function() {
  path <- data_file("fb15k-237", "FB15k-237.tar.gz")
  if (is.null(path)) {
    return(NULL)
  }
  folder <- tempfile()
  on.exit(unlink(folder, recursive = TRUE))
  utils::untar(path, exdir = folder)
  parts <- list.files(folder, "^(train|valid|test)[.]txt$", recursive = TRUE, full.names = TRUE)
  triples_to_data(read_triples(parts))
}

whole_call_on <- function(name, x, target) {
  if (is.null(x)) {
    cat("dag_gnn() on ", name, " is left out: DAGGNN_DATA has no file of it.\n", sep = "")
    return(invisible())
  }
  net <- NULL
  call <- function() net <<- dag_gnn(x, progress = FALSE)
  whole_call(paste("dag_gnn() on", name), ncol(x), nrow(x), call, target)
  cat("  stopped: ", net$daggnn$reason, ", ", bnlearn::narcs(net), " edges\n", sep = "")
}

# -- the machine -----------------------------------------------------------------------------------

processor <- function() {
  lines <- if (file.exists("/proc/cpuinfo")) readLines("/proc/cpuinfo") else character()
  name <- grep("^model name", lines, value = TRUE)
  if (length(name) > 0) sub(".*: ", "", name[1]) else Sys.info()[["machine"]]
}

program <- find_yardstick()
python <- if (is.null(program)) NULL else find_python()
yardstick <- if (is.null(python)) NULL else list(program = program, python = python)

cat("processor:  ", processor(), ", ", parallel::detectCores(), " cores\n", sep = "")
cat("instructions used: ", daggnn:::instruction_set_cpp(), "\n", sep = "")
cat(
  R.version.string, ", daggnn ", format(utils::packageVersion("daggnn")), ", bnlearn ",
  format(utils::packageVersion("bnlearn")), "\n",
  sep = ""
)
if (is.null(yardstick)) {
  cat(
    "The yardstick's rows are left out: set DAGGNN_YARDSTICK to torch_epoch.py,",
    "and DAGGNN_PYTHON to a python3 with torch.\n"
  )
} else {
  version <- system2(
    yardstick$python, c("-c", shQuote("import torch; print(torch.__version__)")),
    stdout = TRUE
  )
  cat("PyTorch ", version, ", one thread\n", sep = "")
}

# -- the table -------------------------------------------------------------------------------------

section("One epoch: hidden 64, batches of 100, double precision, one thread each")
against_yardstick(yardstick, 10, 5000, 1, 50, 5, "45 times")
against_yardstick(yardstick, 100, 5000, 1, 5, 1, "30 times")
against_yardstick(yardstick, 100, 5000, 5, 2, 1, "15 times")
if (!quick) against_yardstick(yardstick, 441, 1000, 1, 3, 1, "10 times")
compare_models(10, 5000, 50)
compare_models(100, 5000, 5)

section("Threads")
for (model in c("vae", "mechanism")) {
  compare_threads(100, 5000, 5, model)
  compare_threads(441, 1000, 2, model)
}
same_bits(100, 500, 2, "vae")
same_bits(30, 500, 2, "vae", d = 3)
same_bits(100, 500, 2, "mechanism")

section("Growth: time per epoch ~ size^exponent")
sizes <- if (quick) c(1000, 2000, 4000) else c(1000, 2000, 4000, 8000, 16000)
growth("with n", rep(50, length(sizes)), sizes, rep(5, length(sizes)), "1")
sizes <- if (quick) c(50, 100, 200) else c(50, 100, 200, 400, 1000)
growth("with m", sizes, rep(500, length(sizes)), pmax(1, 1000 %/% sizes), "at most 3")

section("Memory above the data")
for (m in if (quick) c(100, 441) else c(100, 441, 1000)) {
  if (file.exists("/proc/self/status")) {
    report("peak memory", m, 1000, value = peak_memory(m, 1000), unit = "MiB")
  }
}

section("From call to network")
set.seed(2)
data10 <- simulate_sem(random_dag(10), 5000)
data20 <- simulate_sem(random_dag(20), 5000)
data100 <- simulate_sem(random_dag(100), 5000)
whole_call("dag_gnn(), defaults", 10, 5000, function() dag_gnn(data10), "2 s")
whole_call("dag_gnn(), model = \"vae\"", 10, 5000, function() dag_gnn(data10, model = "vae"), "")
whole_call("notears()", 20, 5000, function() notears(data20), "1 s")
whole_call("notears()", 100, 5000, function() notears(data100), "")
if (!quick) {
  whole_call_on("Pigs", read_pigs(), "600 s")
  whole_call_on("FB15K-237", read_knowledge_base(), "900 s")
}

close_progress()
table <- do.call(rbind, rows)
write_rows(table, settings)
write_picture(function() {
  compared <- table[!is.na(table$ratio), ]
  if (nrow(compared) == 0) {
    graphics::plot.new()
    return(graphics::title("One epoch: no yardstick was found"))
  }
  draw_bars(
    compared$ratio, sprintf("m = %s, n = %s, d = %s", compared$m, compared$n, compared$d),
    "One epoch beside PyTorch", "times faster"
  )
}, 7, 3.5, settings)
