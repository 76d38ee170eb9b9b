# Draws into nothing; the pictures themselves are for eyes.
drawn <- function(plotting) {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  force(plotting)
}

test_that("edges say their sign by colour and their size by width", {
  edges <- weighted_edges(gaussian_network(weights = c(2, -1, 0.5, 0.5, 0.5, 0.5, 0.5)))
  expect_identical(edges$colour[edges$weight == 2], colours[["blue"]])
  expect_identical(edges$colour[edges$weight == -1], colours[["vermillion"]])
  expect_identical(which.max(edges$width), which(edges$weight == 2))
})

test_that("weights without sign have no colour for it", {
  edges <- weighted_edges(gaussian_network(weights = 1:7 / 3))
  expect_identical(unique(edges$meaning), "edge")
  expect_match(legend_keys(edges)$label, "weight \\(0.33 to 2.33\\)")
})

test_that("edges are compared with the truth as dag_metrics() counts them", {
  set.seed(1)
  for (repetition in 1:20) {
    nodes <- letters[1:8]
    net <- new_network(
      bnlearn::amat(bnlearn::random.graph(nodes, prob = 0.3)), list(learner = "test")
    )
    truth <- bnlearn::random.graph(sample(nodes), prob = 0.3)
    counts <- dag_metrics(truth, net)
    meaning <- compared_edges(net, truth)$meaning
    for (kind in c("correct", "reversed", "extra", "missing")) {
      expect_equal(sum(meaning == kind), counts[[kind]])
    }
  }
})

test_that("the truth may be a network, a matrix with names or one without", {
  net <- gaussian_network(class = "dag_gnn")
  truth <- bnlearn::amat(net)[7:1, 7:1]
  expect_identical(unique(compared_edges(net, truth)$meaning), "correct")
  bare <- unname(bnlearn::amat(net))
  expect_identical(unique(compared_edges(net, bare)$meaning), "correct")
})

test_that("long names are shortened and stay different", {
  expect_identical(short_labels(c("a", "abcdefghij"), 20), c("a", "abcdefghij"))
  expect_identical(short_labels("person/nationality/code", 12), "person..code")
  same <- c("the very same beginning 1 and end", "the very same beginning 2 and end")
  expect_identical(anyDuplicated(short_labels(same, 12)), 0L)
})

test_that("every picture is drawn, also of odd networks", {
  net <- gaussian_network(class = "dag_gnn")
  x <- bnlearn::gaussian.test
  expect_identical(drawn(plot(net)), net)
  drawn(plot(net, truth = bnlearn::hc(x), main = "title"))
  drawn(plot(net, what = "weights"))
  drawn(plot(net, what = "weights", truth = bnlearn::amat(net), main = "title"))
  drawn(plot(net, what = "trace", main = "title"))
  drawn(plot(rethreshold(net, "bic", x), what = "path", main = "title"))
  drawn(plot(rethreshold(net, Inf)))
  drawn(plot(rethreshold(net, Inf), truth = net))
  drawn(plot(bnlearn::drop.arc(net, "A", "C")))
  drawn(plot(bnlearn::cpdag(net)))
  two <- known_network(c("a name of some length", "b"), "b>a name of some length")
  expect_identical(drawn(plot(two)), two)
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
  expect_snapshot(error = TRUE, {
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
