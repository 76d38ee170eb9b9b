# The layered layout of plot_bn() beside igraph's layout_with_sugiyama(), on which it might rest.
#
#   Rscript layouts.R [--quick] [--folder=.]
#
# Networks: those that hc() learns from data of bnlearn, and random ones. Both layouts have the same
# boxes, as wide as their labels. igraph's knows no widths: its columns are moved apart until no two
# boxes of a layer overlap, and edges that pass a layer go through its dummy vertices. Routes are
# straight from point to point, without the curves that plot_bn() draws.
# A row for each network and layout: the width in characters and the height in lines, how many edges
# lead across a box that is not theirs, how many pairs of edges cross, and the mean length of an
# edge, relative to the height of the drawing. Writes layouts.csv and layouts.png, side by side.
# --quick: the small networks.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))

settings <- script_options()
line_height <- daggnn:::layout_row
half_box <- daggnn:::layout_edge

random_named <- function(m, edges) {
  set.seed(1)
  random_dag(m, edges = edges)
}
networks <- list(
  marks = function() bnlearn::hc(bnlearn::marks),
  "learning.test" = function() bnlearn::hc(bnlearn::learning.test),
  asia = function() bnlearn::hc(bnlearn::asia),
  random_20_30 = function() random_named(20, 30),
  insurance = function() bnlearn::hc(bnlearn::insurance[1:2000, ]),
  alarm = function() bnlearn::hc(bnlearn::alarm[1:2000, ]),
  hailfinder = function() bnlearn::hc(bnlearn::hailfinder[1:2000, ])
)
if (settings$quick) networks <- networks[1:4]

# Both give `nodes`, a data frame of label, x, y and width, and `routes`, a matrix of points for
# each edge, with `from` and `to`, the numbers of its nodes.
ours <- function(net) {
  layout <- dag_layout(net)
  names <- layout$nodes$name
  list(
    nodes = layout$nodes, from = match(layout$edges$from, names),
    to = match(layout$edges$to, names), routes = layout$edges$path
  )
}

igraphs <- function(net) {
  nodes <- dag_layout(net)$nodes
  graph <- bnlearn::as.igraph(net)
  found <- igraph::layout_with_sugiyama(graph)
  ends <- igraph::as_edgelist(graph, names = FALSE)
  # Points of the edges: the nodes, then the dummy vertices.
  places <- rbind(found$layout, found$layout.dummy)
  layer <- places[, 2]
  width <- c(nodes$width, rep(daggnn:::layout_lane, nrow(found$layout.dummy)))
  places[, 1] <- places[, 1] * room_between(places[, 1], layer, width)
  places[, 2] <- places[, 2] * line_height
  nodes$x <- places[seq_len(nrow(nodes)), 1]
  nodes$y <- places[seq_len(nrow(nodes)), 2]
  parts <- igraph::as_edgelist(found$extd_graph, names = FALSE)
  list(
    nodes = nodes, from = ends[, 1], to = ends[, 2],
    routes = lapply(seq_len(nrow(ends)), function(k) {
      places[through_dummies(ends[k, ], parts, nrow(nodes)), , drop = FALSE]
    })
  )
}

# The vertices of an edge of the graph: along those of the extended one, whose dummy vertices have
# one edge in and one out.
through_dummies <- function(ends, parts, count) {
  for (first in parts[parts[, 1] == ends[1], 2]) {
    path <- c(ends[1], first)
    while (path[length(path)] > count) {
      path <- c(path, parts[parts[, 1] == path[length(path)], 2])
    }
    if (path[length(path)] == ends[2]) {
      return(path)
    }
  }
  ends
}

# The least factor for x with which boxes beside each other do not overlap.
room_between <- function(x, layer, width) {
  needed <- unlist(lapply(split(seq_along(x), layer), function(members) {
    members <- members[order(x[members])]
    if (length(members) < 2) {
      return(NULL)
    }
    right <- members[-1]
    left <- members[-length(members)]
    ((width[left] + width[right]) / 2 + daggnn:::layout_gap) / pmax(x[right] - x[left], 1e-9)
  }))
  max(needed, 1)
}

segments_of <- function(layout) {
  do.call(rbind, lapply(seq_along(layout$routes), function(k) {
    route <- layout$routes[[k]]
    n <- nrow(route)
    data.frame(
      edge = k, x0 = route[-n, 1], y0 = route[-n, 2], x1 = route[-1, 1], y1 = route[-1, 2]
    )
  }))
}

# Whether a segment has points inside a box: clipped to the box's rows, then to its columns.
enters <- function(segment, node) {
  from <- 0
  to <- 1
  for (side in list(
    c(segment$x0, segment$x1, node$x - node$width / 2, node$x + node$width / 2),
    c(segment$y0, segment$y1, node$y - half_box, node$y + half_box)
  )) {
    step <- side[2] - side[1]
    if (step == 0) {
      if (side[1] <= side[3] || side[1] >= side[4]) {
        return(FALSE)
      }
      next
    }
    bounds <- sort((side[3:4] - side[1]) / step)
    from <- max(from, bounds[1])
    to <- min(to, bounds[2])
  }
  to - from > 1e-6
}

through_boxes <- function(layout, segments) {
  crossing <- vapply(seq_len(nrow(segments)), function(s) {
    edge <- segments$edge[s]
    others <- setdiff(seq_len(nrow(layout$nodes)), c(layout$from[edge], layout$to[edge]))
    any(vapply(others, function(i) enters(segments[s, ], layout$nodes[i, ]), NA))
  }, NA)
  length(unique(segments$edge[crossing]))
}

side_of <- function(ax, ay, bx, by, px, py) (bx - ax) * (py - ay) - (by - ay) * (px - ax)

crossings <- function(segments) {
  pairs <- utils::combn(nrow(segments), 2)
  a <- segments[pairs[1, ], ]
  b <- segments[pairs[2, ], ]
  cross <- a$edge != b$edge &
    side_of(a$x0, a$y0, a$x1, a$y1, b$x0, b$y0) * side_of(a$x0, a$y0, a$x1, a$y1, b$x1, b$y1) < 0 &
    side_of(b$x0, b$y0, b$x1, b$y1, a$x0, a$y0) * side_of(b$x0, b$y0, b$x1, b$y1, a$x1, a$y1) < 0
  nrow(unique(cbind(a$edge, b$edge)[cross, , drop = FALSE]))
}

measure <- function(layout) {
  segments <- segments_of(layout)
  nodes <- layout$nodes
  height <- diff(range(nodes$y)) + 2 * half_box
  length <- tapply(
    sqrt((segments$x1 - segments$x0)^2 + (segments$y1 - segments$y0)^2), segments$edge, sum
  )
  width <- diff(range(nodes$x - nodes$width / 2, nodes$x + nodes$width / 2))
  data.frame(
    width = round(width), height = height, through_boxes = through_boxes(layout, segments),
    crossings = crossings(segments), length = round(mean(length) / height, 2)
  )
}

layouts <- list(ours = ours, igraph = igraphs)
drawn <- list()
row_of <- function(name) {
  net <- networks[[name]]()
  found <- lapply(layouts, function(make) make(net))
  drawn[[name]] <<- found
  data.frame(
    network = name, nodes = length(bnlearn::nodes(net)), edges = nrow(bnlearn::arcs(net)),
    layout = names(layouts), do.call(rbind, lapply(found, measure))
  )
}
formats <- c(
  network = "%-14s", nodes = "%6d", edges = "%6d", layout = "%-7s", width = "%7.0f",
  height = "%7.0f", through_boxes = "%14d", crossings = "%10d", length = "%7.2f"
)
rows <- run_cases(names(networks), names(networks), row_of, settings, print_rows(formats))

draw_one <- function(layout, title) {
  nodes <- layout$nodes
  left <- nodes$x - nodes$width / 2
  right <- nodes$x + nodes$width / 2
  graphics::plot.new()
  graphics::plot.window(range(left, right), range(nodes$y) + c(-2, 2))
  graphics::title(title, cex.main = 0.9)
  for (route in layout$routes) graphics::lines(route, col = "grey50", lwd = 0.7)
  graphics::rect(left, nodes$y - half_box, right, nodes$y + half_box, col = "white", lwd = 0.5)
}

write_picture(function() {
  shown <- utils::tail(names(drawn), 3)
  graphics::par(mfrow = c(length(shown), 2), mar = c(0.3, 0.3, 1.5, 0.3))
  for (name in shown) {
    for (which in names(layouts)) draw_one(drawn[[name]][[which]], paste0(name, ", ", which))
  }
}, 10, 10, settings)
