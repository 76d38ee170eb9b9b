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
  net <- dag_gnn(data_source(write("curved", frame), sample = 1000))
  expect_identical(net$daggnn$choice$effects, "additive")
  expect_identical(edges_of(net), edges_of(network_of("curved", frame)))

  frame <- bnlearn::learning.test
  source <- data_source(write("discrete", frame), sample = 1000)
  expect_identical(class_of(dag_gnn(source)), class_of(network_of("discrete", frame)))
  # Too many combinations to hold: each family is counted in the database.
  source$most_combinations <- 10
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
  refined <- refine(bnlearn::empty.graph(names(frame)), source)
  expect_equal(
    refined$daggnn$refined$score,
    refine(bnlearn::empty.graph(names(frame)), frame)$daggnn$refined$score
  )
})
