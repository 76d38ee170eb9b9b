# `make demo`: networks from simulated nonlinear data and from bnlearn's own `alarm` data, each
# beside hill-climbing. Prints two tables, and writes them and the pictures to demo-output/.
.libPaths(c(normalizePath(file.path("build", "library")), .libPaths()))
suppressPackageStartupMessages({
  library(bnlearn)
  library(daggnn)
})
options(width = 100)
folder <- "demo-output"
dir.create(folder, showWarnings = FALSE)
set.seed(1)

draw <- function(file, code, width = 1000, height = 800) {
  grDevices::png(file.path(folder, file), width, height, res = 110)
  on.exit(grDevices::dev.off())
  code
}

learn_and_compare <- function(name, x, learners, truth = NULL) {
  table <- compare_learners(x, learners, truth = truth)
  print(table)
  utils::write.csv(table, file.path(folder, paste0(name, ".csv")), row.names = FALSE)
}

cat("\nSimulated data: 10 variables, 2000 rows, each the cosine of its parents plus noise.\n\n")
dag <- random_dag(10, degree = 3)
x <- simulate_sem(dag, 2000, type = "cosine")
net <- dag_gnn(x)
learn_and_compare("simulated", x, list(dag_gnn = net, "hc", "notears"), truth = dag)
draw("simulated.png", plot(net, truth = dag))

cat("\nbnlearn's alarm data: 37 discrete variables, the first 2000 rows.\n\n")
x <- droplevels(alarm[1:2000, ])
net <- dag_gnn(x)
learn_and_compare("alarm", x, list(dag_gnn = net, "dag_gnn, refined" = refine(net, x), "hc"))
draw("alarm.png", plot(net), 1400, 1100)

cat("\nHigher BIC is better; SHD counts missing, extra and reversed edges, so less is better.\n")
cat("Tables and pictures are in ", folder, "/.\n", sep = "")
