# Networks in the forms of other packages and programs.

#' A network in the forms of other packages
#'
#' A learned network as a graph of igraph or tidygraph (and so for ggraph), as a graph of dagitty
#' for adjustment sets, as the text that dagitty reads, and as files that Graphviz, Gephi, yEd and
#' Cytoscape read.
#'
#' `as.igraph()`, `as_tbl_graph()` and `as.dagitty()` are methods for the generics of the packages
#' igraph, tidygraph and dagitty. caugi's `as_caugi()` takes the networks as they are, since they
#' are bnlearn's. `dagitty_text()` needs no other package: paste its result into dagitty.net.
#'
#' @param x For the methods, a network of this package. For `dagitty_text()`, `write_dot()` and
#'   `write_graphml()`, any network of class `"bn"` or `"bn.fit"` or an adjacency matrix, also with
#'   undirected edges.
#' @param file The name of the file to write, or a connection.
#' @param strength Strengths from [boot_dag()], to be written beside the edges; optional.
#' @param exposure,outcome Names of the variables that dagitty should treat as exposure and outcome;
#'   optional.
#' @param ... Not used.
#' @return `as.igraph()` and `as_tbl_graph()`: a graph. Where the learner has weights, each edge has
#'   the attributes `abs_weight`, the size of its weight, `sign`, -1 or 1, or `NA` for a curve, a
#'   factor or a vector, `share`, the size of its share, and, where it is known, `gain`, as in
#'   [tidy()][tidy.daggnn]. Sizes can be mapped to the widths of lines. `as.dagitty()`: a graph of
#'   class `"dagitty"`.
#'   `dagitty_text()`: one string. `write_dot()` and `write_graphml()`: `x`, invisibly.
#' @seealso [tidy.daggnn()], [plot_bn()]
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' igraph::E(igraph::as.igraph(net))$share
#' cat(dagitty_text(net, exposure = "B", outcome = "F"))
#' file <- tempfile(fileext = ".dot")
#' write_dot(net, file)
#'
#' if (requireNamespace("dagitty", quietly = TRUE)) {
#'   dagitty::adjustmentSets(dagitty::as.dagitty(net), exposure = "B", outcome = "F")
#' }
#' if (requireNamespace("tidygraph", quietly = TRUE)) {
#'   tidygraph::as_tbl_graph(net)
#' }
#' @name graphs
NULL

#' @rdname graphs
#' @importFrom igraph as.igraph
#' @method as.igraph daggnn
#' @export
as.igraph.daggnn <- function(x, ...) {
  # bnlearn's generic of the same name would find this method again.
  bare <- structure(x, class = setdiff(class(x), c(network_classes, "daggnn")))
  graph <- bnlearn::as.igraph(bare)
  if (is_network(x) && nrow(x$arcs) > 0) {
    facts <- edge_facts(x)
    ends <- igraph::as_edgelist(graph)
    facts <- facts[match(paste(ends[, 1], ends[, 2], sep = "\r"), edge_keys(facts)), ]
    # igraph would take an attribute `weight` for the length of the edge.
    if (!is.null(facts$weight)) {
      sign <- ifelse(facts$weight < 0, -1, 1)
      sign[!has_sign(x, ends)] <- NA
      graph <- igraph::set_edge_attr(graph, "abs_weight", value = abs(facts$weight))
      graph <- igraph::set_edge_attr(graph, "sign", value = sign)
    }
    if (!is.null(facts$share)) facts$share <- abs(facts$share)
    for (name in intersect(c("share", "gain"), names(facts))) {
      graph <- igraph::set_edge_attr(graph, name, value = facts[[name]])
    }
  }
  graph
}

#' @rdname graphs
#' @usage \method{as_tbl_graph}{daggnn}(x, ...)
#' @exportS3Method tidygraph::as_tbl_graph
as_tbl_graph.daggnn <- function(x, ...) {
  tidygraph::as_tbl_graph(as.igraph.daggnn(x))
}

#' @rdname graphs
#' @usage \method{as.dagitty}{daggnn}(x, exposure = NULL, outcome = NULL, ...)
#' @exportS3Method dagitty::as.dagitty
as.dagitty.daggnn <- function(x, exposure = NULL, outcome = NULL, ...) {
  dagitty::dagitty(dagitty_text(x, exposure, outcome))
}

#' @rdname graphs
#' @export
dagitty_text <- function(x, exposure = NULL, outcome = NULL) {
  net <- drawable_network(x, NULL)
  nodes <- bnlearn::nodes(net)
  # In dagitty's grammar a name stands between quotes, so that a quote would end it, and a backslash
  # before the last one would take that for a part of the name; control characters are unknown.
  bad <- grepl("\"|\\\\$|[[:cntrl:]]", nodes)
  if (any(bad)) {
    stop_input(
      "dagitty reads no names with quotes, line breaks, tabs or a backslash at the end: rename ",
      quoted(nodes[bad]), "."
    )
  }
  check_known_nodes(exposure, nodes, "exposure")
  check_known_nodes(outcome, nodes, "outcome")
  edges <- edges_of(net)
  places <- layered_layout(nodes, match(edges$from, nodes), match(edges$to, nodes))$boxes
  role <- ifelse(nodes %in% exposure, "exposure,", ifelse(nodes %in% outcome, "outcome,", ""))
  # dagitty counts upwards from the top, in units of its own.
  place <- sprintf("pos=\"%.2f,%.2f\"", round(places$x / 10, 2) + 0, -places$y / 4)
  paste0(
    if (all(edges$arrow)) "dag" else "pdag", " {\n",
    paste0("\"", nodes, "\" [", role, place, "]\n", collapse = ""),
    paste(sprintf(
      "\"%s\" %s \"%s\"\n", edges$from, ifelse(edges$arrow, "->", "--"), edges$to
    ), collapse = ""),
    "}\n"
  )
}

check_known_nodes <- function(names, nodes, argument) {
  unknown <- setdiff(names, nodes)
  if (length(unknown) > 0) {
    stop_input(
      "`", argument, "` must be among the nodes (", quoted(nodes), "), but ", quoted(unknown),
      " is not."
    )
  }
}

#' @rdname graphs
#' @export
write_dot <- function(x, file, strength = NULL) {
  check_file(file)
  net <- drawable_network(x, NULL)
  strength <- check_strength(strength, net)
  edges <- network_picture(net, strength = strength)$edges
  dot_text <- function(text) {
    paste0("\"", gsub("\"", "\\\"", gsub("\\", "\\\\", text, fixed = TRUE), fixed = TRUE), "\"")
  }
  facts <- edge_facts(net, strength)
  facts <- facts[match(edge_keys(edges), edge_keys(facts)), ]
  lines <- c(
    "digraph {", "  node [shape=box, fontname=\"Helvetica\"];",
    paste0("  ", dot_text(bnlearn::nodes(net)), ";"),
    sprintf(
      "  %s -> %s [color=\"%s\", penwidth=%.2f%s%s%s%s];", dot_text(edges$from),
      dot_text(edges$to), edges$colour, edges$width,
      ifelse(edges$line == "solid", "", ", style=dashed"), ifelse(edges$arrow, "", ", dir=none"),
      ifelse(nzchar(edges$label), paste0(", label=", dot_text(edges$label)), ""),
      written_facts(facts, function(name, value) paste0(", ", name, "=", value))
    ),
    "}"
  )
  write_lines(lines, file)
  invisible(x)
}

#' @rdname graphs
#' @export
write_graphml <- function(x, file, strength = NULL) {
  check_file(file)
  net <- drawable_network(x, NULL)
  strength <- check_strength(strength, net)
  facts <- edge_facts(net, strength)
  edges <- edges_of(net)
  keys <- setdiff(names(facts), c("from", "to"))
  nodes <- bnlearn::nodes(net)
  id <- function(name) paste0("n", match(name, nodes))
  data <- written_facts(facts, function(name, value) {
    paste0("<data key=\"", name, "\">", value, "</data>")
  })
  lines <- c(
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">",
    "  <key id=\"name\" for=\"node\" attr.name=\"name\" attr.type=\"string\"/>",
    sprintf("  <key id=\"%s\" for=\"edge\" attr.name=\"%s\" attr.type=\"double\"/>", keys, keys),
    "  <graph id=\"network\" edgedefault=\"directed\">",
    paste0("    <node id=\"", id(nodes), "\"><data key=\"name\">", escape(nodes), "</data></node>"),
    sprintf(
      "    <edge source=\"%s\" target=\"%s\"%s>%s</edge>", id(edges$from), id(edges$to),
      ifelse(edges$arrow, "", " directed=\"false\""), data
    ),
    "  </graph>", "</graphml>"
  )
  write_lines(lines, file)
  invisible(x)
}

# What is known about each edge as one text, written in the form of a file; what is not known is
# left out.
written_facts <- function(facts, form) {
  text <- rep("", nrow(facts))
  for (name in setdiff(names(facts), c("from", "to"))) {
    value <- facts[[name]]
    known <- !is.na(value)
    text[known] <- paste0(text[known], form(name, format_exactly(value[known])))
  }
  text
}

# So that the same number is read again.
format_exactly <- function(value) {
  vapply(value, formatC, "", digits = 17, format = "g", USE.NAMES = FALSE)
}
