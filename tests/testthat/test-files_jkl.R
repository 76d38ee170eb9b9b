# GOBNILP's format: comments, ids from 0, sets in any order.
small_jkl <- c(
  "# scores of three variables", "3", "0 2", "-5.5 0", "-4.25 1 2", "1 3", "-7 0", "-3.5 2 2 0",
  "-6 1 0", "2 1", "-8.125 0"
)

test_that("a file in GOBNILP's format is read", {
  scores <- read_jkl(text_file(small_jkl))
  expect_s3_class(scores, "local_scores")
  expect_identical(scores$nodes, c("0", "1", "2"))
  expect_identical(scores$child, c(1L, 1L, 2L, 2L, 2L, 3L))
  expect_identical(scores$score, c(-4.25, -5.5, -3.5, -6, -7, -8.125))
  expect_identical(scores$size, c(1L, 0L, 2L, 1L, 0L, 0L))
  expect_identical(scores$parents, c(3L, 1L, 3L, 1L))
})

test_that("scores that were read are solved", {
  net <- exact_dag(read_jkl(text_file(small_jkl)))
  expect_true(net$optimal)
  expect_identical(net$score, -4.25 - 3.5 - 8.125)
  expect_identical(unname(bnlearn::arcs(net)[, "to"]), c("1", "0", "1"))
})

test_that("files written are read back the same", {
  for (x in list(bnlearn::learning.test, bnlearn::gaussian.test[, c(3, 1, 2)])) {
    scores <- local_scores(x)
    file <- tempfile()
    write_jkl(scores, file)
    again <- read_jkl(file)
    fields <- c("names", "nodes", "child", "score", "size", "parents")
    expect_identical(unclass(again)[fields], unclass(scores)[fields])
  }
})

test_that("malformed files get an error with the line number", {
  expect_line <- function(lines, message) expect_refused(read_jkl, lines, message)
  without <- function(k) small_jkl[-k]
  changed <- function(k, line) replace(small_jkl, k, line)
  expect_line(character(), "must have a line with the number of variables")
  expect_line(changed(2, "many"), "Line 2 of `file` must give the number of variables")
  expect_line(changed(2, "2"), "Line 10 of `file` is one too many")
  expect_line(changed(2, "4"), "Line 11 of `file` is the last, but variable 4 of 4 must follow")
  expect_line(changed(3, "0"), "Line 3 of `file` must have a variable")
  expect_line(changed(3, "0 9"), "Line 3 of `file` tells of 9 sets, but only 8 lines follow")
  expect_line(changed(4, "low 0"), "Line 4 of `file` must begin with a score, not \"low\"")
  expect_line(changed(4, "-5.5"), "Line 4 of `file` must have a score and the number of parents")
  expect_line(changed(5, "-4.25 2 2"), "Line 5 of `file` tells of 2 parents, but names 1")
  expect_line(changed(5, "-4.25 1 7"), "Line 5 of `file` has the parent \"7\", which is no")
  expect_line(changed(8, "-3.5 2 2 2"), "Line 8 of `file` has the parent \"2\" twice")
  expect_line(changed(8, "-3.5 2 2 1"), "Line 8 of `file` has the parent \"1\" for that node")
  expect_line(changed(10, "1 1"), "Line 10 of `file` names the variable \"1\" again")
  expect_line(without(11), "Line 10 of `file` tells of 1 sets, but only 0 lines follow")
})

test_that("a set for each node need not make a network", {
  cyclic <- c("2", "a 1", "-1 1 b", "b 1", "-1 1 a")
  expect_error(
    exact_dag(read_jkl(text_file(cyclic))), "No network without cycles",
    class = "daggnn_input_error"
  )
})

test_that("names with spaces cannot be written", {
  x <- bnlearn::learning.test[, 1:3]
  names(x)[2] <- "my var"
  expect_error(write_jkl(local_scores(x), tempfile()), "\"my var\"", class = "daggnn_input_error")
})

test_that("mutated files are read or refused, never anything else", {
  set.seed(1)
  expect_read_or_refused(read_jkl, small_jkl, "local_scores", times = 300)
})
