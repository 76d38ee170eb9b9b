# What it costs and saves to end a subproblem early: `patience` of dag_gnn_control().
#
#   Rscript patience.R [--quick] [--m=10,20] [--types=linear,cosine,sine] [--models=mechanism,vae]
#                      [--patience=Inf,5,2,1] [--repetitions=5] [--folder=.] [--threads=2]
#
# The data of synthetic.R with other seeds (1001, 1002, ...), raw columns. A row for each setting:
# the mean and the standard deviation of SHD over the repetitions, and the mean number of epochs and
# of seconds. `Inf` never ends a subproblem before its last epoch, and is the default. Writes
# patience.csv and patience.png into --folder.
# --quick: m = 10, two repetitions.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "synthetic_data.R"))

settings <- script_options(
  m = c(10, 20), types = c("linear", "cosine", "sine"), models = c("mechanism", "vae"),
  patience = c(Inf, 5, 2, 1), repetitions = 5, quick = list(m = 10, repetitions = 2)
)

one_run <- function(setting, seed) {
  data <- draw_data(setting$type, setting$m, seed)
  set.seed(1)
  net <- dag_gnn(
    data$x, model = setting$model, threads = settings$threads,
    threshold = if (setting$model == "vae") 0.3 else "auto",
    control = dag_gnn_control(patience = setting$patience)
  )
  data.frame(
    setting, seed = seed, shd = dag_metrics(data$dag, net)$shd,
    epochs = sum(net$daggnn$trace$epochs), seconds = net$daggnn$seconds
  )
}

one_setting <- function(setting) {
  seeds <- 1000 + seq_len(settings$repetitions)
  do.call(rbind, lapply(seeds, function(seed) one_run(setting, seed)))
}

show_summary <- function() {
  show <- print_rows(c(
    model = "%-10s", type = "%-7s", m = "%4.0f", patience = "%8.0f", SHD = "%13s",
    epochs = "%7.0f", seconds = "%8.1f"
  ))
  function(rows) {
    show(data.frame(
      rows[1, c("model", "type", "m", "patience")],
      SHD = sprintf("%5.1f +- %4.1f", mean(rows$shd), stats::sd(rows$shd)),
      epochs = mean(rows$epochs), seconds = mean(rows$seconds)
    ))
  }
}

grid <- expand.grid(
  patience = settings$patience, type = settings$types, m = settings$m, model = settings$models,
  stringsAsFactors = FALSE
)
labels <- sprintf("%s, %s, m = %.0f, patience %g", grid$model, grid$type, grid$m, grid$patience)
runs <- run_cases(split(grid, seq_len(nrow(grid))), labels, one_setting, settings, show_summary())

# SHD against epochs: a line for each kind of data, from the least patience to the most.
draw_panel <- function(model, m) {
  here <- runs[runs$model == model & runs$m == m, ]
  means <- stats::aggregate(cbind(shd, epochs) ~ type + patience, here, mean)
  fill <- stats::setNames(unname(colours[seq_along(settings$types)]), settings$types)
  graphics::plot(
    means$epochs, means$shd, type = "n", xlab = "epochs", ylab = "SHD",
    main = sprintf("%s, m = %.0f", model, m),
    xlim = c(0, max(means$epochs)), ylim = c(0, 1.4 * max(means$shd, 1)) # room for the legend
  )
  for (line in split(means, means$type)) {
    line <- line[order(line$patience), ]
    graphics::lines(line$epochs, line$shd, type = "b", pch = 16, col = fill[[line$type[1]]])
    graphics::text(line$epochs, line$shd, line$patience, pos = 3, cex = 0.8)
  }
  graphics::legend("topleft", names(fill), col = fill, lty = 1, pch = 16, bty = "n")
}

write_picture(function() {
  graphics::par(mfrow = c(length(settings$models), length(settings$m)), mar = c(4, 4, 2, 1))
  for (model in settings$models) {
    for (m in settings$m) draw_panel(model, m)
  }
}, 4.5 * length(settings$m), 3.5 * length(settings$models), settings)
