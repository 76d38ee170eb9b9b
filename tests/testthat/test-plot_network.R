# Draws into nothing; the pictures themselves are for eyes.
drawn <- function(plotting) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(plotting)
}

test_that("every picture is drawn, also of odd networks", {
  net <- gaussian_network(class = "dag_gnn")
  x <- bnlearn::gaussian.test
  expect_identical(drawn(plot(net)), net)
  drawn(plot(net, truth = bnlearn::hc(x), main = "title"))
  drawn(plot(net, what = "weights"))
  drawn(plot(net, what = "weights", truth = bnlearn::amat(net), main = "title"))
  drawn(plot(with_shares(net), what = "shares", main = "title"))
  drawn(plot(net, what = "trace", main = "title"))
  drawn(plot(rethreshold(net, "bic", x), what = "path", main = "title"))
  drawn(plot(rethreshold(net, Inf)))
  drawn(plot(rethreshold(net, Inf), truth = net))
  drawn(plot(bnlearn::drop.arc(net, "A", "C")))
  drawn(plot(bnlearn::cpdag(net)))
  two <- known_network(c("a name of some length", "b"), "b>a name of some length")
  expect_identical(drawn(plot(two)), two)
})

test_that("what has no shares says so", {
  net <- gaussian_network(class = "dag_gnn")
  expect_error(drawn(plot(net, what = "shares")), "has no shares", class = "daggnn_input_error")
  expect_error(
    drawn(plot(with_shares(net), what = "shares", truth = net)), "`truth` has no shares",
    class = "daggnn_input_error"
  )
})

test_that("heat maps show sizes where an edge is a curve, which has no sign", {
  net <- with_shares(gaussian_network(class = "dag_gnn"))
  edge <- net$arcs[1, , drop = FALSE]
  net$daggnn$shares[edge] <- -0.4
  expect_identical(share_tables(net, NULL)$shares[edge], -0.4)
  net$daggnn$learner <- "dag_gnn"
  net$daggnn$samples <- samples(bnlearn::gaussian.test)
  net$daggnn$choice <- list(effects = "additive")
  expect_identical(share_tables(net, NULL)$shares[edge], 0.4)
})

test_that("graphical parameters are as before after a plot", {
  net <- gaussian_network(class = "dag_gnn")
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  before <- graphics::par(c("mar", "mfrow", "oma", "las", "pty"))
  for (what in c("network", "weights", "trace")) plot(net, what = what)
  expect_identical(graphics::par(c("mar", "mfrow", "oma", "las", "pty")), before)
})

test_that("what cannot be drawn is named", {
  net <- gaussian_network(class = "dag_gnn")
  expect_error_snapshot({
    plot(net, what = "tree")
    plot(net, what = "path")
    plot(net, longest = 1)
    plot(net, truth = bnlearn::empty.graph(letters[1:7]))
    plot(net, truth = diag(3))
    plot(net, truth = "A -> B")
  })
  bare <- net
  bare$daggnn$trace <- NULL
  expect_error(plot(bare, what = "trace"), "no trace", class = "daggnn_input_error")
})
