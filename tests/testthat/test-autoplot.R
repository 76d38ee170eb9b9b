skip_if_not_installed("ggplot2", "3.4.0")

# Evaluates scales and layers without a device.
built <- function(...) ggplot2::ggplot_build(ggplot2::autoplot(...))

test_that("every picture is a ggplot", {
  net <- gaussian_network(class = "dag_gnn")
  x <- bnlearn::gaussian.test
  expect_s3_class(ggplot2::autoplot(net), "ggplot")
  expect_length(unique(built(net)$data[[1]]$group), 7)
  expect_identical(nrow(built(net)$data[[2]]), 7L)
  expect_identical(nrow(built(net, what = "weights")$data[[1]]), 49L)
  expect_identical(nrow(built(net, what = "weights", truth = net)$data[[1]]), 98L)
  expect_identical(nrow(built(net, what = "trace")$data[[1]]), 9L)
  path <- rethreshold(net, "bic", x)
  expect_identical(nrow(built(path, what = "path")$data[[1]]), 2L * nrow(path$daggnn$path))
})

test_that("colours mean the same as in plot()", {
  net <- gaussian_network(class = "dag_gnn")
  signs <- built(net)$data[[1]]
  expect_setequal(signs$colour, unname(colours[c("blue", "vermillion")]))
  against <- built(net, truth = bnlearn::empty.graph(bnlearn::nodes(net)))$data[[1]]
  expect_identical(unique(against$colour), colours[["vermillion"]])
})

test_that("a network without edges is drawn", {
  empty <- rethreshold(gaussian_network(class = "dag_gnn"), Inf)
  expect_identical(nrow(built(empty)$data[[2]]), 7L)
})

test_that("a comparison is a panel for each measure and a point for each learner", {
  set.seed(1)
  dag <- random_dag(5, degree = 2)
  table <- compare_learners(
    function() list(x = simulate_sem(dag, 200), truth = dag), c("hc", "tabu"), repeats = 2
  )
  drawn <- built(table)
  expect_identical(nlevels(drawn$layout$layout$measure), 5L)
  expect_length(unique(drawn$data[[2]]$y), length(unique(table$learner)))
  expect_gt(nrow(drawn$data[[1]]), 0)
  expect_error(ggplot2::autoplot(table, measures = "beauty"), class = "daggnn_input_error")
})

test_that("what cannot be drawn is named", {
  net <- gaussian_network(class = "dag_gnn")
  expect_snapshot(error = TRUE, {
    ggplot2::autoplot(net, what = "tree")
    ggplot2::autoplot(net, size = 0)
    ggplot2::autoplot(bnlearn::cpdag(net))
  })
})
