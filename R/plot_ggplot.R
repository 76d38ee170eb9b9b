# A network drawn by ggplot2.

# What aes() calls the columns of the data.
utils::globalVariables(".data")

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
