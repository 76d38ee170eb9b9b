# The paper's heat maps: the weights before thresholding beside those of the true graph, for the
# cosine data (its Figure 4) and the vector-valued data (its Figure 7).
#
#   Rscript heat_maps.R [--quick] [--m=20] [--folder=.]
#
# Graphs and data as in synthetic.R, seed 1. The cosine's truth is -sin(1) A, its first-order
# approximation, as in the paper. Prints for each learner the smallest weight on a true edge, the
# largest elsewhere, and the correlation of the absolute weights with the true ones; writes all
# weights to heat_maps.csv and draws them in heat_maps.png, both in --folder. Each panel has its own
# scale of colours, from its largest absolute weight down. --quick: m = 10.
#
# NOTEARS has no vector-valued variables: it is given the first principal component of each.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "synthetic_data.R"))

settings <- script_options(m = 20, quick = list(m = 10))
types <- c("cosine", "vector")
learners <- c("mechanism", "vae", "notears")

data <- lapply(stats::setNames(nm = types), draw_data, m = settings$m, seed = 1)

true_weights <- function(type) {
  weights <- coef(data[[type]]$dag)
  if (type == "cosine") -sin(1) * weights else weights
}

maps <- list() # by "type learner", the truth among them
learned_weights <- function(case) {
  truth <- true_weights(case$type)
  net <- learn_synthetic(case$learner, data[[case$type]]$x, case$type, scale = FALSE)
  weights <- coef(net)[rownames(truth), colnames(truth)]
  maps[[paste(case$type, "truth")]] <<- truth
  maps[[paste(case$type, case$learner)]] <<- weights
  data.frame(
    type = case$type, learner = case$learner, from = rownames(truth)[row(truth)],
    to = colnames(truth)[col(truth)], truth = c(truth), weight = c(weights)
  )
}

show_summary <- function() {
  show <- print_rows(c(
    type = "%-7s", learner = "%-10s", smallest_true = "%13.3f", largest_other = "%13.3f",
    correlation = "%11.3f"
  ))
  function(rows) {
    edge <- rows$truth != 0
    apart <- rows$from != rows$to
    size <- abs(rows$weight)
    show(data.frame(
      rows[1, c("type", "learner")], smallest_true = min(size[edge]),
      largest_other = max(size[!edge & apart]),
      correlation = stats::cor(size[apart], abs(rows$truth[apart]))
    ))
  }
}

grid <- expand.grid(learner = learners, type = types, stringsAsFactors = FALSE)
invisible(run_cases(
  split(grid, seq_len(nrow(grid))), paste(grid$type, grid$learner), learned_weights, settings,
  show_summary()
))

draw_map <- function(type, learner) {
  weights <- maps[[paste(type, learner)]]
  most <- max(abs(weights))
  daggnn:::draw_heat_map(weights, rownames(weights), most, cex = 0.6)
  graphics::title(
    paste0(type, ", ", learner), sub = paste("largest:", format(most, digits = 2)), line = 2.2
  )
}

write_picture(function() {
  graphics::par(mfrow = c(2, 4), mar = c(3.5, 3, 4, 1), pty = "s")
  for (type in types) {
    for (learner in c("truth", learners)) draw_map(type, learner)
  }
}, 14, 7.5, settings)
