# The pictures of plot.R and of compare_learners() for users of ggplot2, which is only suggested:
# its generic calls these methods, so they run only where it is there.

# What aes() calls the columns of the data.
utils::globalVariables(".data")

#' Plot with ggplot2
#'
#' The pictures that `plot()` gives for a network and for a table of [compare_learners()], as ggplot
#' objects, to which themes, titles and scales can be added.
#'
#' @param object A network of this package, or a table from [compare_learners()].
#' @param what,truth,longest As in [plot.daggnn()].
#' @param measures Columns of the table to draw, as in its `plot()`; by default BIC and seconds and,
#'   where the truth is known, SHD, TPR and FDR.
#' @param size Size of the nodes' labels in mm; by default what suits a picture of 7 inches.
#' @param ... Not used.
#' @return An object of class `"ggplot"`.
#' @seealso [plot.daggnn()]
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' net <- dag_gnn(bnlearn::gaussian.test)
#' ggplot2::autoplot(net)
#' ggplot2::autoplot(net, what = "weights")
#' @name autoplot.daggnn
#' @exportS3Method ggplot2::autoplot
autoplot.daggnn <- function(object, what = c("network", "weights", "trace", "path"), truth = NULL,
                            longest = 20, size = NULL, ...) {
  check_network(object)
  what <- check_choice(what, "what", c("network", "weights", "trace", "path"))
  longest <- check_number(longest, "longest", 5, whole = TRUE)
  if (!is.null(size)) check_number(size, "size", 0, open = TRUE)
  switch(what,
    network = ggplot_network(network_picture(object, truth, longest), size),
    weights = ggplot_weights(weight_tables(object, truth), longest),
    trace = ggplot_trace(trace_table(object), object$daggnn$control$h_tolerance),
    path = ggplot_path(path_table(object), object$daggnn[["threshold"]])
  )
}

ggplot_network <- function(picture, size) {
  layout <- layered_layout(picture$labels, picture$from, picture$to)
  # A layout of 100 characters fills a picture of 7 inches with text of 2.5 mm.
  if (is.null(size)) size <- min(4, 250 / diff(layout_extent(layout)$x))
  boxes <- layout$boxes
  keys <- legend_keys(picture$edges)
  labels <- stats::setNames(keys$label, keys$meaning)
  plot <- ggplot2::ggplot() +
    ggplot2::geom_path(
      ggplot2::aes(
        x = .data$x, y = .data$y, group = .data$edge, colour = .data$meaning,
        linetype = .data$meaning, linewidth = .data$width
      ),
      route_table(layout, picture$edges),
      arrow = ggplot2::arrow(length = ggplot2::unit(0.6 * size, "mm"), type = "closed", angle = 25)
    ) +
    ggplot2::geom_rect(
      ggplot2::aes(
        xmin = .data$x - .data$width / 2, xmax = .data$x + .data$width / 2,
        ymin = .data$y - layout_edge, ymax = .data$y + layout_edge
      ),
      boxes, fill = "white", colour = "grey40", linewidth = 0.3
    ) +
    ggplot2::geom_text(ggplot2::aes(.data$x, .data$y, label = .data$label), boxes, size = size) +
    ggplot2::scale_linewidth_identity() +
    ggplot2::theme_void() +
    ggplot2::theme(legend.position = if (nrow(keys) > 0) "bottom" else "none")
  values <- function(column) stats::setNames(edge_styles[[column]], edge_styles$meaning)
  plot +
    ggplot2::scale_colour_manual(NULL, values = values("colour"), labels = labels) +
    ggplot2::scale_linetype_manual(NULL, values = values("line"), labels = labels)
}

# The points of all routes; widths in mm.
route_table <- function(layout, edges) {
  rows <- lapply(seq_along(layout$routes), function(k) {
    route <- smooth_route(layout$routes[[k]])
    data.frame(
      x = route[, 1], y = route[, 2], edge = k, meaning = edges$meaning[k],
      width = 0.3 * edges$width[k]
    )
  })
  none <- data.frame(
    x = numeric(), y = numeric(), edge = numeric(), meaning = character(), width = numeric()
  )
  do.call(rbind, c(list(none), rows))
}

ggplot_weights <- function(tables, longest) {
  labels <- short_labels(rownames(tables[[1]]), longest)
  m <- length(labels)
  cells <- do.call(rbind, lapply(names(tables), function(name) {
    data.frame(
      from = factor(rep(labels, m), rev(labels)), to = factor(rep(labels, each = m), labels),
      weight = as.vector(tables[[name]]), panel = factor(name, names(tables))
    )
  }))
  plot <- ggplot2::ggplot(cells, ggplot2::aes(.data$to, .data$from, fill = .data$weight)) +
    ggplot2::geom_tile(colour = "grey92", linewidth = 0.1) +
    ggplot2::scale_fill_gradient2(
      low = colours[["vermillion"]], mid = "white", high = colours[["blue"]],
      limits = c(-1, 1) * max(abs(cells$weight), .Machine$double.eps)
    ) +
    ggplot2::scale_x_discrete(position = "top") +
    ggplot2::coord_equal() +
    ggplot2::theme_minimal(base_size = if (m > 25) 7 else 10) +
    ggplot2::theme(
      axis.text.x = ggplot2::element_text(angle = 90, hjust = 0, vjust = 0.5),
      panel.grid = ggplot2::element_blank(), strip.placement = "outside"
    )
  if (length(tables) > 1) plot + ggplot2::facet_wrap(ggplot2::vars(.data$panel)) else plot
}

ggplot_trace <- function(trace, tolerance) {
  measures <- c("loss", "log10 h", "log10 c")
  # Zero has no logarithm: it stands one power below the smallest that has one.
  h <- pmax(trace$h, min(trace$h[trace$h > 0], 1) / 10)
  points <- data.frame(
    round = rep(trace$round, 3), value = c(trace$loss, log10(h), log10(trace$c)),
    measure = factor(rep(measures, each = nrow(trace)), measures)
  )
  plot <- ggplot_panels(points, "round") +
    ggplot2::geom_line() +
    ggplot2::geom_point(size = 1) +
    ggplot2::scale_x_continuous(breaks = function(range) unique(round(pretty(range))))
  if (is.null(tolerance)) {
    return(plot)
  }
  goal <- data.frame(measure = factor("log10 h", measures), value = log10(tolerance))
  plot + ggplot2::geom_hline(
    ggplot2::aes(yintercept = .data$value), goal, linetype = "dashed", colour = colours[["grey"]]
  )
}

ggplot_path <- function(path, chosen) {
  points <- data.frame(
    threshold = rep(path$threshold, 2), value = c(path$bic, path$edges),
    measure = factor(rep(c("BIC", "edges"), each = nrow(path)), c("BIC", "edges"))
  )
  ggplot_panels(points, "threshold") +
    ggplot2::geom_line() +
    ggplot2::geom_point(size = 1) +
    ggplot2::geom_vline(xintercept = chosen, linetype = "dashed", colour = colours[["grey"]]) +
    ggplot2::scale_x_log10()
}

# A panel for each measure, one above the other.
ggplot_panels <- function(points, across) {
  ggplot2::ggplot(
    points, ggplot2::aes(.data[[across]], .data$value, colour = .data$measure)
  ) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data$measure), ncol = 1, scales = "free_y", strip.position = "left"
    ) +
    ggplot2::scale_colour_manual(
      values = unname(colours[c("blue", "vermillion", "green")]), guide = "none"
    ) +
    ggplot2::labs(x = across, y = NULL) +
    ggplot2::theme_bw() +
    ggplot2::theme(strip.placement = "outside", strip.background = ggplot2::element_blank())
}

#' @rdname autoplot.daggnn
#' @exportS3Method ggplot2::autoplot
autoplot.compare_learners <- function(object, measures = NULL, ...) {
  measures <- drawn_measures(object, measures)
  table <- as.data.frame(object)
  points <- do.call(rbind, lapply(measures, function(name) {
    spread <- table[[paste0(name, "_sd")]]
    data.frame(
      learner = factor(table$learner, rev(unique(table$learner))), value = table[[name]],
      spread = if (is.null(spread)) NA_real_ else spread, measure = factor(name, measures)
    )
  }))
  points <- points[is.finite(points$value), ]
  spreads <- points[is.finite(points$spread), ]
  ggplot2::ggplot(points, ggplot2::aes(.data$value, .data$learner)) +
    ggplot2::geom_errorbarh(
      ggplot2::aes(xmin = .data$value - .data$spread, xmax = .data$value + .data$spread),
      spreads, height = 0.2, colour = colours[["grey"]]
    ) +
    ggplot2::geom_point(colour = colours[["blue"]], size = 2) +
    ggplot2::facet_wrap(ggplot2::vars(.data$measure), scales = "free_x") +
    # Few labels on the axes: a BIC has many digits.
    ggplot2::scale_x_continuous(n.breaks = 3) +
    ggplot2::labs(x = NULL, y = NULL) +
    ggplot2::theme_bw() +
    ggplot2::theme(
      strip.background = ggplot2::element_blank(), panel.spacing.x = ggplot2::unit(6, "mm")
    )
}
