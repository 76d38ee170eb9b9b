# What each edge of a network does: the prediction of the child along one of its parents.

#' The effect of each edge
#'
#' For each edge, the fitted curve of the child against this parent while all other variables are
#' held at typical values: the median of a number, the most frequent level of a discrete variable.
#' The curve is that of the model behind the network, as [predict()][predict.daggnn] gives it.
#' `plot(net, what = "effects")` draws a small panel for each edge.
#'
#' Where the child is a number, the band reaches two standard deviations of the child's residuals to
#' each side: about 95 % of the values are expected inside if the residuals are normal. It shows the
#' noise of the child and not the uncertainty of the curve, for which [boot_dag()] or a refit on
#' resampled rows is needed. For a discrete child the curves are the probabilities of its levels,
#' without a band.
#'
#' A vector-valued parent moves along its first principal component; a vector-valued child has a
#' curve for each of its components.
#'
#' @param object A network from [dag_gnn()] or [notears()].
#' @param x The data that the network was learned from. It keeps no copy of them; by default they
#'   are looked up by the name that they had in the call that learned it.
#' @param edges The edges to show, a matrix or data frame with two columns of names, from and to;
#'   all by default.
#' @param points How many values of a numeric parent to try, a whole number from 2. They reach from
#'   its 1 % to its 99 % quantile.
#' @param ... Not used.
#' @return A data frame of class `"dag_effects"` with a row for each edge, value of the parent and
#'   outcome: `from`, `to`, `value` (of a numeric parent), `level` (of a discrete parent), `outcome`
#'   (the level or component of the child, else `NA`), `fit`, `lower` and `upper`. Edges come in the
#'   order of their shares, the largest first. `plot()` and `autoplot()` draw it.
#' @seealso [predict.daggnn()], [plot.daggnn()], [coef.daggnn()]
#' @examples
#' set.seed(1)
#' dag <- random_dag(5, degree = 2)
#' x <- simulate_sem(dag, 500, "sine")
#' net <- dag_gnn(x)
#' effects(net)
#' plot(net, what = "effects")
#'
#' # Of numbers and factors, some values missing; one edge alone, as a data frame.
#' x <- bnlearn::clgaussian.test[1:500, ]
#' x$G[1:20] <- NA
#' mixed <- dag_gnn(x)
#' as.data.frame(effects(mixed, edges = bnlearn::arcs(mixed)[1, , drop = FALSE], points = 3))
#' @importFrom stats effects
#' @export
effects.daggnn <- function(object, x = NULL, edges = NULL, points = 50, ...) {
  check_model(object)
  points <- check_number(points, "points", 2, 10000, whole = TRUE)
  x <- needed_data_of(object, x, parent.frame(), "effects")
  columns <- columns_like(object$daggnn$nodes, x, "x")
  arcs <- effect_edges(object, edges)
  typical <- lapply(columns, typical_value)
  # The child's own value must not tell the answer, as it would in an autoencoder.
  residual <- numeric_residuals(object, columns)
  rows <- lapply(seq_len(nrow(arcs)), function(k) {
    from <- arcs[k, 1]
    to <- arcs[k, 2]
    along <- parent_grid(columns[[from]], points)
    frame <- lapply(typical, take, rep(1, along$count))
    frame[[from]] <- along$values
    frame[[to]] <- rep(NA, along$count)
    expected <- expected_columns(object, as_frame(frame), "prob", "x")[[to]]
    effect_rows(from, to, along, expected, residual[[to]], colnames(columns[[to]]))
  })
  none <- data.frame(
    from = character(), to = character(), value = numeric(), level = character(),
    outcome = character(), fit = numeric(), lower = numeric(), upper = numeric()
  )
  structure(do.call(rbind, c(list(none), rows)), class = c("dag_effects", "data.frame"))
}

# The edges that are asked for, those of the largest shares first.
effect_edges <- function(net, edges) {
  arcs <- net$arcs
  if (!is.null(edges)) {
    asked <- as.matrix(edges)
    if (!is.character(asked) || ncol(asked) != 2) {
      stop_input(
        "`edges` must have two columns of names, from and to, not ", show_value(edges), "."
      )
    }
    key <- function(arcs) paste(arcs[, 1], arcs[, 2], sep = "\r")
    absent <- !key(asked) %in% key(arcs)
    if (any(absent)) {
      stop_input(
        "`edges` must be edges of the network, but it has no ",
        quoted(paste(asked[absent, 1], asked[absent, 2], sep = " -> ")), "."
      )
    }
    arcs <- unname(asked)
  }
  shares <- net$daggnn$shares
  if (is.null(shares)) arcs else arcs[order(-abs(shares[arcs])), , drop = FALSE]
}

# One value, or one row of a matrix, that stands for all.
typical_value <- function(column) {
  if (is.numeric(column)) {
    values <- as.matrix(column)
    middle <- apply(values, 2, stats::median, na.rm = TRUE)
    return(if (length(dim(column)) == 2) matrix(middle, 1) else middle)
  }
  counts <- table(as.character(column))
  most <- names(counts)[which.max(counts)]
  if (is.factor(column)) factor(most, levels(column)) else methods::as(most, class(column)[1])
}

take <- function(column, rows) {
  if (length(dim(column)) == 2) column[rows, , drop = FALSE] else unname(column[rows])
}

# The values of a parent to try. at: where they are on the axis, or the levels.
parent_grid <- function(column, points) {
  if (!is.numeric(column)) {
    values <- if (is.factor(column)) {
      factor(levels(column)[!is.na(levels(column))], levels(column))
    } else {
      sort(unique(column[!is.na(column)]))
    }
    return(list(
      values = values, count = length(values), at = NA_real_, levels = as.character(values)
    ))
  }
  spread <- function(values) {
    ends <- stats::quantile(values, c(0.01, 0.99), na.rm = TRUE, names = FALSE)
    seq(ends[1], ends[2], length.out = points)
  }
  if (NCOL(column) == 1) {
    at <- spread(as.vector(column))
    values <- if (length(dim(column)) == 2) matrix(at) else at
  } else {
    middle <- colMeans(column, na.rm = TRUE)
    direction <- stats::prcomp(stats::na.omit(unclass(column)))$rotation[, 1]
    at <- spread(sweep(unclass(column), 2, middle) %*% direction)
    values <- sweep(outer(at, direction), 2, middle, "+")
  }
  list(values = values, count = points, at = at, levels = NA_character_)
}

# For each numeric variable the standard deviation of its residuals, for each component its own.
numeric_residuals <- function(net, columns) {
  expected <- expected_columns(net, as_frame(columns), "prob", "x")
  lapply(stats::setNames(names(columns), names(columns)), function(name) {
    if (!is.numeric(columns[[name]])) {
      return(NULL)
    }
    left <- as.matrix(columns[[name]]) - as.matrix(expected[[name]])
    sqrt(colMeans(left^2, na.rm = TRUE))
  })
}

effect_rows <- function(from, to, along, expected, sd, components) {
  fit <- as.matrix(expected)
  outcomes <- if (!is.null(colnames(expected))) {
    colnames(expected)
  } else if (!is.null(components)) {
    components
  } else if (ncol(fit) > 1) {
    as.character(seq_len(ncol(fit)))
  } else {
    NA_character_
  }
  half <- if (is.null(sd)) rep(NA_real_, ncol(fit)) else 2 * sd
  half <- rep(half, each = along$count)
  data.frame(
    from = unname(from), to = unname(to), value = along$at, level = along$levels,
    outcome = rep(outcomes, each = along$count), fit = as.vector(fit),
    lower = as.vector(fit) - half, upper = as.vector(fit) + half
  )
}

# ---- Pictures ----

# More panels than this would be too small to read.
most_panels <- 30

# The effects of each edge, at most `most_panels` of them.
effect_panels <- function(effects) {
  if (nrow(effects) == 0) {
    stop_input("The network has no edge, so there is no effect to draw.")
  }
  key <- edge_keys(effects)
  panels <- split(as.data.frame(effects), factor(key, unique(key)))
  if (length(panels) > most_panels) {
    warn_user(
      "Only the ", most_panels, " edges with the largest shares are drawn: `edges` chooses others."
    )
  }
  utils::head(panels, most_panels)
}

#' @rdname effects.daggnn
#' @param main The title; none by default.
#' @param longest As in [plot.daggnn()].
#' @export
plot.dag_effects <- function(x, main = NULL, longest = 20, ...) {
  draw_effects(x, main, check_number(longest, "longest", 5, whole = TRUE))
  invisible(x)
}

draw_effects <- function(effects, main = NULL, longest = 20) {
  panels <- effect_panels(effects)
  # Long names take two lines.
  two_lines <- any(grepl("\n", wrapped_labels(unique(c(effects$from, effects$to)), longest)))
  old <- graphics::par(
    mfrow = rev(grDevices::n2mfrow(length(panels))),
    mar = c(3.2, 4, 0.8, 0.6) + two_lines * c(1, 1, 0, 0),
    mgp = c(2, 0.6, 0), oma = c(0, 0, if (is.null(main)) 0 else 2, 0), las = 1
  )
  on.exit(graphics::par(old))
  for (panel in panels) {
    if (anyNA(panel$value)) draw_level_effects(panel, longest) else draw_curve(panel, longest)
  }
  if (!is.null(main)) graphics::mtext(main, 3, outer = TRUE, line = 0.5, font = 2)
}

# Colours for the levels or components of a child, over and over where there are many.
outcome_colours <- function(outcomes) {
  stats::setNames(rep_len(unname(colours[1:5]), length(outcomes)), outcomes)
}

outcomes_of <- function(panel) if (anyNA(panel$outcome)) "" else unique(panel$outcome)

rows_of <- function(panel, outcome) {
  if (nzchar(outcome)) panel[panel$outcome == outcome, ] else panel
}

effect_frame <- function(panel, xlim, longest, xaxt = "s") {
  limits <- range(panel$fit, panel$lower, panel$upper, finite = TRUE)
  probability <- all(is.na(panel$lower))
  if (probability) limits <- c(0, 1)
  # Room for the legend above the curves.
  if (!anyNA(panel$outcome)) limits[2] <- limits[2] + 0.22 * diff(limits)
  graphics::plot.default(
    NA, xlim = xlim, ylim = limits, xaxt = xaxt, yaxt = if (probability) "n" else "s",
    xlab = "", ylab = ""
  )
  if (probability) graphics::axis(2, seq(0, 1, 0.25))
  name <- wrapped_labels(panel$to[1], longest)
  if (probability) name <- paste0("P(", name, ")")
  # The lines of a text are counted from its last one.
  first <- lines_of(wrapped_labels(panel$from[1], longest)) - 1
  graphics::title(xlab = wrapped_labels(panel$from[1], longest), line = 2 + first)
  graphics::mtext(name, 2, line = 2.8, las = 0, cex = graphics::par("cex"))
}

lines_of <- function(text) lengths(strsplit(text, "\n", fixed = TRUE))

draw_curve <- function(panel, longest) {
  effect_frame(panel, range(panel$value), longest)
  outcomes <- outcomes_of(panel)
  shade <- outcome_colours(outcomes)
  for (outcome in outcomes) {
    rows <- rows_of(panel, outcome)
    if (!anyNA(rows$lower)) {
      graphics::polygon(
        c(rows$value, rev(rows$value)), c(rows$lower, rev(rows$upper)), border = NA,
        col = grDevices::adjustcolor(shade[[which(outcomes == outcome)]], 0.15)
      )
    }
    graphics::lines(rows$value, rows$fit, col = shade[[which(outcomes == outcome)]], lwd = 2)
  }
  outcome_legend(outcomes, shade)
}

# A point for each level of the parent, with the band as a line.
draw_level_effects <- function(panel, longest) {
  levels <- unique(panel$level)
  effect_frame(panel, c(0.5, length(levels) + 0.5), longest, xaxt = "n")
  graphics::axis(1, seq_along(levels), short_labels(levels, longest))
  outcomes <- outcomes_of(panel)
  shade <- outcome_colours(outcomes)
  for (k in seq_along(outcomes)) {
    rows <- rows_of(panel, outcomes[k])
    at <- seq_along(levels) + beside_others(k, length(outcomes))
    if (!anyNA(rows$lower)) {
      graphics::segments(at, rows$lower, at, rows$upper, col = shade[[k]], lwd = 2)
    } else {
      graphics::lines(at, rows$fit, col = shade[[k]], lty = 3)
    }
    graphics::points(at, rows$fit, pch = 19, col = shade[[k]])
  }
  outcome_legend(outcomes, shade)
}

# How far outcome k stands from the place of its level, so that outcomes do not hide each other.
beside_others <- function(k, count) 0.12 * (k - (count + 1) / 2)

outcome_legend <- function(outcomes, shade) {
  if (!identical(outcomes, "")) {
    graphics::legend(
      "top", short_labels(outcomes, 12), col = shade, lwd = 2, cex = 0.75, seg.len = 0.8, bty = "n",
      ncol = min(length(outcomes), 4), x.intersp = 0.5, text.width = NULL
    )
  }
}

# Of each curve the first, the middle and the last value: the whole grid is for plot().
#' @export
print.dag_effects <- function(x, digits = 4, ...) {
  curves <- split(seq_len(nrow(x)), paste(x$from, x$to, x$outcome, sep = "\r"))
  thinned <- unlist(lapply(curves, function(rows) {
    if (anyNA(x$value[rows])) rows else rows[unique(ceiling(length(rows) * c(0.01, 0.5, 1)))]
  }))
  shown <- as.data.frame(x)[sort(thinned), ]
  number <- function(values) {
    ifelse(is.na(values), "", vapply(values, format, "", digits = digits))
  }
  at <- ifelse(is.na(shown$value), shown$level, number(shown$value))
  table <- data.frame(from = shown$from, to = shown$to, at = at)
  if (!all(is.na(shown$outcome))) table$outcome <- ifelse(is.na(shown$outcome), "", shown$outcome)
  for (name in c("fit", "lower", "upper")) table[[name]] <- number(shown[[name]])
  print(table, row.names = FALSE)
  if (nrow(shown) < nrow(x)) {
    cat(
      "\nNumeric parents are shown at three of their values; as.data.frame() has all ", nrow(x),
      " rows, and plot() draws them.\n", sep = ""
    )
  }
  invisible(x)
}

#' @rdname autoplot.daggnn
#' @usage \method{autoplot}{dag_effects}(object, longest = 20, ...)
#' @exportS3Method ggplot2::autoplot
autoplot.dag_effects <- function(object, longest = 20, ...) {
  ggplot_effects(object, check_number(longest, "longest", 5, whole = TRUE))
}

# One legend serves all panels: where children have different levels, it names the child with them.
told_outcomes <- function(rows) {
  named <- rows$outcome != ""
  sets <- tapply(rows$outcome[named], rows$to[named], function(levels) sort(unique(levels)))
  if (length(unique(sets)) <= 1) {
    return(rows$outcome)
  }
  ifelse(named, paste0(rows$to, ": ", rows$outcome), "")
}

# More characters than this go on two lines.
widest_title <- 24

# Parent and child. short: the names of the nodes as they are shown.
panel_title <- function(panel, short) {
  ends <- short[c(panel$from[1], panel$to[1])]
  if (all(is.na(panel$lower))) ends[2] <- paste0("P(", ends[2], ")")
  # An arrow that all devices have in their fonts.
  arrow <- if (sum(nchar(ends, "width")) > widest_title) " ->\n" else " -> "
  paste(ends, collapse = arrow)
}

# ggplot2 has one kind of scale for all panels: levels stand on the numeric axis far beyond all
# numbers, each panel's at a place of its own, and get their names back as labels.
ggplot_effects <- function(effects, longest = 20) {
  panels <- effect_panels(effects)
  names <- unique(c(effects$from, effects$to))
  short <- stats::setNames(short_labels(names, longest), names)
  beyond <- 100 * max(abs(unlist(lapply(panels, `[[`, "value"))), 1, na.rm = TRUE)
  labels <- list()
  for (k in seq_along(panels)) {
    panel <- panels[[k]]
    panel$panel <- panel_title(panel, short)
    panel$discrete <- anyNA(panel$value)
    if (panel$discrete[1]) {
      levels <- unique(panel$level)
      outcomes <- unique(panel$outcome)
      panel$value <- k * beyond + match(panel$level, levels) +
        beside_others(match(panel$outcome, outcomes), length(outcomes))
      labels[[k]] <- short_labels(levels, longest)
    }
    panel$outcome[is.na(panel$outcome)] <- ""
    panels[[k]] <- panel
  }
  rows <- do.call(rbind, panels)
  rows$panel <- factor(rows$panel, unique(rows$panel))
  axis_panel <- function(values) {
    k <- round(mean(values, na.rm = TRUE) / beyond)
    if (k >= 1 && k <= length(labels) && !is.null(labels[[k]])) k else NA
  }
  axis_breaks <- function(limits) {
    k <- axis_panel(limits)
    if (is.na(k)) pretty(limits, 4) else k * beyond + seq_along(labels[[k]])
  }
  axis_labels <- function(breaks) {
    k <- axis_panel(breaks)
    if (is.na(k)) format(breaks, trim = TRUE) else labels[[k]][round(breaks - k * beyond)]
  }
  rows$outcome <- told_outcomes(rows)
  outcomes <- unique(rows$outcome)
  shade <- outcome_colours(setdiff(outcomes, ""))
  shade <- c(stats::setNames(colours[["blue"]], "one"), shade)
  rows$outcome[rows$outcome == ""] <- "one"
  band <- rows[!is.na(rows$lower), ]
  # Half a level of room on both sides.
  margins <- rows[rows$discrete, ]
  margins <- rbind(
    transform(margins, value = margins$value - 0.5), transform(margins, value = margins$value + 0.5)
  )
  # Probabilities have an axis from 0 to 1.
  probabilities <- rows[is.na(rows$lower), ]
  ends <- rbind(probabilities, probabilities)
  ends$fit <- rep(0:1, each = nrow(probabilities))
  curves <- rows[!rows$discrete, ]
  points <- rows[rows$discrete, ]
  ggplot2::ggplot(
    rows, ggplot2::aes(.data$value, .data$fit, colour = .data$outcome, fill = .data$outcome)
  ) +
    ggplot2::geom_ribbon(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), band[!band$discrete, ],
      alpha = 0.15, colour = NA
    ) +
    ggplot2::geom_line(data = curves) +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data$lower, ymax = .data$upper), band[band$discrete, ]
    ) +
    ggplot2::geom_line(data = points[is.na(points$lower), ], linetype = "dotted") +
    ggplot2::geom_point(data = points, size = 2) +
    ggplot2::geom_blank(data = margins) +
    ggplot2::geom_blank(data = ends) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = "free") +
    ggplot2::scale_x_continuous(breaks = axis_breaks, labels = axis_labels, minor_breaks = NULL) +
    ggplot2::scale_colour_manual(
      NULL, values = shade, breaks = setdiff(outcomes, ""), aesthetics = c("colour", "fill")
    ) +
    ggplot2::labs(x = NULL, y = NULL) +
    ggplot2::theme_bw() +
    ggplot2::theme(
      strip.background = ggplot2::element_blank(),
      legend.position = if (all(outcomes == "")) "none" else "bottom"
    )
}
