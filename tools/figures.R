# The picture of README.md: a network learned from simulated nonlinear data, beside the truth.
.libPaths(c(normalizePath(file.path("build", "library")), .libPaths()))
library(daggnn)

set.seed(1)
dag <- random_dag(10, degree = 3)
x <- simulate_sem(dag, 2000, type = "cosine")
net <- dag_gnn(x)
grDevices::png(file.path("man", "figures", "README-network.png"), 1000, 700, res = 120)
plot(net, truth = dag)
invisible(grDevices::dev.off())
