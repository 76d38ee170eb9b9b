# Two edges near the threshold of 0.3, one that stays out of a cycle.
near_network <- function() {
  net <- gaussian_network(weights = c(1.5, 0.32, -0.8, 0.9, 1, 0.7, 2), class = "dag_gnn")
  net$daggnn$weights["C", "G"] <- 0.27
  net$daggnn$weights["F", "A"] <- 0.5
  net$daggnn$dropped <- data.frame(from = "F", to = "A", weight = 0.5)
  net
}

test_that("a network says what it is and how it was learned", {
  expect_snapshot(print(gaussian_network(class = "dag_gnn")))
  expect_snapshot(print(gaussian_network(
    class = "dag_gnn", reason = "max_rounds", threshold = 0.123, threshold_rule = "bic",
    dropped = NULL
  )))
  expect_snapshot(print(gaussian_network(
    class = "gobnilp", learner = "read_gobnilp", model = NULL, reason = NULL, threshold = NULL,
    trace = NULL
  )))
  expect_snapshot(print(near_network()))
  expect_snapshot(cat(threshold_text(list(threshold_rule = "auto"))))
})

test_that("each reason to stop has its sentence", {
  reasons <- c(
    "converged", "max_rounds", "c_max", "interrupt", "time_limit", "not_finite", "optimal"
  )
  details <- gaussian_network()$daggnn
  expect_snapshot(cat(vapply(reasons, function(reason) {
    reason_text(utils::modifyList(details, list(reason = reason)))
  }, ""), sep = "\n"))
})

test_that("an edited network says so, and what is not ours is left to bnlearn", {
  net <- gaussian_network(class = "dag_gnn")
  expect_snapshot(print(bnlearn::drop.arc(net, "A", "C")))
  expect_output(print(bnlearn::cpdag(net)), "partially directed graph")
  expect_output(print(bnlearn::hc(bnlearn::gaussian.test, start = net)), "Score-based")
  expect_output(print(bnlearn::rename.nodes(net, letters[1:7])), "Bayesian network")
})

test_that("a large network is not printed over pages", {
  nodes <- sprintf("a rather long name %03d", 1:100)
  net <- known_network(nodes, paste(nodes[-1], nodes[-100], sep = ">"))
  lines <- capture.output(print(net))
  expect_lt(length(lines), 30)
  expect_true(all(nchar(lines) <= 80))
  expect_match(lines, "more lines", all = FALSE)
})

test_that("the summary names the edges that another threshold would change", {
  near <- summary(near_network())$near
  expect_identical(paste(near$from, near$to), c("B C", "C G"))
  expect_identical(near$becomes, c("goes if higher", "comes if lower"))
  expect_identical(nrow(summary(near_network(), margin = 0)$near), 0L)
  expect_snapshot(summary(near_network()))
})

test_that("with the data, weights stand beside linear coefficients", {
  x <- bnlearn::gaussian.test
  net <- gaussian_network(class = "dag_gnn")
  edges <- summary(net, x)$edges
  slopes <- coef(lm(x[c("F", "A", "D", "E", "G")])) # nolint: T_and_F_symbol_linter.
  of_f <- edges[edges$to == "F", ]
  expect_equal(of_f$coefficient, unname(slopes[of_f$from]))
  expect_snapshot(summary(net, x))
})

test_that("with numbers for data, the summary tells what their scale gives away", {
  set.seed(1)
  dag <- random_dag(5, degree = 2)
  x <- simulate_sem(dag, 500)
  net <- known_network(
    bnlearn::nodes(dag), paste(bnlearn::arcs(dag)[, 1], bnlearn::arcs(dag)[, 2], sep = ">"),
    class = "dag_gnn"
  )
  told <- summary(net, x)$varsortability
  expect_identical(told[["variance"]], varsortability(x, net))
  expect_identical(told[["r2"]], varsortability(x, net, "r2"))
  expect_null(summary(mixed_network(), bnlearn::clgaussian.test)$varsortability)
  expect_snapshot({
    print_varsortability(c(variance = 0.5, r2 = 0.25))
    print_varsortability(c(variance = 0.95, r2 = 0.6))
  })
})

test_that("coefficients are left out where a variable is not a number", {
  edges <- summary(mixed_network(class = "dag_gnn"), bnlearn::clgaussian.test)$edges
  expect_identical(is.na(edges$coefficient), !edges$to %in% c("G", "E"))
})

test_that("wrong arguments are named", {
  net <- gaussian_network(class = "dag_gnn")
  expect_error_snapshot({
    summary(net, margin = 2)
    summary(net, bnlearn::gaussian.test[-1])
    summary(bnlearn::cpdag(net))
  })
})
