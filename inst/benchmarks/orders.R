# Dense linear networks, which a search over orders should find and hill-climbing does not.
#
#   Rscript orders.R [--quick] [--m=50] [--degree=8] [--n=1000] [--weights=0.5,2]
#                    [--columns=standardised] [--learners=dag_gnn,hc] [--repetitions=50]
#                    [--threads=2] [--folder=.]
#
# Erdos-Renyi graphs with m degree / 2 edges, linear data with normal noise of variance 1, columns
# standardised (or raw, or units, as in nonlinear.R). Only the CPDAG can be told from such columns.
# A row for each graph and learner: the SHD between the CPDAGs, whether that is 0, the BIC above
# that of the true graph, and the seconds; at the end a row for each learner with the means and the
# share of graphs whose CPDAG is exact. The seeds are 101, 102, ... Writes orders.csv and orders.png
# into --folder.
# --quick: 15 variables of degree 4, three graphs.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "recipes.R"))

settings <- script_options(
  m = 50, degree = 8, n = 1000, weights = c(0.5, 2), columns = "standardised",
  learners = c("dag_gnn", "hc"), repetitions = 50,
  quick = list(m = 15, degree = 4, repetitions = 3)
)
check_learner_names(settings$learners)

one_graph <- function(seed) {
  set.seed(seed)
  dag <- random_dag(
    settings$m, edges = round(settings$m * settings$degree / 2), weights = settings$weights
  )
  x <- column_forms[[settings$columns]](simulate_sem(dag, settings$n))
  bic <- function(net) {
    dag <- bnlearn::empty.graph(names(x))
    bnlearn::amat(dag) <- bnlearn::amat(net)[names(x), names(x)]
    bnlearn::score(dag, x, type = "bic-g")
  }
  rows <- lapply(settings$learners, function(learner) {
    outcome <- learn(learner, x)
    row <- figures(outcome, dag)
    data.frame(
      seed, learner, edges = row$edges, shd_cpdag = row$shd_cpdag, exact = row$shd_cpdag == 0,
      bic_above_truth = if (is.null(outcome$net)) NA_real_ else bic(outcome$net) - bic(dag),
      seconds = row$seconds, message = row$message
    )
  })
  do.call(rbind, rows)
}

formats <- c(
  seed = "%5.0f", learner = "%-10s", edges = "%6.0f", shd_cpdag = "%10.0f", exact = "%-6s",
  bic_above_truth = "%16.1f", seconds = "%8.2f"
)
seeds <- first_seed + seq_len(settings$repetitions) - 1
runs <- run_cases(
  as.list(seeds), paste("graph of seed", seeds), one_graph, settings, print_rows(formats)
)
tell_failures(runs, "learner")

cat("\n")
show <- print_rows(c(
  learner = "%-10s", graphs = "%6.0f", CPDAG = "%15s", median = "%7.1f", exact = "%7s",
  bic_above_truth = "%16s", seconds = "%8.2f"
))
for (name in settings$learners) {
  own <- runs[runs$learner == name & is.na(runs$message), ]
  if (nrow(own) == 0) next
  show(data.frame(
    learner = name, graphs = nrow(own), CPDAG = mean_and_spread(own$shd_cpdag),
    median = stats::median(own$shd_cpdag), exact = sprintf("%.0f %%", 100 * mean(own$exact)),
    bic_above_truth = mean_and_spread(own$bic_above_truth), seconds = mean(own$seconds)
  ))
}

write_picture(function() {
  fill <- colours[rep_len(c("blue", "vermillion", "grey", "green"), length(settings$learners))]
  graphics::par(mar = c(4, 4, 2, 1))
  shown <- runs[!is.na(runs$shd_cpdag), ]
  graphics::plot(
    range(seeds), c(0, 1.2 * max(shown$shd_cpdag, 1)), type = "n", xlab = "seed of the graph",
    ylab = "SHD of the CPDAGs", xaxt = "n",
    main = sprintf("Linear, %.0f variables, average degree %.0f", settings$m, settings$degree)
  )
  graphics::axis(1, unique(round(pretty(seeds))))
  for (k in seq_along(settings$learners)) {
    own <- shown[shown$learner == settings$learners[k], ]
    graphics::points(own$seed, own$shd_cpdag, pch = 19, col = fill[k])
  }
  graphics::legend("topright", settings$learners, pch = 19, col = fill, bty = "n", horiz = TRUE)
}, 8, 4, settings)
