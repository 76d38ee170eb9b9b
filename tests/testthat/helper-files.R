# A file of these lines.
text_file <- function(...) {
  file <- tempfile()
  writeLines(c(...), file)
  file
}

# `read` refuses a file of these lines with our error.
expect_refused <- function(read, lines, message) {
  expect_error(read(text_file(lines)), message, class = "daggnn_input_error")
}

# A file with a few bytes changed at random is read into an object of this class or refused with our
# error, never anything else.
expect_read_or_refused <- function(read, lines, class, times) {
  bytes <- charToRaw(paste(lines, collapse = "\n"))
  for (k in seq_len(times)) {
    mutated <- bytes
    at <- sample(length(mutated), sample(1:4, 1))
    mutated[at] <- as.raw(sample(0:255, length(at), replace = TRUE))
    file <- tempfile()
    writeBin(mutated, file)
    result <- tryCatch(read(file), daggnn_input_error = function(error) "refused")
    expect_true(inherits(result, class) || identical(result, "refused"))
    unlink(file)
  }
}
