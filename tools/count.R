# Every part of `make test` ends with this line, and fails where something did.
count <- function(passed, failed) {
  cat(sprintf("%d passed, %d failed\n", as.integer(passed), as.integer(failed)))
  quit(status = failed > 0)
}

count_tests <- function(results) {
  results <- as.data.frame(results)
  slowest <- utils::head(results[order(-results$real), ], 5)
  cat("\nSlowest:\n")
  cat(sprintf("%6.1f s  %s: %s\n", slowest$real, slowest$file, slowest$test), sep = "")
  count(sum(results$passed), sum(results$failed) + sum(results$error))
}
