# A server of PostgreSQL in a private folder, on a socket there and nowhere else, stopped and removed
# at the end of the test.
local_postgres <- function(env = parent.frame()) {
  skip_on_cran()
  for (package in c("RPostgres", "dbplyr")) skip_if_not_installed(package)
  found <- c(
    dirname(Sys.which("pg_ctl")), Sys.glob("/usr/lib/postgresql/*/bin"),
    Sys.glob("/usr/pgsql-*/bin")
  )
  bin <- found[file.exists(file.path(found, "initdb")) & file.exists(file.path(found, "pg_ctl"))][1]
  if (is.na(bin)) skip("PostgreSQL's server is not installed.")
  # The path of a socket must be short.
  folder <- tempfile("pg", if (dir.exists("/tmp")) "/tmp" else tempdir())
  dir.create(folder, mode = "0755")
  withr::defer(unlink(folder, recursive = TRUE), env)
  # The server refuses to run as root.
  root <- identical(unname(Sys.info()["effective_user"]), "root")
  as_user <- if (root) c("runuser", "-u", "postgres", "--") else character()
  if (root && system2("chown", c("postgres", folder)) != 0) skip("There is no user postgres.")
  run <- function(...) {
    call <- c(as_user, ...)
    suppressWarnings(
      system2(call[1], call[-1], stdout = file.path(tempdir(), "pg.log"), stderr = FALSE)
    )
  }
  data <- file.path(folder, "data")
  made <- run(file.path(bin, "initdb"), "-D", data, "-A", "trust", "-N", "-U", "postgres")
  if (made != 0) skip("PostgreSQL's initdb failed.")
  options <- shQuote(paste0("-k ", folder, " -c listen_addresses='' -c fsync=off"))
  started <- run(
    file.path(bin, "pg_ctl"), "-D", data, "-w", "-t", "30", "-l", file.path(folder, "log"),
    "-o", options, "start"
  )
  if (started != 0) skip("PostgreSQL's server did not start.")
  withr::defer(run(file.path(bin, "pg_ctl"), "-D", data, "-m", "immediate", "stop"), env)
  con <- DBI::dbConnect(RPostgres::Postgres(), dbname = "postgres", host = folder, user = "postgres")
  withr::defer(try(DBI::dbDisconnect(con), silent = TRUE), env)
  structure(con, folder = folder)
}
