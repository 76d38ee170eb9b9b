# How data that are not in memory are asked: all is left as it was, and what fails is named.

# Everything that is asked of a source can fail: a connection is cut, a table is gone.
ask_source <- function(source, code) {
  tryCatch(undisturbed(source$con, code), error = function(condition) {
    if (inherits(condition, "daggnn_input_error")) stop(condition)
    # Engines write several lines.
    reason <- trimws(gsub("[[:space:]]+", " ", conditionMessage(condition)))
    stop_input("The data could not be read from ", source$label, ": ", reason)
  })
}

# Of connections to PostgreSQL, by RPostgres, RPostgreSQL and odbc.
postgres_classes <- c("PqConnection", "PostgreSQLConnection", "PostgreSQL")

# A connection is left as it was, whatever happens. PostgreSQL ends the transaction in which a query
# fails: one that the user has open goes back to where it was. (Outside of one, a savepoint is an
# error.) And it compiles the expressions of costly queries, which takes longer for hundreds of sums
# than to add these up over a million rows.
undisturbed <- function(con, code) {
  if (!inherits(con, postgres_classes)) {
    return(code)
  }
  run <- function(...) !inherits(try(DBI::dbExecute(con, ...), silent = TRUE), "try-error")
  # First, as it fails where the connection was cut.
  jit <- DBI::dbGetQuery(con, "SELECT setting FROM pg_settings WHERE name = 'jit'")$setting
  inside <- run("SAVEPOINT daggnn")
  done <- FALSE
  on.exit({
    if (inside && !done) run("ROLLBACK TO SAVEPOINT daggnn")
    if (identical(jit, "on")) run("SET jit = on")
    if (inside) run("RELEASE SAVEPOINT daggnn")
  })
  if (identical(jit, "on")) run("SET jit = off")
  value <- code
  done <- TRUE
  value
}
