# What a drawing of a network shows, whatever draws it (base graphics, ggplot2, a web page).

# Colours that colour-blind readers can tell apart (Okabe and Ito 2008).
colours <- c(
  blue = "#0072B2", vermillion = "#D55E00", green = "#009E73", orange = "#E69F00",
  purple = "#CC79A7", grey = "#767676"
)

# What each kind of edge looks like. Line types say the same as colours, for prints in black and
# white.
edge_styles <- data.frame(
  meaning = c(
    "edge", "positive", "negative", "curve, factor or vector", "correct", "reversed", "extra",
    "missing", "direction clear", "direction unclear"
  ),
  colour = unname(colours[c(
    "grey", "blue", "vermillion", "purple", "green", "orange", "vermillion", "grey", "blue",
    "orange"
  )]),
  line = c("solid", "solid", "42", "solid", "solid", "42", "solid", "13", "solid", "42")
)

# A list with
#   names, labels  of the nodes
#   edges          a data frame: from, to, meaning, size (what the width shows), colour, line, width
#                  (in multiples of the thinnest line), arrow (FALSE: undirected), label
#   from, to       the numbers of the nodes that each edge joins
#   notes          lines that the legend says about widths and labels
# net: any network; strength: NULL or of class "bn.strength"; truth: NULL or any network.
network_picture <- function(net, truth = NULL, longest = 20, strength = NULL) {
  picture <- if (!is.null(truth)) {
    compared_edges(net, truth)
  } else if (!is.null(strength)) {
    strength_edges(net, strength)
  } else {
    weighted_edges(net)
  }
  names <- bnlearn::nodes(net)
  c(
    list(
      names = names, labels = wrapped_labels(names, longest),
      from = match(picture$edges$from, names), to = match(picture$edges$to, names)
    ),
    picture
  )
}

# By the share of the child's spread that an edge carries, which can be compared between edges
# whatever their units; by the size of the weight where shares are not known.
weighted_edges <- function(net) {
  edges <- edges_of(net)
  if (!is_network(net) || is.null(net$daggnn$weights) || nrow(edges) == 0) {
    return(list(edges = edge_style(edges, "edge"), notes = character()))
  }
  arcs <- as.matrix(edges[c("from", "to")])
  weight <- net$daggnn$weights[arcs]
  shares <- net$daggnn$shares
  size <- abs(if (is.null(shares)) weight else shares[arcs])
  meaning <- ifelse(weight < 0, "negative", "positive")
  meaning[!has_sign(net, arcs)] <- "curve, factor or vector"
  what <- if (is.null(shares)) {
    "weight"
  } else if (all(has_sign(net, arcs))) {
    "share of the child's standard deviation"
  } else {
    "standardised weight"
  }
  list(edges = edge_style(edges, meaning, size), notes = paste0("width: ", what, range_text(size)))
}

range_text <- function(values) {
  values <- values[is.finite(values)]
  if (length(values) == 0) {
    return("")
  }
  ends <- unique(vapply(range(values), format, "", digits = 2))
  paste0(" (", paste(ends, collapse = " to "), if (length(ends) == 1) " for all", ")")
}

# The weight of an edge is a coefficient with a sign between two single numbers. Where an end is
# discrete or a vector it is the norm of a block, which is never negative, and a curve has no sign.
# notears() has coefficients only.
has_sign <- function(net, arcs) {
  details <- net$daggnn
  samples <- details$samples
  if (is.null(samples) || identical(details$learner, "notears")) {
    return(rep(TRUE, nrow(arcs)))
  }
  # A search tells its effects; sizes without coefficients behind them have no sign either.
  coefficients <- is.null(details$choice) || (
    identical(details$choice$effects, "linear") &&
      (any(listed_values(details$weights)$value < 0) || !is.null(details$parameters$families))
  )
  if (!coefficients) {
    return(rep(FALSE, nrow(arcs)))
  }
  plain <- samples$kind == "continuous" & samples$components == 1
  names(plain) <- samples$names
  unname(plain[arcs[, 1]] & plain[arcs[, 2]])
}

# An edge that points one way in this share of its resamples or more has a clear direction.
clear_direction <- 0.75

# By bootstrap: the width is the strength, the label the share of the resamples with this edge in
# which it pointed this way.
strength_edges <- function(net, strength) {
  edges <- edges_of(net)
  row <- match(edge_keys(edges), edge_keys(strength))
  size <- strength$strength[row]
  direction <- strength$direction[row]
  # Rounded as the label is, so that the colour never contradicts the number.
  clear <- edges$arrow & !is.na(direction) & round(direction, 2) >= clear_direction
  meaning <- ifelse(clear, "direction clear", "direction unclear")
  label <- ifelse(is.na(direction) | !edges$arrow, "", formatC(direction, format = "f", digits = 2))
  list(
    edges = edge_style(edges, meaning, size, label, most = 1.5),
    notes = c(
      paste0("width: strength, the share of networks with this edge", range_text(size)),
      if (any(nzchar(label))) "number: the share of these in which it points this way"
    )
  )
}

# Each pair of nodes that is joined in either network.
compared_edges <- function(net, truth) {
  learned <- bnlearn::amat(net)
  true <- adjacency_on(truth, rownames(learned), "truth", "x")
  # 0: not joined, 1: forwards, 2: backwards, 3: undirected.
  state <- function(adjacency) (adjacency != 0) + 2 * (t(adjacency) != 0)
  learned <- state(learned)
  true <- state(true)
  meaning <- ifelse(learned == true, "correct", "reversed")
  meaning[true == 0] <- "extra"
  meaning[learned == 0] <- "missing"
  shown <- ifelse(learned == 0, true, learned)
  # Undirected edges once, others in their direction.
  index <- which(shown == 1 | (shown == 3 & upper.tri(shown)), arr.ind = TRUE)
  index <- index[order(meaning[index] == "missing"), , drop = FALSE]
  nodes <- rownames(learned)
  edges <- data.frame(
    from = nodes[index[, 1]], to = nodes[index[, 2]], arrow = shown[index] == 1
  )
  list(edges = edge_style(edges, meaning[index]), notes = character())
}

# most: the size that has the widest line, by default the largest there is.
edge_style <- function(edges, meaning, size = NA_real_, label = "", most = NULL) {
  style <- edge_styles[match(meaning, edge_styles$meaning), ]
  known <- is.finite(size)
  if (is.null(most)) most <- max(size[known], 0)
  width <- if (most > 0) ifelse(known, 0.8 + 3.2 * size / most, 0.8) else 1.6
  count <- nrow(edges)
  data.frame(
    edges, meaning = rep_len(meaning, count), size = rep_len(size, count),
    colour = rep_len(style$colour, count), line = rep_len(style$line, count),
    width = rep_len(width, count), label = rep_len(label, count), row.names = NULL
  )
}

# One key for each kind of edge there is, with what it means and how many; plain edges need none.
legend_keys <- function(picture) {
  meaning <- picture$edges$meaning
  kinds <- edge_styles[edge_styles$meaning %in% meaning, ]
  kinds <- kinds[kinds$meaning != "edge", ]
  kinds$label <- vapply(kinds$meaning, function(kind) {
    paste0(kind, " (", sum(meaning == kind), ")")
  }, "")
  kinds
}

# ---- Names ----

# Names of more characters than this are broken into two lines.
one_line <- 12

# A long name on two lines, broken where a word ends. Where these are longer than `longest`, its
# first and its last words stay. Names stay different.
wrapped_labels <- function(names, longest = 20) {
  labels <- vapply(names, function(name) {
    if (nchar(name, "width") <= min(one_line, longest)) {
      return(name)
    }
    end <- line_end(name)
    if (is.na(end)) {
      return(shortened(name, longest))
    }
    lines <- split_at(name, end)
    if (any(nchar(lines, "width") > longest)) lines <- first_and_last_words(name, longest)
    paste(lines, collapse = "\n")
  }, "", USE.NAMES = FALSE)
  distinct_labels(labels)
}

# The number of characters on the first line: to the end of the word that is nearest to the middle,
# or NA where the name is one word.
line_end <- function(name) {
  ends <- word_ends(name)
  if (length(ends) == 0) {
    return(NA_integer_)
  }
  ends[which.min(abs(ends - nchar(name) / 2))]
}

split_at <- function(name, end) c(sub(" $", "", substr(name, 1, end)), substring(name, end + 1))

word_ends <- function(name) {
  ends <- gregexpr("[ ._/:-](?=[^ ._/:-])|[[:lower:]](?=[[:upper:]])", name, perl = TRUE)[[1]]
  ends[ends > 1]
}

# Two lines: as many words from the start and from the end as fit, three dots after the former.
first_and_last_words <- function(name, longest) {
  ends <- word_ends(name)
  dots <- " ..."
  first <- max(0, ends[ends <= longest - nchar(dots)])
  last <- min(nchar(name), ends[ends >= nchar(name) - longest])
  lines <- c(substr(name, 1, first), substring(name, last + 1))
  if (any(lines == "")) {
    # A word that is longer than a line.
    return(shortened(split_at(name, line_end(name)), longest))
  }
  if (first < last) lines[1] <- paste0(sub("[ ._/:-]$", "", lines[1]), dots)
  lines
}

# Names on one line; the middle of a long one gives way to three dots, which every device can draw.
short_labels <- function(names, longest = 20) distinct_labels(shortened(names, longest))

shortened <- function(names, longest) {
  dots <- "..."
  head <- ceiling((longest - nchar(dots)) * 0.6)
  tail <- longest - nchar(dots) - head
  ifelse(
    nchar(names, "width") > longest,
    paste0(substr(names, 1, head), dots, substring(names, nchar(names) - tail + 1)), names
  )
}

# Names that became the same by shortening get a number at their end.
distinct_labels <- function(labels) {
  same <- labels %in% labels[duplicated(labels)]
  labels[same] <- paste0(sub(".{3}$", "", labels[same]), "~", seq_len(sum(same)))
  labels
}

# Characters of the longest line of each label.
label_width <- function(labels) {
  lines <- strsplit(labels, "\n", fixed = TRUE)
  vapply(lines, function(lines) max(nchar(lines, "width"), 0), 1)
}

# A network of class "bn" from what users have.
drawable_network <- function(x, threshold) {
  if (inherits(x, "bn.strength")) {
    return(averaged(x, threshold))
  }
  if (is.matrix(x)) {
    adjacency <- adjacency_of(x, "x")
    net <- bnlearn::empty.graph(rownames(adjacency))
    bnlearn::amat(net, check.cycles = FALSE) <- adjacency
    return(net)
  }
  as_bn(x, "x")
}

averaged <- function(strength, threshold) {
  if (!is.null(threshold)) check_number(threshold, "threshold", 0, 1)
  arguments <- c(list(strength), if (!is.null(threshold)) list(threshold = threshold))
  do.call(bnlearn::averaged.network, arguments)
}

check_strength <- function(strength, net) {
  if (is.null(strength)) {
    return(NULL)
  }
  if (!inherits(strength, "bn.strength")) {
    stop_input(
      "`strength` must come from boot_dag() or be of class \"bn.strength\", not ",
      show_value(strength), "."
    )
  }
  absent <- setdiff(bnlearn::nodes(net), c(strength$from, strength$to))
  if (length(absent) > 0) {
    stop_input("`strength` must have the nodes of `x`, but lacks ", quoted(absent), ".")
  }
  strength
}

# Labels of two lines are set smaller, so that they fit into the same box.
two_lines <- 0.82
