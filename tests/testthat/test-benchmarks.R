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
  # Sourced by the scripts.
  parts <- c("common.R", "hostile.R", "postgres.R", "recipes.R", "synthetic_data.R")
  for (file in setdiff(list.files(folder), parts)) {
    lines <- readLines(file.path(folder, file))
    usage <- grep("^#   Rscript ", lines, value = TRUE)
    expect_match(usage, paste0("Rscript ", file, " [--quick]"), fixed = TRUE)
    expect_true("source(file.path(dirname(script), \"common.R\"))" %in% lines, info = file)
    expect_true(any(grepl("^write_picture", lines)), info = file)
  }
})

test_that("recipes change what they say and nothing else", {
  recipes <- benchmarks()
  sys.source(system.file("benchmarks", "recipes.R", package = "daggnn"), recipes)
  set.seed(1)
  x <- data.frame(a = stats::rnorm(2000), b = factor(rep(c("u", "v", "v", "v"), 500)))
  other <- recipes$other_units(x)
  expect_identical(other$b, x$b)
  ratio <- other$a / x$a
  expect_equal(ratio, rep(ratio[1], 2000))
  expect_true(ratio[1] > exp(-2) && ratio[1] < exp(2) && ratio[1] != 1)

  holes <- recipes$with_missing(x, 0.3)
  # A value is missing with probability 0.3, but not both of a row: standard error 0.01.
  expect_equal(mean(is.na(holes$b)), 0.3, tolerance = 0.15)
  expect_equal(mean(is.na(holes$a)), 0.3 * 0.7, tolerance = 0.2)
  expect_true(all(rowSums(is.na(holes)) < 2))
  known <- !is.na(holes$a)
  expect_identical(holes$a[known], x$a[known])
  filled <- recipes$imputed(holes)
  expect_identical(unique(filled$b[is.na(holes$b)]), factor("v", c("u", "v")))
  expect_equal(unique(filled$a[!known]), mean(x$a[known]))
  expect_identical(nrow(recipes$complete_rows(holes)), sum(!is.na(holes$a) & !is.na(holes$b)))
})

test_that("pairs that two networks do not treat alike are counted once", {
  recipes <- benchmarks()
  sys.source(system.file("benchmarks", "recipes.R", package = "daggnn"), recipes)
  a <- bnlearn::model2network("[a][b|a][c|a]")
  expect_equal(recipes$changed_pairs(a, a), 0)
  # b -> a reversed, a -> c missing, b -> c extra; the order of the nodes does not matter.
  b <- bnlearn::model2network("[c|b][b][a|b]")
  expect_equal(recipes$changed_pairs(a, b), 3)
})

test_that("a learner that fails leaves a row with its message", {
  recipes <- benchmarks()
  sys.source(system.file("benchmarks", "recipes.R", package = "daggnn"), recipes)
  recipes$settings <- list(threads = 1)
  recipes$learner_functions$broken <- function(x) stop("out of luck")
  truth <- bnlearn::model2network("[a][b|a]")
  failed <- recipes$figures(recipes$learn("broken", data.frame(a = 1:9, b = 9:1)), truth)
  expect_identical(failed$message, "out of luck")
  expect_identical(failed$shd, NA_real_)
  set.seed(1)
  fine <- recipes$figures(recipes$learn("hc", simulate_sem(truth, 200)), truth)
  expect_identical(fine$message, NA_character_)
  expect_equal(fine$shd_cpdag, 0)
  expect_output(
    recipes$tell_failures(cbind(learner = c("hc", "broken"), rbind(fine, failed)), "learner"),
    "failed: broken: out of luck"
  )
  expect_identical(recipes$mean_and_spread(c(1, 3, NA)), "2.0 +- 1.4")
  expect_identical(recipes$mean_and_spread(4), "4.0")
  expect_identical(recipes$mean_and_spread(NA_real_), "-")
})
