skip_if_not_installed("ggplot2", "3.4.0")

# Evaluates scales and layers without a device.
built <- function(...) ggplot2::ggplot_build(ggplot2::autoplot(...))

test_that("every picture is a ggplot", {
  net <- gaussian_network(class = "dag_gnn")
  x <- bnlearn::gaussian.test
  expect_s3_class(ggplot2::autoplot(net), "ggplot")
  expect_length(unique(built(net)$data[[2]]$group), 7)
  expect_identical(nrow(built(net)$data[[3]]), 7L)
  expect_identical(nrow(built(net, what = "weights")$data[[1]]), 49L)
  expect_identical(nrow(built(net, what = "weights", truth = net)$data[[1]]), 98L)
  expect_identical(nrow(built(net, what = "trace")$data[[1]]), 9L)
  path <- rethreshold(net, "bic", x)
  expect_identical(nrow(built(path, what = "path")$data[[1]]), 2L * nrow(path$daggnn$path))
})

test_that("colours mean the same as in plot()", {
  net <- gaussian_network(class = "dag_gnn")
  signs <- built(net)$data[[2]]
  expect_setequal(signs$colour, unname(colours[c("blue", "vermillion")]))
  against <- built(net, truth = bnlearn::empty.graph(bnlearn::nodes(net)))$data[[2]]
  expect_identical(unique(against$colour), colours[["vermillion"]])
})

test_that("a network without edges is drawn", {
  empty <- rethreshold(gaussian_network(class = "dag_gnn"), Inf)
  expect_identical(nrow(built(empty)$data[[3]]), 7L)
})

test_that("labels have the size that fits into their boxes on the device", {
  sizes_on <- function(inches, wide, size = NULL) {
    grDevices::pdf(NULL, width = inches, height = inches)
    on.exit(grDevices::dev.off())
    grid::grid.newpage()
    places <- data.frame(
      xmin = 0.1, xmax = 0.1 + wide, ymin = 0.1, ymax = 0.2, label = c("age", "household\nsize")
    )
    labels <- grid::gTree(places = places, size = size, cl = "box_labels")
    grid::makeContent(labels)$children[[1]]$gp$fontsize
  }
  roomy <- sizes_on(7, 0.3)
  expect_true(all(roomy <= largest_label))
  expect_true(all(sizes_on(7, 0.02) < roomy))
  expect_true(all(sizes_on(3, 0.1) < sizes_on(7, 0.1)))
  expect_equal(unique(sizes_on(7, 0.02, size = 4)), 4 * 72.27 / 25.4)
})

test_that("a comparison is a panel for each measure and a point for each learner", {
  set.seed(1)
  dag <- random_dag(5, degree = 2)
  table <- compare_learners(
    function() list(x = simulate_sem(dag, 200), truth = dag), c("hc", "tabu"), repeats = 2
  )
  drawn <- built(table)
  expect_identical(nlevels(drawn$layout$layout$measure), 6L)
  expect_length(unique(drawn$data[[2]]$y), length(unique(table$learner)))
  expect_gt(nrow(drawn$data[[1]]), 0)
  expect_error(ggplot2::autoplot(table, measures = "beauty"), class = "daggnn_input_error")
})

test_that("a learner that failed has its message in the picture, the empty network its BIC", {
  set.seed(2)
  dag <- random_dag(5, degree = 3)
  x <- simulate_sem(dag, 500)
  table <- compare_learners(x, list("hc", bad = function(x) stop("no luck today")), truth = dag)
  drawn <- built(table, measures = c("bic", "shd"))
  notes <- drawn$data[[3]]
  expect_identical(sum(notes$label == "failed: no luck today"), 2L)
  expect_match(notes$label, "^off the scale: -[0-9.]+$|^failed", all = TRUE)
  expect_true(any(grepl("off the scale", notes$label)))
  # The scale of the BIC is that of the learner and the truth.
  bic <- drawn$data[[2]][drawn$data[[2]]$PANEL == 1, ]
  expect_lt(diff(range(bic$x)), 0.5 * abs(diff(table$bic[match(c("hc", "empty"), table$learner)])))
  # Six learners and baselines and the truth, whether they have a dot or not.
  expect_length(drawn$layout$panel_params[[1]]$y$get_labels(), 7)
})

test_that("what cannot be drawn is named", {
  net <- gaussian_network(class = "dag_gnn")
  expect_error_snapshot({
    ggplot2::autoplot(net, what = "tree")
    ggplot2::autoplot(net, size = 0)
    ggplot2::autoplot(bnlearn::cpdag(net))
  })
})
