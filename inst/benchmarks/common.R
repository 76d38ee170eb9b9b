# What the scripts of this folder share: options, progress, rows as they come, CSV and PNG.
#
#   Rscript NAME.R [--quick] [--folder=.] [--threads=2] [--progress]
#
# --quick      a small version in a few minutes
# --folder     where NAME.csv and NAME.png go
# --threads    for the learners
# --progress   a bar on standard error, which a terminal has anyway
#
# A script keeps its own path in `script`, sources this file, which stands beside it, and reads its
# options by script_options().

library(daggnn)

script_name <- tools::file_path_sans_ext(basename(script))

# -- Options ---------------------------------------------------------------------------------------

# The options above and those of the script, a list. ...: the script's own, with their defaults; a
# default tells what an option takes: numbers or words, and several of them, parted by commas,
# where it has several. quick: the defaults that --quick changes.
script_options <- function(..., quick = list(), given = commandArgs(trailingOnly = TRUE)) {
  words <- strsplit(sub("^--", "", given), "=", fixed = TRUE)
  names(given) <- vapply(words, `[`, "", 1)
  defaults <- utils::modifyList(
    list(quick = FALSE, folder = ".", threads = 2, progress = isatty(stderr())), list(...)
  )
  unknown <- !startsWith(given, "--") | !names(given) %in% names(defaults)
  if (any(unknown)) {
    stop(
      "unknown option ", given[unknown][1], "; there are ",
      paste0("--", names(defaults), collapse = ", "), call. = FALSE
    )
  }
  settings <- defaults
  if ("quick" %in% names(given)) settings <- utils::modifyList(settings, quick)
  for (name in names(given)) settings[[name]] <- option_value(given[[name]], defaults[[name]])
  if (!dir.exists(settings$folder)) {
    stop("--folder must name a folder, not ", settings$folder, call. = FALSE)
  }
  settings
}

# What stands behind the = of a word such as "--m=10,20", as the default is.
option_value <- function(word, default) {
  if (is.logical(default)) {
    if (grepl("=", word, fixed = TRUE)) stop(word, " must stand without a value", call. = FALSE)
    return(TRUE)
  }
  value <- strsplit(sub("^[^=]*=?", "", word), ",", fixed = TRUE)[[1]]
  if (is.numeric(default)) value <- suppressWarnings(as.numeric(value))
  few <- length(value) == 0 || anyNA(value)
  if (few || (length(default) == 1 && length(value) > 1)) {
    wanted <- if (is.numeric(default)) "number" else "word"
    stop(word, " must give a ", wanted, if (length(default) > 1) " or several", call. = FALSE)
  }
  value
}

# A file of the folder that DAGGNN_DATA names.
data_file <- function(...) {
  file <- file.path(Sys.getenv("DAGGNN_DATA"), ...)
  if (!file.exists(file)) {
    stop("DAGGNN_DATA must name a folder with ", file.path(...), call. = FALSE)
  }
  file
}

# A table of levels, as the MMHC study stores it.
read_levels <- function(...) {
  x <- utils::read.table(data_file(...))
  x[] <- lapply(x, factor)
  x
}

# What tells a new R process where this one finds its packages, for its environment.
same_libraries <- function() {
  paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
}

# -- Rows ------------------------------------------------------------------------------------------

# Calls row_of(case) for each of the cases, with a bar that names the case, prints each row by
# `show` and keeps all in NAME.csv, so that a run that is stopped leaves what it has.
run_cases <- function(cases, labels, row_of, settings, show = print_rows()) {
  began <- proc.time()[["elapsed"]]
  rows <- NULL
  for (k in seq_along(cases)) {
    close <- show_progress(labels[k], k - 1, length(cases), began, settings)
    row <- row_of(cases[[k]])
    close()
    show(row)
    rows <- rbind(rows, row)
    write_rows(rows, settings)
  }
  rows
}

# Shows what runs now, how much is done and the time left; the function that comes back clears it.
show_progress <- function(label, done, total, began, settings) {
  if (!settings$progress) {
    return(function() invisible())
  }
  make <- if (cli::is_dynamic_tty()) daggnn:::progress_bar else daggnn:::progress_lines
  display <- make(paste0(script_name, ": ", label))
  seconds <- proc.time()[["elapsed"]] - began
  display$show(list(seconds = seconds, done = done, total = total, fraction = done / total))
  display$close
}

# A function that prints rows below each other, and the header before the first. formats: for each
# column that is shown, how sprintf() writes it; all columns as they are by default.
print_rows <- function(formats = NULL) {
  first <- TRUE
  function(rows) {
    if (is.null(formats)) formats <<- default_formats(rows)
    if (first) {
      cat(mapply(sprintf, sub("([.][0-9]+)?[a-z]$", "s", formats), names(formats)), "\n")
    }
    first <<- FALSE
    for (k in seq_len(nrow(rows))) {
      cat(mapply(sprintf, formats, rows[k, names(formats)]), "\n")
    }
  }
}

# Numbers to the right, words to the left, as wide as the first rows and their names need.
default_formats <- function(rows) {
  width <- mapply(function(column, name) {
    max(nchar(c(format(column), name)), 8)
  }, rows, names(rows))
  kind <- vapply(rows, function(column) if (is.numeric(column)) ".4g" else "s", "")
  stats::setNames(paste0("%", ifelse(kind == "s", "-", ""), width, kind), names(rows))
}

write_rows <- function(rows, settings) {
  utils::write.csv(rows, result_file("csv", settings), row.names = FALSE)
}

result_file <- function(extension, settings) {
  file.path(settings$folder, paste0(script_name, ".", extension))
}

# -- Pictures --------------------------------------------------------------------------------------

# Colours that colour-blind readers can tell apart (Okabe and Ito 2008).
colours <- daggnn:::colours

# NAME.png of what `draw` draws; inches by 100 points.
write_picture <- function(draw, width, height, settings) {
  file <- result_file("png", settings)
  grDevices::png(file, width = 100 * width, height = 100 * height, res = 100)
  tryCatch(draw(), finally = grDevices::dev.off())
  cat("\nWritten: ", result_file("csv", settings), ", ", file, "\n", sep = "")
}

# Bars from left to right, the first on top, each with its value at its end. values: a vector, or a
# matrix with a row for each part of a bar, whose names are the legend, which stands above the bars.
draw_bars <- function(values, labels, title, axis, fill = colours[["blue"]]) {
  parts <- rownames(values)
  stacked <- !is.null(parts)
  ends <- rev(if (stacked) colSums(values) else values)
  known <- !is.na(ends)
  values <- replace(values, is.na(values), 0)
  graphics::par(mar = c(4, 1 + 0.55 * max(nchar(labels)), 3, 2), cex = 0.9)
  places <- graphics::barplot(
    if (stacked) values[, rev(seq_along(labels)), drop = FALSE] else rev(values),
    names.arg = rev(labels), horiz = TRUE, las = 1, main = title, xlab = axis, border = NA,
    col = if (stacked) fill else rev(fill), xlim = range(0, ends * 1.15, na.rm = TRUE),
    ylim = c(0, 1.2 * length(labels) + 0.9 * length(parts))
  )
  shown <- ifelse(known, trimws(formatC(ends, digits = 3, format = "fg")), "none")
  graphics::text(ifelse(known, ends, 0), places, shown, pos = 4, xpd = NA)
  if (stacked) graphics::legend("topright", parts, fill = fill, border = NA, bty = "n")
}
