# Tables in a database: counts and sums by SQL that dbplyr writes.

# Result columns of one query: engines allow some 1600.
sums_per_query <- 500
# Up to so many sums are left to the database where `sums` is "auto".
most_sums_by_sql <- 1000
# Of connections to PostgreSQL, by RPostgres, RPostgreSQL and odbc.
postgres_classes <- c("PqConnection", "PostgreSQLConnection", "PostgreSQL")
# A limit that no table reaches.
all_rows <- 9e15
# Rows that are fetched at a time.
rows_per_fetch <- 1e5
# Rows that are looked at for the types of columns.
rows_for_types <- 1000

sql_source <- function(table, factors, sample, sums) {
  con <- table$src$con
  new_source("sql", paste0("a table of ", engine_name(con)), factors, sample, table = table,
    con = con, sums = sums
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
  kind <- stats::setNames(
    vapply(names, function(name) column_kind(source, first[[name]], name), ""), names
  )
  column <- as.character(DBI::dbQuoteIdentifier(source$con, names))
  counted <- aggregated(
    source, c("COUNT(*)", paste0("COUNT(", column, ")")), function(block) table
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
    described$levels[[name]] <- as.character(seen[!is.na(seen)])
    check_level_count(described$levels[[name]], name)
  }
  described$frame <- plain_columns(draw_sample(source, table, described$n), kind)
  # NaN counts as missing in R, not in the database.
  described$missing <- pmax(described$missing, colSums(is.na(described$frame)))
  described
}

# Where the first rows have no value, the first one that there is tells.
column_kind <- function(source, column, name) {
  if (all(is.na(column))) {
    there <- verb(dplyr::filter, source$table, list(bquote(!is.na(.(as.name(name))))))
    one <- utils::head(verb(dplyr::select, there, list(as.name(name))), 1)
    column <- fetch_all(source, one)[[1]]
  }
  if (is.character(column) && is.object(column) && !is_postgres_text(source, name)) {
    column <- list()
  }
  source_kind(column, name, source, type = sql_type(source, name))
}

# RPostgres gives text with a class for types that R does not have. Of these, only enumerations and
# kinds of text have levels: arrays, JSON and places do not.
is_postgres_text <- function(source, name) {
  one <- utils::head(verb(dplyr::select, source$table, list(as.name(name))), 1)
  query <- paste0(
    "SELECT typcategory AS category FROM pg_type WHERE oid = (SELECT pg_typeof(",
    DBI::dbQuoteIdentifier(source$con, name), ") FROM (",
    dbplyr::sql_render(one, source$con), ") AS one)"
  )
  any(DBI::dbGetQuery(source$con, query)$category %in% c("E", "S"))
}

# A promise: asked for only where the type is not supported.
sql_type <- function(source, name) {
  one <- utils::head(verb(dplyr::select, source$table, list(as.name(name))), 1)
  if (inherits(source$con, "SQLiteConnection")) {
    type <- verb(dplyr::transmute, one, list(type = bquote(typeof(.(as.name(name))))))
    return(fetch_all(source, type)[[1]])
  }
  result <- DBI::dbSendQuery(source$con, dbplyr::sql_render(one))
  on.exit(DBI::dbClearResult(result))
  info <- DBI::dbColumnInfo(result)
  as.character(info[[intersect(c(".typname", "field.type", "type"), names(info))[1]]])
}

fetch_all <- function(source, table) {
  as.data.frame(DBI::dbGetQuery(source$con, dbplyr::sql_render(table, source$con)))
}

# Each row is taken with the same probability, a little above what is needed, in one pass.
draw_sample <- function(source, table, n) {
  if (n <= source$sample) {
    return(fetch_all(source, table))
  }
  # Five standard deviations.
  share <- (source$sample + 5 * sqrt(source$sample)) / n
  chance <- if (inherits(source$con, "SQLiteConnection")) {
    "ABS(RANDOM() / 9223372036854775808.0)"
  } else {
    as.character(dbplyr::sql_random(source$con))
  }
  condition <- dbplyr::sql(paste(chance, "<", format(share, digits = 10, scientific = FALSE)))
  drawn <- fetch_all(source, dplyr::filter(table, condition))
  if (nrow(drawn) > source$sample) {
    keep <- with_stream(sampling_stream, sample.int(nrow(drawn), source$sample))
    drawn <- drawn[sort(keep), , drop = FALSE]
  }
  drawn
}

#' @export
sum_features.source_sql <- function(source, bases, threads) {
  features <- sum(vapply(bases, basis_size, 1L))
  count <- features * (features + 1) / 2
  by_sql <- source$sums == "sql" || source$sums == "auto" && count <= most_sums_by_sql
  if (by_sql) products_by_sql(source, bases) else products_by_fetching(source, bases, threads)
}

products_by_fetching <- function(source, bases, threads) {
  columns <- lapply(stats::setNames(nm = names(bases)), function(name) as_double(source, name))
  table <- verb(dplyr::transmute, dplyr::ungroup(source$table), columns)
  result <- DBI::dbSendQuery(source$con, dbplyr::sql_render(table, source$con))
  on.exit(DBI::dbClearResult(result))
  total <- 0
  repeat {
    chunk <- DBI::dbFetch(result, n = rows_per_fetch)
    if (nrow(chunk) == 0) break
    total <- total + feature_products_cpp(bases, number_matrix(chunk, names(bases)), threads)
  }
  total
}

# A column as the engine's double: products of integers may overflow, and exact decimals are slow.
as_double <- function(source, name) {
  column <- as.character(DBI::dbQuoteIdentifier(source$con, name))
  dbplyr::sql(paste0("CAST(", column, " AS ", DBI::dbDataType(source$con, 1), ")"))
}

# One number for each aggregate of the table's columns, written in SQL, some at a time: dbplyr takes
# 20 ms for each where all engines agree. table: a function of the places of aggregates that makes
# the table that they need.
aggregated <- function(source, aggregates, table) {
  blocks <- split(seq_along(aggregates), (seq_along(aggregates) - 1) %/% sums_per_query)
  unlist(lapply(unname(blocks), function(block) {
    query <- paste0(
      "SELECT ", paste0(aggregates[block], " AS s", seq_along(block), collapse = ", "), " FROM (",
      dbplyr::sql_render(table(block), source$con), ") AS features"
    )
    found <- without_compiler(source$con, DBI::dbGetQuery(source$con, query))
    found <- vapply(found, as.numeric, 1)
    # The sum of no rows is NULL.
    ifelse(is.na(found), 0, found)
  }))
}

# PostgreSQL compiles the expressions of costly queries, which takes longer for hundreds of sums
# than to add these up over a million rows. The user's setting comes back, whatever happens.
without_compiler <- function(con, code) {
  if (inherits(con, postgres_classes)) {
    jit <- DBI::dbGetQuery(con, "SELECT setting FROM pg_settings WHERE name = 'jit'")$setting
    if (identical(jit, "on")) {
      DBI::dbExecute(con, "SET jit = off")
      # Where the query failed since the connection was cut, or in a transaction, there is nothing
      # to put back, or the end of the transaction does it.
      on.exit(try(DBI::dbExecute(con, "SET jit = on"), silent = TRUE))
    }
  }
  code
}

# The features are expressions of their columns, in three layers: the deviation d from the centre,
# the cubes (z - knot)^3 of z = d / scale beyond each knot, and sums of these. Linear features stay
# deviations in the database and are divided by their scales here: there are many products of them.
products_by_sql <- function(source, bases) {
  features <- unlist(lapply(seq_along(bases), function(j) feature_layers(j, bases[[j]])), FALSE)
  P <- length(features)
  name <- vapply(features, `[[`, "", "name")
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
  pairs <- as.matrix(expand.grid(seq_len(m), seq_len(m)))
  one <- d[pairs[, 1]]
  other <- d[pairs[, 2]]
  aggregates <- c(
    paste0("SUM(CASE WHEN ", one, " IS NULL OR ", other, " IS NULL THEN 0 ELSE 1 END)"),
    paste0("SUM(CASE WHEN ", other, " IS NULL THEN 0 ELSE ", one, " END)"),
    paste0("SUM(", one, " * ", other, ")")
  )
  found <- array(aggregated(source, aggregates, function(block) table), c(m, m, 3))
  scale <- columns$scale
  list(
    rows = found[, , 1], sums = found[, , 2] / scale, products = found[, , 3] / tcrossprod(scale)
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
