# Tables in a database: counts and sums by SQL that dbplyr writes.

# Result columns of one query: engines allow some 1600.
sums_per_query <- 500
# Up to so many sums are left to the database where `sums` is "auto".
most_sums_by_sql <- 1000
# A limit that no table reaches.
all_rows <- 9e15
# Rows that are fetched at a time.
rows_per_fetch <- 1e5
# Rows that are looked at for the types of columns.
rows_for_types <- 1000

sql_source <- function(table, factors, sample, sums) {
  con <- dbplyr::remote_con(table)
  new_source("sql", paste0("a table of ", engine_name(con)), factors, sample, table = table,
    con = con, sums = sums, random = random_number(con)
  )
}

engine_name <- function(con) {
  name <- sub("Connection$", "", class(con)[1])
  known <- c(Pq = "PostgreSQL", duckdb_connection = "DuckDB")
  if (name %in% names(known)) known[[name]] else name
}

# Verbs of dplyr with expressions that were made before.
verb <- function(f, table, expressions) do.call(f, c(list(table), expressions))

#' @export
describe_rows.source_sql <- function(source) {
  # Groups would turn sums over all rows into sums over each.
  table <- dplyr::ungroup(source$table)
  names <- colnames(table)
  first <- fetch_all(source, utils::head(table, rows_for_types))
  foreign <- foreign_types(source, names)
  kind <- stats::setNames(
    vapply(names, function(name) column_kind(source, first[[name]], name, foreign), ""), names
  )
  counted <- aggregated(
    source, c("COUNT(*)", paste0("COUNT(", quoted_names(source, names), ")")),
    function(block) table
  )
  described <- list(
    n = counted[[1]], names = names, kind = kind, levels = list(),
    missing = stats::setNames(counted[[1]] - counted[-1], names)
  )
  if (described$n == 0) stop_input("`x` must have at least one row.")
  empty <- described$missing == described$n
  if (any(empty)) {
    stop_input(column_labels(names[empty][1], "x"), " has no values: all are missing.")
  }
  for (name in names[kind == "discrete"]) {
    seen <- fetch_all(
      source, utils::head(verb(dplyr::distinct, table, list(as.name(name))), most_levels + 2)
    )[[1]]
    described$levels[[name]] <- unique(as.character(seen[!is.na(seen)]))
    check_level_count(described$levels[[name]], name)
  }
  described$frame <- plain_columns(draw_sample(source, table, described$n), kind)
  check_levels_of_rows(described)
  # NaN counts as missing in R, not in the database.
  described$missing <- pmax(described$missing, colSums(is.na(described$frame)))
  described
}

# Many engines take text that differs in case or accents as equal.
check_levels_of_rows <- function(described) {
  for (name in names(described$levels)) {
    known <- c(described$levels[[name]], NA)
    other <- setdiff(described$frame[[name]], known)
    if (length(other) > 0) {
      stop_input(
        column_labels(name, "x"), " has ", quoted(other), " in its rows, which the database does ",
        "not tell from its other values: make them alike by `mutate()`, as by `tolower()`."
      )
    }
  }
}

# Where the first rows have no value, the first one that there is tells.
column_kind <- function(source, column, name, foreign) {
  if (all(is.na(column))) {
    there <- verb(dplyr::filter, source$table, list(bquote(!is.na(.(as.name(name))))))
    one <- utils::head(verb(dplyr::select, there, list(as.name(name))), 1)
    column <- fetch_all(source, one)[[1]]
  }
  if (name %in% foreign) column <- list()
  source_kind(column, name, source, type = sql_type(source, name))
}

# PostgreSQL has types that R gets as text or numbers and that are neither, such as intervals, money
# and arrays. Columns that are not numbers, text, enumerations, truth values or NULL throughout.
foreign_types <- function(source, names) {
  # Redshift does not have pg_typeof().
  if (!inherits(source$con, postgres_classes) || inherits(source$con, "RedshiftConnection")) {
    return(NULL)
  }
  category <- paste0(
    "(SELECT CASE WHEN typname IN ('money', 'oid') THEN 'U' ELSE typcategory END ",
    "FROM pg_type WHERE oid = pg_typeof(", quoted_names(source, names), "))"
  )
  one <- utils::head(dplyr::ungroup(source$table), 1)
  found <- DBI::dbGetQuery(source$con, aggregates_query(source, category, one))
  names[!as.character(unlist(found)) %in% c("N", "S", "E", "B", "X")]
}

# A promise: asked for only where the type is not supported.
sql_type <- function(source, name) {
  one <- utils::head(verb(dplyr::select, source$table, list(as.name(name))), 1)
  if (inherits(source$con, "SQLiteConnection")) {
    type <- verb(dplyr::transmute, one, list(type = bquote(typeof(.(as.name(name))))))
    return(fetch_all(source, type)[[1]])
  }
  result <- DBI::dbSendQuery(source$con, sql_of(source, one))
  on.exit(DBI::dbClearResult(result))
  info <- DBI::dbColumnInfo(result)
  as.character(info[[intersect(c(".typname", "field.type", "type"), names(info))[1]]])
}

# Names as this engine quotes them, also in SQL that dbplyr does not write.
quoted_names <- function(source, names) {
  as.character(dbplyr::escape(dbplyr::ident(names), parens = FALSE, collapse = NULL, source$con))
}

# The query of a lazy table, whose order of rows, if any, means nothing to sums.
sql_of <- function(source, table) {
  withCallingHandlers(dbplyr::sql_render(table, source$con), warning = function(condition) {
    if (grepl("ORDER BY is ignored", conditionMessage(condition))) invokeRestart("muffleWarning")
  })
}

fetch_all <- function(source, table) {
  as.data.frame(DBI::dbGetQuery(source$con, sql_of(source, table)))
}

# Calls visit(chunk) for all rows.
fetch_in_chunks <- function(source, table, visit) {
  result <- DBI::dbSendQuery(source$con, sql_of(source, table))
  on.exit(DBI::dbClearResult(result))
  repeat {
    chunk <- DBI::dbFetch(result, n = rows_per_fetch)
    if (nrow(chunk) == 0) break
    visit(as.data.frame(chunk))
  }
}

# Each row is taken with the same probability, a little above what is needed, in one pass.
draw_sample <- function(source, table, n) {
  wanted <- source$sample
  if (n <= wanted) {
    return(fetch_all(source, table))
  }
  # Five standard deviations to either side.
  likely <- wanted + 5 * sqrt(wanted)
  most <- ceiling(likely + 5 * sqrt(likely))
  # An engine may draw other numbers than from 0 to 1 for each row, or none by this name.
  drawn <- tryCatch(
    fetch_all(source, random_rows(source, table, likely / n, most + 1)),
    error = function(condition) if (inherits(source$con, postgres_classes)) stop(condition)
  )
  if (is.null(drawn) || nrow(drawn) < wanted || nrow(drawn) > most) {
    sample <- row_sample(wanted)
    fetch_in_chunks(source, table, sample$add)
    return(sample$rows())
  }
  keep <- with_stream(sampling_stream, sample.int(nrow(drawn), wanted))
  drawn[sort(keep), , drop = FALSE]
}

# Each row with this probability, but at most so many.
random_rows <- function(source, table, share, most) {
  share <- format(share, digits = 10, scientific = FALSE)
  condition <- dbplyr::sql(paste(source$random, "<", share))
  utils::head(dplyr::filter(table, condition), most)
}

# SQL for a number from 0 to 1 that is another one in each row.
random_number <- function(con) {
  if (inherits(con, "SQLiteConnection")) {
    "ABS(RANDOM() / 9223372036854775808.0)"
  } else if (inherits(con, "Microsoft SQL Server")) {
    # RAND() is one number for the whole query.
    "ABS(CHECKSUM(NEWID()) / 2147483648.0)"
  } else if (inherits(con, c("Oracle", "OraConnection"))) {
    "DBMS_RANDOM.VALUE"
  } else if (inherits(con, "Snowflake")) {
    "UNIFORM(0::FLOAT, 1::FLOAT, RANDOM())"
  } else if (inherits(con, c("Hive", "Impala", "BigQuery", "BigQueryConnection"))) {
    "RAND()"
  } else {
    as.character(dbplyr::sql_random(con))
  }
}

#' @export
sum_features.source_sql <- function(source, bases, threads) {
  features <- vapply(bases, basis_size, 1L)
  # Engines take ten times longer for curves than it takes to fetch the rows.
  few <- all(features == 1) && length(features) * (length(features) + 1) / 2 <= most_sums_by_sql
  by_sql <- source$sums == "sql" || source$sums == "auto" && few
  if (by_sql) products_by_sql(source, bases) else products_by_fetching(source, bases, threads)
}

products_by_fetching <- function(source, bases, threads) {
  columns <- lapply(stats::setNames(nm = names(bases)), function(name) as_double(source, name))
  table <- verb(dplyr::transmute, dplyr::ungroup(source$table), columns)
  total <- 0
  fetch_in_chunks(source, table, function(chunk) {
    total <<- total + feature_products(chunk, bases, threads)
  })
  total
}

# A column as the engine's double: products of integers may overflow, and exact decimals are slow.
as_double <- function(source, name) {
  type <- DBI::dbDataType(source$con, 1)
  dbplyr::sql(paste0("CAST(", quoted_names(source, name), " AS ", type, ")"))
}

# One number for each aggregate of the table's columns, written in SQL, some at a time: dbplyr takes
# 20 ms for each where all engines agree. table: a function of the places of aggregates that makes
# the table that they need.
aggregated <- function(source, aggregates, table) {
  blocks <- split(seq_along(aggregates), (seq_along(aggregates) - 1) %/% sums_per_query)
  unlist(lapply(unname(blocks), function(block) {
    query <- aggregates_query(source, aggregates[block], table(block))
    found <- vapply(DBI::dbGetQuery(source$con, query), as.numeric, 1)
    # The sum of no rows is NULL.
    ifelse(is.na(found), 0, found)
  }))
}

aggregates_query <- function(source, aggregates, table) {
  # Oracle knows no AS before the name of a query.
  paste0(
    "SELECT ", paste0(aggregates, " AS s", seq_along(aggregates), collapse = ", "), " FROM (",
    sql_of(source, table), ") features"
  )
}

# The features are expressions of their columns, in three layers: the deviation d from the centre,
# the cubes (z - knot)^3 of z = d / scale beyond each knot, and sums of these. Linear features stay
# deviations in the database and are divided by their scales here: there are many products of them.
products_by_sql <- function(source, bases) {
  features <- unlist(lapply(seq_along(bases), function(j) feature_layers(j, bases[[j]])), FALSE)
  P <- length(features)
  name <- quoted_names(source, vapply(features, `[[`, "", "name"))
  pairs <- which(upper.tri(diag(P), diag = TRUE), arr.ind = TRUE)
  aggregates <- c(
    "COUNT(*)", paste0("SUM(", name, ")"),
    paste0("SUM(", name[pairs[, 1]], " * ", name[pairs[, 2]], ")")
  )
  pairs <- rbind(0, cbind(0, seq_len(P)), pairs)
  found <- aggregated(source, aggregates, function(block) {
    used <- setdiff(unique(as.vector(pairs[block, ])), 0)
    # Rows are counted by any feature.
    layered_features(source, names(bases), features[if (length(used) > 0) sort(used) else 1])
  })
  products <- matrix(0, P + 1, P + 1)
  products[pairs + 1] <- found
  products[lower.tri(products)] <- t(products)[lower.tri(products)]
  products / tcrossprod(c(1, vapply(features, `[[`, 1, "unit")))
}

# For each feature of variable j: its name, the expressions of the layers that it needs and its own,
# and the unit that its value is in.
feature_layers <- function(j, numbers) {
  basis <- basis_parts(numbers)
  d <- as.name(paste0("d", j))
  z <- bquote((.(d) / .(basis$scale)))
  label <- function(k) paste0("f", j, "_", k)
  linear <- list(
    name = label(1), variable = j, basis = basis, cubes = list(), value = d, unit = basis$scale
  )
  if (ncol(basis$rough) == 0) {
    return(list(linear))
  }
  weights <- cube_weights(basis)
  curves <- lapply(seq_len(ncol(basis$rough)), function(k) {
    cubes <- paste0("c", j, "_", seq_along(basis$knots))
    value <- bquote(.(weights$constant[k]) + .(weights$slope[k]) * .(z))
    for (t in seq_along(basis$knots)) {
      value <- bquote(.(value) + .(weights$cubes[t, k]) * .(as.name(cubes[t])))
    }
    expressions <- lapply(basis$knots, function(knot) {
      bquote(ifelse(.(z) > .(knot), (.(z) - .(knot)) * (.(z) - .(knot)) * (.(z) - .(knot)), 0))
    })
    list(
      name = label(k + 1), variable = j, basis = basis,
      cubes = stats::setNames(expressions, cubes), value = value, unit = 1
    )
  })
  c(list(linear), curves)
}

# A curve is constant + slope z + the sum over knots of weight (z - knot)^3 beyond the knot.
cube_weights <- function(basis) {
  knots <- basis$knots
  count <- length(knots)
  splines <- nrow(basis$rough)
  last <- knots[count]
  # Natural splines as sums of cubes c, with t for the knots:
  # (c_k - c_last) / (t_last - t_k) - (c_before - c_last) / (t_last - t_before).
  natural <- matrix(0, count, splines)
  for (k in seq_len(splines)) {
    natural[k, k] <- 1 / (last - knots[k])
    natural[count, k] <- -1 / (last - knots[k]) + 1 / (last - knots[count - 1])
    natural[count - 1, k] <- natural[count - 1, k] - 1 / (last - knots[count - 1])
  }
  list(
    constant = -as.vector(basis$linear_part[1, ] %*% basis$rough),
    slope = -as.vector(basis$linear_part[2, ] %*% basis$rough), cubes = natural %*% basis$rough
  )
}

# Columns less their centres, under names of their own.
deviations <- function(source, columns, centers, names) {
  expressions <- Map(
    function(column, center) bquote(.(as_double(source, column)) - .(center)), columns, centers
  )
  verb(dplyr::transmute, dplyr::ungroup(source$table), stats::setNames(expressions, names))
}

layered_features <- function(source, names, features) {
  places <- vapply(features, `[[`, 1L, "variable")
  variables <- unique(places)
  centers <- vapply(features, function(feature) feature$basis$center, 1)
  table <- deviations(
    source, names[variables], centers[!duplicated(places)], paste0("d", variables)
  )
  cubes <- unlist(lapply(features, `[[`, "cubes"), FALSE)
  cubes <- cubes[!duplicated(names(cubes))]
  if (length(cubes) > 0) table <- verb(dplyr::mutate, table, cubes)
  values <- stats::setNames(lapply(features, `[[`, "value"), vapply(features, `[[`, "", "name"))
  table <- verb(dplyr::transmute, table, values)
  # These engines write an expression out wherever it is used, unless the rows are limited, which in
  # PostgreSQL keeps all but one process from summing.
  repeats <- inherits(source$con, "SQLiteConnection") ||
    inherits(source$con, postgres_classes) && length(cubes) > 0
  if (repeats) utils::head(table, all_rows) else table
}

#' @export
sum_seen.source_sql <- function(source, columns) {
  m <- length(columns$name)
  d <- paste0("d", seq_len(m))
  table <- deviations(source, columns$name, columns$center, d)
  d <- quoted_names(source, d)
  ordered <- as.matrix(expand.grid(seq_len(m), seq_len(m)))
  pairs <- ordered[ordered[, 1] <= ordered[, 2], ]
  sum_over <- function(pairs, value) {
    one <- d[pairs[, 1]]
    other <- d[pairs[, 2]]
    paste0("SUM(CASE WHEN ", other, " IS NULL THEN 0 ELSE ", value(one, other), " END)")
  }
  seen <- function(one, other) paste("CASE WHEN", one, "IS NULL THEN 0 ELSE 1 END")
  first <- function(one, other) one
  found <- aggregated(
    source,
    c(
      sum_over(pairs, seen), sum_over(ordered, first),
      paste0("SUM(", d[pairs[, 1]], " * ", d[pairs[, 2]], ")")
    ),
    function(block) table
  )
  both <- function(values) {
    matrix <- matrix(0, m, m)
    matrix[pairs] <- values
    matrix[pairs[, 2:1]] <- values
    matrix
  }
  P <- nrow(pairs)
  scale <- columns$scale
  list(
    rows = both(found[seq_len(P)]),
    sums = matrix(found[P + seq_len(m^2)], m) / scale,
    products = both(found[P + m^2 + seq_len(P)]) / tcrossprod(scale)
  )
}

#' @export
count_jointly.source_sql <- function(source, names, most) {
  grouped <- verb(dplyr::group_by, dplyr::ungroup(source$table), lapply(names, as.name))
  # A name that no column has.
  rows <- utils::tail(make.unique(c(names, "rows")), 1)
  count <- stats::setNames(list(quote(n()), "drop"), c(rows, ".groups"))
  counted <- verb(dplyr::summarise, grouped, count)
  if (is.finite(most)) counted <- utils::head(counted, most + 1)
  counted <- fetch_all(source, counted)
  if (nrow(counted) <= most) list(levels = counted[names], rows = as.numeric(counted[[rows]]))
}
