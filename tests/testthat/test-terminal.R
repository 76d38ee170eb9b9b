# What is shown at a console can only be tested at one: a pseudo-terminal, by the program script.

# What an interactive R session in a terminal shows when these lines are typed.
at_terminal <- function(...) {
  works <- nzchar(Sys.which("script")) && .Platform$OS.type == "unix" &&
    any(grepl("util-linux", suppressWarnings(system("script --version 2>&1", intern = TRUE))))
  skip_if_not(works, "no program script of util-linux here to make a pseudo-terminal")
  typed <- text_file(..., "quit('no')")
  r <- paste(same_libraries(), shQuote(file.path(R.home("bin"), "R")), "-q --vanilla --interactive")
  suppressWarnings(system(
    paste("TERM=xterm script -qec", shQuote(r), "/dev/null <", shQuote(typed), "2>&1"),
    intern = TRUE
  ))
}

# Lines that make short jobs show their progress too.
at_once <- "utils::assignInNamespace('progress_delay', 0, 'daggnn')"

test_that("a terminal shows a bar, which may reach its end before the job is done", {
  shown <- at_terminal(
    at_once,
    "reporter <- daggnn:::progress_reporter('Learning')",
    "for (k in c(1, 5, 10, 10, 10)) reporter$update(list(loss = k, fraction = k / 10))",
    "reporter$done()",
    "reporter$done()",
    "cat('all', 'is', 'well\\n')"
  )
  expect_true(any(grepl("Learning [==========] loss 10", shown, fixed = TRUE)))
  expect_true(any(grepl("all is well", shown, fixed = TRUE)))
  expect_false(any(grepl("Error", shown, fixed = TRUE)))
})

test_that("no learner loses its network to what the terminal shows", {
  shown <- at_terminal(
    at_once,
    "x <- bnlearn::learning.test[1:300, 1:4]",
    "y <- bnlearn::gaussian.test[1:300, 1:4]",
    "nets <- list()",
    "nets$dag_gnn <- daggnn::dag_gnn(y, model = 'vae')",
    "nets$notears <- daggnn::notears(y)",
    "nets$exact <- daggnn::exact_dag(x)",
    "cat('kept', names(nets), '\\n')"
  )
  expect_true(any(grepl("dag_gnn [", shown, fixed = TRUE)))
  expect_true(any(grepl("kept dag_gnn notears exact", shown, fixed = TRUE)))
  expect_false(any(grepl("Error", shown, fixed = TRUE)))
})
