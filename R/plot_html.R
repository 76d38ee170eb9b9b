# The picture of a network as a page for the web browser, by the package visNetwork.

# Pixels of a character and of a line of text.
html_character <- 9
html_line <- 26

html_network <- function(net, strength = NULL, truth = NULL, main = NULL, longest = 20) {
  need_package("visNetwork", "`engine = \"html\"`")
  picture <- network_picture(net, truth, longest, strength)
  layout <- layered_layout(picture$labels, picture$from, picture$to, aspect = 3)
  nodes <- data.frame(
    id = picture$names, label = picture$labels, title = node_tooltips(net),
    x = html_character * layout$boxes$x, y = -html_line * layout$boxes$y, shape = "box"
  )
  edges <- cbind(
    html_edges(picture, edge_facts(net, strength)), html_bends(layout, nodes, picture)
  )
  widget <- visNetwork::visNetwork(nodes, edges, width = "100%", height = "78vh")
  widget <- visNetwork::visNodes(
    widget, color = list(background = "white", border = "#666666"), font = list(size = 16)
  )
  widget <- visNetwork::visEdges(
    widget, smooth = list(type = "cubicBezier", forceDirection = "vertical", roundness = 0.4),
    arrows = list(to = list(scaleFactor = 0.6))
  )
  widget <- visNetwork::visPhysics(widget, enabled = FALSE)
  widget <- visNetwork::visInteraction(
    widget, dragNodes = TRUE, hover = TRUE, tooltipDelay = 50
  )
  widget <- visNetwork::visOptions(widget, highlightNearest = list(enabled = TRUE, degree = 1))
  sized <- is.finite(picture$edges$size)
  keys <- legend_keys(picture)
  controls <- list(
    title = main, notes = picture$notes,
    keys = lapply(seq_len(nrow(keys)), function(k) {
      list(label = keys$label[k], colour = keys$colour[k], dashed = keys$line[k] != "solid")
    }),
    measure = if (any(sized)) size_name(strength, net), most = max(picture$edges$size[sized], 0)
  )
  script <- readLines(system.file("javascript", "network_controls.js", package = "daggnn"))
  htmlwidgets::onRender(widget, paste(script, collapse = "\n"), controls)
}

size_name <- function(strength, net) {
  if (!is.null(strength)) "strength" else if (is.null(net$daggnn$shares)) "weight" else "share"
}

html_edges <- function(picture, facts) {
  edges <- picture$edges
  if (nrow(edges) == 0) {
    return(data.frame(from = character(), to = character()))
  }
  data.frame(
    id = seq_len(nrow(edges)), from = edges$from, to = edges$to, size = edges$size,
    label = edges$label, title = edge_tooltips(edges, facts),
    arrows = ifelse(edges$arrow, "to", ""), width = edges$width, color = edges$colour,
    dashes = edges$line != "solid"
  )
}

# Edges that pass other layers bend to the side on which the layout leads them around nodes.
html_bends <- function(layout, nodes, picture) {
  bend <- vapply(seq_along(layout$routes), function(k) {
    route <- layout$routes[[k]]
    ends <- nodes[c(picture$from[k], picture$to[k]), c("x", "y")]
    from <- unlist(ends[1, ])
    across <- unlist(ends[2, ]) - from
    long <- sqrt(sum(across^2))
    # How far each point of the route is beside the straight line, as a share of its length.
    x <- html_character * route[, 1] - from[1]
    y <- -html_line * route[, 2] - from[2]
    aside <- (across[1] * y - across[2] * x) / long^2
    aside[which.max(abs(aside))]
  }, 1)
  layer <- match(nodes$y, sort(unique(nodes$y)))
  bent <- abs(layer[picture$from] - layer[picture$to]) > 1 & abs(bend) > least_bend
  data.frame(
    smooth.enabled = rep(TRUE, length(bend)),
    smooth.type = ifelse(bent, ifelse(bend > 0, "curvedCCW", "curvedCW"), "cubicBezier"),
    # The curve goes a little over half as far aside as the point that draws it there.
    smooth.roundness = ifelse(bent, pmin(1.6 * abs(bend), most_round), 0.4)
  )
}

# Smaller bends go around nothing.
least_bend <- 0.05
# A rounder curve would leave its node sideways or upwards: this one turns by 40 degrees.
most_round <- 0.45

# What is known about each edge, a line each.
edge_tooltips <- function(edges, facts) {
  row <- match(edge_keys(edges), edge_keys(facts))
  numbers <- setdiff(names(facts), c("from", "to"))
  vapply(seq_len(nrow(edges)), function(k) {
    joined <- if (edges$arrow[k]) " &rarr; " else " &mdash; "
    title <- paste0("<b>", escape(edges$from[k]), joined, escape(edges$to[k]), "</b>")
    known <- numbers[!is.na(unlist(facts[row[k], numbers]))]
    lines <- vapply(known, function(name) {
      paste0(name, ": ", format(facts[[name]][row[k]], digits = 3))
    }, "")
    kind <- if (!edges$meaning[k] %in% c("edge", "positive", "negative")) edges$meaning[k]
    paste(c(title, kind, lines), collapse = "<br>")
  }, "")
}

node_tooltips <- function(net) {
  vapply(bnlearn::nodes(net), function(node) {
    line <- function(what, names) {
      if (length(names) > 0) paste0(what, ": ", escape(paste(names, collapse = ", ")))
    }
    paste(c(
      paste0("<b>", escape(node), "</b>"),
      line("parents", bnlearn::parents(net, node)), line("children", bnlearn::children(net, node))
    ), collapse = "<br>")
  }, "", USE.NAMES = FALSE)
}

# Text that a page or an XML file shows as it is.
escape <- function(text) {
  for (pair in list(c("&", "&amp;"), c("<", "&lt;"), c(">", "&gt;"), c("\"", "&quot;"))) {
    text <- gsub(pair[1], pair[2], text, fixed = TRUE)
  }
  text
}
