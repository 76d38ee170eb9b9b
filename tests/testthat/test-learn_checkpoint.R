rows <- bnlearn::gaussian.test[1:300, 1:5]

test_that("a checkpoint is a network from which training goes on to the same bits", {
  file <- tempfile(fileext = ".rds")
  control <- function(rounds) dag_gnn_control(epochs = 3, max_rounds = rounds, checkpoint = file)
  set.seed(1)
  dag_gnn(rows, model = "vae", control = control(3))
  kept <- readRDS(file)
  expect_s3_class(kept, "dag_gnn")
  expect_identical(nrow(kept$daggnn$trace), 3L)
  set.seed(1)
  whole <- dag_gnn(rows, model = "vae", control = control(6))
  rest <- dag_gnn(rows, model = "vae", start = kept, control = control(6))
  expect_identical(rest$daggnn$weights, whole$daggnn$weights)
  expect_identical(length(list.files(dirname(file), basename(file))), 1L)
})

test_that("what is saved atomically replaces the old file only as a whole", {
  file <- tempfile()
  save_atomically(1, file)
  save_atomically(2, file)
  expect_identical(readRDS(file), 2)
  unsavable <- file.path(tempfile(), "gone.rds")
  expect_error(save_atomically(3, unsavable), "not writable", class = "daggnn_input_error")
})

test_that("a folder that is gone costs the checkpoint, not the fit", {
  folder <- tempfile()
  dir.create(folder)
  control <- dag_gnn_control(epochs = 1, max_rounds = 2, checkpoint = file.path(folder, "a.rds"))
  unlink(folder, recursive = TRUE)
  said <- testthat::capture_warnings(net <- dag_gnn(rows, model = "vae", control = control))
  expect_match(said, "No checkpoint", all = FALSE)
  expect_s3_class(net, "dag_gnn")
})

test_that("Ctrl-C while a checkpoint is written ends the fit in good order", {
  skip_on_os("windows")
  file <- tempfile(fileext = ".rds")
  said <- in_new_process(
    pressing_ctrl_c("save_atomically"), "set.seed(1)",
    sprintf("control <- daggnn::dag_gnn_control(epochs = 3, checkpoint = %s)", deparse(file)),
    "net <- daggnn::dag_gnn(bnlearn::gaussian.test[1:300, 1:5], model = 'vae', control = control)",
    "cat(net$daggnn$reason)"
  )
  expect_match(said, "dag_gnn\\(\\) was interrupted", all = FALSE)
  expect_identical(said[length(said)], "interrupt")
  set.seed(1)
  whole <- dag_gnn(rows, model = "vae", control = dag_gnn_control(epochs = 3))
  rest <- dag_gnn(rows, model = "vae", start = readRDS(file), control = dag_gnn_control(epochs = 3))
  expect_identical(rest$daggnn$weights, whole$daggnn$weights)
})

test_that("a disk that is full costs the new checkpoint, not the old one nor the fit", {
  skip_on_os("windows")
  file <- tempfile(fileext = ".rds")
  save_atomically("the old one", file)
  said <- on_full_disk(
    sprintf("file <- %s", deparse(file)),
    "control <- daggnn::dag_gnn_control(epochs = 3, max_rounds = 2, checkpoint = file)",
    "net <- daggnn::dag_gnn(bnlearn::gaussian.test[1:300, 1:5], model = 'vae', control = control)",
    "class(net)"
  )
  expect_match(said, "No checkpoint was written.*full", all = FALSE)
  expect_match(said, "dag_gnn", all = FALSE)
  expect_identical(readRDS(file), "the old one")
  expect_identical(list.files(dirname(file), basename(file)), basename(file))
})

test_that("a wrong file name is an error before any training", {
  wrong <- function(file) {
    expect_error(dag_gnn_control(checkpoint = file), "`checkpoint`", class = "daggnn_input_error")
  }
  wrong(1)
  wrong("")
  wrong(c("a", "b"))
  wrong(tempdir())
  wrong(file.path(tempfile(), "a.rds"))
})

test_that("a process that is killed loses at most one round", {
  skip_on_os("windows")
  skip_on_cran()
  folder <- tempfile()
  dir.create(folder)
  file <- file.path(folder, "fit.rds")
  pid_file <- file.path(folder, "pid")
  script <- file.path(folder, "fit.R")
  # h never gets to 0, so that only a kill ends it.
  writeLines(c(
    "library(daggnn)",
    sprintf("cat(Sys.getpid(), file = %s)", deparse(pid_file)),
    "set.seed(9)",
    sprintf(
      "control <- dag_gnn_control(epochs = 20, h_tolerance = 0, c_max = Inf, checkpoint = %s)",
      deparse(file)
    ),
    "control$max_rounds <- 1e5",
    "dag_gnn(bnlearn::gaussian.test[1:300, 1:5], model = 'vae', control = control)"
  ), script)
  system2(file.path(R.home("bin"), "Rscript"), script, wait = FALSE, env = same_libraries())
  rounds <- function() if (file.exists(file)) nrow(readRDS(file)$daggnn$trace) else 0
  waited <- 0
  while (rounds() < 2 && waited < 60) {
    Sys.sleep(0.1)
    waited <- waited + 0.1
  }
  tools::pskill(scan(pid_file, quiet = TRUE), 9)
  Sys.sleep(0.2)
  kept <- readRDS(file)
  done <- nrow(kept$daggnn$trace)
  expect_gte(done, 2)
  most <- done + 2
  control <- dag_gnn_control(epochs = 20, h_tolerance = 0, c_max = Inf, max_rounds = most)
  set.seed(9)
  undisturbed <- dag_gnn(rows, model = "vae", control = control)
  resumed <- dag_gnn(rows, model = "vae", start = kept, control = control)
  expect_identical(resumed$daggnn$weights, undisturbed$daggnn$weights)
  expect_identical(bnlearn::arcs(resumed), bnlearn::arcs(undisturbed))
})
