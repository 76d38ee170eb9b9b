# Data that come in chunks: files that are larger than memory, and functions that make rows.

#' Data in chunks
#'
#' Describes data that are read, or made, some rows at a time, so that they need not fit into
#' memory: a text file, also a compressed one, or a function. [dag_gnn()] and other learners take
#' the result in place of a data frame; [data_source()] says what they do with it.
#'
#' The data are read several times: once for the number of rows, the levels of discrete columns and
#' a random sample of rows, and again for sums or counts. The sample is always the same, whatever
#' the seed.
#'
#' @param x The name of a text file with a header, plain or compressed by gzip, bzip2 or xz; or a
#'   function of one number k that returns the k-th chunk as a data frame, and `NULL` after the last
#'   one. All chunks must have the same columns, and a second call with the same number must return
#'   the same rows.
#' @param rows How many rows of a file are read at a time, from 1.
#' @param factors,sample As in [data_source()].
#' @param ... Further arguments of [utils::read.csv()], such as `sep = ";"`, `dec = ","` or
#'   `colClasses`. Columns that have text in the first chunk are text throughout.
#' @return An object of class `"data_source"`.
#' @seealso [data_source()] for databases and Arrow datasets.
#' @examples
#' file <- tempfile(fileext = ".csv.gz")
#' write.csv(bnlearn::gaussian.test, gzfile(file), row.names = FALSE)
#' dag_gnn(chunks(file, rows = 1000, sample = 2000))
#'
#' # Rows that are made on the fly.
#' dag <- random_dag(5, degree = 2)
#' make <- function(k) {
#'   set.seed(k)
#'   if (k <= 3) simulate_sem(dag, 1000)
#' }
#' dag_gnn(chunks(make, sample = 1000))
#' @export
chunks <- function(x, rows = 1e5, factors = NULL, sample = 1e5, ...) {
  rows <- check_number(rows, "rows", 1, .Machine$integer.max, whole = TRUE)
  if (is.function(x)) {
    return(new_source("chunks", "chunks of a function", factors, sample, open = function() {
      function_reader(x)
    }))
  }
  if (!is.character(x) || length(x) != 1 || is.na(x)) {
    stop_input("`x` must be the name of a file or a function, not ", show_value(x), ".")
  }
  if (!file.exists(x)) stop_input("There is no file ", quote_names(x), ".")
  # The folder of the process may change before the file is read again.
  path <- normalizePath(x)
  options <- list(...)
  new_source("chunks", paste("the file", quote_names(basename(path))), factors, sample,
    open = function() file_reader(path, rows, options)
  )
}

# A reader is a list of two functions: `read`, which returns the next rows or NULL, and `close`.
function_reader <- function(make) {
  k <- 0
  read <- function() {
    k <<- k + 1
    chunk <- make(k)
    if (is.matrix(chunk)) chunk <- as.data.frame(chunk)
    if (!is.null(chunk) && !is.data.frame(chunk)) {
      stop_input("Chunk ", k, " of `x` must be a data frame, not ", show_value(chunk), ".")
    }
    chunk
  }
  list(read = read, close = function() invisible())
}

# Each chunk is read with the line of names before it, so that all arguments of read.csv() mean the
# same for all.
file_reader <- function(path, rows, options) {
  connection <- gzfile(path, "rt")
  given <- utils::modifyList(list(check.names = FALSE), options)
  given[c("nrows", "stringsAsFactors", "skip")] <- list(rows, FALSE, 0)
  if (!is.null(options$skip)) readLines(connection, options$skip)
  names_line <- if (!isFALSE(given$header)) readLines(connection, 1)
  first <- NULL
  read <- function() {
    line <- readLines(connection, 1)
    if (length(line) == 0 && !is.null(first)) {
      return(NULL)
    }
    pushBack(c(names_line, line), connection)
    chunk <- do.call(utils::read.csv, c(list(connection), given))
    if (is.null(first)) {
      first <<- chunk[0, , drop = FALSE]
      first[vapply(chunk, function(column) all(is.na(column)), NA)] <<- list(NULL)
      text <- names(first)[vapply(first, is.character, NA)]
      # Text that looks like numbers later on is text.
      if (is.null(options$colClasses) && length(text) > 0) {
        given$colClasses <<- stats::setNames(rep("character", length(text)), text)
      }
    }
    check_same_types(chunk, first)
    chunk
  }
  list(read = read, close = function() close(connection))
}

# first: the columns that have values in the first chunk, without rows.
check_same_types <- function(chunk, first) {
  for (name in names(first)[!vapply(first, is.character, NA)]) {
    if (is.character(chunk[[name]])) {
      numbers <- suppressWarnings(as.numeric(chunk[[name]]))
      other <- chunk[[name]][is.na(numbers) & !is.na(chunk[[name]])]
      stop_input(
        column_labels(name, "x"), " has no text in its first rows and ", quote_names(other[1]),
        " later: if that means missing, name it in `na.strings`; otherwise read the column as ",
        "text by `colClasses`."
      )
    }
  }
}

# Calls visit(chunk) for all chunks of the columns, and closes what was opened, whatever happens.
scan_chunks <- function(source, visit) {
  reader <- source$open()
  on.exit(reader$close())
  names <- NULL
  repeat {
    chunk <- reader$read()
    if (is.null(chunk)) break
    if (is.null(names)) names <- names(chunk)
    if (!setequal(names(chunk), names)) {
      lost <- c(setdiff(names, names(chunk)), setdiff(names(chunk), names))[1]
      stop_input(
        "All chunks of `x` must have the same columns: ", quote_names(lost), " is not in all."
      )
    }
    if (nrow(chunk) > 0) visit(as.data.frame(chunk)[names])
  }
}

# ---- What data_source() asks for ----

# Where the random numbers begin that choose the sample: the same data give the same sample.
sampling_stream <- c(10407L, 1:6)

#' @export
describe_rows.source_chunks <- function(source) {
  summary <- NULL
  kept <- NULL
  keys <- numeric()
  stream <- sampling_stream
  scan_chunks(source, function(chunk) {
    summary <<- summarise_chunk(summary, chunk, source)
    # The rows with the smallest keys are a random sample.
    stream <<- parallel::nextRNGStream(stream)
    all <- c(keys, with_stream(stream, stats::runif(nrow(chunk))))
    chosen <- sort(order(all)[seq_len(min(length(all), source$sample))])
    old <- chosen[chosen <= length(keys)]
    new <- chosen[chosen > length(keys)] - length(keys)
    added <- plain_columns(chunk[new, , drop = FALSE], summary$kind)
    kept <<- if (is.null(kept)) added else rbind(kept[old, , drop = FALSE], added)
    keys <<- all[chosen]
  })
  if (is.null(summary)) stop_input("`x` must have at least one row.")
  summary$frame <- kept
  summary
}

# What is known of the rows so far and one more chunk: n, and for each column its kind, levels and
# number of missing values.
summarise_chunk <- function(summary, chunk, source) {
  kind <- stats::setNames(
    vapply(names(chunk), function(name) source_kind(chunk[[name]], name, source), ""), names(chunk)
  )
  if (is.null(summary)) {
    summary <- list(
      n = 0, names = names(chunk), kind = kind, levels = list(),
      missing = stats::setNames(numeric(length(kind)), names(chunk))
    )
  }
  # A column without values may be of any kind.
  summary$kind <- ifelse(summary$kind == "unknown", kind, summary$kind)
  other <- kind != summary$kind & kind != "unknown"
  if (any(other)) {
    stop_input(
      column_labels(names(chunk)[other][1], "x"),
      " is numeric in some chunks and discrete in others."
    )
  }
  summary$n <- summary$n + nrow(chunk)
  for (name in names(chunk)) {
    column <- chunk[[name]]
    summary$missing[[name]] <- summary$missing[[name]] + sum(is.na(column))
    if (summary$kind[[name]] == "discrete") {
      seen <- unique(as.character(column))
      summary$levels[[name]] <- union(summary$levels[[name]], seen[!is.na(seen)])
      check_level_count(summary$levels[[name]], name)
    } else if (summary$kind[[name]] == "continuous" && any(is.infinite(column))) {
      stop_infinite(name)
    }
  }
  summary
}

#' @export
sum_features.source_chunks <- function(source, bases, threads) {
  total <- 0
  scan_chunks(source, function(chunk) {
    total <<- total + feature_products_cpp(bases, number_matrix(chunk, names(bases)), threads)
  })
  total
}

#' @export
sum_seen.source_chunks <- function(source, columns) {
  total <- list(rows = 0, sums = 0, products = 0)
  scan_chunks(source, function(chunk) {
    values <- number_matrix(chunk, columns$name)
    values <- sweep(sweep(values, 2, columns$center), 2, columns$scale, "/")
    seen <- !is.na(values)
    values[!seen] <- 0
    more <- list(crossprod(seen), crossprod(values, seen), crossprod(values))
    total[] <<- Map(`+`, total, more)
  })
  total
}

#' @export
count_jointly.source_chunks <- function(source, names, most) {
  counted <- NULL
  scan_chunks(source, function(chunk) {
    if (NROW(counted$levels) > most) {
      return()
    }
    counted <<- add_up(
      rbind(counted$levels, plain_columns(chunk[names], rep("discrete", length(names)))),
      c(counted$rows, rep(1, nrow(chunk)))
    )
  })
  if (nrow(counted$levels) <= most) counted
}

# Equal rows once, with the sum of what they stand for.
add_up <- function(levels, rows) {
  key <- do.call(paste, c(unname(as.list(levels)), sep = "\r"))
  first <- which(!duplicated(key))
  sums <- rowsum(rows, match(key, key[first]), reorder = TRUE)
  list(levels = levels[first, , drop = FALSE], rows = as.numeric(sums))
}

# Columns of numbers as a matrix of doubles.
number_matrix <- function(chunk, names) {
  matrix(as.numeric(unlist(chunk[names], use.names = FALSE)), nrow(chunk))
}
