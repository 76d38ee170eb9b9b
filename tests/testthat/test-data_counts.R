# A factor and a number raise a count, which raises another number.
count_data <- function(n, seed) {
  set.seed(seed)
  a <- factor(sample(c("low", "high"), n, replace = TRUE), c("low", "high"))
  b <- rnorm(n)
  events <- rpois(n, exp(0.3 + 0.5 * b + 0.7 * (a == "high")))
  data.frame(a, b, events, d = 0.8 * events + rnorm(n))
}
counts <- function(...) dag_gnn_control(counts = "events", ...)

test_that("the score of a count is the BIC of a Poisson regression", {
  x <- count_data(300, 1001)
  net <- bnlearn::model2network("[a][b][events|a:b][d|events]")
  ours <- dag_gnn(x, whitelist = bnlearn::arcs(net), control = counts(maxp = 2))
  scores <- network_score(ours, x, "loglik", by_node = TRUE)
  fit <- glm(events ~ a + b, poisson, x)
  expect_equal(scores[["events"]], as.numeric(logLik(fit)), tolerance = 1e-6)
  bic <- network_score(ours, x, "bic", by_node = TRUE)
  expect_equal(bic[["events"]], -BIC(fit) / 2, tolerance = 1e-6)
  expect_equal(coef(ours)["b", "events"], coef(fit)[["b"]], tolerance = 1e-4)
})

test_that("declared counts are found where they belong, and predicted, and drawn", {
  x <- count_data(500, 1002)
  net <- dag_gnn(x, control = counts())
  arcs <- apply(bnlearn::arcs(net), 1, paste, collapse = " -> ")
  expect_setequal(arcs, c("a -> events", "b -> events", "events -> d"))
  fit <- glm(events ~ a + b, poisson, x)
  expect_equal(predict(net, x)$events, unname(fitted(fit)), tolerance = 1e-4)
  drawn <- simulate(net, 400, seed = 1)
  expect_true(all(drawn$events >= 0 & drawn$events == floor(drawn$events)))
  expect_equal(mean(drawn$events), mean(x$events), tolerance = 0.2)
  shown <- effects(net)
  expect_true(all(shown$fit[shown$to == "events"] > 0))
  expect_true(is.finite(logLik(net, x)))
})

test_that("missing counts are drawn", {
  x <- count_data(300, 1003)
  x$events[1:30] <- NA
  net <- dag_gnn(x, control = counts(restarts = 0))
  expect_true(all(is.finite(predict(net, x)$events)))
  expect_true("events" %in% bnlearn::nodes(net))
})

test_that("both models train on counts", {
  x <- count_data(200, 1004)
  trained <- suppressWarnings(
    dag_gnn(x, control = counts(train = TRUE, max_rounds = 3, restarts = 0))
  )
  expect_s3_class(trained, "dag_gnn")
  vae <- suppressWarnings(
    dag_gnn(x, model = "vae", control = counts(max_rounds = 2, epochs = 5))
  )
  predicted <- predict(vae, x)$events
  expect_true(all(is.finite(predicted) & predicted > 0))
  expect_equal(mean(predicted), mean(x$events), tolerance = 0.5)
  drawn <- simulate(vae, 50, seed = 1)$events
  expect_true(all(drawn >= 0 & drawn == floor(drawn)))
})

test_that("standardised columns leave counts as they are", {
  x <- count_data(300, 1005)
  net <- dag_gnn(x, scale = TRUE, control = counts(restarts = 0))
  expect_equal(
    predict(net, x)$events, predict(dag_gnn(x, control = counts(restarts = 0)), x)$events,
    tolerance = 1e-6
  )
})

test_that("what cannot be a count is named", {
  x <- count_data(50, 1006)
  learn <- function(names) dag_gnn(x, control = dag_gnn_control(counts = names))
  expect_error(learn("nothing"), "`counts` must be columns of `x`, but \"nothing\" is not one.",
    fixed = TRUE
  )
  expect_error(learn("a"), "is declared a count and must have whole numbers from 0.")
  expect_error(learn("b"), "Column \"b\" of `x` is declared a count")
  expect_error(dag_gnn_control(counts = 3), "`counts` must be names of columns or NULL, not 3.")
})
