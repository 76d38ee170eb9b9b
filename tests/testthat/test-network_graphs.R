net <- with_shares(gaussian_network(class = "dag_gnn"))
partly <- bnlearn::cpdag(bnlearn::model2network("[a][b|a][c|b][d][e|c:d]"))
odd_names <- known_network(
  c("blood pressure", "a\\b", "<& \u00e9"), c("blood pressure>a\\b", "a\\b><& \u00e9")
)

test_that("a graph of igraph has what is known about the edges", {
  graph <- igraph::as.igraph(net)
  ends <- igraph::as_edgelist(graph)
  expect_equal(igraph::E(graph)$share, abs(net$daggnn$shares[ends]))
  expect_equal(igraph::E(graph)$abs_weight * igraph::E(graph)$sign, coef(net)[ends])
  expect_false(igraph::is_weighted(graph))
})

test_that("a graph of tidygraph has the nodes and the edges of the network, and ggraph draws it", {
  skip_if_not_installed("tidygraph")
  graph <- tidygraph::as_tbl_graph(net)
  nodes <- as.data.frame(tidygraph::activate(graph, "nodes"))
  edges <- as.data.frame(tidygraph::activate(graph, "edges"))
  expect_setequal(nodes$name, bnlearn::nodes(net))
  expect_setequal(
    paste(nodes$name[edges$from], nodes$name[edges$to]), paste(net$arcs[, 1], net$arcs[, 2])
  )
  expect_true("share" %in% names(edges))
  skip_if_not_installed("ggraph")
  drawn <- suppressWarnings(
    ggraph::ggraph(graph, layout = "sugiyama") + ggraph::geom_edge_link() +
      ggraph::geom_node_text(ggplot2::aes(label = .data$name))
  )
  # Old versions of ggraph warn of new ones of ggplot2.
  expect_s3_class(suppressWarnings(ggplot2::ggplot_build(drawn)), "ggplot_built")
})

# dagitty's text, read by the rules of its grammar.
read_dagitty <- function(text) {
  lines <- strsplit(text, "\n", fixed = TRUE)[[1]]
  part <- function(pattern) do.call(rbind, regmatches(lines, regexec(pattern, lines)))
  list(
    type = sub(" \\{$", "", lines[1]), nodes = part("^\"([^\"]+)\" \\[")[, 2],
    edges = part("^\"([^\"]+)\" (->|--) \"([^\"]+)\"$")[, -1, drop = FALSE]
  )
}

# The productions of dagitty's grammar (jslib/parser/GraphDotParser.pegjs) that such a text may use.
# A name is a string: any character but quotes, backslashes and control characters, an escaped
# quote, or a backslash.
follows_grammar <- function(text) {
  string <- "\"(?:[^\"\\\\\\x01-\\x1f\\x7f]|\\\\\"|\\\\)+\"\\s*"
  attribute <- paste0("(?:exposure|outcome|pos\\s*=\\s*", string, ")\\s*")
  node <- paste0(string, "\\[", attribute, "(?:,", attribute, ")*\\]\\s*")
  edge <- paste0(string, "(?:->|--)\\s*", string)
  grepl(paste0("^(?:p?dag)\\s*\\{\\s*(?:", edge, "|", node, ")*\\}\\s*$"), text, perl = TRUE)
}

test_that("dagitty's text follows dagitty's grammar", {
  expect_true(follows_grammar(dagitty_text(net, exposure = "B", outcome = "F")))
  expect_true(follows_grammar(dagitty_text(partly)))
  expect_true(follows_grammar(dagitty_text(odd_names)))
  expect_false(follows_grammar("dag {\n\"a\nb\" [pos=\"0,0\"]\n}"))
  expect_false(follows_grammar("dag {\n\"a\" => \"b\"\n}"))
})

test_that("dagitty's text has every node and every edge", {
  read <- read_dagitty(dagitty_text(net))
  expect_identical(read$type, "dag")
  expect_identical(read$nodes, bnlearn::nodes(net))
  expect_identical(unname(read$edges[, c(1, 3)]), unname(net$arcs))
  read <- read_dagitty(dagitty_text(partly))
  expect_identical(read$type, "pdag")
  expect_identical(sort(read$edges[, 2]), c("--", "--", "->", "->"))
  expect_identical(
    dagitty_text(bnlearn::empty.graph("a")), "dag {\n\"a\" [pos=\"0.00,0.00\"]\n}\n"
  )
})

test_that("dagitty's text names exposure and outcome, and refuses what dagitty cannot read", {
  text <- dagitty_text(net, exposure = "B", outcome = c("F", "C"))
  expect_match(text, "\"B\" [exposure,pos=", fixed = TRUE)
  expect_match(text, "\"C\" [outcome,pos=", fixed = TRUE)
  quotes <- known_network(c("a", "say \"b\""), "a>say \"b\"")
  expect_error_snapshot({
    dagitty_text(net, exposure = "Z")
    dagitty_text(quotes)
    dagitty_text(bnlearn::empty.graph(c("a\\", "b\nc", "d")))
    dagitty_text(1:3)
  })
})

test_that("dagitty finds adjustment sets", {
  skip_if_not_installed("dagitty")
  graph <- dagitty::as.dagitty(net)
  expect_identical(dagitty::graphType(graph), "dag")
  edges <- dagitty::edges(graph)
  expect_setequal(paste(edges$v, edges$w), paste(net$arcs[, 1], net$arcs[, 2]))
  expect_length(dagitty::adjustmentSets(graph, exposure = "B", outcome = "F"), 1)
  expect_identical(
    dagitty::exposures(dagitty::as.dagitty(net, exposure = "B", outcome = "F")), "B"
  )
  expect_identical(dagitty::graphType(dagitty::dagitty(dagitty_text(partly))), "pdag")
})

test_that("caugi takes the network as it is", {
  skip_unless_caugi_works()
  graph <- caugi::as_caugi(net, class = "DAG")
  expect_identical(caugi::as_adjacency(graph)[names(net$nodes), names(net$nodes)] == 1, {
    bnlearn::amat(net) == 1
  })
})

test_that("GraphML is read again with all edges, numbers and names", {
  for (network in list(net, odd_names)) {
    file <- tempfile(fileext = ".graphml")
    expect_identical(write_graphml(network, file), network)
    graph <- tryCatch(
      igraph::read_graph(file, "graphml"),
      error = function(condition) skip("igraph was built without GraphML")
    )
    name <- igraph::V(graph)$name
    expect_identical(name, bnlearn::nodes(network))
    ends <- igraph::ends(graph, igraph::E(graph), names = FALSE)
    arcs <- cbind(name[ends[, 1]], name[ends[, 2]])
    expect_identical(arcs, unname(network$arcs))
    expect_identical(igraph::E(graph)$weight, coef(network)[arcs])
  }
})

test_that("GraphML tells undirected edges", {
  file <- tempfile()
  write_graphml(partly, file)
  edges <- grep("<edge ", readLines(file), value = TRUE)
  expect_identical(sum(grepl("directed=\"false\"", edges)), 2L)
  expect_length(edges, 4)
})

test_that("Graphviz reads the DOT file", {
  skip_if(Sys.which("dot") == "", "no Graphviz here")
  for (network in list(net, odd_names, partly, bnlearn::empty.graph(c("a", "b")))) {
    file <- tempfile(fileext = ".dot")
    write_dot(network, file)
    plain <- system2("dot", c("-Tplain", file), stdout = TRUE)
    expect_identical(sum(grepl("^node ", plain)), length(network$nodes))
    expect_identical(sum(grepl("^edge ", plain)), nrow(edges_of(network)))
  }
  write_dot(net, file)
  plain <- system2("dot", c("-Tplain", file), stdout = TRUE)
  read <- sub("^edge ([^ ]+ [^ ]+) .*", "\\1", grep("^edge ", plain, value = TRUE))
  expect_setequal(read, paste(net$arcs[, 1], net$arcs[, 2]))
})

test_that("strengths are written beside the edges", {
  set.seed(1)
  strength <- boot_dag(bnlearn::gaussian.test[1:100, ], R = 3, learner = bnlearn::hc)
  file <- tempfile()
  write_graphml(net, file, strength)
  expect_true(any(grepl("<data key=\"strength\">", readLines(file), fixed = TRUE)))
  write_dot(net, file, strength)
  expect_true(any(grepl("strength=", readLines(file), fixed = TRUE)))
  expect_error(write_dot(net, file, strength = 1), "`strength` must", class = "daggnn_input_error")
})
