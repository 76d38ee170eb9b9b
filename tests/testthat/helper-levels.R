# Fast tests always run; slow ones where DAGGNN_TEST_SLOW is "true" (`make test` sets it).
skip_unless_slow <- function() {
  skip_if_not(identical(Sys.getenv("DAGGNN_TEST_SLOW"), "true"), "DAGGNN_TEST_SLOW is not \"true\"")
}

# A file of the folder that DAGGNN_DATA names; the test is skipped where there is none.
data_file <- function(...) {
  folder <- Sys.getenv("DAGGNN_DATA")
  skip_if(folder == "", "DAGGNN_DATA is not set")
  file.path(folder, ...)
}
