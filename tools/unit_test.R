# The R tests, slow ones too, on the package as `make` installed it.
.libPaths(c(normalizePath("build/library"), .libPaths()))
Sys.setenv(DAGGNN_TEST_SLOW = Sys.getenv("DAGGNN_TEST_SLOW", "true"), NOT_CRAN = "true")
source("tools/count.R")

library(testthat)
library(daggnn)
results <- test_dir(
  "tests/testthat",
  package = "daggnn", load_package = "installed", reporter = "summary", stop_on_failure = FALSE
)
count_tests(results)
