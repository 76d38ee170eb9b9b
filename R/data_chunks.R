# Data that come in chunks: files that are larger than memory, and functions that make rows.

#' Data in chunks
#'
#' Describes data that are read, or made, some rows at a time, so that they need not fit into
#' memory: a text file, also a compressed one, a connection or a function. [dag_gnn()] and other
#' learners take the result in place of a data frame; [data_source()] says what they do with it.
#'
#' The data are read several times: once for the number of rows, the levels of discrete columns and
#' a random sample of rows, and again for sums or counts. The sample is always the same, whatever
#' the seed.
#'
#' @param x The name of a text file with a header, plain or compressed by gzip, bzip2 or xz; a
#'   connection that is not open, such as `pipe("zstd -dc big.csv.zst")` or `url()`, of which one
#'   like it is opened for each reading; or a function of one number k that returns the k-th chunk
#'   as a data frame, and `NULL` after the last one. All chunks must have the same columns, and a
#'   second call with the same number must return the same rows.
#' @param rows How many rows of a file are read at a time, from 1.
#' @param factors,sample As in [data_source()].
#' @param ... Further arguments of [utils::read.csv()], such as `sep = ";"`, `dec = ","`,
#'   `fileEncoding` or `colClasses`. Columns that have text in the first chunk are text throughout.
#'   Rows with too few values are an error, as in a file that is cut off; `fill = TRUE` takes what
#'   they lack as missing.
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
  if (!inherits(x, "connection") && !(is.character(x) && length(x) == 1 && !is.na(x))) {
    stop_input(
      "`x` must be the name of a file, a connection or a function, not ", show_value(x), "."
    )
  }
  text <- if (inherits(x, "connection")) text_of_connection(x) else text_of_file(x)
  options <- list(...)
  encoding <- options$fileEncoding
  options$fileEncoding <- NULL
  new_source("chunks", text$label, factors, sample, open = function() {
    file_reader(text$open(if (is.null(encoding)) "native.enc" else encoding), rows, options)
  })
}

# A list of its `label` and a function of the encoding that opens it for reading.
text_of_file <- function(file) {
  if (!file.exists(file) || dir.exists(file)) stop_input("There is no file ", quote_path(file), ".")
  # The folder of the process may change before the file is read again.
  path <- normalizePath(file)
  whole <- FALSE
  list(label = paste("the file", quote_names(basename(path))), open = function(encoding) {
    if (!whole && is_cut_off(path)) stop("it is compressed, and its end is missing")
    whole <<- TRUE
    gzfile(path, "rt", encoding)
  })
}

# A connection is gone once it is closed: one like it is made for each reading.
text_of_connection <- function(connection) {
  described <- summary(connection)
  kinds <- list(
    file = file, gzfile = gzfile, bzfile = bzfile, xzfile = xzfile, unz = unz, pipe = pipe,
    url = url
  )
  make <- kinds[[sub("-.*", "", described$class)]]
  if (is.null(make) || described$opened == "opened") {
    stop_input(
      "The connection `x` must be one of ", paste0(names(kinds), "()", collapse = ", "),
      " that is not open, since it is read several times."
    )
  }
  list(label = paste("the connection", quote_names(described$description)), open = function(code) {
    make(described$description, "rt", encoding = code)
  })
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
file_reader <- function(connection, rows, options) {
  given <- utils::modifyList(list(check.names = FALSE, fill = FALSE), options)
  given[c("nrows", "stringsAsFactors", "skip")] <- list(rows, FALSE, 0)
  if (!is.null(options$skip)) readLines(connection, options$skip)
  names_line <- without_byte_order_mark(readLines(connection, 1))
  if (isFALSE(given$header)) {
    pushBack(names_line, connection)
    names_line <- NULL
  }
  done <- 0
  # Columns that had values, without rows.
  seen <- list()
  open <- TRUE
  close <- function() {
    status <- if (open) base::close(connection)
    open <<- FALSE
    status
  }
  read <- function() {
    line <- readLines(connection, 1)
    if (length(line) == 0 && (done > 0 || length(names_line) == 0)) {
      status <- close()
      if (!is.null(status) && status != 0) stop("the command failed before its end")
      return(NULL)
    }
    pushBack(c(names_line, line), connection)
    chunk <- read_rows_of_text(c(list(connection), given), done)
    done <<- done + nrow(chunk)
    check_same_types(chunk, seen)
    new <- setdiff(names(chunk)[!vapply(chunk, function(column) all(is.na(column)), NA)],
      names(seen))
    seen[new] <<- chunk[0, new, drop = FALSE]
    # Text that looks like numbers later on is text.
    text <- setdiff(new[vapply(chunk[new], is.character, NA)], names(given$colClasses))
    if (length(given$colClasses) == 0 || !is.null(names(given$colClasses))) {
      given$colClasses[text] <<- "character"
    }
    chunk
  }
  list(read = read, close = close)
}

# It may stand before the first line of a file.
without_byte_order_mark <- function(line) {
  bytes <- if (length(line) > 0) charToRaw(line)
  marked <- identical(utils::head(bytes, 3), as.raw(c(0xef, 0xbb, 0xbf)))
  if (marked) rawToChar(bytes[-(1:3)]) else line
}

# done: how many rows were read before.
read_rows_of_text <- function(arguments, done) {
  incomplete <- "line ([0-9]+) did not have ([0-9]+) elements"
  withCallingHandlers(
    do.call(utils::read.csv, arguments),
    warning = function(condition) {
      if (grepl("EOF within quoted string", conditionMessage(condition))) {
        stop_input("After row ", done, " a quote begins that does not end.")
      }
    },
    error = function(condition) {
      parts <- regmatches(conditionMessage(condition), regexec(incomplete, condition$message))[[1]]
      if (length(parts) > 0) {
        stop_input(
          "Row ", done + as.numeric(parts[2]), " does not have the ", parts[3], " values that the ",
          "others have. If values at the end of a row may be missing, use `fill = TRUE`."
        )
      }
    }
  )
}

# seen: columns that had values before, without rows.
check_same_types <- function(chunk, seen) {
  for (name in names(seen)[!vapply(seen, is.character, NA)]) {
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
    if (is.null(names)) {
      names <- names(chunk)
      check_names(names, "x")
    }
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
  sample <- row_sample(source$sample)
  scan_chunks(source, function(chunk) {
    summary <<- summarise_chunk(summary, chunk, source)
    sample$add(plain_columns(chunk, summary$kind))
  })
  if (is.null(summary)) stop_input("`x` must have at least one row.")
  summary$frame <- sample$rows()
  summary
}

# A random sample of rows that come in chunks, by two functions: `add` and `rows`.
row_sample <- function(size) {
  kept <- NULL
  keys <- numeric()
  stream <- sampling_stream
  # The rows with the smallest keys are a random sample.
  add <- function(chunk) {
    stream <<- parallel::nextRNGStream(stream)
    drawn <- with_stream(stream, stats::runif(nrow(chunk)))
    if (is.null(kept)) kept <<- lapply(chunk, `[`, 0)
    new <- if (length(keys) < size) seq_along(drawn) else which(drawn < max(keys))
    all <- c(keys, drawn[new])
    chosen <- sort(order(all)[seq_len(min(length(all), size))])
    old <- chosen[chosen <= length(keys)]
    new <- new[chosen[chosen > length(keys)] - length(keys)]
    # By column: data frames take long for the names of their rows.
    if (length(new) > 0) {
      kept <<- Map(function(before, column) c(before[old], column[new]), kept, chunk)
    }
    keys <<- all[chosen]
  }
  rows <- function() {
    structure(kept, class = "data.frame", row.names = .set_row_names(length(keys)))
  }
  list(add = add, rows = rows)
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
      seen <- if (is.factor(column)) levels(column) else unique(as.character(column))
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
    total <<- total + feature_products(chunk, bases, threads)
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

# Values of features that are held at a time: 32 MiB.
most_feature_values <- 2^22

# Sums of products of 1 and all features over the rows of a chunk.
feature_products <- function(chunk, bases, threads) {
  values <- number_matrix(chunk, names(bases))
  features <- 1 + sum(vapply(bases, basis_size, 1L))
  block <- (seq_len(nrow(values)) - 1) %/% max(1, most_feature_values %/% features)
  products <- lapply(split(seq_len(nrow(values)), block), function(rows) {
    feature_products_cpp(bases, values[rows, , drop = FALSE], threads)
  })
  Reduce(`+`, products)
}

# Columns of numbers as a matrix of doubles.
number_matrix <- function(chunk, names) {
  matrix(unlist(lapply(chunk[names], as.numeric), use.names = FALSE), nrow(chunk))
}
