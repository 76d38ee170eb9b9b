test_that("lines come without their ends, from files plain and compressed and from connections", {
  lines <- c("first", "", "\u00e4 third")
  bytes <- charToRaw(enc2utf8(paste(lines, collapse = "\r\n")))
  mark <- as.raw(c(0xef, 0xbb, 0xbf))
  file <- tempfile()
  for (open in list(gzfile, base::file)) {
    connection <- open(file, "wb")
    writeBin(c(mark, bytes), connection)
    close(connection)
    expect_identical(file_lines(file), lines)
  }
  connection <- textConnection(lines[1:2])
  defer(close(connection), environment())
  expect_identical(file_lines(connection), lines[1:2])
  expect_identical(file_lines(text_file(character())), character())
})

test_that("a file that cannot be read is named", {
  refused <- function(file, message) {
    expect_error(file_lines(file), message, class = "daggnn_input_error")
  }
  refused("no such file", "must be the path of a file that exists, not \"no such file\"")
  refused(tempdir(), "must be the path of a file that exists")
  refused(1, "`file` must be the name of a file or a connection, not 1")
  latin <- tempfile()
  writeBin(as.raw(c(0x61, 0x0a, 0xe4)), latin)
  refused(latin, "must be UTF-8 text, but line 2 is not")
  closed <- textConnection("a")
  close(closed)
  refused(closed, "`file` cannot be read: invalid connection")
})

test_that("a compressed file whose end is missing is refused, one of several parts is read", {
  set.seed(1)
  lines <- as.character(runif(1000))
  file <- tempfile()
  connection <- gzfile(file, "wb")
  writeLines(lines, connection)
  close(connection)
  packed <- readBin(file, "raw", 1e5)
  writeBin(c(packed, packed), file)
  expect_identical(file_lines(file), c(lines, lines))
  for (left in length(packed) - c(1, 4, 9, 5000)) {
    writeBin(packed[seq_len(left)], file)
    expect_error(file_lines(file), "end is missing|incomplete", class = "daggnn_input_error")
  }
})

test_that("a file that cannot be written is named", {
  scores <- local_scores(bnlearn::learning.test[1:100, 1:3])
  refused <- function(file, message) {
    expect_error(write_jkl(scores, file), message, class = "daggnn_input_error")
  }
  for (file in list(1, NA_character_, NULL)) refused(file, "`file` must be the name of a file")
  for (file in c(tempdir(), file.path(tempfile(), "x"))) {
    refused(file, "`file` must be in a folder that exists")
  }
  readable <- file(text_file("a"), "r")
  defer(close(readable), environment())
  refused(readable, "`file` cannot be written: ")
})

test_that("half a file is an error", {
  skip_on_os("windows")
  lengths <- c(150, 100000) # of a file that is too large when it is closed, and before
  for (length in lengths) {
    said <- on_full_disk(
      sprintf("daggnn:::write_lines(rep(\"a few words\", %d), tempfile())", length)
    )
    expect_match(said, "`file` \".*\" cannot be written", all = FALSE)
  }
})
