lines <- c("ann\tborn_in\trome", "ann\tspeaks\titalian", "bob\tspeaks\tdanish")
written <- function(content, compress = FALSE) {
  file <- tempfile(fileext = if (compress) ".gz" else ".txt")
  connection <- if (compress) gzfile(file, "wb") else file(file, "wb")
  on.exit(close(connection))
  writeBin(if (is.raw(content)) content else charToRaw(content), connection)
  file
}
triples <- data.frame(
  head = c("ann", "ann", "bob"), relation = c("born_in", "speaks", "speaks"),
  tail = c("rome", "italian", "danish")
)

test_that("LF, CRLF, gzip, empty lines, a byte order mark and no last line end are all read", {
  contents <- list(
    paste0(lines, "\n", collapse = ""), paste0(lines, "\r\n", collapse = ""),
    paste(lines, collapse = "\n"), paste0("\n", paste0(lines, "\n", collapse = "\n"), "\r\n\n"),
    paste0("\ufeff", paste(lines, collapse = "\n"))
  )
  for (content in contents) {
    expect_identical(read_triples(written(content)), triples)
    expect_identical(read_triples(written(content, compress = TRUE)), triples)
  }
})

test_that("several files are read one after the other", {
  files <- c(written(lines[1]), written(paste(lines[2:3], collapse = "\n"), compress = TRUE))
  expect_identical(read_triples(files), triples)
})

test_that("odd but valid text is kept as it is", {
  odd <- "\u00e9 \"x\"\t/a/b./c/d\t#, 'y'"
  expect_identical(
    unlist(read_triples(written(odd)), use.names = FALSE),
    c("\u00e9 \"x\"", "/a/b./c/d", "#, 'y'")
  )
})

test_that("a line that is not a triple is named by its number", {
  # The messages hold the path: only its place is compared.
  message_of <- function(content) {
    file <- written(content)
    sub(file, "FILE", tryCatch(read_triples(file), error = conditionMessage), fixed = TRUE)
  }
  expect_snapshot({
    message_of("a\tb\tc\na\tb\n")
    message_of("a\tb\tc\n\na\tb\tc\td\n")
    message_of("a\tb\t\n")
    message_of("\tb\tc\n")
    message_of("a b c\n")
    message_of("")
    message_of("\r\n\n")
    message_of(as.raw(c(0x61, 0x09, 0xff, 0x09, 0x62)))
    message_of(as.raw(c(0x61, 0x09, 0x62, 0x09, 0x63, 0x0a, 0x61, 0x00, 0x09, 0x62)))
  })
  expect_error_snapshot({
    read_triples(character())
    read_triples(1)
    read_triples("no such file")
    read_triples(NA_character_)
  })
  expect_error(read_triples(tempdir()), class = "daggnn_input_error")
})

test_that("damaged files end in triples or in our error", {
  set.seed(1)
  whole <- charToRaw(paste0(lines, "\n", collapse = ""))
  packed <- readBin(written(whole, compress = TRUE), "raw", 1e4)
  for (repetition in 1:300) {
    bytes <- if (repetition %% 2 == 0) whole else packed
    at <- sample(length(bytes), 3)
    bytes[at] <- as.raw(sample(0:255, 3))
    if (repetition %% 3 == 0) bytes <- bytes[seq_len(sample(length(bytes), 1))]
    result <- tryCatch(read_triples(written(bytes)), daggnn_input_error = identity)
    expect_true(is.data.frame(result) || inherits(result, "daggnn_input_error"))
  }
})

test_that("a data set has a row for each entity and a column for each relation", {
  x <- triples_to_data(rbind(triples, triples[3, ]))
  expect_s4_class(x, "dgCMatrix")
  expect_identical(
    as.matrix(x),
    matrix(c(1, 0, 1, 1), 2, dimnames = list(c("ann", "bob"), c("born_in", "speaks")))
  )
  expect_identical(rownames(triples_to_data(triples, "tail")), c("danish", "italian", "rome"))
  either <- triples_to_data(triples, "either")
  expect_identical(dim(either), c(5L, 2L))
  expect_identical(sum(either), 6)
})

test_that("counting triple by triple gives the same data set", {
  set.seed(2)
  random <- data.frame(
    head = sample(letters, 200, TRUE), relation = sample(LETTERS, 200, TRUE),
    tail = sample(letters, 200, TRUE)
  )
  for (role in c("head", "tail", "either")) {
    x <- triples_to_data(random, role)
    for (relation in colnames(x)) {
      rows <- random[random$relation == relation, ]
      entities <- switch(role, head = rows$head, tail = rows$tail, c(rows$head, rows$tail))
      expect_setequal(rownames(x)[x[, relation] == 1], entities)
    }
  }
})

test_that("FB15K-237 is the paper's data set: 7.36 relations per sample", {
  files <- c("train.txt", "valid.txt", "test.txt")
  folder <- tempfile()
  utils::untar(data_file("fb15k-237", "FB15k-237.tar.gz"), exdir = folder)
  found <- list.files(folder, recursive = TRUE, full.names = TRUE)
  knowledge <- read_triples(found[basename(found) %in% files])
  expect_identical(nrow(knowledge), 310116L)
  x <- triples_to_data(knowledge)
  expect_identical(dim(x), c(13891L, 237L))
  expect_equal(round(mean(Matrix::rowSums(x)), 2), 7.36)
  expect_identical(nrow(triples_to_data(knowledge, "either")), 14541L)
})

test_that("what is no data frame of triples is named", {
  expect_error_snapshot({
    triples_to_data(list())
    triples_to_data(triples[0, ])
    triples_to_data(triples[1:2])
    triples_to_data(transform(triples, tail = c("rome", NA, "danish")))
    triples_to_data(transform(triples, head = 1:3))
    triples_to_data(triples, "middle")
  })
})
