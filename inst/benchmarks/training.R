# What training contributes: the search alone, and the search from the order of a trained network.
#
#   Rscript training.R [--quick] [--types=linear,cosine,sine,gp_additive,gp,mim,mlp,
#                      conditional_gaussian] [--m=10] [--degree=3] [--n=1000]
#                      [--columns=raw,standardised] [--repetitions=5] [--threads=2] [--folder=.]
#
# dag_gnn_control(train = TRUE) trains the special case of the mechanism in which all variables
# share one curve g and one curve phi, and the search begins with the order that training finds. A
# row for each kind of data: the mean SHD of the search alone and after training, on how many of the
# data sets the networks differ, by how much the score is higher after training, and the seconds of
# both. The seeds are 101, 102, ... Writes training.csv, with a row for each data set, and
# training.png into --folder.
# --quick: linear and cosine, one repetition.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "recipes.R"))

settings <- script_options(
  types = c("linear", "cosine", "sine", "gp_additive", "gp", "mim", "mlp", "conditional_gaussian"),
  m = 10, degree = 3, n = 1000, columns = c("raw", "standardised"), repetitions = 5,
  quick = list(types = c("linear", "cosine"), repetitions = 1)
)

one_set <- function(case, seed) {
  set.seed(seed)
  dag <- random_dag(settings$m, degree = settings$degree)
  x <- column_forms[[case$columns]](simulate_sem(dag, settings$n, case$type))
  fit <- function(train) {
    began <- proc.time()[["elapsed"]]
    net <- suppressWarnings(
      dag_gnn(x, threads = settings$threads, control = dag_gnn_control(train = train))
    )
    list(net = net, seconds = proc.time()[["elapsed"]] - began)
  }
  alone <- fit(FALSE)
  trained <- fit(TRUE)
  data.frame(
    case, seed, shd_alone = dag_metrics(dag, alone$net)$shd,
    shd_trained = dag_metrics(dag, trained$net)$shd,
    differ = changed_pairs(alone$net, trained$net) > 0,
    gain = trained$net$daggnn$choice$score - alone$net$daggnn$choice$score,
    seconds_alone = alone$seconds, seconds_trained = trained$seconds, row.names = NULL
  )
}

one_setting <- function(case) {
  seeds <- first_seed + seq_len(settings$repetitions) - 1
  do.call(rbind, lapply(seeds, function(seed) one_set(case, seed)))
}

show_summary <- function() {
  show <- print_rows(c(
    type = "%-20s", columns = "%-13s", alone = "%12s", trained = "%12s", differ = "%8s",
    gain = "%14s", seconds_alone = "%14.2f", seconds_trained = "%16.2f"
  ))
  function(rows) {
    show(data.frame(
      rows[1, c("type", "columns")], alone = mean_and_spread(rows$shd_alone),
      trained = mean_and_spread(rows$shd_trained),
      differ = sprintf("%d of %d", sum(rows$differ), nrow(rows)),
      gain = mean_and_spread(rows$gain), seconds_alone = mean(rows$seconds_alone),
      seconds_trained = mean(rows$seconds_trained)
    ))
  }
}

grid <- expand.grid(
  columns = settings$columns, type = settings$types, stringsAsFactors = FALSE
)[2:1]
# Factors have no units.
grid <- grid[!(grid$type == "conditional_gaussian" & grid$columns != "raw"), ]
runs <- run_cases(
  split(grid, seq_len(nrow(grid))), paste(grid$type, grid$columns, sep = ", "), one_setting,
  settings, show_summary()
)

write_picture(function() {
  labels <- paste(runs$type, runs$columns, sep = ", ")
  labels <- factor(labels, unique(labels))
  means <- rbind(
    alone = tapply(runs$shd_alone, labels, mean), trained = tapply(runs$shd_trained, labels, mean)
  )
  draw_bars(
    c(means), paste0(rep(colnames(means), each = 2), c(", search alone", ", after training")),
    "What training contributes", "mean SHD", unname(colours[c("blue", "vermillion")])
  )
}, 9, 2 + 0.6 * nrow(grid), settings)
