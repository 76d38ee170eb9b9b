# Pictures of a learned network, in base graphics. plot_autoplot.R has the same for ggplot2.

#' Plot a learned network
#'
#' Draws the network top-down, the effects along its edges, the weights as a heat map, the training
#' trace, or the path of thresholds. [ggplot2::autoplot()] gives the same as a ggplot.
#'
#' @param x A network of this package. [plot_bn()] draws networks from anywhere else.
#' @param what What to draw:
#'   * `"network"`: nodes in layers, every edge downwards. Wider edges carry a larger share of their
#'     child's standard deviation, whatever the units of the data. Blue edges have positive weights,
#'     vermillion and dashed ones negative weights; purple edges are curves or have a discrete or
#'     vector-valued end, where a weight has no sign. With `truth`, colour and line type distinguish
#'     correct, reversed, extra and missing edges;
#'   * `"effects"`: for each edge the fitted curve or table of the child against this parent; see
#'     [effects.daggnn()];
#'   * `"weights"`: the weight matrix A, row -> column, beside that of `truth` where it is given.
#'     Where a weight has no sign, its size is shown;
#'   * `"shares"`: the same for the shares, `coef(x, "shares")`, which can be compared between
#'     variables in different units;
#'   * `"trace"`: the loss, h and c of each round of training, where the network was trained
#'     (`model = "vae"`, [notears()]);
#'   * `"path"`: BIC and edges against the threshold, after [rethreshold()] with `"bic"`.
#' @param truth The true DAG to compare with: a network of class `"bn"` or `"bn.fit"`, or an
#'   adjacency or weight matrix. Optional.
#' @param main The title; none by default.
#' @param longest Longer names are broken into two lines where a word ends, and lines of more
#'   characters than this are shortened in the middle, from 5.
#' @param engine `"base"` for base graphics, or `"html"` for an interactive page of the network, for
#'   which the package visNetwork must be installed: see [plot_bn()].
#' @param strength Bootstrap strengths from [boot_dag()] for `engine = "html"` and
#'   `what = "network"`. With base graphics, widths then show strengths. Optional.
#' @param data For `what = "effects"`, the data that the network was learned from; by default they
#'   are found again by their name.
#' @param ... For `what = "effects"`, further arguments of [effects.daggnn()].
#' @return `x`, invisibly; the widget for `engine = "html"`.
#' @seealso [plot_bn()] for any network, [summary.daggnn()], [igraph::as.igraph()] for igraph's own
#'   layouts and plots.
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' plot(net)
#' plot(net, truth = bnlearn::hc(bnlearn::gaussian.test))
#' plot(net, what = "effects")
#' plot(net, what = "shares")
#'
#' trained <- dag_gnn(bnlearn::gaussian.test[1:1000, ], model = "vae")
#' plot(trained, what = "trace")
#' @export
plot.daggnn <- function(x, what = c("network", "effects", "weights", "shares", "trace", "path"),
                        truth = NULL, main = NULL, longest = 20, engine = c("base", "html"),
                        strength = NULL, data = NULL, ...) {
  if (!is_network(x)) {
    return(NextMethod())
  }
  what <- check_choice(what, "what", drawings)
  longest <- check_number(longest, "longest", 5, whole = TRUE)
  engine <- check_choice(engine, "engine", c("base", "html"))
  if (engine == "html") {
    if (what != "network") {
      stop_input("`engine` must be \"base\" for `what = \"", what, "\"`.")
    }
    return(html_network(x, check_strength(strength, x), truth, main, longest))
  }
  switch(what,
    network = draw_network(
      network_picture(x, truth, longest, check_strength(strength, x)), main
    ),
    effects = draw_effects(
      effects(x, x = needed_data_of(x, data, parent.frame(), "effects"), ...), main, longest
    ),
    weights = plot_weights(weight_tables(x, truth), main, longest),
    shares = plot_weights(share_tables(x, truth), main, longest),
    trace = plot_trace(trace_table(x), x$daggnn$control$h_tolerance, main),
    path = plot_path(path_table(x), x$daggnn[["threshold"]], main)
  )
  invisible(x)
}

drawings <- c("network", "effects", "weights", "shares", "trace", "path")

# ---- The weights ----

# One matrix for each panel.
weight_tables <- function(net, truth) {
  learned <- sizes_without_sign(stats::coef(check_weighted(net, "x")), net)
  if (is.null(truth)) {
    return(list(weights = learned))
  }
  true <- on_nodes(weights_of(truth, "truth"), truth, rownames(learned), "truth", "x")
  list(truth = true, learned = learned)
}

share_tables <- function(net, truth) {
  if (!is.null(truth)) {
    stop_input("`truth` has no shares: use `what = \"weights\"` to compare with it.")
  }
  list(shares = sizes_without_sign(stats::coef(net, "shares"), net))
}

# Where an edge has no sign, that of its number says nothing about the whole curve.
sizes_without_sign <- function(table, net) {
  unsigned <- net$arcs[!has_sign(net, net$arcs), , drop = FALSE]
  table[unsigned] <- abs(table[unsigned])
  table
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

  # Margins are as wide as the longest label, and labels shrink until they fit side by side.
  graphics::par(mar = c(1, 1, 1, 1))
  line <- graphics::par("csi")
  beside <- 2.5 # lines for axis titles
  # Widths of text are known only once a page has begun; most characters are narrower than this.
  room_for <- function(cex) 0.4 * cex * max(nchar(labels, "width")) + 0.6
  din <- graphics::par("din") * c(1 / (length(tables) + 0.18), 1)
  too_large <- function(cex) {
    side <- min(din) - line * (room_for(cex) + beside + 1)
    cex > 0.3 && 1.15 * cex * line * length(labels) > side
  }
  cex <- 1
  while (too_large(cex)) cex <- 0.95 * cex
  room <- room_for(cex)
  for (name in names(tables)) {
    graphics::par(mar = c(0.5, room + beside - 0.5, room + beside + 0.5, 0.5), pty = "s")
    draw_heat_map(tables[[name]], labels, most, cex)
    graphics::mtext("from", 2, line = room + 0.4, cex = 0.8, font = 3)
    graphics::mtext("to", 3, line = room + 0.4, cex = 0.8, font = 3)
    graphics::title(if (length(tables) > 1) name, line = room + 1.9, cex.main = 1)
  }
  graphics::par(mar = c(2, 0.3, room + beside + 0.5, 3.2), pty = "m")
  title <- if (identical(names(tables), "shares")) "share" else "weight"
  draw_colour_bar(if (any(unlist(tables) < 0)) -most else 0, most, title)
  if (!is.null(main)) graphics::mtext(main, outer = TRUE, line = -1.2, font = 2)
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

draw_colour_bar <- function(least, most, title) {
  values <- seq(least, most, length.out = 101)
  graphics::image(
    1, values, matrix(values, 1), zlim = c(-most, most), col = weight_palette(101), axes = FALSE,
    xlab = "", ylab = ""
  )
  graphics::axis(4, las = 1, cex.axis = 0.8)
  graphics::mtext(title, 3, line = 0.4, cex = 0.7)
  graphics::box(col = "grey40")
}

# ---- The trace of training ----

trace_table <- function(net) {
  trace <- net$daggnn$trace
  if (NROW(trace) == 0) {
    stop_input(
      "`x` has no trace of training: it was not trained, as by dag_gnn(model = \"vae\") or ",
      "notears()."
    )
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
