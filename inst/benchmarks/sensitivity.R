# What each constant that decides about edges does: the default beside half and twice its value.
#
#   Rscript sensitivity.R [--quick] [--constants=edge_charge,...] [--kinds=noise,weak,...]
#                         [--factors=0.5,2] [--repetitions=5] [--noise_sets=40] [--threads=2]
#                         [--folder=.]
#
# The constants are those of dag_gnn_control(); --constants takes those of its `tuning` too.
# Kinds of data, m variables and n rows:
#   noise      6 independent normal columns, n = 60: every edge is wrong
#   tails      the same with Student's t noise, 2 degrees of freedom
#   weak       3 pairs joined by a slope of 0.26, n = 200
#   linear     standardised, m = 20, n = 1000
#   additive   Gaussian processes, m = 10, 40 edges, n = 1000
#   joint      Gaussian processes of all parents, m = 10, 10 edges, n = 500
#   uniform    linear with uniform noise, standardised, m = 10, n = 300
# A row for each constant and value: the mean number of edges on noise and tails, the mean SHD on
# the other kinds. All values see the same data, whose seeds are 101, 102, ... Writes
# sensitivity.csv and sensitivity.png into --folder.
# --quick: two repetitions, five sets of noise, kinds noise, weak and linear.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "recipes.R"))

constants <- c(
  "edge_charge", "least_edge_charge", "curve_charge", "index_charge", "joint_charge",
  "model_charge", "tail_charge", "density_charge", "density_edge_charge", "splines"
)
tuning <- dag_gnn_control()$tuning
kinds <- list(
  noise = function() independent(stats::rnorm),
  tails = function() independent(function(n) stats::rt(n, 2)),
  weak = function() {
    dag <- bnlearn::model2network("[A][B][C][D|A][E|B][F|C]")
    x <- as.data.frame(matrix(stats::rnorm(1200), 200, dimnames = list(NULL, LETTERS[1:6])))
    x[4:6] <- x[4:6] + 0.26 * x[1:3]
    list(x = x, truth = dag)
  },
  linear = function() draw(20, 30, 1000, "linear", standardised),
  additive = function() draw(10, 40, 1000, "gp_additive"),
  joint = function() draw(10, 10, 500, "gp"),
  uniform = function() draw(10, 15, 300, "linear", standardised, noise = "uniform")
)
settings <- script_options(
  constants = constants, kinds = names(kinds), factors = c(0.5, 2), repetitions = 5,
  noise_sets = 40, quick = list(repetitions = 2, noise_sets = 5, kinds = names(kinds)[c(1, 3, 4)])
)

independent <- function(noise) {
  x <- as.data.frame(matrix(noise(360), 60))
  list(x = x, truth = bnlearn::empty.graph(names(x)))
}

draw <- function(m, edges, n, type, form = identity, ...) {
  dag <- random_dag(m, edges = edges)
  list(x = form(simulate_sem(dag, n, type, ...)), truth = dag)
}

# The number of wrong edges under a control, for each data set of a kind.
wrong_edges <- function(kind, control) {
  sets <- if (kind %in% c("noise", "tails")) settings$noise_sets else settings$repetitions
  vapply(first_seed + seq_len(sets) - 1, function(seed) {
    set.seed(seed)
    data <- kinds[[kind]]()
    net <- suppressWarnings(dag_gnn(data$x, threads = settings$threads, control = control))
    dag_metrics(data$truth, net)$shd
  }, 1)
}

one_value <- function(case) {
  given <- stats::setNames(list(case$value), case$constant)
  control <- if (case$constant %in% names(tuning)) {
    dag_gnn_control(tuning = given)
  } else {
    do.call(dag_gnn_control, given)
  }
  means <- lapply(settings$kinds, function(kind) mean(wrong_edges(kind, control)))
  data.frame(case, stats::setNames(means, settings$kinds))
}

# The default once, as the value of the first constant.
cases <- do.call(rbind, lapply(settings$constants, function(constant) {
  is_tuning <- constant %in% names(tuning)
  default <- if (is_tuning) tuning[[constant]] else formals(dag_gnn_control)[[constant]]
  factors <- c(if (constant == settings$constants[1]) 1, settings$factors)
  values <- default * factors
  if (default == round(default) && (constant == "splines" || is_tuning)) values <- round(values)
  data.frame(constant = constant, factor = factors, value = values)
}))
cases <- cases[order(cases$factor != 1), ]
labels <- sprintf("%s = %g", cases$constant, cases$value)
formats <- c(
  constant = "%-20s", factor = "%6.2g", value = "%6.3g",
  stats::setNames(rep("%9.2f", length(settings$kinds)), settings$kinds)
)
rows <- run_cases(
  split(cases, seq_len(nrow(cases))), labels, one_value, settings, print_rows(formats)
)

write_picture(function() {
  # Wrong edges of all kinds, each in units of what the default makes there.
  counts <- as.matrix(rows[settings$kinds])
  relative <- rowMeans(sweep(counts + 0.1, 2, counts[1, ] + 0.1, "/"))
  draw_bars(relative, labels, "Wrong edges relative to the defaults", "mean over kinds of data")
}, 9, 8, settings)
