# The generator of hostile inputs is shared with inst/benchmarks/inputs.R.
sys.source(system.file("benchmarks", "hostile.R", package = "daggnn"), environment())

# Every call must end in a network or in an error of ours; what ended otherwise is shown by its
# seed.
expect_civil_ends <- function(learner, seeds) {
  skip_on_cran()
  ends <- vapply(seeds, function(seed) end_of(learner, hostile_case(seed)), "")
  bad <- !ends %in% c("network", "our error")
  expect_identical(sprintf("seed %d: %s", seeds[bad], ends[bad]), character())
  # The generator must reach both ends, or it tests nothing.
  expect_true(all(c("network", "our error") %in% ends))
}
