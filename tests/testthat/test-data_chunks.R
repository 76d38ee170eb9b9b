edges_of <- function(net) sort(apply(bnlearn::arcs(net), 1, paste, collapse = " -> "))

local_csv <- function(frame, env = parent.frame()) {
  file <- withr::local_tempfile(fileext = ".csv.gz", .local_envir = env)
  con <- gzfile(file, "w")
  utils::write.csv(frame, con, row.names = FALSE)
  close(con)
  file
}

test_that("a compressed file in chunks gives the network of the data frame", {
  for (frame in list(bnlearn::gaussian.test, bnlearn::learning.test)) {
    file <- local_csv(frame)
    net <- dag_gnn(chunks(file, rows = 700, sample = 1000))
    expect_identical(edges_of(net), edges_of(dag_gnn(frame)))
    expect_identical(net$daggnn$n, 5000)
    expect_equal(
      exact_dag(chunks(file, rows = 700, sample = 1000))$score, exact_dag(frame)$score,
      tolerance = 1e-9
    )
    # Few rows are all read.
    expect_identical(
      coef(dag_gnn(chunks(file, rows = 700, sample = 5000))), coef(dag_gnn(frame)),
      tolerance = 1e-10
    )
  }
})

test_that("missing values and mixtures of kinds are learned from a sample, always the same", {
  frame <- bnlearn::clgaussian.test
  frame$G[1:500] <- NA
  file <- local_csv(frame)
  set.seed(1)
  one <- dag_gnn(chunks(file, sample = 1500))
  set.seed(2)
  after <- stats::runif(1)
  set.seed(2)
  other <- dag_gnn(chunks(file, sample = 1500))
  expect_identical(stats::runif(1), after)
  expect_identical(coef(one), coef(other))
  expect_match(one$daggnn$source$used, "since values are missing")
  complete <- dag_gnn(chunks(local_csv(bnlearn::clgaussian.test), sample = 2000))
  expect_identical(edges_of(complete), edges_of(dag_gnn(bnlearn::clgaussian.test)))
  some <- frame[c(1:300, 501:1000), ]
  whole <- dag_gnn(chunks(local_csv(some), rows = 90))
  expect_equal(coef(whole), coef(dag_gnn(some)))
  numbers <- with(list(x = bnlearn::gaussian.test), {
    x$B[1:400] <- NA
    x
  })
  moments_of <- function(net) net$daggnn$parameters[c("center", "sd", "correlation")]
  expect_equal(
    moments_of(notears(chunks(local_csv(numbers), sample = 1000))), moments_of(notears(numbers))
  )
})

test_that("products of features are the same by blocks of rows", {
  set.seed(1008)
  frame <- data.frame(a = rnorm(9000), b = runif(9000), c = rexp(9000))
  bases <- daggnn:::spline_bases_cpp(as.matrix(frame), 8)
  # As many columns as make several blocks.
  many <- rep(seq_along(frame), 40)
  frame <- stats::setNames(frame[many], paste0("x", seq_along(many)))
  bases <- stats::setNames(bases[many], names(frame))
  expect_gt(9000 * 120 * 8, 2 * daggnn:::most_feature_values)
  expect_equal(
    daggnn:::feature_products(frame, bases, 1),
    daggnn:::feature_products_cpp(bases, as.matrix(frame), 1), tolerance = 1e-12
  )
})

test_that("the sample is a random sample of all rows", {
  make <- function(k) if (k <= 10) data.frame(a = 100 * k + 1:100, b = rnorm(100))
  drawn <- daggnn:::describe_rows(chunks(make, sample = 200))$frame$a
  expect_length(unique(drawn), 200)
  # By chunk, 20 are expected, with a standard deviation of 4.
  expect_true(all(abs(tabulate(drawn %/% 100 - (drawn %% 100 == 0), 10) - 20) < 16))
})

test_that("rows that a function makes are learned from, whatever random numbers it draws", {
  make <- function(k) {
    set.seed(k)
    if (k <= 4) data.frame(a = a <- rnorm(500), b = a + rnorm(500), s = sample(0:1, 500, TRUE))
  }
  net <- dag_gnn(chunks(make, sample = 600))
  expect_identical(edges_of(net), edges_of(dag_gnn(do.call(rbind, lapply(1:4, make)))))
  net <- dag_gnn(chunks(make, sample = 600, factors = "s"))
  expect_identical(net$daggnn$samples$kind[["s"]], "discrete")
})

test_that("too many combinations of levels for chunks are learned from the sample", {
  source <- chunks(local_csv(bnlearn::learning.test), sample = 2000)
  source$most_combinations <- 10
  net <- dag_gnn(source)
  expect_match(net$daggnn$source$used, "since too many combinations")
  expect_identical(edges_of(net), edges_of(dag_gnn(bnlearn::learning.test)))
})

test_that("a file is read as the same file at once, whatever its first rows look like", {
  set.seed(1005)
  frame <- data.frame(a = round(rnorm(400)), b = rnorm(400), flag = rep(c("T", "F"), 200))
  frame$a[301:400] <- rnorm(100)
  frame$code <- c(rep("x", 200), rep(1:2, 100))
  read_all <- function(...) {
    reader <- chunks(...)$open()
    on.exit(reader$close())
    do.call(rbind, list(reader$read(), reader$read(), reader$read(), reader$read()))
  }
  file <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(frame, file, row.names = FALSE)
  expect_equal(read_all(file, rows = 100), transform(frame, flag = flag == "T"))
  # Numbers in quotes, decimal commas, columns that are left out, lines before the names.
  quoted <- format(frame, digits = 15, decimal.mark = ",", trim = TRUE)
  utils::write.csv2(quoted, file, row.names = FALSE)
  classes <- c(flag = "NULL", code = "NULL")
  expect_equal(
    read_all(file, rows = 100, sep = ";", dec = ",", colClasses = classes), frame[1:2]
  )
  writeLines(c("made by hand", readLines(file)), file)
  expect_identical(
    names(read_all(file, rows = 100, sep = ";", dec = ",", skip = 1)), names(frame)
  )
})

test_that("text in a column of numbers is said", {
  file <- withr::local_tempfile(fileext = ".csv")
  frame <- data.frame(a = c(rnorm(30), "n/a", rnorm(9)), b = rnorm(40))
  utils::write.csv(frame, file, row.names = FALSE)
  expect_error(dag_gnn(chunks(file, rows = 20)), "\"a\" of `x` has no text .* \"n/a\" later")
  net <- dag_gnn(chunks(file, rows = 20, na.strings = "n/a"))
  expect_identical(net$daggnn$samples$kind[["a"]], "continuous")
})

test_that("what is wrong with chunks is said", {
  expect_error(chunks("nowhere.csv"), "There is no file")
  expect_error(chunks(3), "`x` must be the name of a file, a connection or a")
  expect_error(dag_gnn(chunks(function(k) if (k == 1) 1:3)), "Chunk 1 of `x` must be a data frame")
  expect_error(dag_gnn(chunks(function(k) NULL)), "at least one row")
  uneven <- function(k) switch(k, data.frame(a = 1:9, b = 2), data.frame(a = 1:9, c = 2))
  expect_error(dag_gnn(chunks(uneven)), "\"b\" is not in all")
  changing <- function(k) switch(k, data.frame(a = 1:9, b = 2), data.frame(a = "x", b = 2))
  expect_error(dag_gnn(chunks(changing)), "numeric in some chunks and discrete in others")
  broken <- function(k) stop("the disk is full")
  expect_error(
    dag_gnn(chunks(broken)), "could not be read from chunks of a function: the disk is full"
  )
  dated <- function(k) if (k == 1) data.frame(a = rnorm(20), day = Sys.Date())
  expect_error(dag_gnn(chunks(dated)), "\"day\" of `x` has the type Date")
})

test_that("files with quoted newlines, a byte order mark or decimal commas are read as a whole", {
  set.seed(1006)
  frame <- data.frame(
    a = rnorm(300), b = sample(c("one\nline", "two, \"three\"", "four"), 300, TRUE), c = runif(300)
  )
  expected <- coef(dag_gnn(frame))
  bytes_of <- function(...) {
    file <- withr::local_tempfile(fileext = ".csv")
    utils::write.csv(frame, file, row.names = FALSE, ...)
    readBin(file, "raw", file.size(file))
  }
  file <- withr::local_tempfile(fileext = ".csv")
  written <- function(bytes) {
    writeBin(bytes, file)
    file
  }
  expect_equal(coef(dag_gnn(chunks(written(bytes_of()), rows = 70))), expected)
  marked <- c(as.raw(c(0xef, 0xbb, 0xbf)), bytes_of())
  expect_equal(coef(dag_gnn(chunks(written(marked), rows = 70))), expected)
  windows <- charToRaw(gsub("([^e])\n", "\\1\r\n", rawToChar(bytes_of())))
  expect_equal(coef(dag_gnn(chunks(written(windows), rows = 70))), expected)
  wide <- iconv(list(bytes_of()), "UTF-8", "UTF-16LE", toRaw = TRUE)[[1]]
  net <- dag_gnn(chunks(written(wide), rows = 70, fileEncoding = "UTF-16LE"))
  expect_equal(coef(net), expected)
  utils::write.csv2(frame, file, row.names = FALSE)
  expect_equal(coef(dag_gnn(chunks(file, rows = 70, sep = ";", dec = ","))), expected)
  # Without the end of the last line, and without names.
  expect_equal(coef(dag_gnn(chunks(written(utils::head(bytes_of(), -1)), rows = 300))), expected)
  utils::write.table(frame, file, sep = ",", row.names = FALSE, col.names = FALSE)
  net <- dag_gnn(chunks(file, rows = 70, header = FALSE, col.names = names(frame)))
  expect_equal(coef(net), expected)
})

test_that("a file that is cut off is an error that tells the row", {
  file <- withr::local_tempfile(fileext = ".csv")
  frame <- data.frame(a = rnorm(100), b = rnorm(100), c = rnorm(100))
  utils::write.csv(frame, file, row.names = FALSE)
  lines <- readLines(file)
  whole <- chunks(file, rows = 30)
  writeLines(c(lines[1:80], "1.5,2"), file)
  expect_error(dag_gnn(whole), "Row 80 does not have the 3 values")
  net <- dag_gnn(chunks(file, rows = 30, fill = TRUE))
  expect_match(net$daggnn$source$used, "all rows were read")
  writeLines(c(lines[1:80], "1.5,2,\"three"), file)
  expect_error(dag_gnn(whole), "After row 60 a quote begins that does not end")
  writeLines(character(), file)
  expect_error(dag_gnn(whole), "at least one row")
  packed <- local_csv(frame)
  whole <- chunks(packed, rows = 30)
  bytes <- readBin(packed, "raw", file.size(packed))
  writeBin(utils::head(bytes, -1000), packed)
  expect_error(dag_gnn(whole), "it is compressed, and its end is missing")
  # Parts after each other are one file.
  writeBin(c(bytes, bytes), packed)
  expect_error(dag_gnn(whole), "no text in its first rows and \"a\" later")
  expect_error(chunks(tempdir()), "There is no file")
})

test_that("a connection that is not open is read like a file, and stays the user's", {
  file <- local_csv(bnlearn::gaussian.test)
  expected <- dag_gnn(chunks(file, rows = 700, sample = 1000))
  before <- nrow(showConnections(all = TRUE))
  connection <- gzfile(file)
  source <- chunks(connection, rows = 700, sample = 1000)
  expect_identical(edges_of(dag_gnn(source)), edges_of(expected))
  expect_identical(summary(connection)$opened, "closed")
  close(connection)
  expect_identical(nrow(showConnections(all = TRUE)), before)
  skip_on_os("windows")
  through <- pipe(paste("gzip -dc", shQuote(file)))
  withr::defer(close(through))
  source <- chunks(through, rows = 700, sample = 1000)
  expect_identical(edges_of(dag_gnn(source)), edges_of(expected))
  failing <- pipe(paste("gzip -dc", shQuote(file), "| head -n 300; exit 3"))
  withr::defer(close(failing))
  expect_error(dag_gnn(chunks(failing)), "the command failed")
  open <- file(file, "r")
  withr::defer(close(open))
  expect_error(chunks(open), "must be one of file\\(\\), .* not open")
  text <- textConnection("a,b")
  withr::defer(close(text))
  expect_error(chunks(text), "must be one of")
  expect_identical(nrow(showConnections(all = TRUE)), before + 4L)
})

test_that("types may change between chunks where they mean the same", {
  set.seed(1007)
  frame <- data.frame(a = rnorm(40), b = rnorm(40), s = rep(c("x", "y"), 20))
  pieces <- function(k) {
    piece <- frame[10 * k - 9:0, ]
    switch(k,
      transform(piece, a = NA, s = NA),
      frame[0, ],
      transform(piece, s = factor(s, c("y", "x", "never")))[c("b", "s", "a")],
      transform(piece, a = bit64::as.integer64(round(a)))
    )
  }
  skip_if_not_installed("bit64")
  source <- chunks(pieces)
  described <- daggnn:::describe_rows(source)
  expect_identical(described$n, 30)
  expect_identical(unname(described$kind), c("continuous", "continuous", "discrete"))
  expect_setequal(described$levels$s, c("x", "y", "never"))
  expect_identical(unname(described$missing), c(10, 0, 10))
  expect_equal(described$frame$a, c(rep(NA, 10), frame$a[21:30], round(frame$a[31:40])))
  # Text that begins late, and looks like numbers later.
  file <- withr::local_tempfile(fileext = ".csv")
  late <- data.frame(a = rnorm(30), code = c(rep(NA, 10), rep("x", 10), rep(1:2, 5)))
  utils::write.csv(late, file, row.names = FALSE)
  described <- daggnn:::describe_rows(chunks(file, rows = 10))
  expect_identical(described$frame$code, as.character(late$code))
  # Integers of 64 bits are summed up as numbers.
  whole <- function(k) {
    set.seed(k)
    a <- round(10 * rnorm(500))
    if (k <= 4) data.frame(a = bit64::as.integer64(a), b = round(a + 5 * rnorm(500)))
  }
  both <- do.call(rbind, lapply(1:4, function(k) transform(whole(k), a = as.numeric(a))))
  net <- exact_dag(chunks(whole, sample = 100))
  expect_equal(net$score, exact_dag(both)$score)
})

test_that("what random rows do not tell is said", {
  rare <- function(k) if (k <= 50) data.frame(a = rnorm(100), b = rnorm(100), c = +(k == 50))
  expect_error(
    dag_gnn(chunks(rare, sample = 20)), "\"c\" of `x` has one value only in a random sample of 20"
  )
  twice <- function(k) if (k == 1) data.frame(a = rnorm(20), a = 1, check.names = FALSE)
  expect_error(dag_gnn(chunks(twice)), "two columns named \"a\"")
  counts <- function(k) {
    set.seed(k)
    if (k <= 4) data.frame(a = a <- rnorm(200), b = rpois(200, exp(a)))
  }
  net <- dag_gnn(chunks(counts, sample = 500), control = dag_gnn_control(counts = "b"))
  expect_match(net$daggnn$source$used, "random sample of 500 rows, since counts need rows")
})
