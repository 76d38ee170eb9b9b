printed_by_gobnilp <- c(
  "GOBNILP version 1.6.3", "A<-, -10.500000", "B<-A, -8.250000", "C<-A,B, -7.000000",
  "BN score is -25.750000"
)
printed_by_pygobnilp <- c(
  "**********", "BN has score -25.75", "**********", "A<- -10.5", "B<-A -8.25", "C<-A,B -7.0",
  "**********", "bnlearn modelstring = ", "[A][B|A][C|A:B]"
)
wanted <- bnlearn::model2network("[A][B|A][C|A:B]")

test_that("GOBNILP's and pygobnilp's output are read", {
  for (text in list(printed_by_gobnilp, printed_by_pygobnilp)) {
    net <- read_gobnilp(text_file(text))
    expect_s3_class(net, c("gobnilp", "daggnn", "bn"), exact = TRUE)
    expect_identical(bnlearn::amat(net), bnlearn::amat(wanted))
    expect_identical(net$score, -25.75)
  }
})

test_that("an adjacency matrix is read, a row for each parent", {
  net <- read_gobnilp(text_file("0 1 1", "0 0 1", "0 0 0"), nodes = c("A", "B", "C"))
  expect_identical(bnlearn::amat(net), bnlearn::amat(wanted))
  expect_identical(net$score, NA_real_)
  expect_identical(bnlearn::nodes(read_gobnilp(text_file("0,1", "0,0"))), c("V1", "V2"))
})

test_that("malformed networks get an error with the line number", {
  expect_line <- function(lines, message) expect_refused(read_gobnilp, lines, message)
  changed <- function(k, line) replace(printed_by_gobnilp, k, line)
  expect_line("nothing", "must have a line like")
  expect_line(changed(3, "B<-A"), "Line 3 of `file` must end with a score")
  expect_line(changed(3, "<-A, -1"), "Line 3 of `file` must begin with the name of a node")
  expect_line(changed(3, "A<-C, -1"), "Line 3 of `file` gives the parents of \"A\" again")
  expect_line(changed(4, "C<-A,D, -7"), "Line 4 of `file` has the parent \"D\", which has no line")
  expect_line(changed(4, "C<-A,A, -7"), "Line 4 of `file` names the parent \"A\" twice")
  expect_line(changed(2, "A<-C, -1"), "must not have a cycle")
  expect_line(c("0 1", "0"), "Line 2 of `file` has 1 entries, but there are 2 rows")
  expect_line(c("0 1", "1 0"), "must not have a cycle")
  expect_error(
    read_gobnilp(text_file("0 1", "0 0"), nodes = "A"), "`nodes` must be 2 different names",
    class = "daggnn_input_error"
  )
})

test_that("mutated files are read or refused, never anything else", {
  set.seed(1)
  for (text in list(printed_by_gobnilp, printed_by_pygobnilp, c("0 1 1", "0 0 1", "0 0 0"))) {
    expect_read_or_refused(read_gobnilp, text, "gobnilp", times = 100)
  }
})
