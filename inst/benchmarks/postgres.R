# A server of PostgreSQL for tests and benchmarks: in a private folder, on a socket there and
# nowhere else. A list: `folder`, where its socket is, and `stop`, a function; or the reason why
# there is none.
start_postgres <- function() {
  found <- c(
    dirname(Sys.which("pg_ctl")), Sys.glob("/usr/lib/postgresql/*/bin"),
    Sys.glob("/usr/pgsql-*/bin")
  )
  bin <- found[file.exists(file.path(found, "initdb")) & file.exists(file.path(found, "pg_ctl"))][1]
  if (is.na(bin)) {
    return("PostgreSQL's server is not installed.")
  }
  # The path of a socket must be short.
  folder <- tempfile("pg", if (dir.exists("/tmp")) "/tmp" else tempdir())
  dir.create(folder, mode = "0755")
  # The server refuses to run as root.
  root <- identical(unname(Sys.info()["effective_user"]), "root")
  as_user <- if (root) c("runuser", "-u", "postgres", "--")
  run <- function(...) {
    call <- c(as_user, ...)
    suppressWarnings(system2(call[1], call[-1], stdout = FALSE, stderr = FALSE))
  }
  give_up <- function(reason) {
    unlink(folder, recursive = TRUE)
    reason
  }
  if (root && system2("chown", c("postgres", folder), stderr = FALSE) != 0) {
    return(give_up("There is no user postgres."))
  }
  data <- file.path(folder, "data")
  if (run(file.path(bin, "initdb"), "-D", data, "-A", "trust", "-N", "-U", "postgres") != 0) {
    return(give_up("PostgreSQL's initdb failed."))
  }
  control <- function(...) run(file.path(bin, "pg_ctl"), "-D", data, "-w", "-t", "30", ...)
  options <- shQuote(paste0("-k ", folder, " -c listen_addresses='' -c fsync=off"))
  if (control("-l", file.path(folder, "log"), "-o", options, "start") != 0) {
    return(give_up("PostgreSQL's server did not start."))
  }
  stop <- function() {
    control("-m", "immediate", "stop")
    unlink(folder, recursive = TRUE)
  }
  # Where this process is killed, nobody calls stop().
  ending <- paste(c(as_user, file.path(bin, "pg_ctl"), "-D", data, "-m immediate stop"),
    collapse = " "
  )
  watch <- paste0(
    "while kill -0 ", Sys.getpid(), " && [ -d ", folder, " ]; do sleep 1; done; ",
    "[ -d ", folder, " ] && ", ending, " && rm -rf ", folder
  )
  system2("sh", c("-c", shQuote(watch)), stdout = FALSE, stderr = FALSE, wait = FALSE)
  list(folder = folder, stop = stop)
}

connect_postgres <- function(folder) {
  DBI::dbConnect(RPostgres::Postgres(), dbname = "postgres", host = folder, user = "postgres")
}
