# What the scripts of inst/benchmarks share.
benchmarks <- function(script = "example.R") {
  where <- new.env()
  where$script <- script
  sys.source(system.file("benchmarks", "common.R", package = "daggnn"), where)
  where
}

test_that("options are what their defaults are: flags, numbers, words, one or several", {
  read <- function(...) {
    given <- as.character(c(...))
    benchmarks()$script_options(m = c(10, 20), model = "vae", quick = list(m = 10), given = given)
  }
  expect_identical(read()$m, c(10, 20))
  expect_identical(read("--quick")$m, 10)
  expect_identical(read("--quick", "--m=5,7")$m, c(5, 7))
  expect_identical(read("--model=mechanism")$model, "mechanism")
  expect_false(read()$quick)
  expect_true(read("--progress")$progress)
  expect_error(read("--quik"), "unknown option --quik; there are --quick, --folder")
  expect_error(read("quick"), "unknown option quick")
  expect_error(read("--quick=1"), "--quick=1 must stand without a value")
  expect_error(read("--m=ten"), "--m=ten must give a number or several")
  expect_error(read("--threads=1,2"), "--threads=1,2 must give a number")
  expect_error(read("--model="), "--model= must give a word")
  expect_error(read("--folder=no/such"), "--folder must name a folder, not no/such")
})

test_that("rows are printed as they come and kept in a file, also by a run that fails", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  script <- benchmarks()
  settings <- script$script_options(given = paste0("--folder=", folder))
  row_of <- function(case) {
    if (case == 3) stop("out of luck")
    data.frame(case = letters[case], value = case / 3)
  }
  show <- script$print_rows(c(case = "%-6s", value = "%6.2f"))
  printed <- capture.output(
    expect_error(script$run_cases(1:3, letters[1:3], row_of, settings, show), "out of luck")
  )
  expect_identical(trimws(printed), c("case    value", "a        0.33", "b        0.67"))
  kept <- utils::read.csv(file.path(folder, "example.csv"))
  expect_equal(kept, data.frame(case = c("a", "b"), value = 1:2 / 3))
})

test_that("a picture of bars is written", {
  skip_if_not(capabilities("png"))
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  script <- benchmarks()
  settings <- script$script_options(given = paste0("--folder=", folder))
  draw <- function() {
    script$draw_bars(c(1, NA, 3), c("one", "none", "three"), "Title", "axis")
    script$draw_bars(rbind(a = 1:2, b = 2:3), c("x", "y"), "Title", "axis", script$colours[1:2])
  }
  expect_output(script$write_picture(draw, 5, 3, settings), "Written: .*example.png")
  expect_gt(file.size(file.path(folder, "example.png")), 1000)
})

test_that("every script begins with the same lines, and tells of each option that it has", {
  folder <- system.file("benchmarks", package = "daggnn")
  parts <- c("common.R", "hostile.R", "synthetic_data.R") # sourced by the scripts
  for (file in setdiff(list.files(folder), parts)) {
    lines <- readLines(file.path(folder, file))
    usage <- grep("^#   Rscript ", lines, value = TRUE)
    expect_match(usage, paste0("Rscript ", file, " [--quick]"), fixed = TRUE)
    expect_true("source(file.path(dirname(script), \"common.R\"))" %in% lines, info = file)
    expect_true(any(grepl("^write_picture", lines)), info = file)
  }
})
