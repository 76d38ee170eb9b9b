# The files under inst/ by which other programs run our learners.

# Runs the module of Benchpress on a file as Snakemake would; returns what it writes.
run_benchpress <- function(x, learner, model = "mechanism", seed = 1) {
  folder <- tempfile()
  dir.create(file.path(folder, "workflow", "scripts", "utils"), recursive = TRUE)
  on.exit(unlink(folder, recursive = TRUE))
  # Stands in for Benchpress's own file, without the package R.utils.
  helpers <- "add_timeout <- function(wrapper) wrapper()"
  writeLines(helpers, file.path(folder, "workflow", "scripts", "utils", "helpers.R"))
  utils::write.csv(x, file.path(folder, "data.csv"), row.names = FALSE, quote = FALSE)
  script <- system.file("benchpress", "dag_gnn", "script.R", package = "daggnn")
  said <- in_new_process(
    sprintf("setwd('%s')", folder),
    "setClass('Snakemake', representation(input = 'list', output = 'list', wildcards = 'list'))",
    sprintf(
      paste0(
        "snakemake <- new('Snakemake', input = list(data = 'data.csv'), output = list(",
        "adjmat = 'adjmat.csv', time = 'time.txt', ntests = 'ntests.txt'), wildcards = ",
        "list(learner = '%s', model = '%s', replicate = '%d', timeout = 'None'))"
      ),
      learner, model, seed
    ),
    sprintf("source('%s')", script)
  )
  list(
    said = said, adjacency = as.matrix(
      utils::read.csv(file.path(folder, "adjmat.csv"), check.names = FALSE)
    ),
    seconds = as.numeric(readLines(file.path(folder, "time.txt"))),
    tests = readLines(file.path(folder, "ntests.txt"))
  )
}

test_that("the module of Benchpress learns what the learner learns", {
  x <- signif(bnlearn::gaussian.test[1:200, 1:5], 6)
  run <- run_benchpress(x, "dag_gnn", seed = 3)
  set.seed(3)
  expect_identical(unname(run$adjacency), unname(bnlearn::amat(dag_gnn(x))))
  expect_identical(colnames(run$adjacency), names(x))
  expect_gte(run$seconds, 0)
  expect_identical(run$tests, "None")
})

test_that("the module of Benchpress reads discrete data with their numbers of levels", {
  x <- bnlearn::learning.test[1:300, 1:4]
  codes <- as.data.frame(lapply(x, function(column) as.integer(column) - 1L))
  counts <- vapply(x, nlevels, 1L)
  run <- run_benchpress(rbind(counts, codes), "exact_dag")
  expect_identical(unname(run$adjacency), unname(bnlearn::amat(exact_dag(x))))
})

test_that("the files of the module say the same fields", {
  skip_if_not_installed("jsonlite")
  folder <- system.file("benchpress", "dag_gnn", package = "daggnn")
  schema <- jsonlite::read_json(file.path(folder, "schema.json"))
  fields <- names(schema$items$properties)
  expect_setequal(fields, unlist(schema$items$required))
  expect_setequal(fields, names(schema$items$examples[[1]]))
  script <- paste(readLines(file.path(folder, "script.R")), collapse = "\n")
  for (field in setdiff(fields, c("id", "timeout"))) expect_match(script, field, fixed = TRUE)
  expect_type(jsonlite::read_json(file.path(folder, "info.json")), "list")
})

# What the file for causalDisco defines.
causaldisco_functions <- function() {
  skip_if_not_installed("causalDisco")
  file <- system.file("causalDisco", "dag_gnn_method.R", package = "daggnn")
  functions <- new.env()
  sys.source(file, functions)
  functions
}

test_that("causalDisco takes our method, and its knowledge becomes lists", {
  here <- causaldisco_functions()
  method <- here$dag_gnn_method()
  expect_s3_class(method, "disco_method")
  expect_identical(attr(method, "graph_class"), "DAG")
  x <- bnlearn::gaussian.test[1:50, 1:4]
  tiers <- causalDisco::knowledge(x, tier(early ~ A + B, late ~ C + D))
  lists <- here$lists_of_knowledge(tiers)
  expect_named(lists, "blacklist")
  expect_setequal(paste(lists$blacklist$from, lists$blacklist$to), c("C A", "C B", "D A", "D B"))
  expect_length(here$lists_of_knowledge(causalDisco::knowledge(x)), 0)
})

test_that("causalDisco runs our learners, with its knowledge", {
  here <- causaldisco_functions()
  skip_unless_caugi_works()
  x <- bnlearn::gaussian.test[1:300, 1:4]
  adjacency <- function(found) {
    caugi::as_adjacency(found$caugi)[names(x), names(x)]
  }
  set.seed(1)
  net <- dag_gnn(x)
  set.seed(1)
  found <- causalDisco::disco(x, here$dag_gnn_method())
  expect_equal(unname(adjacency(found)), unname(bnlearn::amat(net)))

  tiers <- causalDisco::knowledge(x, tier(early ~ C + D, late ~ A + B))
  found <- causalDisco::disco(x, here$dag_gnn_method(), knowledge = tiers)
  expect_equal(sum(adjacency(found)[c("A", "B"), c("C", "D")]), 0)
  exact <- causalDisco::disco(x, here$dag_gnn_method(learner = exact_dag))
  expect_equal(unname(adjacency(exact)), unname(bnlearn::amat(exact_dag(x))))
})
