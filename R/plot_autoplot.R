# The pictures of plot_network.R and of compare_learners() for ggplot2, which is only suggested:
# its generic calls these methods, so they run only where it is there.

# What aes() calls the columns of the data.
utils::globalVariables(".data")

#' Plot with ggplot2
#'
#' The pictures that `plot()` gives for a network, for bootstrap strengths and for a table of
#' [compare_learners()], as ggplot objects, to which themes, titles and scales can be added. These
#' are methods: with ggplot2 attached, call `autoplot(net)`.
#'
#' @param object A network of this package, strengths from [boot_dag()], or a table from
#'   [compare_learners()].
#' @param what,truth,longest,strength,data As in [plot.daggnn()].
#' @param threshold As in [plot_bn()].
#' @param measures Columns of the table to draw, as in its `plot()`; by default the BIC, the
#'   held-out log-likelihood and the seconds and, where the truth is known, SHD, TPR and FDR. A
#'   score of a baseline far below the others is written instead of drawn, and so is the message of
#'   a learner that failed.
#' @param size Size of the nodes' labels in mm; by default the largest that fits into the boxes.
#' @param ... For `what = "effects"`, further arguments of [effects.daggnn()].
#' @return An object of class `"ggplot"`.
#' @seealso [plot.daggnn()]
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' library(ggplot2)
#' net <- dag_gnn(bnlearn::gaussian.test)
#' autoplot(net)
#' autoplot(net, what = "shares") + ggtitle("Who depends on whom")
#' @usage
#' \method{autoplot}{daggnn}(
#'   object,
#'   what = c("network", "effects", "weights", "shares", "trace", "path"),
#'   truth = NULL,
#'   longest = 20,
#'   size = NULL,
#'   strength = NULL,
#'   data = NULL,
#'   ...
#' )
#' @name autoplot.daggnn
#' @exportS3Method ggplot2::autoplot
autoplot.daggnn <- function(object, what = c(
                              "network", "effects", "weights", "shares", "trace", "path"
                            ), truth = NULL, longest = 20, size = NULL, strength = NULL,
                            data = NULL, ...) {
  check_network(object)
  what <- check_choice(what, "what", drawings)
  longest <- check_number(longest, "longest", 5, whole = TRUE)
  if (!is.null(size)) check_number(size, "size", 0, open = TRUE)
  strength <- check_strength(strength, object)
  switch(what,
    network = ggplot_network(network_picture(object, truth, longest, strength), size),
    effects = ggplot_effects(
      effects(object, x = needed_data_of(object, data, parent.frame(), "effects"), ...), longest
    ),
    weights = ggplot_weights(weight_tables(object, truth), longest),
    shares = ggplot_weights(share_tables(object, truth), longest),
    trace = ggplot_trace(trace_table(object), object$daggnn$control$h_tolerance),
    path = ggplot_path(path_table(object), object$daggnn[["threshold"]])
  )
}

# Layouts suit a picture of 7 by 5 inches, of so many characters by lines; text has the size that
# fits into the boxes on the device.
ggplot_characters <- 60
ggplot_lines <- 28

ggplot_network <- function(picture, size = NULL) {
  layout <- layered_layout(
    picture$labels, picture$from, picture$to, ggplot_characters / ggplot_lines, ggplot_lines
  )
  extent <- layout_extent(layout)
  layout <- stretch_rows(layout, max(1, min(tallest_stretch, ggplot_lines / diff(extent$y))))
  wider <- max(1, min(widest_stretch, ggplot_characters / diff(extent$x)))
  layout <- stretch_columns(layout, wider, picture$from, picture$to)
  boxes <- layout$boxes
  keys <- legend_keys(picture)
  labels <- stats::setNames(keys$label, keys$meaning)
  routes <- route_table(layout, picture$edges)
  edge_layer <- function(arrow) {
    head <- ggplot2::arrow(length = ggplot2::unit(2, "mm"), type = "closed", angle = 20)
    ggplot2::geom_path(
      ggplot2::aes(
        x = .data$x, y = .data$y, group = .data$edge, colour = .data$meaning,
        linetype = .data$meaning, linewidth = .data$width
      ),
      routes[routes$arrow == arrow, ], arrow = if (arrow) head
    )
  }
  plot <- ggplot2::ggplot() +
    edge_layer(FALSE) +
    edge_layer(TRUE) +
    ggplot2::geom_rect(
      ggplot2::aes(
        xmin = .data$x - .data$width / 2, xmax = .data$x + .data$width / 2,
        ymin = .data$y - layout_edge, ymax = .data$y + layout_edge
      ),
      boxes, fill = "white", colour = "grey40", linewidth = 0.3
    ) +
    box_labels(boxes, size) +
    # A small network does not fill the picture: its boxes would be huge.
    ggplot2::expand_limits(
      x = mean(range(boxes$x)) + c(-0.5, 0.5) * ggplot_characters,
      y = mean(range(boxes$y)) + c(-0.5, 0.5) * ggplot_lines
    ) +
    ggplot2::scale_linewidth_identity() +
    ggplot2::labs(
      caption = if (length(picture$notes) > 0) paste(picture$notes, collapse = "\n")
    ) +
    ggplot2::theme_void() +
    ggplot2::theme(
      legend.position = if (nrow(keys) > 0) "bottom" else "none",
      plot.caption = ggplot2::element_text(hjust = 0.5),
      plot.margin = ggplot2::margin(4, 4, 4, 4)
    )
  marks <- edge_marks(layout, picture$edges)
  if (nrow(marks) > 0) {
    plot <- plot + ggplot2::geom_label(
      ggplot2::aes(.data$x, .data$y, label = .data$label, colour = .data$meaning), marks,
      size = 2.5, label.size = 0, label.padding = ggplot2::unit(0.4, "mm"), show.legend = FALSE
    )
  }
  values <- function(column) stats::setNames(edge_styles[[column]], edge_styles$meaning)
  plot +
    ggplot2::scale_colour_manual(
      NULL, values = values("colour"), breaks = keys$meaning, labels = labels
    ) +
    ggplot2::scale_linetype_manual(
      NULL, values = values("line"), breaks = keys$meaning, labels = labels
    )
}

edge_marks <- function(layout, edges) {
  shown <- which(nzchar(edges$label))
  at <- vapply(shown, function(k) label_place(layout$routes[[k]], k), numeric(2))
  data.frame(
    x = at[1, ], y = at[2, ], label = edges$label[shown], meaning = edges$meaning[shown]
  )
}

# ---- Labels that fit into their boxes ----

# A layer of text. Sizes of text are absolute in ggplot2 and boxes are not, so the size is chosen
# when the plot is drawn. size: in mm, or NULL for the largest that fits.
box_labels <- function(boxes, size) {
  geom <- ggplot2::ggproto(
    "GeomBoxLabels", ggplot2::Geom,
    required_aes = c("xmin", "xmax", "ymin", "ymax", "label"),
    draw_panel = function(data, panel_params, coord, size = NULL) {
      places <- coord$transform(data, panel_params)
      grid::gTree(places = places, size = size, cl = "box_labels")
    }
  )
  corners <- data.frame(
    xmin = boxes$x - boxes$width / 2, xmax = boxes$x + boxes$width / 2,
    ymin = boxes$y - layout_edge, ymax = boxes$y + layout_edge, label = boxes$label
  )
  mapping <- ggplot2::aes(
    xmin = .data$xmin, xmax = .data$xmax, ymin = .data$ymin, ymax = .data$ymax, label = .data$label
  )
  ggplot2::layer(
    geom = geom, stat = "identity", position = "identity", data = corners, mapping = mapping,
    inherit.aes = FALSE, show.legend = FALSE, params = list(size = size)
  )
}

largest_label <- 11 # points

#' @exportS3Method grid::makeContent
makeContent.box_labels <- function(x) {
  places <- x$places
  points <- function(length, convert) convert(grid::unit(length, "npc"), "points", valueOnly = TRUE)
  width <- points(places$xmax - places$xmin, grid::convertWidth)
  height <- points(places$ymax - places$ymin, grid::convertHeight)
  lines <- 1 + grepl("\n", places$label, fixed = TRUE)
  own <- vapply(seq_along(width), function(i) {
    text <- grid::textGrob(places$label[i], gp = grid::gpar(fontsize = 10))
    wide <- grid::convertWidth(grid::grobWidth(text), "points", valueOnly = TRUE)
    min(10 * 0.9 * width[i] / wide, 0.8 * height[i] / lines[i])
  }, 1)
  # One size for all that fit, so that the picture is calm; what does not fit is smaller.
  common <- if (is.null(x$size)) min(largest_label, stats::median(own)) else x$size * 72.27 / 25.4
  fontsize <- if (is.null(x$size)) pmin(common, own) else common
  grid::setChildren(x, grid::gList(grid::textGrob(
    places$label, (places$xmin + places$xmax) / 2, (places$ymin + places$ymax) / 2,
    default.units = "npc", gp = grid::gpar(fontsize = fontsize, lineheight = 0.9)
  )))
}

# The points of all routes; widths in mm.
route_table <- function(layout, edges) {
  rows <- lapply(seq_along(layout$routes), function(k) {
    route <- smooth_route(layout$routes[[k]])
    data.frame(
      x = route[, 1], y = route[, 2], edge = k, meaning = edges$meaning[k],
      width = 0.3 * edges$width[k], arrow = edges$arrow[k]
    )
  })
  none <- data.frame(
    x = numeric(), y = numeric(), edge = numeric(), meaning = character(), width = numeric(),
    arrow = logical()
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
      limits = c(-any(cells$weight < 0), 1) * max(abs(cells$weight), .Machine$double.eps)
    ) +
    ggplot2::scale_x_discrete(position = "top") +
    ggplot2::labs(
      x = "to", y = "from", fill = if (identical(names(tables), "shares")) "share" else "weight"
    ) +
    ggplot2::coord_equal() +
    ggplot2::theme_minimal(base_size = if (m > 25) 7 else 10) +
    ggplot2::theme(
      axis.text.x = ggplot2::element_text(angle = 90, hjust = 0, vjust = 0.5),
      axis.title.x.top = ggplot2::element_text(margin = ggplot2::margin(b = 8)),
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
#' @usage \method{autoplot}{boot_dag}(object, threshold = NULL, truth = NULL, longest = 20, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.boot_dag <- function(object, threshold = NULL, truth = NULL, longest = 20, ...) {
  plot_bn(object, threshold = threshold, truth = truth, longest = longest, engine = "ggplot2")
}

few_breaks <- function(range) {
  for (count in 3:6) {
    at <- pretty(range, count)
    at <- at[at >= range[1] & at <= range[2]]
    if (length(at) >= 2) break
  }
  at
}

#' @rdname autoplot.daggnn
#' @usage \method{autoplot}{compare_learners}(object, measures = NULL, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.compare_learners <- function(object, measures = NULL, ...) {
  measures <- drawn_measures(object, measures)
  table <- as.data.frame(object)
  rows <- do.call(rbind, lapply(measures, function(name) {
    spread <- table[[paste0(name, "_sd")]]
    drawn <- drawn_rows(table, name)
    data.frame(
      learner = factor(table$learner, rev(unique(table$learner))), value = table[[name]],
      spread = if (is.null(spread)) NA_real_ else spread, measure = factor(name, measures),
      drawn = drawn, note = vapply(row_notes(table, name, drawn), shorten, "", 35),
      failed = is.na(table$edges),
      kind = ifelse(table$learner %in% reference_names, "reference", "learner")
    )
  }))
  points <- rows[rows$drawn, ]
  notes <- rows[rows$note != "", ]
  spreads <- points[is.finite(points$spread), ]
  ggplot2::ggplot(points, ggplot2::aes(.data$value, .data$learner)) +
    ggplot2::geom_errorbarh(
      ggplot2::aes(xmin = .data$value - .data$spread, xmax = .data$value + .data$spread),
      spreads, height = 0.2, colour = colours[["grey"]]
    ) +
    ggplot2::geom_point(
      ggplot2::aes(colour = .data$kind, shape = .data$kind), size = 2, fill = "white"
    ) +
    ggplot2::geom_label(
      ggplot2::aes(x = -Inf, label = .data$note), notes, hjust = 0, size = 2.8, label.size = 0,
      colour = ifelse(notes$failed, colours[["vermillion"]], "grey40")
    ) +
    ggplot2::scale_colour_manual(
      values = c(learner = colours[["blue"]], reference = colours[["grey"]]), guide = "none"
    ) +
    ggplot2::scale_shape_manual(values = c(learner = 19, reference = 21), guide = "none") +
    # Learners that failed have a place on the axis, too.
    ggplot2::scale_y_discrete(drop = FALSE) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data$measure), scales = "free_x",
      labeller = ggplot2::as_labeller(measure_titles)
    ) +
    # Few labels on the axes, since a BIC has many digits, but two at least.
    ggplot2::scale_x_continuous(breaks = few_breaks) +
    ggplot2::labs(x = NULL, y = NULL) +
    ggplot2::theme_bw() +
    ggplot2::theme(
      strip.background = ggplot2::element_blank(), panel.spacing.x = ggplot2::unit(6, "mm")
    )
}
