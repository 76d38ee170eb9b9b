# Data of one's own: other seeds than those of the benchmarks.
sem_data <- function(seed, type, m = 6, n = 2000) {
  set.seed(seed)
  dag <- random_dag(m, degree = 2)
  list(dag = dag, x = simulate_sem(dag, n, type = type))
}

test_that("the mechanism finds linear, cosine and sine networks", {
  for (type in c("linear", "cosine", "sine")) {
    data <- sem_data(1101, type)
    set.seed(1)
    net <- dag_gnn(data$x, model = "mechanism")
    expect_lte(dag_metrics(data$dag, net)$shd, 1)
  }
})

test_that("the mechanism finds a cosine network without the help of scale", {
  data <- sem_data(1102, "cosine")
  set.seed(1)
  net <- dag_gnn(data$x, model = "mechanism", scale = TRUE)
  expect_lte(dag_metrics(data$dag, net)$shd, 1)
})

test_that("a refined network has weights on its edges only", {
  data <- sem_data(1103, "linear")
  set.seed(1)
  net <- dag_gnn(data$x, model = "mechanism")
  expect_identical(unname(coef(net) != 0), unname(bnlearn::amat(net) == 1))
})

test_that("training first gives the search an order, and the same network", {
  data <- sem_data(1104, "linear")
  set.seed(1)
  net <- dag_gnn(data$x, control = dag_gnn_control(train = TRUE))
  expect_gt(nrow(net$daggnn$trace), 0)
  expect_setequal(
    apply(bnlearn::arcs(net), 1, paste, collapse = " "),
    apply(bnlearn::arcs(dag_gnn(data$x)), 1, paste, collapse = " ")
  )
})
