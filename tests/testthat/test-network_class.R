# The same graph as bnlearn itself would hold it: what it says of that must hold for ours.
plain <- function(net) bnlearn::model2network(bnlearn::modelstring(net))

classes <- list("dag_gnn", "notears", "exact_dag", "gobnilp", character())

for (class in classes) {
  test_that(paste("bnlearn's functions take a network of class", c(class, "daggnn")[1]), {
    net <- gaussian_network(class = class)
    twin <- plain(net)
    expect_s3_class(net, c(class, "daggnn", "bn"), exact = TRUE)

    expect_identical(bnlearn::nodes(net), names(bnlearn::gaussian.test))
    expect_identical(bnlearn::amat(net)["A", "C"], 1L)
    expect_identical(nrow(bnlearn::arcs(net)), 7L)
    expect_setequal(bnlearn::parents(net, "F"), c("A", "D", "E", "G"))
    expect_identical(bnlearn::children(net, "D"), "F")
    expect_identical(bnlearn::degree(net, "F"), 4L)
    expect_identical(bnlearn::in.degree(net, "F"), 4L)
    expect_setequal(bnlearn::mb(net, "D"), c("A", "B", "E", "F", "G"))
    order <- bnlearn::node.ordering(net)
    expect_lt(match("D", order), match("F", order))
    expect_identical(bnlearn::modelstring(net), bnlearn::modelstring(twin))
    expect_identical(as.character(net), bnlearn::modelstring(twin))

    expect_true(all.equal(net, twin))
    expect_true(all.equal(twin, net))
    expect_equal(bnlearn::compare(net, twin)$tp, 7)
    expect_equal(bnlearn::shd(net, bnlearn::empty.graph(bnlearn::nodes(net))), 7)
    expect_equal(bnlearn::shd(net, twin), 0)
    expect_equal(bnlearn::hamming(net, twin), 0)
    expect_true(all.equal(bnlearn::cpdag(net), bnlearn::cpdag(twin)))
    expect_true(all.equal(bnlearn::moral(net), bnlearn::moral(twin)))
    expect_true(all.equal(bnlearn::skeleton(net), bnlearn::skeleton(twin)))
    expect_identical(nrow(bnlearn::vstructs(net)), nrow(bnlearn::vstructs(twin)))
    expect_true(bnlearn::dsep(net, "A", "B"))

    strength <- bnlearn::custom.strength(list(net, twin, net), bnlearn::nodes(net))
    expect_identical(strength$strength[strength$from == "A" & strength$to == "C"], 1)
    expect_s3_class(bnlearn::arc.strength(net, bnlearn::gaussian.test), "bn.strength")

    fewer <- bnlearn::drop.arc(net, "A", "C")
    expect_equal(bnlearn::narcs(fewer), 6)
    expect_equal(bnlearn::narcs(bnlearn::set.arc(fewer, "A", "C")), 7)
    expect_true(bnlearn::narcs(bnlearn::hc(bnlearn::gaussian.test, start = net)) >= 7)
    expect_s3_class(bnlearn::bn.cv(bnlearn::gaussian.test[1:500, ], net), "bn.kcv")

    file <- tempfile(fileext = ".rds")
    saveRDS(net, file)
    again <- readRDS(file)
    unlink(file)
    expect_identical(again, net)
    expect_identical(bnlearn::nodes(again), bnlearn::nodes(net))
  })

  test_that(paste("bn.fit() and what follows work for class", c(class, "daggnn")[1]), {
    x <- bnlearn::gaussian.test
    net <- gaussian_network(class = class)
    fitted <- bnlearn::bn.fit(net, x)
    twin <- bnlearn::bn.fit(plain(net), x)
    expect_equal(predict(fitted, "F", x), predict(twin, "F", x))
    expect_equal(coef(fitted)$F[names(coef(twin)$F)], coef(twin)$F)
    expect_equal(fitted(fitted)$C, fitted(twin)$C)
    expect_equal(residuals(fitted)$C, residuals(twin)$C)
    expect_identical(bnlearn::nodes(fitted), bnlearn::nodes(net))
    expect_equal(logLik(fitted, x), logLik(twin, x))
    expect_true(all.equal(bnlearn::bn.net(fitted), plain(net)))
    expect_output(print(fitted), "Bayesian network parameters")
    expect_identical(dim(bnlearn::rbn(fitted, 10)), c(10L, 7L))
    set.seed(1)
    expect_gt(bnlearn::cpquery(fitted, C > 0, A > 0), 0.5)
    expect_error(plot(fitted), "no plot\\(\\) method")
    expect_identical(class(summary(fitted))[1], "summaryDefault")
    expect_equal(igraph::ecount(igraph::as.igraph(fitted)), 7)
  })
}

test_that("every score that fits the data is that of the same graph in bnlearn", {
  types <- list(
    gaussian = c("loglik-g", "aic-g", "bic-g", "ebic-g", "pred-loglik-g", "bge", "nal-g", "pnal-g"),
    discrete = c(
      "loglik", "aic", "bic", "ebic", "pred-loglik", "bde", "bds", "bdj", "k2", "bdla", "fnml",
      "qnml", "nal", "pnal", "mbde"
    ),
    mixed = c("loglik-cg", "aic-cg", "bic-cg", "ebic-cg", "pred-loglik-cg", "nal-cg", "pnal-cg")
  )
  data <- list(
    gaussian = bnlearn::gaussian.test, discrete = bnlearn::learning.test,
    mixed = bnlearn::clgaussian.test
  )
  nets <- list(
    gaussian = gaussian_network(class = "dag_gnn"), discrete = discrete_network(class = "dag_gnn"),
    mixed = mixed_network(class = "dag_gnn")
  )
  # bnlearn 5.2 has no "bdla" any more; its own list says what it has.
  known <- get("available.scores", asNamespace("bnlearn"))
  expect_gt(length(intersect(unlist(types), known)), 20)
  for (kind in names(types)) {
    for (type in intersect(types[[kind]], known)) {
      x <- data[[kind]]
      more <- list(type = type)
      if (grepl("^pred", type)) more$newdata <- x[1:1000, ]
      if (type == "mbde") more$exp <- stats::setNames(rep(list(1:10), ncol(x)), names(x))
      score_of <- function(net) do.call(bnlearn::score, c(list(net, x), more))
      expect_equal(score_of(nets[[kind]]), score_of(plain(nets[[kind]])), info = type)
    }
  }
})

test_that("shd() with lists counts for our networks what it counts for bnlearn's own", {
  x <- bnlearn::gaussian.test
  whitelist <- cbind(from = "C", to = "A")
  blacklist <- cbind(from = "B", to = "D")
  theirs <- bnlearn::hc(x, whitelist = whitelist, blacklist = blacklist)
  prior <- check_prior(names(x), whitelist = whitelist, blacklist = blacklist)
  ours <- new_network(bnlearn::amat(theirs), list(prior = prior), "dag_gnn")
  expect_equal(bnlearn::shd(ours, theirs, wlbl = TRUE), 0)
  # A twin without lists has another CPDAG: the lists fix directions.
  twin <- plain(theirs)
  expect_gt(bnlearn::shd(theirs, twin, wlbl = TRUE), 0)
  expect_equal(
    bnlearn::shd(ours, twin, wlbl = TRUE), bnlearn::shd(theirs, twin, wlbl = TRUE)
  )
})

test_that("prediction and queries work on fitted discrete and mixed networks", {
  x <- bnlearn::learning.test
  fitted <- bnlearn::bn.fit(discrete_network(class = "dag_gnn"), x)
  expect_s3_class(predict(fitted, "B", x), "factor")
  set.seed(1)
  expect_gt(bnlearn::cpquery(fitted, B == "a", A == "a"), 0)
  mixed <- bnlearn::bn.fit(mixed_network(class = "dag_gnn"), bnlearn::clgaussian.test)
  expect_type(predict(mixed, "D", bnlearn::clgaussian.test), "double")
})

test_that("odd names go through bnlearn and back", {
  net <- known_network(c("my var", "\u00e9t\u00e9", "a.b"), c("my var>\u00e9t\u00e9", "a.b>my var"))
  expect_identical(bnlearn::parents(net, "my var"), "a.b")
  expect_identical(igraph::V(igraph::as.igraph(net))$name, c("my var", "\u00e9t\u00e9", "a.b"))
})

test_that("igraph and graph take our networks", {
  net <- gaussian_network(class = "dag_gnn")
  graph <- igraph::as.igraph(net)
  expect_true(igraph::is_dag(graph))
  expect_identical(igraph::vertex_attr(graph, "name"), bnlearn::nodes(net))
  ends <- igraph::as_edgelist(graph)
  expect_equal(igraph::edge_attr(graph, "abs_weight"), abs(coef(net)[ends]))
  expect_equal(igraph::edge_attr(graph, "sign"), sign(coef(net)[ends]))
  expect_equal(igraph::ecount(bnlearn::as.igraph(net)), 7)
  # An undirected edge is two in igraph.
  expect_equal(igraph::ecount(igraph::as.igraph(bnlearn::cpdag(net))), 8)

  skip_if_not_installed("graph")
  expect_s4_class(bnlearn::as.graphNEL(net), "graphNEL")
  expect_true(all.equal(bnlearn::as.bn(bnlearn::as.graphNEL(net)), plain(net)))
})

test_that("generics that other packages mask still know our networks", {
  skip_unless_slow()
  skip_if_not_installed("graph")
  file <- tempfile(fileext = ".rds")
  saveRDS(gaussian_network(class = "dag_gnn"), file)
  script <- paste0(
    ".libPaths(", paste(deparse(.libPaths()), collapse = ""), ");",
    "library(bnlearn); library(daggnn); library(graph); library(igraph);",
    "net <- readRDS(", deparse(file), ");",
    "stopifnot(length(graph::nodes(net)) == 7, graph::degree(net, 'F') == 4,",
    "BiocGenerics::score(net, gaussian.test, type = 'bic-g') < 0, is_dag(as.igraph(net)))"
  )
  status <- system2(
    file.path(R.home("bin"), "Rscript"), c("-e", shQuote(script)), stdout = FALSE, stderr = FALSE
  )
  unlink(file)
  expect_identical(status, 0L)
})

test_that("bnlearn tells the lists that a network was learned with", {
  x <- bnlearn::gaussian.test
  prior <- check_prior(names(x), whitelist = c("A", "C"), blacklist = cbind("B", "A"))
  net <- gaussian_network(class = "dag_gnn", prior = prior)
  expect_identical(unname(bnlearn::whitelist(net)), cbind("A", "C"))
  expect_identical(unname(bnlearn::blacklist(net)), cbind("B", "A"))
})

test_that("only a DAG over the learned variables is one of our networks", {
  net <- gaussian_network(class = "dag_gnn")
  expect_true(is_network(net))
  expect_true(is_network(bnlearn::drop.arc(net, "A", "C")))
  expect_false(is_network(bnlearn::bn.fit(net, bnlearn::gaussian.test)))
  expect_false(is_network(bnlearn::cpdag(net)))
  expect_false(is_network(bnlearn::rename.nodes(net, letters[1:7])))
  expect_false(is_network(bnlearn::add.node(net, "Z")))
  expect_false(is_network(bnlearn::hc(bnlearn::gaussian.test, start = net)))
  expect_false(is_network(plain(net)))
})

test_that("coef() gives the weights before the threshold, or says why it cannot", {
  net <- gaussian_network(class = "dag_gnn")
  expect_identical(coef(net)["A", "C"], 1.5)
  expect_error(coef(net, "shares"), "has no shares", class = "daggnn_input_error")
  exact <- gaussian_network(class = "exact_dag", learner = "exact_dag")
  exact$daggnn$weights <- NULL
  expect_error_snapshot(coef(exact))
  expect_error_snapshot(coef(bnlearn::rename.nodes(net, letters[1:7])))
})

test_that("edits are told apart from what was learned", {
  net <- gaussian_network(class = "dag_gnn")
  edited <- bnlearn::set.arc(bnlearn::drop.arc(net, "A", "C"), "A", "B")
  edits <- edits_of(edited)
  expect_identical(unname(edits$added), cbind("A", "B"))
  expect_identical(unname(edits$removed), cbind("A", "C"))
  expect_identical(nrow(edits_of(net)$added), 0L)
})
