# Data that are not in memory: what a user declares and what learners read of it.

#' Databases and other data that stay where they are
#'
#' Describes a table in a database, a lazy table of dbplyr or an Arrow dataset, for learners that
#' take it in place of a data frame: [dag_gnn()], [notears()], [exact_dag()], [local_scores()],
#' [refine()] and [compare_learners()]. A lazy table or an Arrow dataset can also be given to them
#' as it is. See [chunks()] for files that are larger than memory.
#'
#' @details
#' Where there are at most `sample` rows they are all read, and everything is as for a data frame.
#' Of more rows, learners need what can be summed up over them:
#' * **Numbers**: sums of products, of the columns and of the curves of themselves that they offer
#'   to their children. Linear and additive effects are scored from these, with the same result as
#'   from the rows. The shapes of the curves (their knots) come from the sample.
#' * **Discrete columns**: the number of rows of each combination of levels that occurs, by
#'   `GROUP BY`. Where more than a million combinations occur the sample is used, or, with
#'   `sums = "sql"`, the database is asked for the counts of each family that the search looks at:
#'   thousands of queries where there are more than a few columns.
#'
#' In a database these sums are computed by SQL that dbplyr writes; no table is made there, the
#' connection stays open, and so does a transaction, also after an error. `sums` says where many
#' products of curves are computed.
#'
#' Some things need rows, and are learned from a random sample of `sample` rows; the result says so:
#' * tables that have both numbers and discrete columns, whose scores are not sums;
#' * tables with missing values (`NULL`), which are drawn given the rest of their row. [notears()]
#'   is the exception: it takes each covariance from all rows that have both values;
#' * `model = "vae"`, `effects = "joint"`, `density = "estimated"`, `counts`, and thresholds by BIC;
#' * the directions of edges that a noise density other than the normal tells: they are taken from
#'   (at most 10000 rows of) the sample, and the edges themselves from all rows;
#' * the parameters of the network, that is `coef()` and what `predict()`, `simulate()` and `BIC()`
#'   use.
#'
#' A database draws the sample itself, so that `set.seed()` does not determine it. The rows must not
#' change while a network is learned from them. Fetch or clear what other queries have left open on
#' the connection first: most engines allow one result at a time.
#'
#' Types come from the table: numbers are continuous, text and truth values discrete, and `factors`
#' declares others; `NULL` is a missing value. Any other type, such as a date, is an error: make it
#' a number or text by `mutate()`.
#'
#' @param x A lazy table (`dplyr::tbl()`, also after `filter()`, `select()`, `mutate()`), a DBI
#'   connection, or an Arrow dataset.
#' @param table The name of the table where `x` is a connection: a string, or `DBI::Id()`.
#' @param factors Columns that are discrete although they hold numbers: their names; or a named list
#'   of their levels.
#' @param sample How many rows are read at most, from 10.
#' @param sums Where sums are computed: `"sql"`, by the database; `"fetch"`, in R from
#'   rows that are fetched in chunks; or `"auto"`: by the database for linear effects between up to
#'   44 columns. For more columns and for curves fetching is faster, unless the network is slow.
#' @return An object of class `"data_source"`.
#' @seealso [chunks()]
#' @aliases data_sources
#' @examplesIf all(vapply(c("RSQLite", "dbplyr"), requireNamespace, NA, quietly = TRUE))
#' con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
#' DBI::dbWriteTable(con, "visits", bnlearn::gaussian.test)
#' dag_gnn(data_source(con, "visits", sample = 2000))
#' exact_dag(data_source(con, "visits", sample = 2000))
#' DBI::dbDisconnect(con)
#' @export
data_source <- function(x, table = NULL, factors = NULL, sample = 1e5,
                        sums = c("auto", "sql", "fetch")) {
  sums <- check_choice(sums, "sums", c("auto", "sql", "fetch"))
  if (inherits(x, "DBIConnection")) {
    if (is.null(table)) stop_input("`table` must be the name of a table in the database `x`.")
    need_package("dbplyr", "Learning from a database table")
    x <- ask_source(list(label = "the database", con = x), dplyr::tbl(x, table))
  } else if (!is.null(table)) {
    stop_input("`table` goes with a DBI connection, but `x` is ", show_value(x), ".")
  }
  if (inherits(x, "tbl_sql")) {
    need_package("dbplyr", "Learning from a database table")
    return(sql_source(x, factors, sample, sums))
  }
  if (inherits(x, arrow_classes)) {
    need_package("arrow", "Learning from an Arrow dataset")
    return(new_source("chunks", "an Arrow dataset", factors, sample, function() arrow_reader(x)))
  }
  stop_input(
    "`x` must be a lazy table, a DBI connection or an Arrow dataset, not ", show_value(x), "."
  )
}

arrow_reader <- function(x) {
  batches <- arrow::as_record_batch_reader(x)
  read <- function() {
    batch <- batches$read_next_batch()
    if (!is.null(batch)) as.data.frame(batch)
  }
  list(read = read, close = function() invisible())
}

#' @export
print.data_source <- function(x, ...) {
  cat("Data in ", x$label, ", of which at most ", format(x$sample), " rows are read\n", sep = "")
  invisible(x)
}

# ---- What learners ask for ----

# x as data that a learner can take: a list of
#   x        a data frame of all rows or of the sample; whatever was given where that is in memory
#   source, described   NULL where x has all rows
#   n, label  of a source
read_rows <- function(x) {
  if (inherits(x, "source_rows")) {
    return(x)
  }
  if (!is_elsewhere(x)) {
    return(structure(list(x = x), class = "source_rows"))
  }
  if (!inherits(x, "data_source")) x <- data_source(x)
  described <- ask_source(x, describe_rows(x))
  unknown <- setdiff(names(x$factors), described$names)
  if (length(unknown) > 0) {
    stop_input("`factors` must be columns of `x`, which has no ", quoted(unknown[1]), ".")
  }
  described <- with_sorted_levels(described, x)
  frame <- as_declared(described$frame, described)
  described$frame <- NULL
  if (described$n > nrow(frame)) check_sample_varies(frame)
  rows <- structure(list(x = frame, n = described$n, label = x$label), class = "source_rows")
  if (described$n > nrow(frame)) rows[c("source", "described")] <- list(x, described)
  rows
}

# Values that are rare in all rows may not be in the sample.
check_sample_varies <- function(frame) {
  for (name in names(frame)) {
    seen <- unique(frame[[name]][!is.na(frame[[name]])])
    if (length(seen) < 2) {
      stop_input(
        column_labels(name, "x"), " has ", if (length(seen) == 0) "no value" else "one value only",
        " in a random sample of ", nrow(frame), " rows: set a larger `sample`, or leave it out."
      )
    }
  }
}

# Declared levels as they are; others by their value where all are numbers, else by code points.
with_sorted_levels <- function(described, source) {
  for (name in described$names[described$kind == "discrete"]) {
    seen <- described$levels[[name]]
    declared <- source$factors[[name]]
    if (!is.null(declared) && length(setdiff(seen, declared)) > 0) {
      stop_input(
        column_labels(name, "x"), " has ", quoted(setdiff(seen, declared)), ", but `factors` has ",
        "only ", quoted(declared), "."
      )
    }
    numbers <- suppressWarnings(as.numeric(seen))
    sorted <- if (name %in% names(source$factors) && !anyNA(numbers)) {
      seen[order(numbers)]
    } else {
      sort(enc2utf8(seen), method = "radix")
    }
    described$levels[[name]] <- if (is.null(declared)) sorted else declared
  }
  described
}

as_declared <- function(frame, described) {
  for (name in described$names[described$kind == "discrete"]) {
    frame[[name]] <- factor(frame[[name]], described$levels[[name]])
  }
  frame
}
