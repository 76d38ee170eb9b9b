# A layered layout for drawing a DAG top-down, after Sugiyama, Tagawa and Toda (1981): layers, then
# an order within each layer that avoids crossings, then positions. Boxes are as wide as their
# labels, so labels cannot overlap; edges that skip layers are led around the boxes between.
#
# Units: x in characters, y in lines of text, both independent of the device.

layout_row <- 4 # lines from one layer to the next
layout_edge <- 1 # lines from the middle of a box to its edge
layout_gap <- 2 # characters between two boxes
layout_lane <- 1 # characters for an edge that passes between boxes
layout_sweeps <- 16 # passes down and up over the layers

# labels: one for each node, of one or two lines; from, to: numbers of nodes, the edges; aspect: how
# many characters the drawing should be wide for each line that it is high; lines: how high it may
# be before its text must shrink. Edges may close cycles: enough of them are turned round for the
# layout, and drawn upwards. Returns `boxes`, a data frame of label, x, y and width, and `routes`:
# for each edge a matrix of x and y from the box it leaves to the box it enters.
layered_layout <- function(labels, from, to, aspect = 2.5, lines = 0) {
  upward <- !keeps_acyclic(length(labels), from, to)
  upper <- ifelse(upward, to, from)
  lower <- ifelse(upward, from, to)
  width <- label_width(labels) * ifelse(grepl("\n", labels, fixed = TRUE), two_lines, 1) + 2

  # Layers of different widths give drawings of different shapes. The one that fits best is taken,
  # and among those that fit with text of full size, the one with the shortest edges.
  tried <- lapply(layer_widths(width), function(room) assign_layers(upper, lower, width, room))
  tried <- lapply(unique(tried), function(layer) {
    parts <- with_waypoints(layer, width, upper, lower)
    parts$x <- order_and_place(parts)
    parts$x <- centre_unconnected(parts)
    parts
  })
  size <- vapply(tried, function(parts) {
    half <- parts$room / 2
    max(diff(range(parts$x - half, parts$x + half)) / aspect, layout_row * max(parts$layer), lines)
  }, 0)
  passed <- vapply(tried, function(parts) length(parts$layer), 1L)
  parts <- tried[[order(size, passed)[1]]]

  nodes <- seq_along(labels)
  boxes <- data.frame(
    label = labels, x = parts$x[nodes], y = -layout_row * (parts$layer[nodes] - 1), width = width
  )
  list(boxes = boxes, routes = routes_of(parts, boxes, upper, lower, upward))
}

# Some widths for the layers, in characters, from tall drawings to flat ones.
layer_widths <- function(width) {
  widest <- max(width) + layout_gap
  all <- sum(width + layout_gap)
  layers <- sqrt(length(width)) * c(0.5, 0.8, 1.2, 2, 3)
  unique(pmax(widest, all / layers))
}

# Which edges can be drawn downwards together: earlier ones come first.
keeps_acyclic <- function(m, from, to) {
  first <- rev(seq_along(from))
  kept <- acyclic_edges_cpp(m, cbind(from, to), first, logical(length(from)))$kept
  paste(from, to) %in% paste(kept[, 1], kept[, 2])
}

# Each node below all of its parents, in layers of at most `room` characters; nodes with a long way
# below them come first. Nodes without edges have the last layers for themselves.
assign_layers <- function(upper, lower, width, room) {
  m <- length(width)
  alone <- setdiff(seq_len(m), c(upper, lower))
  depth <- longest_way(upper, lower, m)
  layer <- rep(NA_integer_, m)
  current <- 0
  while (anyNA(layer)) {
    current <- current + 1
    waiting <- unique(lower[is.na(layer[upper])])
    ready <- setdiff(which(is.na(layer)), waiting)
    if (!all(ready %in% alone)) ready <- setdiff(ready, alone)
    ready <- ready[order(-depth[ready], ready)]
    fits <- cumsum(width[ready] + layout_gap) <= room
    fits[1] <- TRUE
    layer[ready[fits]] <- current
  }
  pull_down(layer, upper, lower, width, room)
}

# For each node the number of edges on the longest way down from it.
longest_way <- function(upper, lower, m) {
  depth <- numeric(m)
  repeat {
    deeper <- pmax(depth, vapply(seq_len(m), function(i) {
      max(-1, depth[lower[upper == i]]) + 1
    }, 0))
    if (identical(deeper, depth)) {
      return(depth)
    }
    depth <- deeper
  }
}

# Nodes move down towards their children where there is room: edges get shorter.
pull_down <- function(layer, upper, lower, width, room) {
  used <- vapply(seq_len(max(layer)), function(k) sum(width[layer == k] + layout_gap), 0)
  for (i in order(-layer)) {
    children <- lower[upper == i]
    if (length(children) == 0) next
    free <- which(used + width[i] + layout_gap <= room)
    free <- free[free > layer[i] & free < min(layer[children])]
    if (length(free) > 0) {
      used[layer[i]] <- used[layer[i]] - width[i] - layout_gap
      layer[i] <- max(free)
      used[layer[i]] <- used[layer[i]] + width[i] + layout_gap
    }
  }
  # A layer that everybody left is no layer.
  match(layer, sort(unique(layer)))
}

# Nodes first, then a waypoint for every layer that an edge crosses; links join parts of
# neighbouring layers. chains: for each edge the numbers of its parts, from above to below; room:
# characters that each part needs for itself.
with_waypoints <- function(layer, width, upper, lower) {
  room <- width + layout_gap
  chains <- vector("list", length(upper))
  for (k in seq_along(upper)) {
    between <- seq_len(layer[lower[k]] - layer[upper[k]] - 1) + layer[upper[k]]
    added <- length(layer) + seq_along(between)
    layer <- c(layer, between)
    room <- c(room, rep(layout_lane, length(between)))
    chains[[k]] <- c(upper[k], added, lower[k])
  }
  links <- lapply(chains, function(chain) cbind(utils::head(chain, -1), chain[-1]))
  none <- matrix(integer(), 0, 2)
  list(layer = layer, room = room, chains = chains, links = do.call(rbind, c(list(none), links)))
}

# Sweeps over the layers: first the order of the parts by the mean place of their neighbours,
# keeping the order with the fewest crossings; then places as near to the neighbours as the widths
# allow.
order_and_place <- function(parts) {
  members <- split(seq_along(parts$layer), parts$layer)
  neighbours <- neighbours_of(parts)
  rank <- unsplit(lapply(members, seq_along), parts$layer)
  best <- rank
  fewest <- crossings(parts, rank)
  for (sweep in seq_len(layout_sweeps)) {
    if (fewest == 0) break
    for (group in sweep_order(members, sweep)) {
      rank[group] <- rank(mean_place(group, rank, neighbours, sweep), ties.method = "first")
    }
    now <- crossings(parts, rank)
    if (now < fewest) {
      fewest <- now
      best <- rank
    }
  }
  place(parts, members, neighbours, best)
}

sweep_order <- function(members, sweep) {
  if (sweep %% 2 == 1) members else rev(members)
}

neighbours_of <- function(parts) {
  numbers <- factor(seq_along(parts$layer))
  list(
    above = split(parts$links[, 1], numbers[parts$links[, 2]]),
    below = split(parts$links[, 2], numbers[parts$links[, 1]])
  )
}

# Where the neighbours above (odd sweeps) or below are on average. A part with none on this side
# stays, one with none at all goes along with its layer.
mean_place <- function(group, at, neighbours, sweep) {
  sides <- if (sweep %% 2 == 1) c("above", "below") else c("below", "above")
  vapply(group, function(i) {
    near <- neighbours[[sides[1]]][[i]]
    if (length(near) > 0) {
      mean(at[near])
    } else if (length(neighbours[[sides[2]]][[i]]) > 0) {
      at[i]
    } else {
      mean(at[group])
    }
  }, 0)
}

crossings <- function(parts, rank) {
  total <- 0
  for (links in split(seq_len(nrow(parts$links)), parts$layer[parts$links[, 1]])) {
    top <- rank[parts$links[links, 1]]
    bottom <- rank[parts$links[links, 2]]
    total <- total + sum(outer(top, top, "<") & outer(bottom, bottom, ">"))
  }
  total
}

place <- function(parts, members, neighbours, rank) {
  members <- lapply(members, function(group) group[order(rank[group])])
  x <- numeric(length(parts$layer))
  # apart: how far the middle of each part of a layer must at least be from the first one's.
  apart <- lapply(members, function(group) {
    half <- parts$room[group] / 2
    cumsum(c(0, utils::head(half, -1) + half[-1]))
  })
  for (layer in seq_along(members)) x[members[[layer]]] <- apart[[layer]] - max(apart[[layer]]) / 2
  for (sweep in seq_len(layout_sweeps)) {
    for (layer in sweep_order(seq_along(members), sweep)) {
      group <- members[[layer]]
      wanted <- mean_place(group, x, neighbours, sweep)
      # The nearest places in this order with this much room are an isotonic regression.
      x[group] <- stats::isoreg(wanted - apart[[layer]])$yf + apart[[layer]]
    }
  }
  x
}

# Layers of nodes without edges have the middle of the others.
centre_unconnected <- function(parts) {
  x <- parts$x
  joined <- seq_along(x) %in% parts$links
  if (any(joined)) {
    for (layer in unique(parts$layer[!joined])) {
      group <- parts$layer == layer
      x[group] <- x[group] + mean(range(x[joined])) - mean(range(x[group]))
    }
  }
  x
}

# Edges leave at the bottom of a box and enter at the top, spread over its width in the order of
# where they come from or go to.
routes_of <- function(parts, boxes, upper, lower, upward) {
  port <- function(end, other) {
    places <- numeric(length(end))
    for (i in unique(end)) {
      here <- which(end == i)
      shift <- rank(other[here], ties.method = "first") - (length(here) + 1) / 2
      places[here] <- boxes$x[i] + shift * 0.7 * boxes$width[i] / max(length(here), 3)
    }
    places
  }
  second <- vapply(parts$chains, function(chain) parts$x[chain[2]], 0)
  last <- vapply(parts$chains, function(chain) parts$x[chain[length(chain) - 1]], 0)
  leaves <- port(upper, second)
  enters <- port(lower, last)
  lapply(seq_along(upper), function(k) {
    chain <- parts$chains[[k]]
    inner <- chain[-c(1, length(chain))]
    # A waypoint is a short way down, so that edges pass boxes straight.
    pass <- 1.4 * layout_edge
    points <- cbind(
      x = c(leaves[k], rep(parts$x[inner], each = 2), enters[k]),
      y = c(
        boxes$y[upper[k]] - layout_edge,
        rep(-layout_row * (parts$layer[inner] - 1), each = 2) + rep(c(pass, -pass), length(inner)),
        boxes$y[lower[k]] + layout_edge
      )
    )
    if (upward[k]) points[rev(seq_len(nrow(points))), ] else points
  })
}
