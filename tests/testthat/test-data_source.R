# The same network as from the data frame, whatever holds the data. Samples are small here, so that
# scores come from sums and counts.

edges_of <- function(net) sort(apply(bnlearn::arcs(net), 1, paste, collapse = " -> "))
# Of the class of equivalent networks: normal noise leaves the other directions open, and a random
# sample of rows may turn them.
class_of <- function(net) edges_of(bnlearn::cpdag(net))

curved_data <- function(n) {
  set.seed(1001)
  a <- rnorm(n)
  b <- sin(2 * a) + 0.3 * rnorm(n)
  d <- rnorm(n)
  data.frame(a = 1e6 + a, b = 1e-3 * b, c = b^2 + 0.5 * d + 0.3 * rnorm(n), d = d)
}

sparse_normal <- function(n) {
  set.seed(1002)
  a <- rnorm(n)
  b <- 0.8 * a + rnorm(n)
  data.frame(whole = as.integer(round(10 * a)), b = b, c = 2 * b + rnorm(n), d = rnorm(n))
}

with_gaps <- function(x) {
  set.seed(1003)
  x[sample(nrow(x), nrow(x) %/% 10), 2] <- NA
  x
}

# The network of a data frame, learned once for all engines.
known <- new.env()
network_of <- function(name, frame) {
  if (is.null(known[[name]])) known[[name]] <- dag_gnn(frame)
  known[[name]]
}

moments_of <- function(net) net$daggnn$parameters[c("center", "sd", "correlation")]

# write(name, frame): puts a table there and returns a lazy table of it.
expect_same_networks <- function(write) {
  frame <- sparse_normal(3000)
  normal <- write("normal", frame)
  linear <- dag_gnn_control(effects = "linear", density = "normal")
  for (sums in c("sql", "fetch")) {
    from_table <- dag_gnn(data_source(normal, sample = 1000, sums = sums), control = linear)
    expect_identical(class_of(from_table), class_of(network_of("normal", frame)))
    expect_identical(from_table$daggnn$n, 3000)
    expect_match(from_table$daggnn$source$used, "learned from all rows")
  }
  expect_equal(
    exact_dag(data_source(normal, sample = 1000))$score, exact_dag(frame)$score, tolerance = 1e-9
  )
  expect_equal(moments_of(notears(data_source(normal, sample = 1000))), moments_of(notears(frame)))

  # More rows than joint effects are tried on.
  frame <- curved_data(4000)
  curved <- write("curved", frame)
  for (sums in c("sql", "auto")) {
    net <- dag_gnn(data_source(curved, sample = 1000, sums = sums))
    expect_identical(net$daggnn$choice$effects, "additive")
    expect_identical(edges_of(net), edges_of(network_of("curved", frame)))
  }

  frame <- bnlearn::learning.test
  source <- data_source(write("discrete", frame), sample = 1000)
  expect_identical(class_of(dag_gnn(source)), class_of(network_of("discrete", frame)))
  # Too many combinations to hold: a sample, or each family is counted in the database.
  source$most_combinations <- 10
  expect_match(dag_gnn(source)$daggnn$source$used, "1 000 rows, since too many combinations")
  source$sums <- "sql"
  expect_identical(class_of(dag_gnn(source)), class_of(network_of("discrete", frame)))
  expect_equal(exact_dag(source, score = "bde")$score, exact_dag(frame, score = "bde")$score)

  # Needs rows: from a sample, and the result says so. The database draws it, so that its network is
  # not that of all rows each time; with all rows it is.
  frame <- bnlearn::clgaussian.test[1:3000, ]
  mixed <- write("mixed", frame)
  net <- dag_gnn(data_source(mixed, sample = 2000))
  expect_match(net$daggnn$source$used, "random sample of 2 000 rows, since numbers and discrete")
  expect_setequal(bnlearn::nodes(net), names(frame))
  net <- dag_gnn(data_source(mixed, sample = 3000))
  expect_equal(coef(net), coef(network_of("mixed", frame)))

  frame <- with_gaps(sparse_normal(3000))
  gaps <- write("gaps", frame)
  net <- dag_gnn(data_source(gaps, sample = 2000))
  expect_match(net$daggnn$source$used, "random sample of 2 000 rows, since values are missing")
  net <- dag_gnn(data_source(gaps, sample = 3000))
  expect_equal(coef(net), coef(network_of("gaps", frame)))
  expect_equal(moments_of(notears(data_source(gaps, sample = 1000))), moments_of(notears(frame)))
  expect_error(exact_dag(data_source(gaps, sample = 1000)), "\"b\" of `x` has missing values")
}

sqlite <- function() {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con), parent.frame())
  con
}

test_that("a table in SQLite gives the network of the data frame", {
  con <- sqlite()
  expect_same_networks(function(name, frame) {
    DBI::dbWriteTable(con, name, frame)
    dplyr::tbl(con, name)
  })
  # Nothing is left behind, and the connection still works.
  expect_setequal(DBI::dbListTables(con), c("normal", "curved", "discrete", "mixed", "gaps"))
  expect_identical(
    DBI::dbGetQuery(con, "SELECT COUNT(*) AS n FROM sqlite_temp_master")$n, 0L
  )
})

test_that("a table in PostgreSQL gives the network of the data frame", {
  server <- local_postgres()
  con <- server$con
  expect_same_networks(function(name, frame) {
    DBI::dbWriteTable(con, name, frame)
    dplyr::tbl(con, name)
  })
  expect_setequal(DBI::dbListTables(con), c("normal", "curved", "discrete", "mixed", "gaps"))
  DBI::dbExecute(con, "CREATE TABLE days AS SELECT b, c, CURRENT_DATE AS day FROM normal")
  expect_error(dag_gnn(dplyr::tbl(con, "days")), "\"day\" of `x` has the type date")
  DBI::dbExecute(con, "CREATE TABLE lists AS SELECT b, c, ARRAY[1, 2] AS list FROM normal")
  expect_error(dag_gnn(dplyr::tbl(con, "lists")), "\"list\" of `x` has the type _int4")
  DBI::dbExecute(con, "CREATE TYPE mood AS ENUM ('sad', 'well')")
  DBI::dbExecute(
    con,
    "CREATE TABLE moods AS SELECT b, CAST(CASE WHEN c > 0 THEN 'sad' ELSE 'well' END AS mood) AS m
    FROM normal"
  )
  expect_identical(dag_gnn(dplyr::tbl(con, "moods"))$daggnn$samples$levels$m, c("sad", "well"))
  # NaN is missing in R, though the database counts it as a number.
  DBI::dbExecute(
    con, "CREATE TABLE nans AS SELECT b, c, CASE WHEN d > 1 THEN 'NaN' ELSE d END AS d FROM normal"
  )
  net <- dag_gnn(data_source(con, "nans", sample = 1000))
  expect_match(net$daggnn$source$used, "since values are missing")
  # The compiler of queries is the user's again, also where a query failed.
  DBI::dbExecute(con, "SET jit = on")
  dag_gnn(data_source(con, "normal", sample = 1000))
  broken <- dplyr::mutate(dplyr::tbl(con, "normal"), e = 1 / (whole - whole))
  expect_error(dag_gnn(broken), "could not be read from a table of PostgreSQL: .*division by zero")
  expect_identical(DBI::dbGetQuery(con, "SHOW jit")$jit, "on")
  # A cut connection: another one ends it.
  table <- dplyr::tbl(con, "normal")
  other <- server$connect()
  pid <- DBI::dbGetQuery(con, "SELECT pg_backend_pid() AS pid")$pid
  DBI::dbGetQuery(other, paste0("SELECT pg_terminate_backend(", pid, ")"))
  DBI::dbDisconnect(other)
  expect_error(dag_gnn(table), "could not be read from", class = "daggnn_input_error")
})

test_that("a table in DuckDB gives the network of the data frame", {
  skip_if_not_installed("duckdb")
  skip_if_not_installed("dbplyr")
  con <- DBI::dbConnect(duckdb::duckdb())
  withr::defer(DBI::dbDisconnect(con, shutdown = TRUE))
  expect_same_networks(function(name, frame) {
    DBI::dbWriteTable(con, name, frame)
    dplyr::tbl(con, name)
  })
})

test_that("an Arrow dataset gives the network of the data frame", {
  skip_if_not_installed("arrow")
  folder <- withr::local_tempdir()
  arrow::write_dataset(sparse_normal(3000), folder)
  source <- data_source(arrow::open_dataset(folder), sample = 1000)
  expect_identical(class_of(dag_gnn(source)), class_of(dag_gnn(sparse_normal(3000))))
})

test_that("a lazy table can be filtered and changed first, and be given as it is", {
  con <- sqlite()
  DBI::dbWriteTable(con, "visits", sparse_normal(2000))
  table <- dplyr::mutate(dplyr::filter(dplyr::tbl(con, "visits"), d > 0), e = b * 2 + d)
  frame <- as.data.frame(dplyr::collect(table))
  expect_identical(class_of(dag_gnn(table)), class_of(dag_gnn(frame)))
  chosen <- dplyr::select(table, b, c, d)
  # The density of the noise would come from a random sample.
  normal <- dag_gnn_control(density = "normal")
  net <- dag_gnn(data_source(chosen, sample = 500), control = normal)
  expect_identical(net$daggnn$n, as.numeric(nrow(frame)))
  expect_identical(class_of(net), class_of(dag_gnn(frame[c("b", "c", "d")], control = normal)))
})

test_that("the same sums come from SQL and from rows that are fetched", {
  con <- sqlite()
  frame <- curved_data(2000)
  DBI::dbWriteTable(con, "curved", frame)
  source <- data_source(con, "curved")
  bases <- daggnn:::spline_bases_cpp(as.matrix(frame), 8)
  names(bases) <- names(frame)
  by_sql <- daggnn:::products_by_sql(source, bases)
  fetched <- daggnn:::products_by_fetching(source, bases, 1)
  # A number in SQL has 15 digits, of which column a, far from 0, needs six for its place.
  expect_lt(max(abs(by_sql - fetched)), 2000 * 1e-7)
  expect_equal(diag(by_sql), rep(2000, nrow(by_sql)), tolerance = 1e-7)
})

test_that("noise that is not normal tells directions from the sample", {
  con <- sqlite()
  set.seed(1004)
  a <- runif(4000) - 0.5
  frame <- data.frame(b = a + 0.6 * (runif(4000) - 0.5), a = a)
  DBI::dbWriteTable(con, "uniform", frame)
  net <- dag_gnn(data_source(con, "uniform", sample = 2000))
  expect_identical(edges_of(net), "a -> b")
  expect_match(net$daggnn$source$used, "directions")
})

test_that("numbers can be declared discrete, with their levels", {
  con <- sqlite()
  frame <- data.frame(lapply(bnlearn::learning.test, as.integer))
  DBI::dbWriteTable(con, "codes", frame)
  factors <- names(frame)
  net <- dag_gnn(data_source(con, "codes", factors = factors, sample = 1000))
  expect_identical(class_of(net), class_of(dag_gnn(bnlearn::learning.test)))
  expect_identical(net$daggnn$samples$levels$A, c("1", "2", "3"))
  declared <- c(list(A = c("3", "2", "1")), stats::setNames(vector("list", 5), factors[-1]))
  net <- dag_gnn(data_source(con, "codes", factors = declared, sample = 1000))
  expect_identical(net$daggnn$samples$levels$A, c("3", "2", "1"))
  expect_error(
    dag_gnn(data_source(con, "codes", factors = list(A = c("1", "2")))), "`factors` has only"
  )
  expect_error(dag_gnn(data_source(con, "codes", factors = "Z")), "has no \"Z\"")
  expect_error(data_source(con, "codes", factors = 3), "`factors` must be names of columns")
})

test_that("a type that cannot be learned from is an error that names the column and its type", {
  con <- sqlite()
  DBI::dbExecute(con, "CREATE TABLE pictures (a REAL, picture BLOB)")
  DBI::dbExecute(con, "INSERT INTO pictures VALUES (1, x'00ff'), (2, x'00ff')")
  expect_error(dag_gnn(dplyr::tbl(con, "pictures")), "Column \"picture\" of `x` has the type blob")
})

test_that("a table that is gone and a column of names are clear errors", {
  con <- sqlite()
  DBI::dbWriteTable(con, "normal", sparse_normal(100))
  table <- dplyr::tbl(con, "normal")
  DBI::dbRemoveTable(con, "normal")
  expect_error(dag_gnn(table), "could not be read from a table of SQLite: ")
  expect_error(data_source(con, "nowhere"), "could not be read from the database")
  expect_true(DBI::dbIsValid(con))
  expect_error(data_source(con), "`table` must be the name")
  expect_error(data_source(1:3), "`x` must be a lazy table")
  DBI::dbWriteTable(con, "named", data.frame(id = as.character(1:11000), b = rnorm(11000)))
  expect_error(dag_gnn(data_source(con, "named")), "more than 10000 levels")
  infinite <- transform(sparse_normal(100), c = replace(c, 7, Inf))
  DBI::dbWriteTable(con, "infinite", infinite)
  few <- data_source(con, "infinite", sample = 20)
  expect_error(dag_gnn(few), "\"c\" of `x` has infinite values")
  DBI::dbWriteTable(con, "empty", data.frame(a = 1, b = NA_real_))
  expect_error(dag_gnn(data_source(con, "empty")), "\"b\" of `x` has no values")
})

test_that("prediction, BIC and comparison work with a network that was learned from a table", {
  con <- sqlite()
  frame <- sparse_normal(2000)
  DBI::dbWriteTable(con, "normal", frame)
  source <- data_source(con, "normal", sample = 1000)
  net <- dag_gnn(source)
  predicted <- predict(net, frame)
  expect_gt(cor(predicted[["c"]], frame$c), 0.8)
  expect_true(is.finite(BIC(net, frame)))
  expect_output(print(net), "a table of SQLite; learned from all rows")
  compared <- compare_learners(source, c("dag_gnn", "exact", "fges", "hc"))
  expect_true(all(is.na(compared$message)))
  expect_equal(compared$bic[1:4], rep(compared$bic[1], 4))
  expect_match(attr(compared, "source"), "The scores and hc use a random sample of 1 000 of them")
  expect_output(print(compared), "The data are 2 000 rows in a table of SQLite")
  expect_false("gap" %in% names(compared))
  whole <- compare_learners(data_source(con, "normal"), c("dag_gnn", "exact"))
  expect_true("gap" %in% names(whole))
  expect_null(attr(whole, "source"))
  cluster <- parallel::makeCluster(1)
  withr::defer(parallel::stopCluster(cluster))
  expect_error(compare_learners(source, cluster = cluster), "`cluster` must be NULL where `x` is")
  ruled <- dag_gnn(source, threshold = "bic")
  expect_match(ruled$daggnn$source$used, "parameters and threshold from a random sample of 1 000")
  for (elsewhere in list(source, source$table, con)) {
    expect_error(predict(net, elsewhere), "`newdata` must be rows in memory here, not a table")
    expect_error(boot_dag(elsewhere, 2), "`x` must be rows in memory here")
  }
  refined <- refine(bnlearn::empty.graph(names(frame)), source)
  expect_equal(
    refined$daggnn$refined$score,
    refine(bnlearn::empty.graph(names(frame)), frame)$daggnn$refined$score
  )
})

test_that("any name of a column or a table is quoted", {
  con <- sqlite()
  set.seed(1008)
  frame <- sparse_normal(500)
  frame$text <- rep(c("a", "b"), 250)
  odd <- c("d1", "a \"b\" `c` [d] 'e'", "\u00fcber \u6f22", "select", "rows")
  frame <- frame[c(2:4, 1, 5)]
  names(frame) <- odd
  DBI::dbWriteTable(con, "order \"by\" `x`; --", frame)
  source <- data_source(con, "order \"by\" `x`; --", sample = 200)
  expect_identical(daggnn:::describe_rows(source)$names, odd)
  numbers <- dplyr::select(source$table, -rows)
  net <- exact_dag(data_source(numbers, sample = 200))
  expect_equal(net$score, exact_dag(frame[1:4])$score, tolerance = 1e-9)
  gaps <- replace(frame[1:4], 2, replace(frame[[2]], 1:30, NA))
  DBI::dbWriteTable(con, "gaps", gaps)
  expect_equal(
    moments_of(notears(data_source(con, "gaps", sample = 200))), moments_of(notears(gaps))
  )
  levels <- data.frame(
    rows = rep(c("x", "y"), each = 250), `group by` = frame$rows, check.names = FALSE
  )
  DBI::dbWriteTable(con, "levels", levels)
  expect_equal(
    exact_dag(data_source(con, "levels", sample = 200))$score, exact_dag(levels)$score
  )
  expect_equal(
    dag_gnn(data_source(con, DBI::Id(table = "levels")))$daggnn$n, 500
  )
  DBI::dbExecute(con, "ATTACH ':memory:' AS other")
  DBI::dbWriteTable(con, DBI::Id(schema = "other", table = "gaps"), frame[1:4])
  named <- list(DBI::Id(schema = "other", table = "gaps"), dbplyr::in_schema("other", "gaps"))
  for (table in named) {
    net <- exact_dag(data_source(con, table, sample = 200))
    expect_equal(net$score, exact_dag(frame[1:4])$score)
  }
  expect_error(data_source(con, "other.gaps"), "could not be read from the database: .*other.gaps")
})

test_that("whatever dplyr makes of tables can be learned from", {
  con <- sqlite()
  frame <- sparse_normal(600)
  frame$id <- 1:600
  DBI::dbWriteTable(con, "visits", frame)
  DBI::dbWriteTable(con, "more", data.frame(id = 1:500, e = frame$b[1:500] + rnorm(500)))
  visits <- dplyr::tbl(con, "visits")
  more <- dplyr::tbl(con, "more")
  tables <- list(
    dplyr::select(dplyr::inner_join(visits, more, by = "id"), b, d, e),
    dplyr::select(dplyr::left_join(visits, more, by = "id"), b, c, e),
    dplyr::union_all(dplyr::select(visits, b, c), dplyr::select(visits, b = d, c)),
    dplyr::rename(dplyr::select(dplyr::arrange(visits, b), -id), whole2 = whole, whole = b),
    dplyr::group_by(dplyr::select(dplyr::distinct(visits), b, c, whole), whole),
    dplyr::select(
      dplyr::filter(dplyr::group_by(visits, whole), b > mean(b, na.rm = TRUE)), whole, b, c
    ),
    utils::head(dplyr::select(visits, c, d), 300),
    dplyr::tbl(con, dplyr::sql("SELECT b, c, d FROM visits WHERE id % 2 = 0"))
  )
  for (table in tables) {
    rows <- as.data.frame(dplyr::collect(dplyr::ungroup(table)))
    expect_silent(net <- notears(data_source(table, sample = 100)))
    expect_identical(net$daggnn$n, as.numeric(nrow(rows)))
    expect_equal(moments_of(net), moments_of(notears(rows)), tolerance = 1e-6)
  }
  # Rows that differ each time they are asked for.
  changing <- dplyr::filter(dplyr::select(visits, b, c), dplyr::sql("RANDOM() > 0"))
  expect_error(dag_gnn(data_source(changing, sample = 50)), "changed while they were read")
})

test_that("a connection that must not write, or that has a transaction open, is left as it is", {
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("dbplyr")
  file <- withr::local_tempfile(fileext = ".sqlite")
  con <- DBI::dbConnect(RSQLite::SQLite(), file)
  DBI::dbWriteTable(con, "normal", sparse_normal(500))
  DBI::dbWriteTable(con, "mixed", bnlearn::clgaussian.test[1:500, ])
  DBI::dbDisconnect(con)
  con <- DBI::dbConnect(RSQLite::SQLite(), file, flags = RSQLite::SQLITE_RO)
  for (sums in c("sql", "fetch")) {
    expect_s3_class(dag_gnn(data_source(con, "normal", sample = 200, sums = sums)), "dag_gnn")
  }
  expect_s3_class(dag_gnn(data_source(con, "mixed", sample = 200)), "dag_gnn")
  DBI::dbDisconnect(con)
  con <- DBI::dbConnect(RSQLite::SQLite(), file)
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbBegin(con)
  DBI::dbExecute(con, "DELETE FROM normal WHERE d > 1")
  left <- DBI::dbGetQuery(con, "SELECT COUNT(*) AS n FROM normal")$n
  expect_equal(dag_gnn(data_source(con, "normal", sample = 100))$daggnn$n, left)
  dropped <- dplyr::tbl(con, "mixed")
  DBI::dbRemoveTable(con, "mixed")
  expect_error(dag_gnn(dropped), "could not be read")
  DBI::dbRollback(con)
  expect_identical(DBI::dbGetQuery(con, "SELECT COUNT(*) AS n FROM normal")$n, 500L)
  expect_setequal(DBI::dbListTables(con), c("normal", "mixed"))
})

test_that("a table that goes while it is read is one error", {
  con <- sqlite()
  DBI::dbWriteTable(con, "normal", sparse_normal(500))
  DBI::dbWriteTable(con, "codes", bnlearn::learning.test)
  for (sums in c("sql", "fetch")) {
    rows <- daggnn:::read_rows(data_source(con, "normal", sample = 200, sums = sums))
    DBI::dbExecute(con, "ALTER TABLE normal RENAME TO away")
    expect_error(
      dag_gnn(rows), "could not be read from a table of SQLite: .*no such table",
      class = "daggnn_input_error"
    )
    expect_error(notears(rows), "no such table", class = "daggnn_input_error")
    DBI::dbExecute(con, "ALTER TABLE away RENAME TO normal")
  }
  source <- data_source(con, "codes", sample = 200)
  source[c("most_combinations", "sums")] <- list(10, "sql")
  rows <- daggnn:::read_rows(source)
  DBI::dbRemoveTable(con, "codes")
  expect_error(exact_dag(rows), "could not be read", class = "daggnn_input_error")
  closed <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  DBI::dbWriteTable(closed, "normal", sparse_normal(500))
  table <- dplyr::tbl(closed, "normal")
  DBI::dbDisconnect(closed)
  expect_error(dag_gnn(table), "could not be read", class = "daggnn_input_error")
})

test_that("few rows, infinite numbers and integers of 64 bits are taken as in a data frame", {
  con <- sqlite()
  frame <- sparse_normal(100)
  DBI::dbWriteTable(con, "none", frame[0, ])
  expect_error(dag_gnn(data_source(con, "none")), "`x` must have at least one row")
  DBI::dbWriteTable(con, "one", frame[1, ])
  expect_error(dag_gnn(data_source(con, "one")), "at least 10 rows to learn a network from, not 1")
  for (row in c(3, 97)) {
    infinite <- transform(frame, c = replace(c, row, -Inf))
    DBI::dbWriteTable(con, "infinite", infinite, overwrite = TRUE)
    for (sample in c(20, 1000)) {
      source <- data_source(con, "infinite", sample = sample)
      expect_error(dag_gnn(source), "\"c\" of `x` has infinite values")
      expect_error(notears(source), "\"c\" of `x` has infinite values")
    }
  }
  large <- data.frame(a = 2^40 * frame$whole, b = frame$b, c = frame$whole > 0)
  DBI::dbExecute(con, "CREATE TABLE large (a BIGINT, b REAL)")
  DBI::dbAppendTable(con, "large", large[1:2])
  expect_s3_class(DBI::dbGetQuery(con, "SELECT a FROM large")$a, "integer64")
  for (sample in c(20, 1000)) {
    expect_equal(
      exact_dag(data_source(con, "large", sample = sample))$score, exact_dag(large[1:2])$score
    )
  }
  # As factors, these and numbers that are equal to 15 digits.
  DBI::dbExecute(con, "CREATE TABLE codes (a BIGINT, b REAL)")
  codes <- data.frame(
    a = rep(2^40 * (1:3), 100), b = rep(c(0.3, 0.1 + 0.2, 0.7), c(100, 50, 150))
  )
  DBI::dbAppendTable(con, "codes", codes)
  for (sample in c(20, 1000)) {
    source <- data_source(con, "codes", factors = c("a", "b"), sample = sample)
    expect_equal(
      exact_dag(source)$score,
      exact_dag(data.frame(a = factor(codes$a), b = factor(signif(codes$b, 14))))$score
    )
  }
})

test_that("the sample is random whatever the engine makes of random numbers", {
  con <- sqlite()
  DBI::dbWriteTable(con, "rows", data.frame(a = 1:5000, b = rnorm(5000)))
  source <- data_source(con, "rows", sample = 1000)
  for (random in c(source$random, "0", "RANDOM()", "1 / 0", "NO_SUCH_FUNCTION()")) {
    source$random <- random
    drawn <- daggnn:::describe_rows(source)$frame$a
    expect_length(unique(drawn), 1000)
    # Of each fifth 200 are expected, with a standard deviation of 13.
    expect_true(all(abs(tabulate((drawn - 1) %/% 1000 + 1, 5) - 200) < 60))
  }
})

test_that("text that the engine takes as equal is an error", {
  con <- sqlite()
  DBI::dbExecute(con, "CREATE TABLE words (word TEXT COLLATE NOCASE, b REAL)")
  frame <- data.frame(word = rep(c("yes", "Yes", "no"), 20), b = rnorm(60))
  DBI::dbAppendTable(con, "words", frame)
  words <- dplyr::tbl(con, "words")
  expect_error(dag_gnn(words), "\"word\" of `x` has \"Yes\" in its rows, .*tolower")
  net <- dag_gnn(dplyr::mutate(words, word = tolower(word)))
  expect_identical(net$daggnn$samples$levels$word, c("no", "yes"))
})

test_that("SQL for other engines is theirs", {
  skip_if_not_installed("dbplyr")
  frame <- data.frame(`a b` = 1:2, s = c("x", "y"), check.names = FALSE)
  described <- function(con) {
    table <- do.call(dbplyr::lazy_frame, c(as.list(frame), list(con = con)))
    daggnn:::sql_source(table, NULL, 100, "auto")
  }
  query <- function(con) {
    source <- described(con)
    daggnn:::aggregates_query(
      source, paste0("COUNT(", daggnn:::quoted_names(source, "a b"), ")"), source$table
    )
  }
  sample <- function(con) {
    source <- described(con)
    as.character(
      dbplyr::sql_render(daggnn:::random_rows(source, source$table, 1e-5, 100), con)
    )
  }
  for (con in list(dbplyr::simulate_oracle(), dbplyr::simulate_mssql(), dbplyr::simulate_hive())) {
    expect_match(query(con), "^SELECT COUNT\\(`a b`\\) AS s1 FROM \\((\n|.)*\\) features$")
  }
  # One number for each row from 0 to 1, and the words for the first rows.
  expect_match(sample(dbplyr::simulate_mssql()), "TOP 100(\n|.)*NEWID\\(\\)(\n|.)* < 0.00001")
  expect_match(sample(dbplyr::simulate_oracle()), "RANDOM.VALUE < 0.00001(\n|.)*FETCH FIRST 100")
  expect_match(sample(dbplyr::simulate_snowflake()), "UNIFORM(\n|.)* < 0.00001(\n|.)*LIMIT 100")
  for (con in list(dbplyr::simulate_hive(), dbplyr::simulate_mysql())) {
    expect_match(sample(con), "\\(RAND\\(\\) < 0.00001\\)(\n|.)*LIMIT 100")
  }
  expect_match(sample(dbplyr::simulate_postgres()), "RANDOM\\(\\) < 0.00001")
})

test_that("types of PostgreSQL that are neither numbers nor text are errors that name them", {
  con <- local_postgres()$con
  DBI::dbWriteTable(con, "normal", sparse_normal(200))
  with_column <- function(expression) {
    dplyr::tbl(con, dplyr::sql(paste("SELECT b, c, whole,", expression, "AS odd FROM normal")))
  }
  wrong <- c(
    interval = "INTERVAL '1 day' * whole", timestamptz = "NOW()", time = "TIME '10:00'",
    bytea = "CAST('abc' AS bytea)", jsonb = "CAST('{}' AS jsonb)", uuid = "gen_random_uuid()",
    money = "CAST(whole AS money)", inet = "INET '127.0.0.1'", bit = "B'101'",
    point = "POINT(1, whole)"
  )
  for (type in names(wrong)) {
    expect_error(
      dag_gnn(with_column(wrong[[type]])), paste0("\"odd\" of `x` has the type ", type, ":"),
      class = "daggnn_input_error"
    )
  }
  continuous <- c("CAST(d AS NUMERIC(10, 3))", "CAST(1e5 * d AS BIGINT)", "CAST(d AS REAL)")
  discrete <- c("b > 0", "CAST(whole % 3 AS CHAR(5))", "CAST(whole % 3 AS VARCHAR(5))")
  for (type in c(continuous, discrete)) {
    table <- with_column(type)
    net <- dag_gnn(data_source(table, sample = 100))
    kind <- if (type %in% continuous) "continuous" else "discrete"
    expect_identical(net$daggnn$samples$kind[["odd"]], kind)
    if (type %in% continuous) {
      rows <- as.data.frame(lapply(dplyr::collect(table), as.numeric))
      expect_equal(moments_of(notears(data_source(table, sample = 100))), moments_of(notears(rows)))
    }
  }
  expect_error(dag_gnn(with_column("CAST(NULL AS INT)")), "\"odd\" of `x` has no values")
  none <- dplyr::filter(dplyr::tbl(con, "normal"), b > 1e9)
  expect_error(dag_gnn(none), "`x` must have at least one row")
  # Names that differ in case only, and a schema.
  DBI::dbExecute(con, "CREATE SCHEMA \"My Schema\"")
  frame <- stats::setNames(sparse_normal(200), c("a", "A", "User", "order \"x\""))
  DBI::dbWriteTable(con, DBI::Id(schema = "My Schema", table = "T"), frame)
  net <- exact_dag(data_source(con, DBI::Id(schema = "My Schema", table = "T"), sample = 50))
  expect_equal(net$score, exact_dag(frame)$score)
})

test_that("a transaction of PostgreSQL that the user has open goes on, also after an error", {
  server <- local_postgres()
  con <- server$con
  DBI::dbWriteTable(con, "normal", sparse_normal(500))
  DBI::dbExecute(con, "SET jit = on")
  broken <- dplyr::mutate(dplyr::tbl(con, "normal"), e = 1 / (whole - whole))
  DBI::dbBegin(con)
  DBI::dbExecute(con, "DELETE FROM normal WHERE d > 1")
  left <- DBI::dbGetQuery(con, "SELECT COUNT(*) AS n FROM normal")$n
  expect_error(dag_gnn(broken), "division by zero")
  expect_equal(dag_gnn(data_source(con, "normal", sample = 50))$daggnn$n, as.numeric(left))
  expect_identical(DBI::dbGetQuery(con, "SHOW jit")$jit, "on")
  DBI::dbCommit(con)
  expect_equal(DBI::dbGetQuery(con, "SELECT COUNT(*) AS n FROM normal")$n, left)
  # Where nothing may be written.
  DBI::dbExecute(con, "SET default_transaction_read_only = on")
  for (sums in c("sql", "fetch")) {
    expect_s3_class(dag_gnn(data_source(con, "normal", sample = 50, sums = sums)), "dag_gnn")
  }
  # A connection that is cut while rows are added up.
  pid <- DBI::dbGetQuery(con, "SELECT pg_backend_pid() AS pid")$pid
  rows <- daggnn:::read_rows(data_source(con, "normal", sample = 50))
  other <- server$connect()
  DBI::dbGetQuery(other, paste0("SELECT pg_terminate_backend(", pid, ")"))
  DBI::dbDisconnect(other)
  expect_error(notears(rows), "could not be read from", class = "daggnn_input_error")
})
