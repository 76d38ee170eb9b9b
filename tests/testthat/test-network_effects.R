test_that("an effect is the prediction along one parent, the others at typical values", {
  set.seed(1)
  n <- 400
  x <- data.frame(a = rnorm(n), b = rnorm(n, 5))
  x$c <- 2 * x$a - x$b + rnorm(n, 0, 0.5)
  net <- notears(x, whitelist = rbind(c("a", "c"), c("b", "c")), threshold = 10)
  effects <- effects(net, points = 11)
  along <- effects[effects$from == "a", ]
  expect_identical(nrow(along), 11L)
  expect_equal(range(along$value), unname(quantile(x$a, c(0.01, 0.99))))
  grid <- data.frame(a = along$value, b = median(x$b), c = NA)
  expect_equal(along$fit, predict(net, grid)$c)
  sd <- sqrt(mean(residuals(net)$c^2))
  expect_equal(along$upper - along$fit, rep(2 * sd, 11))
  expect_equal(along$fit - along$lower, rep(2 * sd, 11))
})

mixed <- local({
  set.seed(2)
  n <- 300
  kind <- sample(c("x", "y", "z"), n, replace = TRUE, prob = c(0.5, 0.3, 0.2))
  size <- rnorm(n) + 2 * (kind == "y")
  ill <- runif(n) < plogis(2 * size)
  wide <- cbind(left = size + rnorm(n), right = -size + rnorm(n))
  x <- data.frame(kind = factor(kind), size, ill)
  x$wide <- wide
  x
})
edges <- rbind(c("kind", "size"), c("size", "ill"), c("size", "wide"), c("wide", "ill"))
quick <- dag_gnn_control(epochs = 5, max_rounds = 3)
net <- suppressWarnings(dag_gnn(mixed, whitelist = edges, model = "vae", control = quick))

test_that("levels of a parent and of a child, and components, have rows of their own", {
  all <- effects(net, mixed, points = 5)
  pick <- function(from, to) all[all$from == from & all$to == to, ]
  expect_identical(pick("kind", "size")$level, c("x", "y", "z"))
  expect_true(all(is.na(pick("kind", "size")$value)))
  curve <- pick("size", "ill")
  expect_identical(unique(curve$outcome), c("FALSE", "TRUE"))
  sums <- tapply(curve$fit, curve$value, sum)
  expect_equal(as.vector(sums), rep(1, 5))
  expect_true(all(is.na(curve$lower)))
  expect_identical(unique(pick("size", "wide")$outcome), c("left", "right"))
  expect_identical(nrow(pick("wide", "ill")), 10L)
})

test_that("printed effects are a few values of each parent, and tell where the others are", {
  net <- dag_gnn(mixed, whitelist = edges[1:2, ], control = quick)
  effects <- effects(net, edges = edges[1:2, ])
  lines <- capture.output(shown <- print(effects))
  expect_identical(shown, effects)
  # Three levels, and three of 50 values for each of two outcomes.
  expect_length(grep("^ *kind +size", lines), 3)
  expect_length(grep("^ *size +ill", lines), 6)
  expect_match(lines, paste("all", nrow(effects), "rows"), all = FALSE)
  levels <- effects(net, edges = edges[1, , drop = FALSE])
  expect_no_match(capture.output(print(levels)), "rows")
})

test_that("edges can be chosen, and come by their shares", {
  all <- effects(net, mixed, points = 2)
  shares <- abs(coef(net, "shares"))[unique(as.matrix(all[c("from", "to")]))]
  expect_false(is.unsorted(-shares))
  some <- effects(net, mixed, edges = data.frame(from = "size", to = "ill"))
  expect_identical(unique(some$to), "ill")
  expect_identical(nrow(effects(bnlearn::drop.arc(net, "kind", "size"), mixed, points = 2)), {
    nrow(all) - 3L
  })
})

test_that("effects are drawn, by base graphics and by ggplot2", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(c("mar", "mfrow", "oma"))
  all <- effects(net, mixed)
  expect_identical(plot(all, main = "title"), all)
  expect_identical(plot(net, what = "effects", data = mixed), net)
  expect_identical(graphics::par(c("mar", "mfrow", "oma")), before)
  skip_if_not_installed("ggplot2", "3.4.0")
  built <- ggplot2::ggplot_build(ggplot2::autoplot(all))
  expect_identical(nrow(built$layout$layout), nrow(unique(all[c("from", "to")])))
  drawn <- ggplot2::autoplot(net, what = "effects", data = mixed)
  expect_s3_class(drawn, "ggplot")
})

test_that("too many panels are told, and the first ones are drawn", {
  set.seed(1)
  x <- as.data.frame(matrix(rnorm(700), 100))
  all <- utils::combn(names(x), 2)
  many <- notears(x, whitelist = t(cbind(all)), threshold = 10)
  many <- effects(many, x, points = 2)
  expect_length(effect_panels(many), 21)
  most <- rbind(many, transform(many, from = paste0(from, "2")))
  expect_warning(panels <- effect_panels(most), "Only the 30 edges")
  expect_length(panels, 30)
})

test_that("what has no effects says so", {
  exact <- exact_dag(bnlearn::gaussian.test[1:100, 1:3])
  lonely <- notears(bnlearn::gaussian.test[1:100, 1:3], threshold = 100)
  expect_error_snapshot({
    effects(exact, bnlearn::gaussian.test)
    effects(net, mixed, edges = data.frame(from = "ill", to = "size"))
    effects(net, mixed, edges = 1)
    effects(net, mixed, points = 1)
    plot(lonely, what = "effects")
    plot(lonely, what = "effects", engine = "html")
  })
})

test_that("one legend for all panels names the child where children have different levels", {
  same <- data.frame(to = c("a", "a", "b"), outcome = c("no", "yes", "no"))
  expect_identical(told_outcomes(same[1:2, ]), c("no", "yes"))
  expect_identical(told_outcomes(same), c("a: no", "a: yes", "b: no"))
  expect_identical(told_outcomes(data.frame(to = "a", outcome = "")), "")
})

test_that("titles of panels are short, and stay different", {
  net <- known_network(
    c("systolic blood pressure 1", "systolic blood pressure 2", "age"),
    c("systolic blood pressure 1>age", "systolic blood pressure 2>age")
  )
  arcs <- net$arcs
  rows <- data.frame(
    from = arcs[, 1], to = arcs[, 2], value = 0, level = NA_character_, outcome = NA_character_,
    fit = 0, lower = -1, upper = 1
  )
  skip_if_not_installed("ggplot2")
  effects <- structure(rows, class = c("dag_effects", "data.frame"))
  # Of numbers alone, too, without a warning.
  expect_no_warning(plot <- ggplot_effects(effects))
  titles <- levels(plot$data$panel)
  expect_length(titles, 2)
  expect_true(all(label_width(titles) <= widest_title + nchar(" -> ")))
})
