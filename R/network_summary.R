# What people read about a network.

#' @export
print.daggnn <- function(x, ...) {
  if (!is_network(x)) {
    return(NextMethod())
  }
  details <- x$daggnn
  cat("\n  Bayesian network learned by ", learner_name(details), "\n\n", sep = "")
  cat(model_lines(x), sep = "\n")
  field("nodes", length(x$nodes))
  field("edges", nrow(x$arcs))
  field("rows of data", row_count(details[["n"]]))
  field("data", source_text(details))
  field("model chosen", choice_text(details))
  if (shows_threshold(details)) field("threshold", threshold_text(details))
  field(if (is.null(details$trace)) "search" else "training", reason_text(details))
  if (NROW(details$dropped) > 0) {
    field("left out", paste(count(nrow(details$dropped), "edge"), "that would close a cycle"))
  }
  edits <- edits_of(x)
  if (nrow(edits$added) + nrow(edits$removed) > 0) {
    added <- count(nrow(edits$added), "edge")
    field("edited since", paste0(added, " added, ", nrow(edits$removed), " removed"))
  }
  cat("\n")
  invisible(x)
}

# A line of what print() shows; nothing where there is nothing to show.
field <- function(label, value) {
  if (!is.null(value)) {
    indent <- 18
    lines <- strwrap(value, width = getOption("width") - indent)
    cat(formatC(paste0("  ", label, ":"), width = -indent), lines[1], "\n", sep = "")
    if (length(lines) > 1) cat(paste0(strrep(" ", indent), lines[-1], "\n"), sep = "")
  }
}

# R would write 100000 as 1e+05.
row_count <- function(n) if (!is.null(n)) format(n, scientific = FALSE)

count <- function(number, thing) paste0(number, " ", thing, if (number != 1) "s")

learner_name <- function(details) {
  model <- if (!is.null(details$model)) paste0(", model \"", details$model, "\"")
  paste0(details$learner, "()", model)
}

# Which effects, noise and density the score chose, and by how much.
choice_text <- function(details) {
  choice <- details$choice
  if (is.null(choice)) {
    return(NULL)
  }
  chosen <- c(
    if (choice$effects == "tables") "tables of probabilities" else paste(choice$effects, "effects"),
    if (nzchar(choice$noise)) paste("noise with", choice$noise),
    if (identical(choice$density, "estimated")) "estimated noise density"
  )
  # Each model was tried beside the simpler ones before it; the last that was kept is the result.
  # A richer model that finds the same network has the same score but for rounding.
  best <- choice$trials$score > choice$score - 1e-6
  beside <- max(choice$trials$score[!best], -Inf)
  by <- if (is.finite(beside)) {
    paste0(" (log score ", format(choice$score - beside, digits = 3), " above the next model)")
  }
  paste0(paste(chosen, collapse = ", "), by)
}

# The search gives a network without a threshold.
shows_threshold <- function(details) {
  is.null(details$choice) || !identical(details$threshold_rule, "auto")
}

threshold_text <- function(details) {
  rule <- details$threshold_rule
  by <- if (is.character(rule)) paste0("by \"", rule, "\"")
  # `$` would find threshold_rule where there is no threshold.
  threshold <- details[["threshold"]]
  if (is.null(threshold)) {
    return(if (!is.null(by)) paste0(by, ", for each child its own"))
  }
  paste0(format(threshold, digits = 3), if (!is.null(by)) paste0(" (", by, ")"))
}

# bnlearn's model string, broken between nodes and not longer than fits on a page.
model_lines <- function(net, most = 12) {
  nodes <- strsplit(bnlearn::modelstring(net), "][", fixed = TRUE)[[1]]
  nodes <- paste0(ifelse(seq_along(nodes) == 1, "", "["), nodes)
  nodes <- paste0(nodes, ifelse(seq_along(nodes) == length(nodes), "", "]"))
  room <- getOption("width") - 6
  lines <- character()
  line <- ""
  for (node in nodes) {
    if (nzchar(line) && nchar(line) + nchar(node) > room) {
      lines <- c(lines, line)
      line <- ""
    }
    line <- paste0(line, node)
  }
  lines <- c(lines, line)
  if (length(lines) > most) {
    lines <- c(lines[seq_len(most)], paste0("... and ", length(lines) - most, " more lines"))
  }
  c("  model:", paste0("    ", lines))
}

# Did the learner get where it wanted, and if not, why.
reason_text <- function(details) {
  if (is.null(details$reason)) {
    return(NULL)
  }
  meaning <- switch(details$reason,
    converged = "converged",
    max_rounds = c("stopped at `max_rounds`", "more rounds would bring h down"),
    c_max = c("stopped at `c_max`", "h would not fall further"),
    interrupt = c("interrupted", "this is the best network until then"),
    time_limit = c("stopped at `time_limit`", "this is the best network until then"),
    not_finite = c("the loss was not finite", "this is the last good state"),
    details$reason
  )
  last <- utils::tail(details$trace, 1)
  where <- if (NROW(last) == 1) {
    tolerance <- details$control$h_tolerance
    paste0(
      "h = ", format(last$h, digits = 2), " after ", last$round,
      if (last$round == 1) " round" else " rounds",
      if (!is.null(tolerance)) paste0(" (tolerance ", format(tolerance), ")")
    )
  }
  text <- paste(c(meaning[1], where), collapse = ": ")
  if (length(meaning) == 2) paste0(text, "; ", meaning[2]) else text
}

#' Summarise a learned network and how far to trust it
#'
#' Shows which model the data chose, whether the search or training reached its end and, if not, why
#' it stopped; lists the edges with their weights, the edges that another charge or threshold would
#' change, and those that were left out to break a cycle. With the data it also shows the
#' coefficient of a linear regression on the parents beside each weight, and how far the scale of
#' the columns gives the order of the variables away ([varsortability()]).
#'
#' @param object A network of this package.
#' @param x The data that the network was learned from. It keeps no copy of them; by default they
#'   are looked up by the name that they had in the call that learned it, and where they are not
#'   found, what needs them is left out.
#' @param margin A share from 0 to 1. The summary lists the edges that would change if the charge
#'   for an edge (after a search) or the threshold (after training) were lower or higher by this
#'   share.
#' @param ... Not used.
#' @return A list of class `"summary.daggnn"`, among others with
#'   * `edges`: a data frame with `from`, `to`, and where they are known `weight`, `share` (of the
#'     child's standard deviation), `gain` (what the edge adds to the score, in units of the
#'     log-likelihood) and `coefficient` (of the linear regression of the child on its parents,
#'     where these are numbers). A curve's weight and share have the sign of its straight part;
#'   * `near`: the edges near the threshold or charge, and what would become of them;
#'   * `choice`: the effects, noise and density that were chosen, with the score of each model
#'   tried;
#'   * `dropped`: the edges that were left out to break a cycle;
#'   * `converged`: whether h reached its tolerance;
#'   * `varsortability`: for continuous data, by variance and by R2.
#' @seealso [coef.daggnn()], [rethreshold()], [plot.daggnn()].
#' @examples
#' net <- dag_gnn(bnlearn::gaussian.test)
#' summary(net)
#'
#' # Which edges of a small sample would change if the charge were lower or higher by one half?
#' x <- bnlearn::learning.test[1:60, ]
#' summary(dag_gnn(x), margin = 0.5)$near
#' @export
summary.daggnn <- function(object, x = NULL, margin = 0.2, ...) {
  if (inherits(object, "bn.fit")) {
    return(NextMethod())
  }
  check_network(object)
  margin <- check_number(margin, "margin", 0, 1)
  x <- data_of(object, x, parent.frame())
  details <- object$daggnn
  structure(
    list(
      learner = learner_name(details), nodes = length(object$nodes), n = details[["n"]],
      converged = identical(details$reason, "converged"),
      reason = reason_text(details), margin = margin,
      threshold = if (shows_threshold(details)) threshold_text(details),
      seconds = details$seconds, edges = edge_table(object, x),
      near = edges_near(object, margin),
      limit = if (has_gain(details)) "charge" else "threshold", choice = details$choice,
      chosen = choice_text(details),
      dropped = details$dropped,
      varsortability = if (!is.null(x)) known_varsortability(object, x)
    ),
    class = "summary.daggnn"
  )
}

# One row for each edge, the strongest first.
edge_table <- function(net, x = NULL) {
  table <- data.frame(from = net$arcs[, 1], to = net$arcs[, 2])
  weights <- net$daggnn$weights
  if (!is.null(weights)) table$weight <- weights[net$arcs]
  if (!is.null(net$daggnn$shares)) table$share <- net$daggnn$shares[net$arcs]
  if (has_gain(net$daggnn)) table$gain <- net$daggnn$gain[net$arcs]
  coefficient <- if (!is.null(x)) linear_coefficients(net, x)
  if (any(is.finite(coefficient))) table$coefficient <- coefficient
  # Weights in the units of the data cannot be compared between edges, shares can.
  strength <- if (!is.null(table$share)) table$share else table$weight
  if (!is.null(strength)) table <- table[order(-abs(strength)), ]
  rownames(table) <- NULL
  table
}

# Of each edge: the coefficient of the parent in the linear regression of the child on its parents,
# in the units of the data; NA where one of them is not a plain number.
linear_coefficients <- function(net, x) {
  columns <- columns_like(net$daggnn$nodes, x, "x")
  plain <- vapply(columns, function(column) is.numeric(column) && length(dim(column)) == 0, NA)
  coefficients <- rep(NA_real_, nrow(net$arcs))
  for (child in unique(net$arcs[, 2])) {
    own <- which(net$arcs[, 2] == child)
    parents <- net$arcs[own, 1]
    if (all(plain[c(child, parents)])) {
      family <- do.call(cbind, columns[c(child, parents)])
      family <- family[stats::complete.cases(family), , drop = FALSE]
      fit <- stats::lm.fit(cbind(1, family[, -1, drop = FALSE]), family[, 1])
      coefficients[own] <- fit$coefficients[-1]
    }
  }
  coefficients
}

# By variance and by R2; NULL where variables are not plain numbers or no edge can tell.
known_varsortability <- function(net, x) {
  columns <- columns_like(net$daggnn$nodes, x, "x")
  plain <- vapply(columns, function(column) is.numeric(column) && length(dim(column)) == 0, NA)
  if (!all(plain) || nrow(net$arcs) == 0) {
    return(NULL)
  }
  frame <- as_frame(columns)
  c(variance = varsortability(frame, net), r2 = varsortability(frame, net, "r2"))
}

#' @export
print.summary.daggnn <- function(x, most = 20, ...) {
  cat("\n  Bayesian network learned by ", x$learner, "\n\n", sep = "")
  field("nodes", x$nodes)
  field("rows of data", row_count(x$n))
  field("model chosen", x$chosen)
  field(if (is.null(x$choice)) "training" else "search", x$reason)
  if (!is.null(x$seconds)) field("time", paste(format(x$seconds, digits = 2), "s"))
  field("threshold", x$threshold)
  if (NROW(x$choice$trials) > 1) print_table("models tried, by log score", x$choice$trials, most)
  print_table(paste0("edges (", nrow(x$edges), "), the strongest first"), x$edges, most)
  if (!is.null(x$near)) {
    share <- paste0(format(100 * x$margin), " %")
    if (nrow(x$near) > 0) {
      title <- paste0(
        "edges that would change if the ", x$limit, " were ", share, " lower or higher"
      )
      print_table(title, x$near, most)
    } else {
      cat(
        "\n  Changing the ", x$limit, " by ", share, " either way would not change the network.\n",
        sep = ""
      )
    }
  }
  if (!is.null(x$varsortability)) print_varsortability(x$varsortability)
  if (NROW(x$dropped) > 0) {
    print_table("edges left out because they would close a cycle", x$dropped, most)
  }
  cat("\n")
  invisible(x)
}

print_table <- function(title, table, most) {
  cat("\n  ", title, ":\n", sep = "")
  if (nrow(table) == 0) {
    cat("  none\n")
    return(invisible())
  }
  numeric <- vapply(table, is.numeric, NA)
  table[numeric] <- lapply(table[numeric], format_numbers)
  # A table that is broken into blocks of columns cannot be read.
  old <- options(width = 1000)
  on.exit(options(old))
  lines <- utils::capture.output(print(utils::head(table, most), row.names = FALSE, right = FALSE))
  cat(paste0("  ", lines), sep = "\n")
  if (nrow(table) > most) cat("   ... and", nrow(table) - most, "more\n")
}

# Three digits, aligned; of each number its own where weights in different units differ by powers of
# ten, so that none has a tail of digits.
format_numbers <- function(values) {
  sizes <- abs(values[is.finite(values) & values != 0])
  text <- if (length(sizes) > 0 && max(sizes) > 1e3 * min(sizes)) {
    vapply(values, format, "", digits = 3)
  } else {
    format(values, digits = 3)
  }
  format(ifelse(is.na(values), "", text), justify = "right")
}

# From here on, the scale of the columns says nearly as much as the network does.
telling_varsortability <- 0.9

print_varsortability <- function(values) {
  shown <- formatC(values, format = "f", digits = 2)
  cat("\n  varsortability:", shown[["variance"]], "by variance,", shown[["r2"]], "by R2\n")
  if (values[["variance"]] >= telling_varsortability) {
    cat(strwrap(
      paste(
        "Parents have smaller variances than their children nearly everywhere: the order may come",
        "from the units of the columns. check_scale() learns again from standardised ones."
      ),
      indent = 2, exdent = 2
    ), sep = "\n")
  }
}
