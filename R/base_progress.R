# What a long computation shows of itself while it runs.
#
# A learner makes a reporter with progress_reporter(), hands its `update` to the core (or calls it)
# with a list of what is known so far, and calls its `done` on.exit().
# `update` returns FALSE where the user pressed Ctrl-C meanwhile: the core then stops in good order.
# A display that fails is given up without a word: it must never cost the user a fit.
# Fields of the list, all optional: seconds since the start, the fraction of the work that is done,
# ended (TRUE: a round has just ended), and whatever progress_text() knows how to show.

# Short jobs show nothing: a bar that flashes by only distracts.
progress_delay <- 2 # seconds
# Where the line cannot be rewritten (a log file), a line is added now and then instead.
progress_pause <- 10 # seconds

# what: the job, in a word or two; show: TRUE, FALSE or NULL, which leaves it to the option
# daggnn.progress and shows a bar in interactive sessions otherwise; debug: a line for each round.
# `update` is NULL where nothing is to be shown, so that nobody calls R in vain.
progress_reporter <- function(what, show = NULL, debug = FALSE) {
  if (is.null(show)) show <- getOption("daggnn.progress", interactive())
  show <- check_flag(show, "progress")
  debug <- check_flag(debug, "debug")
  if (!show && !debug) {
    return(list(update = NULL, done = function() invisible()))
  }
  began <- proc.time()[["elapsed"]]
  display <- if (!show) {
    NULL
  } else if (cli::is_dynamic_tty()) {
    progress_bar(what)
  } else {
    progress_lines(what)
  }
  show_state <- function(state) {
    if (is.null(state$seconds)) state$seconds <- proc.time()[["elapsed"]] - began
    if (debug && isTRUE(state$ended)) cat("* ", what, ": ", progress_text(state), "\n", sep = "")
    if (!is.null(display) && state$seconds >= progress_delay) display$show(state)
    invisible(TRUE)
  }
  give_up <- function(condition) {
    display <<- NULL
    debug <<- FALSE
    invisible(TRUE)
  }
  update <- function(state) {
    tryCatch(show_state(state), interrupt = function(signal) FALSE, error = give_up)
  }
  done <- function() {
    if (!is.null(display)) tryCatch(display$close(), error = give_up)
    display <<- NULL
    invisible()
  }
  list(update = update, done = done)
}

# How many of so many tasks are settled, in place of the learners' own progress, which is silent
# until `done` is called.
task_reporter <- function(what, total, show = NULL) {
  reporter <- progress_reporter(what, show)
  before <- options(daggnn.progress = FALSE)
  update <- if (!is.null(reporter$update)) {
    function(done) reporter$update(list(done = done, total = total, fraction = done / total))
  }
  finish <- function() {
    options(before)
    reporter$done()
  }
  list(update = update, done = finish)
}

# A bar in a terminal that can be written over.
progress_bar <- function(what) {
  bar <- NULL
  show <- function(state) {
    if (is.null(bar)) {
      bar <<- cli::cli_progress_bar(
        format = "{cli::pb_extra$line}", total = 1, clear = TRUE, extra = list(line = what),
        # cli would end a bar that reaches its total, and then not find it any more.
        auto_terminate = FALSE, .auto_close = FALSE
      )
    }
    # Nobody can tell how far a search has come.
    share <- known(state$fraction, 0)
    line <- paste0(
      what, " ", if (share > 0) paste0(short_bar(share), " "),
      sub(", c [^,]+", "", progress_text(state)), time_left(state)
    )
    cli::cli_progress_update(
      id = bar, set = share, force = TRUE, extra = list(line = line)
    )
  }
  close <- function() {
    if (!is.null(bar)) cli::cli_progress_done(id = bar)
    bar <<- NULL
    invisible()
  }
  list(show = show, close = close)
}

# cli's own bar is so wide that what follows it falls off a terminal of 80 characters.
short_bar <- function(fraction, width = 10) {
  filled <- round(fraction * width)
  paste0("[", strrep("=", filled), strrep(" ", width - filled), "]")
}

# A line every few seconds, where the output goes to a file.
progress_lines <- function(what) {
  last <- -Inf
  show <- function(state) {
    if (state$seconds - last >= progress_pause) {
      last <<- state$seconds
      message(what, ": ", progress_text(state), time_left(state))
    }
  }
  list(show = show, close = function() invisible())
}

# One line that says where a computation stands.
progress_text <- function(state) {
  # A search has no rounds, no constraint and no edges to count: its loss is minus the log score.
  if (isTRUE(state$round == 0 && state$c == 0)) {
    return(paste("searching, log score", formatC(-state$loss, format = "f", digits = 1)))
  }
  share <- function(value) paste0(format(100 * value, digits = 2), " %")
  forms <- list(
    round = function(value) paste("round", value),
    done = function(value) paste0(value, if (!is.null(state$total)) paste(" of", state$total)),
    loss = function(value) paste("loss", format(value, digits = 5)),
    h = function(value) paste("h", formatC(value, format = "e", digits = 1)),
    c = function(value) paste("c", format(value, digits = 3)),
    edges = function(value) paste(value, if (value == 1) "edge" else "edges"),
    incumbent = function(value) paste("best", formatC(value, format = "f", digits = 3)),
    bound = function(value) paste("bound", formatC(value, format = "f", digits = 3)),
    gap = function(value) paste("gap", share(value))
  )
  present <- intersect(names(forms), names(state))
  paste(vapply(present, function(field) forms[[field]](state[[field]]), ""), collapse = ", ")
}

time_left <- function(state) {
  fraction <- known(state$fraction, 0)
  if (fraction <= 0 || fraction >= 1) {
    return("")
  }
  paste0(", ", format_seconds(state$seconds * (1 - fraction) / fraction), " left")
}

known <- function(value, otherwise) {
  if (is.null(value) || !is.finite(value)) otherwise else min(max(value, 0), 1)
}

# 7.3 -> "7 s", 200 -> "3 min 20 s", 9000 -> "2 h 30 min"
format_seconds <- function(seconds) {
  seconds <- round(seconds)
  if (seconds < 60) {
    return(paste(seconds, "s"))
  }
  if (seconds < 3600) {
    return(paste(seconds %/% 60, "min", seconds %% 60, "s"))
  }
  paste(seconds %/% 3600, "h", seconds %% 3600 %/% 60, "min")
}

# What was asked for and what is left of it.
stopwatch <- function(time_limit) {
  began <- proc.time()[["elapsed"]]
  seconds <- function() proc.time()[["elapsed"]] - began
  list(seconds = seconds, left = function() max(time_limit - seconds(), 0))
}
