# Every complaint about the user's input goes through here: one sentence that names the argument or
# column, says what is wanted and what came. Its class tells our errors from everybody else's.
stop_input <- function(...) {
  stop(errorCondition(paste0(...), class = "daggnn_input_error", call = NULL))
}

warn_user <- function(...) {
  warning(warningCondition(paste0(...), class = "daggnn_warning", call = NULL))
}

# A learner that was stopped gives back what it has: nobody should take that for the end.
warn_unfinished <- function(reason, learner) {
  why <- switch(reason,
    interrupt = "was interrupted",
    time_limit = "reached `time_limit`",
    not_finite = "met a loss that is not finite",
    max_rounds = "reached `max_rounds` before the constraint was met",
    c_max = "reached `c_max` before the constraint was met",
    return(invisible())
  )
  warn_user(learner, "() ", why, ": this is the best network until then.")
}

# `value` as it should be shown in a message: short, one line.
show_value <- function(value) {
  if (is.null(value)) {
    return("NULL")
  }
  if (length(dim(value)) > 0) {
    return(paste0("a ", paste(dim(value), collapse = " x "), " ", class(value)[1]))
  }
  if (!is.atomic(value)) {
    return(paste0("an object of class ", quote_names(class(value)[1])))
  }
  if (is.factor(value)) {
    return("a factor")
  }
  if (length(value) != 1) {
    return(paste0("a vector of ", length(value), " values of type ", typeof(value)))
  }
  if (is.character(value) && !is.na(value)) quote_names(value) else format(value)
}

# Each name in quotes, cut where it is very long.
quote_names <- function(names, longest = 90L) {
  names <- encodeString(names)
  long <- nchar(names) > longest
  names[long] <- paste0(substring(names[long], 1L, longest), "...")
  paste0("\"", names, "\"")
}

# The first few names as a list in a sentence.
quoted <- function(names, most = 5) {
  shown <- paste(quote_names(utils::head(names, most)), collapse = ", ")
  if (length(names) > most) paste0(shown, " and ", length(names) - most, " more") else shown
}

check_number <- function(value, argument, lower = -Inf, upper = Inf, whole = FALSE, open = FALSE) {
  fine <- is.numeric(value) && length(value) == 1 && !is.na(value) &&
    value >= lower && value <= upper && !(open && value == lower) &&
    (!whole || is.infinite(value) || value == round(value))
  if (!fine) {
    stop_input(
      "`", argument, "` must be a ", if (whole) "whole ", "number ",
      if (open) "above " else "from ", format(lower), if (open) " and at most " else " to ",
      format(upper), ", not ", show_value(value), "."
    )
  }
  as.numeric(value)
}

check_flag <- function(value, argument) {
  if (!is.logical(value) || length(value) != 1 || is.na(value)) {
    stop_input("`", argument, "` must be TRUE or FALSE, not ", show_value(value), ".")
  }
  value
}

check_choice <- function(value, argument, choices) {
  # An argument left at its default arrives as the whole vector of choices.
  if (identical(value, choices)) {
    return(choices[1])
  }
  if (!is.character(value) || length(value) != 1 || is.na(value) || !value %in% choices) {
    stop_input(
      "`", argument, "` must be one of ", quoted(choices, length(choices)), ", not ",
      show_value(value), "."
    )
  }
  value
}

# what: the words before "needs the package".
need_package <- function(package, what) {
  if (!requireNamespace(package, quietly = TRUE)) {
    stop_input(what, " needs the package ", package, ": install.packages(\"", package, "\").")
  }
}
