# The nonlinear data that the literature compares learners on: Gaussian processes, MLP, MIM.
#
#   Rscript nonlinear.R [--quick] [--m=10,20,50] [--types=gp_additive,gp,mlp,mim]
#                       [--graphs=sparse,dense] [--noise=equal,unequal]
#                       [--columns=raw,units,standardised] [--learners=dag_gnn,notears,hc]
#                       [--n=1000] [--repetitions=5] [--threads=2] [--folder=.]
#
# Erdos-Renyi graphs with 1 edge for each node (sparse) or 4 (dense, up to 20 variables); noise
# variance 1 (equal) or uniform from 0.4 to 0.8 (unequal); columns as they are, each in other units
# (multiplied by exp(U(-2, 2))), or standardised. Prints a row for each setting with the mean and
# the standard deviation of the SHD and of the SHD between the CPDAGs over the repetitions, whose
# seeds are 101, 102, ...; all learners see the same data. Writes nonlinear.csv, with a row for each
# run, and nonlinear.png into --folder.
# --quick: 10 variables, one repetition, equal noise.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "recipes.R"))

settings <- script_options(
  m = c(10, 20, 50), types = c("gp_additive", "gp", "mlp", "mim"), graphs = c("sparse", "dense"),
  noise = c("equal", "unequal"), columns = c("raw", "units", "standardised"),
  learners = c("dag_gnn", "notears", "hc"), n = 1000, repetitions = 5,
  quick = list(m = 10, noise = "equal", repetitions = 1)
)
check_learner_names(settings$learners)
edges_per_node <- c(sparse = 1, dense = 4)
largest_dense <- 20
unequal_variances <- c(0.4, 0.8)

one_run <- function(case, seed) {
  set.seed(seed)
  dag <- random_dag(case$m, edges = edges_per_node[[case$graph]] * case$m)
  x <- simulate_sem(
    dag, settings$n, case$type, noise_range = if (case$noise == "unequal") unequal_variances
  )
  x <- column_forms[[case$columns]](x)
  cbind(case, seed = seed, figures(learn(case$learner, x), dag), row.names = NULL)
}

one_setting <- function(case) {
  seeds <- first_seed + seq_len(settings$repetitions) - 1
  do.call(rbind, lapply(seeds, function(seed) one_run(case, seed)))
}

show_summary <- function() {
  show <- print_rows(c(
    type = "%-12s", m = "%3.0f", graph = "%-6s", noise = "%-8s", columns = "%-13s",
    learner = "%-10s", SHD = "%13s", CPDAG = "%13s", seconds = "%8.2f", failed = "%6.0f"
  ))
  function(rows) {
    show(data.frame(
      rows[1, c("type", "m", "graph", "noise", "columns", "learner")],
      SHD = mean_and_spread(rows$shd), CPDAG = mean_and_spread(rows$shd_cpdag),
      seconds = mean(rows$seconds), failed = sum(!is.na(rows$message))
    ))
  }
}

grid <- expand.grid(
  learner = settings$learners, columns = settings$columns, noise = settings$noise,
  graph = settings$graphs, type = settings$types, m = settings$m, stringsAsFactors = FALSE
)
grid <- grid[!(grid$graph == "dense" & grid$m > largest_dense), rev(names(grid))]
labels <- with(grid, sprintf("%s, m = %.0f, %s, %s, %s", type, m, graph, columns, learner))
runs <- run_cases(
  split(grid, seq_len(nrow(grid))), labels, one_setting, settings, show_summary()
)
tell_failures(runs, c("type", "m", "learner"))

# A panel for each kind of data and graph: bars of the mean SHD for each size, columns and learner,
# over both kinds of noise.
draw_panel <- function(type, graph) {
  here <- runs[runs$type == type & runs$graph == graph & !is.na(runs$shd), ]
  if (nrow(here) == 0) {
    return(graphics::plot.new())
  }
  means <- stats::aggregate(shd ~ learner + columns + m, here, mean)
  fill <- colours[c("blue", "vermillion", "grey", "green")]
  draw_bars(
    means$shd, sprintf("m = %.0f, %s, %s", means$m, means$columns, means$learner),
    paste0(type, ", ", graph), "mean SHD",
    unname(rep_len(fill, length(settings$learners))[match(means$learner, settings$learners)])
  )
}
write_picture(function() {
  graphics::par(mfrow = c(length(settings$graphs), length(settings$types)))
  for (graph in settings$graphs) {
    for (type in settings$types) draw_panel(type, graph)
  }
}, 5 * length(settings$types), 2 + 2.2 * length(settings$m) * length(settings$graphs), settings)
