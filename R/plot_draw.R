# The picture of a network in base graphics.

draw_network <- function(picture, main = NULL) {
  force(picture) # may complain, and then no page should have been begun
  old <- graphics::par(mar = c(0.2, 0.2, if (is.null(main)) 0.2 else 2, 0.2))
  on.exit(graphics::par(old))
  graphics::plot.new()
  keys <- legend_keys(picture)
  legend_lines <- 1.3 * ((nrow(keys) > 0) + (length(picture$notes) > 0))

  # A character of the font, in inches, and the room that there is.
  em <- graphics::strwidth("nnnnnnnnnn", units = "inches", cex = 1) / 10
  line <- 1.5 * graphics::strheight("X", units = "inches", cex = 1)
  room <- graphics::par("pin") - c(0, legend_lines * line)
  aspect <- (room[1] / em) / (room[2] / line)
  layout <- layered_layout(
    picture$labels, picture$from, picture$to, aspect, room[2] / line / largest_text
  )
  extent <- layout_extent(layout)
  cex <- min(largest_text, room[1] / em / diff(extent$x), room[2] / line / diff(extent$y))
  # Room that is left goes between the layers and the boxes.
  layout <- stretch_rows(layout, min(tallest_stretch, room[2] / line / cex / diff(extent$y)))
  wider <- min(widest_stretch, room[1] / em / cex / diff(extent$x))
  layout <- stretch_columns(layout, wider, picture$from, picture$to)
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
  draw_edge_labels(layout, picture$edges, cex)
  draw_legend(keys, picture$notes, line)
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

widest_stretch <- 2
tallest_stretch <- 2.5
# The size of text in a small network, as a multiple of the device's.
largest_text <- 1.2

# Boxes further apart by a factor; edges leave and enter them where they did. from, to: the boxes
# that each edge joins.
stretch_columns <- function(layout, factor, from, to) {
  shift <- (factor - 1) * layout$boxes$x
  layout$routes <- lapply(seq_along(layout$routes), function(k) {
    route <- layout$routes[[k]]
    last <- nrow(route)
    ends <- route[c(1, last), "x"] + shift[c(from[k], to[k])]
    route[, "x"] <- factor * route[, "x"]
    route[c(1, last), "x"] <- ends
    route
  })
  layout$boxes$x <- factor * layout$boxes$x
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
    route <- smooth_route(layout$routes[[k]])
    if (edges$arrow[k]) {
      draw_arrow(route, edges$colour[k], edges$line[k], width)
    } else {
      graphics::lines(route, col = edges$colour[k], lty = edges$line[k], lwd = width, lend = "butt")
    }
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
  cex <- cex * ifelse(grepl("\n", boxes$label, fixed = TRUE), two_lines, 1)
  # Proportional fonts may be wider than the average character: such a label is set smaller.
  for (i in seq_len(nrow(boxes))) {
    fits <- 0.96 * boxes$width[i] / graphics::strwidth(boxes$label[i], cex = cex[i])
    size <- cex[i] * min(1, fits)
    # From the baseline up, so that labels with and without descenders stand at the same height.
    capitals <- gsub("[^\n]+", "X", boxes$label[i])
    bottom <- boxes$y[i] - graphics::strheight(capitals, cex = size) / 2
    graphics::text(boxes$x[i], bottom, boxes$label[i], cex = size, adj = c(0.5, 0))
  }
}

# At the middle of each edge, on a ground that keeps it readable.
draw_edge_labels <- function(layout, edges, cex) {
  for (k in which(nzchar(edges$label))) {
    at <- label_place(layout$routes[[k]], k)
    small <- 0.75 * cex
    half <- 0.55 * c(
      graphics::strwidth(edges$label[k], cex = small),
      1.5 * graphics::strheight(edges$label[k], cex = small)
    )
    graphics::rect(
      at[1] - half[1], at[2] - half[2], at[1] + half[1], at[2] + half[2], col = "white", border = NA
    )
    graphics::text(at[1], at[2], edges$label[k], cex = small, col = edges$colour[k])
  }
}

# Where the label of edge k stands: about halfway along it, and not at the height of its neighbours.
label_place <- function(route, k) {
  points <- smooth_route(route)
  steps <- sqrt(rowSums(diff(points)^2))
  share <- c(0.5, 0.34, 0.62)[k %% 3 + 1]
  points[which.min(abs(cumsum(c(0, steps)) - share * sum(steps))), ]
}

# Keys on one line, and under them what widths and labels mean.
draw_legend <- function(keys, notes, line) {
  inch <- diff(graphics::par("usr")[3:4]) / graphics::par("pin")[2]
  cex <- 0.8
  bottom <- graphics::par("usr")[3]
  note <- paste(notes, collapse = "; ")
  if (nzchar(note)) {
    room <- diff(graphics::par("usr")[1:2])
    fits <- min(1, 0.98 * room / graphics::strwidth(note, cex = cex))
    middle <- mean(graphics::par("usr")[1:2])
    graphics::text(middle, bottom + 0.6 * line * inch, note, cex = cex * fits)
    bottom <- bottom + 1.1 * line * inch
  }
  if (nrow(keys) > 0) {
    keyed <- function(cex, plot) {
      graphics::legend(
        mean(graphics::par("usr")[1:2]), bottom, legend = keys$label, col = keys$colour,
        lty = keys$line, lwd = 2, bty = "n", horiz = TRUE, cex = cex, x.intersp = 0.6,
        seg.len = 2.5, xjust = 0.5, yjust = 0.15, plot = plot
      )$rect$w
    }
    wide <- keyed(cex, FALSE)
    keyed(cex * min(1, 0.98 * diff(graphics::par("usr")[1:2]) / wide), TRUE)
  }
}
