# Pictures of a learned network, in base graphics. autoplot.R has the same for ggplot2.

# Colours that colour-blind readers can tell apart (Okabe and Ito 2008).
colours <- c(
  blue = "#0072B2", vermillion = "#D55E00", green = "#009E73", orange = "#E69F00",
  purple = "#CC79A7", grey = "#767676"
)

#' Plot a learned network
#'
#' Draws the network top-down, the weights as a heat map, the training trace, or the way from
#' weights to edges. [ggplot2::autoplot()] gives the same as a ggplot.
#'
#' @param x A network of this package.
#' @param what What to draw:
#'   * `"network"`: nodes in layers, every edge downwards. Edges are the wider the larger their
#'     weight; blue where it is positive, vermillion where it is negative. With `truth`, colour and
#'     line type tell correct, reversed, extra and missing edges;
#'   * `"weights"`: the weight matrix A, row -> column, beside that of `truth` where it is given;
#'   * `"trace"`: the loss, h and c of each round of training;
#'   * `"path"`: BIC and edges against the threshold, after [rethreshold()] with `"bic"`.
#' @param truth The true DAG to compare with: a network of class `"bn"` or `"bn.fit"`, or an
#'   adjacency or weight matrix. Optional.
#' @param main The title; none by default.
#' @param longest Names of more characters than this are shortened in the middle, from 5.
#' @param ... Not used.
#' @return `x`, invisibly.
#' @seealso [summary.daggnn()], [igraph::as.igraph()] for igraph's own layouts and plots,
#'   [bnlearn::graphviz.plot()].
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' plot(net)
#' plot(net, truth = bnlearn::hc(bnlearn::gaussian.test))
#' plot(net, what = "weights")
#' plot(net, what = "trace")
#' @export
plot.daggnn <- function(x, what = c("network", "weights", "trace", "path"), truth = NULL,
                        main = NULL, longest = 20, ...) {
  if (!is_network(x)) {
    return(NextMethod())
  }
  what <- check_choice(what, "what", c("network", "weights", "trace", "path"))
  longest <- check_number(longest, "longest", 5, whole = TRUE)
  switch(what,
    network = plot_network(network_picture(x, truth, longest), main),
    weights = plot_weights(weight_tables(x, truth), main, longest),
    trace = plot_trace(trace_table(x), x$daggnn$control$h_tolerance, main),
    path = plot_path(path_table(x), x$daggnn[["threshold"]], main)
  )
  invisible(x)
}

# ---- The network ----

# Everything that a drawing of the network needs but the device: edges (a data frame with colour,
# line type, width and what they mean), labels, and the entries of the legend.
network_picture <- function(net, truth, longest) {
  edges <- if (is.null(truth)) weighted_edges(net) else compared_edges(net, truth)
  list(
    labels = short_labels(names(net$nodes), longest),
    from = match(edges$from, names(net$nodes)), to = match(edges$to, names(net$nodes)),
    edges = edges
  )
}

# The middle of a long name gives way to two dots, which every device can draw; names that would
# become the same are kept apart.
short_labels <- function(names, longest) {
  head <- ceiling((longest - 2) * 0.6)
  tail <- longest - 2 - head
  long <- nchar(names, "width") > longest
  short <- ifelse(
    long,
    paste0(substr(names, 1, head), "..", substring(names, nchar(names) - tail + 1)), names
  )
  clash <- long & short %in% short[duplicated(short)]
  short[clash] <- paste0(substr(short[clash], 1, head - 2), "..", which(clash))
  short
}

weighted_edges <- function(net) {
  from <- net$arcs[, 1]
  to <- net$arcs[, 2]
  weights <- net$daggnn$weights
  if (is.null(weights)) {
    return(edge_style(from, to, rep("edge", length(from)), rep(NA_real_, length(from))))
  }
  weight <- weights[net$arcs]
  # Norms of blocks have no sign: where no weight is negative, colour would say nothing.
  meaning <- if (any(weights < 0)) {
    ifelse(weight < 0, "negative weight", "positive weight")
  } else {
    rep("edge", length(from))
  }
  edge_style(from, to, meaning, weight)
}

compared_edges <- function(net, truth) {
  learned <- bnlearn::amat(net)
  true <- truth_like(adjacency_of(truth, "truth"), truth, rownames(learned))
  meaning <- matrix("", nrow(learned), ncol(learned), dimnames = dimnames(learned))
  meaning[learned == 1 & true == 0] <- "extra"
  meaning[learned == 1 & true == 1] <- "correct"
  meaning[learned == 1 & true == 0 & t(true) == 1] <- "reversed"
  meaning[true == 1 & learned == 0 & t(learned) == 0] <- "missing"
  index <- rbind(
    which(meaning != "" & meaning != "missing", arr.ind = TRUE),
    which(meaning == "missing", arr.ind = TRUE)
  )
  nodes <- rownames(learned)
  edge_style(
    nodes[index[, 1]], nodes[index[, 2]], meaning[index], rep(NA_real_, nrow(index))
  )
}

# The matrix of the truth in the order of the network's nodes; one without names is taken as it is.
truth_like <- function(matrix, truth, nodes) {
  if (nrow(matrix) != length(nodes)) {
    stop_input(
      "`truth` must have the ", length(nodes), " nodes of `x`, but has ", nrow(matrix), "."
    )
  }
  if (is.matrix(truth) && is.null(unlist(dimnames(truth)))) {
    dimnames(matrix) <- list(nodes, nodes)
  }
  absent <- setdiff(nodes, rownames(matrix))
  if (length(absent) > 0) {
    stop_input("`truth` must have the nodes of `x`, but lacks ", quoted(absent), ".")
  }
  matrix[nodes, nodes]
}

# What each kind of edge looks like. Line types say the same as colours, for prints in black and
# white.
edge_styles <- data.frame(
  meaning = c(
    "edge", "positive weight", "negative weight", "correct", "reversed", "extra", "missing"
  ),
  colour = unname(
    colours[c("grey", "blue", "vermillion", "green", "orange", "vermillion", "grey")]
  ),
  line = c("solid", "solid", "solid", "solid", "42", "solid", "13")
)

# width: in multiples of the thinnest line, by the size of the weight.
edge_style <- function(from, to, meaning, weight) {
  style <- edge_styles[match(meaning, edge_styles$meaning), ]
  size <- abs(weight)
  width <- if (all(is.na(size)) || max(size) == 0) 1.6 else 0.8 + 3.2 * size / max(size)
  data.frame(
    from = from, to = to, meaning = meaning, weight = weight, colour = style$colour,
    line = style$line, width = rep(width, length.out = length(from))
  )
}

plot_network <- function(picture, main) {
  force(picture) # may complain, and then no page should have been begun
  old <- graphics::par(mar = c(0.2, 0.2, if (is.null(main)) 0.2 else 2, 0.2))
  on.exit(graphics::par(old))
  graphics::plot.new()
  keys <- legend_keys(picture$edges)
  legend_lines <- if (nrow(keys) > 0) 2.5 else 0

  # A character of the font, in inches, and the room that there is.
  em <- graphics::strwidth("nnnnnnnnnn", units = "inches", cex = 1) / 10
  line <- 1.5 * graphics::strheight("X", units = "inches", cex = 1)
  room <- graphics::par("pin") - c(0, legend_lines * line)
  aspect <- (room[1] / em) / (room[2] / line)
  layout <- layered_layout(picture$labels, picture$from, picture$to, aspect)
  extent <- layout_extent(layout)
  cex <- min(1.2, room[1] / em / diff(extent$x), room[2] / line / diff(extent$y))
  # Room that is left goes between the layers.
  layout <- stretch_rows(layout, min(2.5, room[2] / line / cex / diff(extent$y)))
  extent <- layout_extent(layout)

  # The drawing in the middle of what the legend leaves, in its own units.
  spare <- room / c(em, line) / cex - c(diff(extent$x), diff(extent$y))
  graphics::plot.window(
    xlim = extent$x + c(-0.5, 0.5) * spare[1],
    ylim = extent$y + c(-0.5 * spare[2] - legend_lines / cex, 0.5 * spare[2]),
    xaxs = "i", yaxs = "i"
  )
  draw_edges(layout, picture$edges, cex)
  draw_boxes(layout$boxes, cex)
  if (nrow(keys) > 0) draw_legend(keys)
  graphics::title(main)
}

# Layers further apart by a factor; what is at the edge of a box stays at its edge.
stretch_rows <- function(layout, factor) {
  middle <- function(y) layout_row * round(y / layout_row)
  layout$boxes$y <- factor * layout$boxes$y
  layout$routes <- lapply(layout$routes, function(route) {
    route[, "y"] <- route[, "y"] + (factor - 1) * middle(route[, "y"])
    route
  })
  layout
}

# How far a layout reaches, with its boxes and edges.
layout_extent <- function(layout) {
  boxes <- layout$boxes
  points <- do.call(rbind, c(list(matrix(0, 0, 2)), layout$routes))
  list(
    x = range(boxes$x - boxes$width / 2, boxes$x + boxes$width / 2, points[, 1]) + c(-1, 1),
    y = range(boxes$y) + c(-1.5, 1.5)
  )
}

draw_edges <- function(layout, edges, cex) {
  # The widest last would hide the thin ones.
  for (k in order(-edges$width)) {
    width <- edges$width[k] * max(cex, 0.5)
    draw_arrow(smooth_route(layout$routes[[k]]), edges$colour[k], edges$line[k], width)
  }
}

# Points on a cubic B-spline with the route as its control points, clamped at both ends; between
# neighbouring layers a straight line.
smooth_route <- function(route, steps = 12) {
  controls <- rbind(route[1, ], route[1, ], route, route[nrow(route), ], route[nrow(route), ])
  t <- seq(0, 1, length.out = steps + 1)[-(steps + 1)]
  basis <- cbind((1 - t)^3, 3 * t^3 - 6 * t^2 + 4, -3 * t^3 + 3 * t^2 + 3 * t + 1, t^3) / 6
  pieces <- lapply(seq_len(nrow(controls) - 3), function(k) basis %*% controls[k + 0:3, ])
  rbind(do.call(rbind, pieces), route[nrow(route), ])
}

# A line with a triangle at its end, whose size on the device goes with the width of the line.
draw_arrow <- function(route, colour, line, width) {
  usr <- graphics::par("usr")
  scale <- graphics::par("pin") / c(usr[2] - usr[1], usr[4] - usr[3])
  inches <- sweep(route, 2, scale, "*")
  tip <- inches[nrow(inches), ]
  size <- 0.05 + 0.025 * width
  # The line ends inside the triangle, so that its tip stays sharp.
  far <- sqrt(colSums((t(inches) - tip)^2)) > 0.8 * size
  last <- max(1, which(far))
  along <- (tip - inches[last, ]) / sqrt(sum((tip - inches[last, ])^2))
  base <- tip - size * along
  shaft <- rbind(route[seq_len(last), , drop = FALSE], base / scale)
  graphics::lines(shaft[, 1], shaft[, 2], col = colour, lty = line, lwd = width, lend = "butt")
  across <- 0.45 * size * c(-along[2], along[1])
  corners <- rbind(tip, base + across, base - across)
  graphics::polygon(corners[, 1] / scale[1], corners[, 2] / scale[2], col = colour, border = NA)
}

draw_boxes <- function(boxes, cex) {
  graphics::rect(
    boxes$x - boxes$width / 2, boxes$y - 1, boxes$x + boxes$width / 2, boxes$y + 1,
    col = "white", border = "grey40"
  )
  # Proportional fonts may be wider than the average character: such a label is set smaller.
  fits <- 0.96 * boxes$width / graphics::strwidth(boxes$label, cex = cex)
  graphics::text(boxes$x, boxes$y, boxes$label, cex = cex * pmin(1, fits))
}

# One key for each kind of edge there is, with what it means and how many; plain edges need none.
legend_keys <- function(edges) {
  kinds <- edge_styles[edge_styles$meaning %in% edges$meaning, ]
  weighted <- !is.na(edges$weight)
  kinds$label <- vapply(kinds$meaning, function(meaning) {
    here <- edges$meaning == meaning
    if (!any(weighted)) {
      return(paste0(meaning, " (", sum(here), ")"))
    }
    range <- format(range(abs(edges$weight[here])), digits = 2)
    name <- if (meaning == "edge") "weight" else meaning
    sign <- if (meaning == "negative weight") "-" else ""
    paste0(name, " (", paste(unique(paste0(sign, trimws(range))), collapse = " to "), ")")
  }, "")
  if (identical(kinds$meaning, "edge") && !any(weighted)) kinds[0, ] else kinds
}

draw_legend <- function(keys) {
  graphics::legend(
    "bottom", legend = keys$label, col = keys$colour, lty = keys$line, lwd = 2, bty = "n",
    horiz = TRUE, cex = 0.8, inset = 0, x.intersp = 0.6, seg.len = 2.5
  )
}

# ---- The weights ----

# One matrix for each panel.
weight_tables <- function(net, truth) {
  learned <- learned_weights(net, "x")
  if (is.null(truth)) {
    return(list(weights = learned))
  }
  list(truth = truth_like(weights_of(truth, "truth"), truth, rownames(learned)), learned = learned)
}

# From the most negative weight over white to the most positive.
weight_palette <- function(count) {
  grDevices::colorRampPalette(c(colours[["vermillion"]], "white", colours[["blue"]]))(count)
}

plot_weights <- function(tables, main, longest) {
  labels <- short_labels(rownames(tables[[1]]), longest)
  most <- max(abs(unlist(tables)), .Machine$double.eps)
  old <- graphics::par(no.readonly = TRUE)
  on.exit(graphics::par(old))
  graphics::layout(matrix(seq_len(length(tables) + 1), 1), widths = c(rep(1, length(tables)), 0.18))

  # Labels shrink until they fit side by side, and the margins are as wide as the longest one.
  graphics::par(mar = c(1, 1, 1, 1))
  side <- min(graphics::par("din")[1] / length(tables), graphics::par("din")[2]) * 0.75
  cex <- min(1, side / length(labels) / (1.3 * graphics::par("csi")))
  room <- cex * max(nchar(labels, "width")) * 0.62 + 0.8
  for (name in names(tables)) {
    graphics::par(mar = c(1.5, room + 0.5, room + 2.5, 0.5), pty = "s")
    draw_heat_map(tables[[name]], labels, most, cex)
    graphics::title(if (length(tables) > 1) name, line = room + 0.8, cex.main = 1)
  }
  graphics::par(mar = c(3, 0.5, room + 3, 3.5), pty = "m")
  draw_colour_bar(most)
  if (!is.null(main)) graphics::mtext(main, outer = TRUE, line = -1.5, font = 2)
}

draw_heat_map <- function(table, labels, most, cex) {
  m <- length(labels)
  # image() draws columns upwards: the first row of the matrix belongs on top.
  graphics::image(
    seq_len(m), seq_len(m), t(table[rev(seq_len(m)), , drop = FALSE]), zlim = c(-most, most),
    col = weight_palette(101), axes = FALSE, xlab = "", ylab = ""
  )
  graphics::abline(h = seq_len(m + 1) - 0.5, v = seq_len(m + 1) - 0.5, col = "grey92", lwd = 0.5)
  graphics::box(col = "grey40")
  at <- function(side, places) {
    for (k in seq_len(m)) {
      graphics::axis(
        side, at = places[k], labels = labels[k], las = 2, tick = FALSE, cex.axis = cex, line = -0.7
      )
    }
  }
  at(2, rev(seq_len(m)))
  at(3, seq_len(m))
}

draw_colour_bar <- function(most) {
  values <- seq(-most, most, length.out = 101)
  graphics::image(
    1, values, matrix(values, 1), col = weight_palette(101), axes = FALSE, xlab = "", ylab = ""
  )
  graphics::axis(4, las = 1, cex.axis = 0.8)
  graphics::box(col = "grey40")
}

# ---- The trace of training ----

trace_table <- function(net) {
  trace <- net$daggnn$trace
  if (NROW(trace) == 0) {
    stop_input("`x` comes from ", net$daggnn$learner, "(), which keeps no trace of training.")
  }
  trace
}

plot_trace <- function(trace, tolerance, main) {
  force(trace)
  old <- graphics::par(mfrow = c(3, 1), mar = c(1, 6, 1, 1), oma = c(3, 0, 2, 0), las = 1)
  on.exit(graphics::par(old))
  panel <- function(value, label, colour, logarithm = "") {
    graphics::plot(
      trace$round, value,
      type = "o", pch = 20, col = colour, log = logarithm, xaxt = "n", xlab = "",
      ylab = ""
    )
    graphics::mtext(label, 2, line = 4, cex = 0.8, las = 0)
    graphics::axis(1, labels = FALSE)
  }
  panel(trace$loss, "loss", colours[["blue"]])
  # Zero has no logarithm: what is too small to show stands at the bottom.
  least <- min(trace$h[trace$h > 0], tolerance, 1) / 10
  panel(pmax(trace$h, least), "h", colours[["vermillion"]], "y")
  if (!is.null(tolerance)) graphics::abline(h = tolerance, lty = 2, col = colours[["grey"]])
  panel(trace$c, "c", colours[["green"]], "y")
  graphics::axis(1)
  graphics::mtext("round", 1, outer = TRUE, line = 1.5, cex = 0.8)
  if (!is.null(main)) graphics::mtext(main, 3, outer = TRUE, line = 0.5, font = 2)
}

# ---- The way from weights to edges ----

path_table <- function(net) {
  if (is.null(net$daggnn$path)) {
    stop_input("`x` has no path: rethreshold(x, \"bic\", data) makes one.")
  }
  net$daggnn$path
}

plot_path <- function(path, chosen, main) {
  force(path)
  old <- graphics::par(mfrow = c(2, 1), mar = c(1, 6, 1, 1), oma = c(3, 0, 2, 0), las = 1)
  on.exit(graphics::par(old))
  panel <- function(value, label, colour) {
    graphics::plot(
      path$threshold, value, type = "o", pch = 20, col = colour, log = "x", xaxt = "n", xlab = "",
      ylab = ""
    )
    graphics::mtext(label, 2, line = 4.5, las = 0)
    graphics::axis(1, labels = FALSE)
    graphics::abline(v = chosen, lty = 2, col = colours[["grey"]])
  }
  panel(path$bic, "BIC", colours[["blue"]])
  panel(path$edges, "edges", colours[["green"]])
  graphics::axis(1)
  graphics::mtext("threshold", 1, outer = TRUE, line = 1.5)
  if (!is.null(main)) graphics::mtext(main, 3, outer = TRUE, line = 0.5, font = 2)
}
