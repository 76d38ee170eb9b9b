# The pictures of plot_network.R and of compare_learners() for ggplot2, which is only suggested:
# its generic calls these methods, so they run only where it is there.

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
#' autoplot(net, what = "shares") + ggtitle("Which variable depends on which")
#' autoplot(net, what = "effects")
#' autoplot(boot_dag(bnlearn::gaussian.test[1:100, ], R = 10, learner = bnlearn::hc))
#' autoplot(compare_learners(bnlearn::gaussian.test, c("dag_gnn", "hc", "pc")))
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
