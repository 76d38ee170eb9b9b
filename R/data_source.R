# Data that are not in memory: how learners get what they need of them.
#
# An object of class "data_source" says where data are. Its methods are
#   describe_rows(source)            number of rows, kinds, levels, missing values, and a sample
#   sum_features(source, bases, threads)   sums of products of features of numeric columns
#   sum_seen(source, columns)        the same of the columns alone, over rows that have both values
#   count_jointly(source, names, most)     how many rows have each joint level of discrete columns:
#                                    `levels`, `rows`; NULL where there are more
# Rows beyond the sample are never held all at once. A learner gets the sample as it would get a
# data frame, and beside it the statistics of all rows, from which the scores of its search come:
#   values   the distinct rows of discrete columns with their `counts`; else no rows
#   ask      where there are too many of these: counts the joint levels of some columns
#   products, sizes, scales    of the features of numbers
#   covariance                 of numbers
#   total    the number of rows

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
#'   `GROUP BY`; where more than a million combinations occur, those of each family that the search
#'   asks for, which costs one query each. Chunks cannot be asked again so often: then the sample is
#'   used.
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
#' @param sums Where sums of products are computed: `"sql"`, by the database; `"fetch"`, in R from
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

is_elsewhere <- function(x) inherits(x, c("data_source", "tbl_sql", "DBIConnection", arrow_classes))

arrow_classes <- c("ArrowTabular", "Dataset", "arrow_dplyr_query", "RecordBatchReader")

arrow_reader <- function(x) {
  batches <- arrow::as_record_batch_reader(x)
  read <- function() {
    batch <- batches$read_next_batch()
    if (!is.null(batch)) as.data.frame(batch)
  }
  list(read = read, close = function() invisible())
}

# Combinations of levels that are held in memory.
most_combinations <- 1e6
# Levels that a discrete column may have: more would be a name or a number of each row.
most_levels <- 10000

new_source <- function(kind, label, factors, sample, open = NULL, ...) {
  structure(
    list(
      label = label, factors = check_factors(factors),
      sample = check_number(sample, "sample", least_rows, 1e9, whole = TRUE), open = open,
      most_combinations = most_combinations, ...
    ),
    class = c(paste0("source_", kind), "data_source")
  )
}

# A list of levels by the names of the columns; NULL where they are to be found.
check_factors <- function(factors) {
  if (is.character(factors)) {
    return(stats::setNames(vector("list", length(factors)), factors))
  }
  named <- is.list(factors) && !is.null(names(factors)) && all(nzchar(names(factors)))
  if (!is.null(factors) && !named) {
    stop_input(
      "`factors` must be names of columns or a named list of levels, not ", show_value(factors), "."
    )
  }
  lapply(factors, function(levels) if (!is.null(levels)) as.character(levels))
}

#' @export
print.data_source <- function(x, ...) {
  cat("Data in ", x$label, ", of which at most ", format(x$sample), " rows are read\n", sep = "")
  invisible(x)
}

describe_rows <- function(source) UseMethod("describe_rows")
sum_features <- function(source, bases, threads) UseMethod("sum_features")
sum_seen <- function(source, columns) UseMethod("sum_seen")
count_jointly <- function(source, names, most) UseMethod("count_jointly")

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

# Everything that is asked of a source can fail: a connection is cut, a table is gone.
ask_source <- function(source, code) {
  tryCatch(undisturbed(source$con, code), error = function(condition) {
    if (inherits(condition, "daggnn_input_error")) stop(condition)
    # Engines write several lines.
    reason <- trimws(gsub("[[:space:]]+", " ", conditionMessage(condition)))
    stop_input("The data could not be read from ", source$label, ": ", reason)
  })
}

# The kind of a column by its values; "unknown" where there are none.
source_kind <- function(column, name, source, type = class(column)[1]) {
  if (name %in% names(source$factors)) {
    return("discrete")
  }
  if (is.logical(column) && all(is.na(column))) {
    return("unknown")
  }
  if (is_plain_number(column) && is.null(dim(column)) || inherits(column, "integer64")) {
    return("continuous")
  }
  if (is.factor(column) || is.character(column) || is.logical(column)) {
    return("discrete")
  }
  stop_input(
    column_labels(name, "x"), " has the type ", type, ": only numbers, text and truth values can ",
    "be learned from. Make it one of these or leave it out."
  )
}

check_level_count <- function(levels, name) {
  if (length(levels) > most_levels) {
    stop_input(
      column_labels(name, "x"), " has more than ", most_levels, " levels: if it identifies rows, ",
      "leave it out."
    )
  }
}

stop_infinite <- function(name) {
  stop_input(
    column_labels(name, "x"), " has infinite values or NaN: replace them by numbers or NULL."
  )
}

# Numbers as doubles and levels as text, so that chunks can be put together.
plain_columns <- function(frame, kind) {
  for (k in seq_along(frame)) {
    column <- frame[[k]]
    frame[[k]] <- switch(kind[[k]],
      continuous = as.numeric(column),
      discrete = as.character(column),
      rep(NA, nrow(frame))
    )
  }
  rownames(frame) <- NULL
  frame
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

# ---- Statistics of all rows ----

# Why scores cannot come from all rows; NULL where they can.
reason_for_sample <- function(described) {
  if (any(described$missing > 0)) {
    return("since values are missing")
  }
  if (length(unique(described$kind)) > 1) {
    return("since numbers and discrete columns are mixed")
  }
}

rows_in_all <- function(rows) {
  if (is.null(rows$n)) NROW(variables_of(rows$x, "x")[[1]]) else rows$n
}

# What the search of dag_gnn() is given: `data`, from samples() or the statistics of all rows, the
# edges that are `allowed`, `threads`, the `density` of the noise where the sample told it, and what
# the result says of all this.
search_statistics <- function(asked) {
  rows <- asked$rows
  known <- list(data = asked$data, allowed = asked$prior$allowed, threads = asked$threads)
  if (is.null(rows$source)) {
    known$source <- source_note(rows)
    return(known)
  }
  reason <- reason_for_sample(rows$described)
  if (asked$control$effects == "joint") reason <- "since joint effects need rows"
  if (length(asked$control$counts) > 0) reason <- "since counts need rows"
  if (asked$control$density == "estimated") reason <- "since noise densities need rows"
  if (is.null(reason)) {
    found <- additive_statistics(rows, asked$data, asked$control, asked$scale, asked$threads)
    reason <- attr(found, "reason")
  }
  if (!is.null(reason)) {
    known$source <- source_note(rows, reason)
    return(known)
  }
  directed <- noise_directions(asked)
  if (!is.null(directed)) {
    known$allowed[t(directed) != 0 & !asked$prior$required] <- FALSE
    known$density <- "estimated"
  }
  known$data <- found
  known$threads <- threads_for(found, asked$threads)
  known$source <- source_note(
    rows, threshold = asked$threshold, parameters = TRUE, directions = !is.null(directed)
  )
  known
}

# Rows of the sample that noise densities are estimated from.
most_density_rows <- 10000

# The edges that the sample has where the density of its noise is not normal, which tells their
# directions; NULL where it is normal. In the order of the nodes.
noise_directions <- function(asked) {
  data <- asked$data
  if (any(data$kind == "discrete") || asked$control$density != "auto") {
    return(NULL)
  }
  chosen <- unique(round(seq(1, nrow(asked$rows$x), length.out = most_density_rows)))
  some <- samples(asked$rows$x[chosen, , drop = FALSE], asked$scale)
  sorted <- data$names
  found <- learn_structure_cpp(
    some, asked$control, asked$prior$allowed[sorted, sorted] * 1,
    asked$prior$required[sorted, sorted] * 1, integer(), asked$threads, asked$time_limit, NULL
  )
  if (found$density == "estimated") in_nodes_order(found$adjacency, data)
}

# Samples with what bnlearn's scores need of all rows in their place.
with_statistics <- function(data, rows) {
  data$source <- source_note(rows)
  if (is.null(rows$source)) {
    return(data)
  }
  known <- set_statistics(rows, data)
  data$source <- source_note(rows, attr(known, "reason"))
  data[names(known)] <- known
  data
}

# What the scores in the core read of samples.
scored_fields <- function(data) {
  intersect(c("values", "kind", "width", "counts", "covariance", "total", "ask"), names(data))
}

# R answers on its own thread only.
threads_for <- function(data, threads) if (is.null(data$ask)) threads else 1L

# For notears(): moments as of linear_moments(), and distinct rows for the logistic loss.
notears_statistics <- function(rows, data, loss, threshold) {
  note <- function(reason = NULL) source_note(rows, reason, threshold)
  known <- list(moments = linear_moments(data), source = note())
  if (is.null(rows$source)) {
    return(known)
  }
  if (loss == "least_squares") {
    known$moments <- seen_moments(rows, known$moments)
    return(known)
  }
  reason <- if (all_discrete(rows$described)) {
    reason_for_sample(rows$described)
  } else {
    "since the logistic loss of numbers needs rows"
  }
  if (is.null(reason)) {
    found <- discrete_statistics(rows, data)
    reason <- attr(found, "reason")
    if (is.null(reason) && is.null(found$counts)) {
      reason <- "since too many combinations of levels occur"
    }
  }
  if (is.null(reason)) {
    known$distinct <- list(values = found$values, weights = found$counts / found$total)
  }
  known$source <- note(reason)
  known
}

# The moments of all rows, each of those that have the values. sample: moments of the sample.
seen_moments <- function(rows, sample) {
  names <- names(sample$center)
  columns <- list(name = names, center = sample$center, scale = sample$sd)
  found <- ask_source(rows$source, sums_of(rows, columns))
  check_seen_together(found$rows, names)
  # Sums about the centre of the sample, moved to that of all rows.
  shift <- diag(found$sums) / diag(found$rows)
  centred <- found$products - shift * t(found$sums) - t(shift * t(found$sums)) +
    tcrossprod(shift) * found$rows
  sd <- sqrt(diag(centred) / diag(found$rows))
  check_variation(sd, names)
  correlation <- centred / found$rows / tcrossprod(sd)
  if (any(rows$described$missing > 0)) correlation <- nearest_semidefinite(correlation)
  dimnames(correlation) <- list(names, names)
  list(
    center = sample$center + shift * sample$sd, sd = sd * sample$sd, correlation = correlation
  )
}

# What sum_seen() gives, by the fewer sums that are enough where no value is missing.
sums_of <- function(rows, columns) {
  if (any(rows$described$missing > 0)) {
    return(sum_seen(rows$source, columns))
  }
  bases <- Map(linear_basis, columns$center, columns$scale)
  names(bases) <- columns$name
  products <- sum_features(rows$source, bases, 1)
  check_same_rows(products[1, 1], rows)
  m <- length(bases)
  list(
    rows = matrix(products[1, 1], m, m), sums = matrix(products[-1, 1], m, m),
    products = products[-1, -1]
  )
}

all_discrete <- function(described) all(described$kind == "discrete")

# For the local scores of dag_gnn(): a list as above, or NULL with a reason as its attribute.
# scale: whether all variables count as of variance 1.
additive_statistics <- function(rows, data, control, scale, threads) {
  if (all_discrete(rows$described)) {
    return(discrete_statistics(rows, data))
  }
  values <- number_matrix(rows$x, data$names)
  splines <- if (control$effects == "linear") 1 else control$splines
  bases <- stats::setNames(spline_bases_cpp(values, splines), data$names)
  products <- ask_source(rows$source, sum_features(rows$source, bases, threads))
  check_same_rows(products[1, 1], rows)
  sizes <- vapply(bases, basis_size, 1L)
  first <- cumsum(c(2, sizes))[seq_along(sizes)]
  variances <- diag(products)[first] / products[1, 1] - (products[first, 1] / products[1, 1])^2
  check_variation(variances, data$names)
  units <- vapply(bases, `[`, 1, 2)
  list(
    products = products, sizes = sizes, total = rows$n,
    scales = if (scale) 1 / sqrt(variances) else units,
    # The quartiles are those of the sample.
    tails = tail_weights_cpp(values, sqrt(variances) * units)
  )
}

# For bnlearn's scores.
set_statistics <- function(rows, data) {
  if (all_discrete(rows$described)) {
    return(discrete_statistics(rows, data))
  }
  linear <- list(effects = "linear")
  known <- additive_statistics(rows, data, linear, FALSE, 1)
  means <- known$products[-1, 1] / known$total
  covariance <- known$products[-1, -1] / known$total - tcrossprod(means)
  covariance <- covariance * tcrossprod(known$scales)
  no_rows <- matrix(0, 0, length(data$names))
  c(data[c("kind", "width")], list(values = no_rows, covariance = covariance, total = rows$n))
}

discrete_statistics <- function(rows, data) {
  known <- data[c("kind", "width")]
  known$total <- rows$n
  count <- function(names, most) {
    ask_source(rows$source, count_jointly(rows$source, names, most))
  }
  counted <- count(data$names, rows$source$most_combinations)
  if (!is.null(counted)) {
    codes <- Map(
      function(column, levels) match(as.character(column), levels) - 1,
      counted$levels[data$names], data$levels[data$names]
    )
    known$values <- matrix(as.numeric(unlist(codes)), length(counted$rows))
    known$counts <- counted$rows
    check_same_rows(sum(known$counts), rows)
    return(known)
  }
  if (inherits(rows$source, "source_chunks")) {
    return(structure(list(), reason = "since too many combinations of levels occur"))
  }
  known$values <- matrix(0, 0, length(data$names))
  known$ask <- function(places) count(data$names[places], Inf)$rows
  known
}

check_same_rows <- function(count, rows) {
  if (count != rows$n) {
    stop_input(
      "The rows in ", rows$label, " changed while they were read: there were ", rows$n,
      ", then ", count, "."
    )
  }
}

check_variation <- function(variances, names) {
  if (!all(is.finite(variances))) stop_infinite(names[!is.finite(variances)][1])
  if (any(!(variances > 0))) {
    stop_input(
      column_labels(names[!(variances > 0)][1], "x"),
      " is constant: it cannot be part of a network."
    )
  }
}

# Functions that a basis of spline_bases_cpp() has: its numbers are centre, scale, the count of
# knots, the knots, and two matrices with their dimensions first.
basis_parts <- function(numbers) {
  take <- function(count) {
    taken <- numbers[seq_len(count)]
    numbers <<- numbers[-seq_len(count)]
    taken
  }
  matrix_of <- function() {
    size <- take(2)
    matrix(if (prod(size) > 0) take(prod(size)) else numeric(), size[1], size[2])
  }
  parts <- list(center = take(1), scale = take(1))
  count <- take(1)
  parts$knots <- if (count > 0) take(count)
  parts$linear_part <- matrix_of()
  parts$rough <- matrix_of()
  parts
}

# The same form for the column alone: no knots, no curves.
linear_basis <- function(center, scale) c(center, scale, 0, 2, 0, 0, 0)

basis_size <- function(numbers) 1L + ncol(basis_parts(numbers)$rough)

# What the result says of the rows that it comes from. reason: why all of it is from the sample.
# threshold: its rule; parameters: whether there are some. Both come from the sample.
source_note <- function(rows, reason = NULL, threshold = NULL, parameters = FALSE,
                        directions = FALSE) {
  if (is.null(rows$label)) {
    return(NULL)
  }
  read <- nrow(rows$x)
  used <- if (is.null(rows$source)) {
    "all rows were read"
  } else if (!is.null(reason)) {
    paste0("learned from a random sample of ", format_count(read), " rows, ", reason)
  } else {
    sampled <- c(
      if (parameters) "parameters", if (identical(threshold, "bic")) "threshold",
      if (directions) "directions (from the density of the noise)"
    )
    listed <- sub(", ([^,]+)$", " and \\1", paste(sampled, collapse = ", "))
    from <- paste0(", ", listed, " from a random sample of ", format_count(read))
    paste0("learned from all rows", if (length(sampled) > 0) from)
  }
  list(label = rows$label, n = rows$n, read = read, reason = reason, used = used)
}

format_count <- function(number) format(number, big.mark = " ", scientific = FALSE)

source_text <- function(details) {
  if (!is.null(details$source)) paste0(details$source$label, "; ", details$source$used)
}
