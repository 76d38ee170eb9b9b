# The paper's Table 2: the protein signalling network of Sachs et al. (2005), 7466 cells, 11
# proteins, 20 edges.
#
#   Rscript sachs.R [--quick] [--repetitions=5] [--folder=.]
#
# DAGGNN_DATA names a folder with sachs/sachs.continuous.txt.gz and sachs/truth.txt. A row for each
# learner, on raw, on standardised and on logarithmic columns, beside the paper's: edges, SHD, and
# how many edges are right, reversed, or indirect (the truth has a longer path of the same
# direction). These are of the first seed; after them come the mean and the standard deviation of
# SHD and the mean number of edges over --repetitions seeds. No threshold looks at the truth: "auto"
# for the mechanism, 0.3 for the two others. fges and pc find classes of equivalent networks: an
# undirected edge counts as right where the truth has it in either direction.
# --quick takes the raw columns and one seed. Writes sachs.csv into --folder, and sachs.png, the
# network of the mechanism from raw columns held against the truth, as the paper's figure shows its
# own.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options(repetitions = 5, quick = list(repetitions = 1))
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

# A learner that compare_learners() knows by name.
by_name <- function(learner) {
  function(x) attr(compare_learners(x, learner), "networks")[[1]]
}

learners <- list(
  mechanism = function(x) dag_gnn(x, model = "mechanism"),
  "mechanism, additive effects" = function(x) {
    dag_gnn(x, model = "mechanism", control = dag_gnn_control(effects = "additive"))
  },
  vae = function(x) {
    control <- dag_gnn_control(penalty = "huber", penalty_weight = 0.01)
    dag_gnn(x, model = "vae", threshold = 0.3, control = control)
  },
  notears = notears,
  fges = function(x) by_name("fges")(x)$daggnn$cpdag,
  pc = by_name("pc"),
  hc = bnlearn::hc
)
columns <- list(
  raw = x, standardised = as.data.frame(scale(x)), logarithms = log(x)
)
if (settings$quick) columns <- columns["raw"]
networks <- list()

row_of <- function(learner, name) {
  began <- proc.time()[["elapsed"]]
  nets <- lapply(seq_len(settings$repetitions), function(seed) {
    set.seed(seed)
    learners[[learner]](columns[[name]])
  })
  seconds <- (proc.time()[["elapsed"]] - began) / length(nets)
  net <- nets[[1]]
  networks[[paste(learner, name)]] <<- net
  of_all <- do.call(rbind, lapply(nets, function(each) dag_metrics(truth, each)))
  metrics <- of_all[1, ]
  learned <- bnlearn::amat(net)[rownames(truth), colnames(truth)]
  indirect <- sum(learned == 1 & truth == 0 & t(truth) == 0 & longer_paths(truth) > 0)
  data.frame(
    learner, columns = name, edges = metrics$edges, shd = metrics$shd, right = metrics$correct,
    reversed = metrics$reversed, indirect, mean_shd = mean(of_all$shd),
    sd_shd = round(stats::sd(of_all$shd), 1), mean_edges = mean(of_all$edges),
    seconds = round(seconds, 1)
  )
}
published <- data.frame(
  learner = c("paper: DAG-GNN", "paper: NOTEARS", "paper: FGS"), columns = "",
  edges = c(18, 16, 17), shd = c(19, 22, 22), right = c(8, NA, NA), reversed = c(3, NA, NA),
  indirect = c(5, NA, NA), mean_shd = NA, sd_shd = NA, mean_edges = NA, seconds = NA
)

pairs <- expand.grid(learner = names(learners), name = names(columns), stringsAsFactors = FALSE)
cases <- c(list(NULL), split(pairs, seq_len(nrow(pairs))))
labels <- c("published", paste(pairs$learner, pairs$name))
formats <- c(
  learner = "%-29s", columns = "%-12s", edges = "%5.0f", shd = "%4.0f", right = "%5.0f",
  reversed = "%8.0f", indirect = "%8.0f", mean_shd = "%8.1f", sd_shd = "%6.1f",
  mean_edges = "%10.1f", seconds = "%7.1f"
)
table <- run_cases(cases, labels, function(case) {
  if (is.null(case)) published else do.call(row_of, case)
}, settings, print_rows(formats))
write_picture(function() plot(networks[["mechanism raw"]], truth = truth), 8, 6, settings)
