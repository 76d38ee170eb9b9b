test_that("edges say their sign by colour and line and their size by width", {
  edges <- weighted_edges(gaussian_network(weights = c(2, -1, 0.5, 0.5, 0.5, 0.5, 0.5)))$edges
  expect_identical(edges$colour[edges$size == 2], colours[["blue"]])
  expect_identical(edges$colour[edges$size == 1], colours[["vermillion"]])
  expect_false(edges$line[edges$size == 1] == edges$line[edges$size == 2])
  expect_identical(which.max(edges$width), which(edges$size == 2))
})

test_that("widths show shares where they are known, and the legend says so", {
  net <- with_shares(gaussian_network(weights = c(2, -1, 0.5, 0.5, 0.5, 0.5, 0.5)))
  picture <- network_picture(net)
  expect_identical(picture$edges$size, abs(net$daggnn$shares[net$arcs]))
  expect_identical(picture$notes, "width: share of the child's standard deviation (0.05 to 0.2)")
  expect_identical(network_picture(gaussian_network())$notes, "width: weight (0.8 to 1.5)")
})

test_that("weights that are all positive have the colour of positive ones", {
  picture <- network_picture(gaussian_network(weights = 1:7 / 3))
  expect_identical(unique(picture$edges$colour), colours[["blue"]])
  expect_identical(legend_keys(picture)$label, "positive (7)")
})

test_that("an edge with a discrete or vector-valued end has no sign", {
  x <- bnlearn::clgaussian.test
  x$H <- cbind(x$H, x$H)
  described <- samples(x)
  net <- with_shares(mixed_network(weights = c(1, 2, -3, 4, 5), samples = described))
  picture <- network_picture(net)
  of <- function(edge) picture$edges$meaning[paste0(picture$edges$from, picture$edges$to) == edge]
  expect_identical(of("DG"), "negative")
  for (edge in c("AD", "BD", "CH", "HE")) expect_identical(of(edge), "curve, factor or vector")
  expect_match(picture$notes, "width: standardised weight", fixed = TRUE)
  # The coefficients of notears() have signs, also between two levels.
  net$daggnn$learner <- "notears"
  expect_setequal(network_picture(net)$edges$meaning, c("positive", "negative"))
})

test_that("curves have no sign, and linear effects have one", {
  net <- with_shares(gaussian_network(samples = samples(bnlearn::gaussian.test[1:50, ])))
  net$daggnn$choice <- list(effects = "additive")
  expect_identical(unique(network_picture(net)$edges$meaning), "curve, factor or vector")
  net$daggnn$choice <- list(effects = "linear")
  expect_setequal(network_picture(net)$edges$meaning, c("positive", "negative"))
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
    meaning <- compared_edges(net, truth)$edges$meaning
    for (kind in c("correct", "reversed", "extra", "missing")) {
      expect_equal(sum(meaning == kind), counts[[kind]])
    }
  }
})

test_that("undirected edges are compared too", {
  truth <- bnlearn::model2network("[a][c][b|a:c][d|b]")
  net <- bnlearn::set.edge(bnlearn::drop.arc(truth, "b", "d"), "a", "b")
  net <- bnlearn::set.edge(net, "c", "d")
  edges <- compared_edges(net, truth)$edges
  meaning <- stats::setNames(edges$meaning, paste0(edges$from, edges$to))
  expect_identical(meaning[["ab"]], "reversed")
  expect_identical(meaning[["cb"]], "correct")
  expect_identical(meaning[["cd"]], "extra")
  expect_identical(meaning[["bd"]], "missing")
  expect_identical(edges$arrow[match(c("ab", "cb"), names(meaning))], c(FALSE, TRUE))
})

test_that("the truth may be a network, a matrix with names or one without", {
  net <- gaussian_network(class = "dag_gnn")
  truth <- bnlearn::amat(net)[7:1, 7:1]
  expect_identical(unique(compared_edges(net, truth)$edges$meaning), "correct")
  bare <- unname(bnlearn::amat(net))
  expect_identical(unique(compared_edges(net, bare)$edges$meaning), "correct")
})

test_that("an undirected edge is one edge, after the directed ones", {
  net <- bnlearn::cpdag(bnlearn::model2network("[a][b|a][c|b][d][e|c:d]"))
  edges <- edges_of(net)
  expect_identical(paste0(edges$from, edges$to), c("ce", "de", "ab", "bc"))
  expect_identical(edges$arrow, c(TRUE, TRUE, FALSE, FALSE))
  expect_identical(nrow(edges_of(bnlearn::empty.graph(letters[1:3]))), 0L)
})

test_that("long names are broken where a word ends", {
  expect_identical(wrapped_labels("years.of.education.completed"), "years.of.\neducation.completed")
  expect_identical(wrapped_labels("hoursWorkedPerWeek"), "hoursWorked\nPerWeek")
  expect_identical(wrapped_labels("marital status of mother"), "marital status\nof mother")
  expect_identical(wrapped_labels("age"), "age")
  expect_identical(wrapped_labels("acetylcholinesterases"), "acetylcholi...erases")
})

test_that("of a name that is longer than two lines, whole words at both ends stay", {
  expect_identical(
    wrapped_labels("systolic blood pressure at first visit in mmHg"),
    "systolic blood ...\nfirst visit in mmHg"
  )
  expect_identical(
    wrapped_labels("years.of.education.of.the.mother.of.the.child"),
    "years.of ...\nmother.of.the.child"
  )
  expect_identical(
    wrapped_labels("acetylcholinesterases per litre"), "acetylcholi...erases\nper litre"
  )
})

test_that("names that are shortened stay different", {
  expect_identical(short_labels(c("a", "abcdefghij"), 20), c("a", "abcdefghij"))
  expect_identical(short_labels("person/nationality/code", 12), "person...ode")
  same <- c("the very same beginning 1 and end", "the very same beginning 2 and end")
  for (labels in list(short_labels(same, 12), wrapped_labels(same, 8))) {
    expect_identical(anyDuplicated(labels), 0L)
    expect_true(all(label_width(labels) <= 13))
  }
})

test_that("the colour of a direction agrees with its rounded number", {
  net <- bnlearn::model2network("[a][b|a]")
  strength <- data.frame(
    from = c("a", "b"), to = c("b", "a"), strength = 1, direction = c(0.7499, 0.2501)
  )
  edge <- strength_edges(net, strength)$edges
  expect_identical(edge$label, "0.75")
  expect_identical(edge$meaning, "direction clear")
})
