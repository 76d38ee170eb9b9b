state <- list(
  round = 3, epoch = 7, loss = 4.98765, h = 1.234e-5, c = 100, edges = 14, fraction = 0.25,
  seconds = 20
)

test_that("progress is silent in scripts unless asked", {
  expect_null(progress_reporter("Learning")$update)
  old <- options(daggnn.progress = TRUE)
  on.exit(options(old))
  expect_type(progress_reporter("Learning")$update, "closure")
  expect_null(progress_reporter("Learning", show = FALSE)$update)
})

test_that("where the line cannot be rewritten, a line is added now and then", {
  reporter <- progress_reporter("Learning", show = TRUE)
  shown <- character()
  later <- function(seconds) {
    withCallingHandlers(
      reporter$update(utils::modifyList(state, list(seconds = seconds))),
      message = function(m) {
        shown <<- c(shown, conditionMessage(m))
        invokeRestart("muffleMessage")
      }
    )
  }
  for (seconds in c(0.2, 1.9, 2.1, 3, 11, 12.2)) later(seconds)
  reporter$done()
  expect_length(shown, 2)
  expect_snapshot(cat(shown, sep = ""))
})

test_that("a bar appears after two seconds in a terminal and is taken away in the end", {
  old <- options(cli.dynamic = TRUE, cli.num_colors = 1L, cli.unicode = FALSE)
  on.exit(options(old))
  shown <- character()
  record <- function(m) {
    shown <<- c(shown, conditionMessage(m))
    invokeRestart("muffleMessage")
  }
  withCallingHandlers(
    {
      reporter <- progress_reporter("Learning", show = TRUE)
      reporter$update(utils::modifyList(state, list(seconds = 1)))
      before <- length(shown)
      reporter$update(state)
      reporter$done()
    },
    message = record
  )
  expect_identical(before, 0L)
  expect_true(any(grepl("round 3, loss 4.9877, h 1.2e-05", shown, fixed = TRUE)))
  expect_true(any(grepl("1 min 0 s left", shown, fixed = TRUE)))
})

test_that("a display that fails is given up, and the job goes on", {
  old <- options(cli.dynamic = TRUE)
  on.exit(options(old))
  tries <- 0
  registerS3method("format", "not_to_be_shown", function(x, ...) {
    tries <<- tries + 1
    stop("the display is broken")
  })
  reporter <- progress_reporter("Learning", show = TRUE)
  broken <- list(seconds = 3, loss = structure(1, class = "not_to_be_shown"))
  for (k in 1:3) expect_true(suppressMessages(reporter$update(broken)))
  expect_silent(reporter$done())
  expect_identical(tries, 1)
})

test_that("a bar that something else has ended is no error, neither to update nor to end", {
  old <- options(cli.dynamic = TRUE)
  on.exit(options(old))
  for (update_again in c(TRUE, FALSE)) {
    reporter <- progress_reporter("Learning", show = TRUE)
    suppressMessages(reporter$update(state))
    suppressMessages(cli::cli_progress_cleanup())
    if (update_again) expect_true(suppressMessages(reporter$update(state)))
    expect_error(suppressMessages(reporter$done()), NA)
  }
})

test_that("debug prints a line for each round that has ended", {
  reporter <- progress_reporter("dag_gnn", show = FALSE, debug = TRUE)
  expect_silent(reporter$update(state))
  expect_snapshot(reporter$update(c(state, ended = TRUE)))
})

test_that("Ctrl-C while progress is shown asks the learner to stop, and nothing more", {
  reporter <- progress_reporter("Learning", show = TRUE)
  expect_true(reporter$update(list(seconds = 0)))
  # A loss that presses Ctrl-C when it is formatted.
  interrupted <- structure(class = c("interrupt", "condition"), list())
  registerS3method("format", "pressed_ctrl_c", function(x, ...) signalCondition(interrupted))
  answer <- reporter$update(list(seconds = 3, loss = structure(1, class = "pressed_ctrl_c")))
  expect_false(answer)
})

test_that("other learners show what they know", {
  expect_snapshot({
    cat(progress_text(list(incumbent = -218700.5, bound = -218632.316, gap = 3.1e-4)))
    cat(progress_text(list(done = 12, total = 100)))
    cat(progress_text(list(edges = 1)))
  })
  expect_identical(time_left(list(seconds = 10, fraction = NaN)), "")
})

test_that("spans of time are short to read", {
  expect_identical(
    vapply(c(7.3, 200, 9000), format_seconds, ""), c("7 s", "3 min 20 s", "2 h 30 min")
  )
})

test_that("a search shows its score, and nothing of training", {
  searching <- list(round = 0L, epoch = 0L, loss = -12.34, h = 0, c = 0, edges = 0, fraction = 0)
  expect_identical(progress_text(searching), "searching, log score 12.3")
})
