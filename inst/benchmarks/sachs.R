# The paper's Table 2: the protein signalling network of Sachs et al. (2005), 7466 cells, 11
# proteins, 20 edges.
#
#   Rscript sachs.R [--quick] [--folder=.]
#
# DAGGNN_DATA names a folder with sachs/sachs.continuous.txt.gz and sachs/truth.txt. A row for each
# learner, on raw, on standardised and on logarithmic columns, beside the paper's: edges, SHD, and
# how many edges are right, reversed, or indirect (the truth has a longer path of the same
# direction). No threshold looks at the truth: "auto" for the mechanism, 0.3 for the two others, and
# for the mechanism as the multiplier loop leaves it (polish = FALSE).
# --quick takes the raw columns only. Writes sachs.csv into --folder, and sachs.png, the network of
# the mechanism from raw columns held against the truth, as the paper's figure shows its own.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options()
x <- utils::read.table(data_file("sachs", "sachs.continuous.txt.gz"), header = TRUE)

read_truth <- function(file, nodes) {
  lines <- grep("-->", readLines(file), value = TRUE, fixed = TRUE)
  ends <- regmatches(lines, regexec("([a-z0-9]+) --> ([a-z0-9]+)", lines))
  truth <- matrix(0L, length(nodes), length(nodes), dimnames = list(nodes, nodes))
  for (end in ends) truth[end[2], end[3]] <- 1L
  truth
}
truth <- read_truth(data_file("sachs", "truth.txt"), names(x))

# Pairs joined by a path of two edges or more.
longer_paths <- function(adjacency) {
  reach <- adjacency %*% adjacency
  for (step in seq_len(nrow(adjacency))) reach <- (reach + reach %*% adjacency > 0) * 1
  reach
}

learners <- list(
  mechanism = function(x) dag_gnn(x, model = "mechanism"),
  "mechanism, learned noise" = function(x) {
    dag_gnn(x, model = "mechanism", control = dag_gnn_control(noise = "learned"))
  },
  "mechanism, learned noise, 0.3" = function(x) {
    control <- dag_gnn_control(noise = "learned", polish = FALSE)
    dag_gnn(x, model = "mechanism", threshold = 0.3, control = control)
  },
  vae = function(x) {
    control <- dag_gnn_control(penalty = "huber", penalty_weight = 0.01)
    dag_gnn(x, model = "vae", threshold = 0.3, control = control)
  },
  notears = notears,
  hc = bnlearn::hc
)
columns <- list(
  raw = x, standardised = as.data.frame(scale(x)), logarithms = log(x)
)
if (settings$quick) columns <- columns["raw"]
networks <- list()

row_of <- function(learner, name) {
  set.seed(1)
  began <- proc.time()[["elapsed"]]
  net <- learners[[learner]](columns[[name]])
  seconds <- proc.time()[["elapsed"]] - began
  networks[[paste(learner, name)]] <<- net
  metrics <- dag_metrics(truth, net)
  learned <- bnlearn::amat(net)[rownames(truth), colnames(truth)]
  indirect <- sum(learned == 1 & truth == 0 & t(truth) == 0 & longer_paths(truth) > 0)
  data.frame(
    learner, columns = name, edges = metrics$edges, shd = metrics$shd, right = metrics$correct,
    reversed = metrics$reversed, indirect, seconds = round(seconds, 1)
  )
}
published <- data.frame(
  learner = c("paper: DAG-GNN", "paper: NOTEARS", "paper: FGS"), columns = "",
  edges = c(18, 16, 17), shd = c(19, 22, 22), right = c(8, NA, NA), reversed = c(3, NA, NA),
  indirect = c(5, NA, NA), seconds = NA
)

pairs <- expand.grid(learner = names(learners), name = names(columns), stringsAsFactors = FALSE)
cases <- c(list(NULL), split(pairs, seq_len(nrow(pairs))))
labels <- c("published", paste(pairs$learner, pairs$name))
formats <- c(
  learner = "%-24s", columns = "%-12s", edges = "%5.0f", shd = "%4.0f", right = "%5.0f",
  reversed = "%8.0f", indirect = "%8.0f", seconds = "%7.1f"
)
table <- run_cases(cases, labels, function(case) {
  if (is.null(case)) published else do.call(row_of, case)
}, settings, print_rows(formats))
write_picture(function() plot(networks[["mechanism raw"]], truth = truth), 8, 6, settings)
