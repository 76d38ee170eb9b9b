x <- bnlearn::gaussian.test[1:200, ]
net <- dag_gnn(x)

test_that("tidy() has a row for each edge with what is known about it", {
  table <- tidy(net)
  expect_identical(as.matrix(table[c("from", "to")]), net$arcs, ignore_attr = TRUE)
  expect_equal(table$weight, coef(net)[net$arcs])
  expect_equal(table$share, coef(net, "shares")[net$arcs])
  expect_identical(as.data.frame(table), as.data.frame(net))
})

test_that("the gain of an edge is told where the learner knows it", {
  known <- gaussian_network()
  expect_null(edge_facts(known)$gain)
  known$daggnn$gain <- known$daggnn$weights + 7
  expect_equal(edge_facts(known)$gain, known$daggnn$weights[known$arcs] + 7)
})

test_that("strengths stand beside the edges, or alone", {
  set.seed(1)
  strength <- boot_dag(x, R = 5, learner = bnlearn::hc)
  table <- tidy(net, strength = strength)
  first <- strength$from == table$from[1] & strength$to == table$to[1]
  expect_equal(table$strength[1], strength$strength[first])
  expect_equal(table$direction[1], strength$direction[first])
  alone <- tidy(strength, threshold = 0.5)
  expect_named(alone, c("from", "to", "strength", "direction"))
  expect_true(all(alone$strength >= 0.5))
  expect_true(all(diff(alone$strength) <= 0))
})

test_that("glance() is one row, whatever the learner knows", {
  row <- glance(net)
  expect_identical(nrow(row), 1L)
  expect_identical(c(row$nodes, row$edges, row$n), c(7L, nrow(net$arcs), 200L))
  expect_true(row$converged)
  exact <- glance(exact_dag(x[1:3]))
  expect_named(exact, names(row))
  expect_identical(exact$model, NA_character_)
})

test_that("augment() puts fitted values and residuals beside the data", {
  linear <- notears(x)
  beside <- augment(linear, x)
  expect_identical(as.data.frame(beside[names(x)]), x)
  expect_equal(beside$.fitted_C, fitted(linear, x)$C)
  expect_equal(beside$.fitted_C + beside$.resid_C, x$C)
  expect_equal(augment(linear), beside)
  expect_identical(nrow(augment(linear, newdata = x[1:5, ])), 5L)
})

test_that("augment() gives the probability of what was seen of a discrete variable", {
  y <- bnlearn::learning.test[1:200, 1:4]
  quick <- dag_gnn_control(epochs = 2, max_rounds = 2)
  discrete <- suppressWarnings(dag_gnn(y, model = "vae", control = quick))
  beside <- augment(discrete, y)
  probability <- fitted(discrete, y, type = "prob")$B
  expect_equal(beside$.prob_B, probability[cbind(1:200, as.integer(y$B))])
  expect_identical(beside$.fitted_B, fitted(discrete, y)$B)
})

test_that("a fitted or edited network has its edges still", {
  expect_identical(nrow(tidy(bnlearn::drop.arc(net, net$arcs[1, 1], net$arcs[1, 2]))), {
    nrow(net$arcs) - 1L
  })
  expect_identical(tidy(bnlearn::bn.fit(net, x))$from, tidy(net)$from)
  expect_error(glance(bnlearn::cpdag(net)), class = "daggnn_input_error")
  expect_error(tidy(net, strength = 1), "`strength` must", class = "daggnn_input_error")
  unnamed <- notears(transform(x, A = A + 1))
  expect_error(augment(unnamed), "`data` must be the data", class = "daggnn_input_error")
})
