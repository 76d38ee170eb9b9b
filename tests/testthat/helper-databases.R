# A connection to a server of PostgreSQL that is stopped and removed at the end of the test.
local_postgres <- function(env = parent.frame()) {
  skip_on_cran()
  # Where the time zone is not known, a package that this one loads warns.
  suppressWarnings(requireNamespace("RPostgres", quietly = TRUE))
  for (package in c("RPostgres", "dbplyr")) skip_if_not_installed(package)
  script <- new.env()
  sys.source(system.file("benchmarks", "postgres.R", package = "daggnn"), script)
  server <- script$start_postgres()
  if (is.character(server)) skip(server)
  withr::defer(server$stop(), env)
  con <- script$connect_postgres(server$folder)
  withr::defer(try(DBI::dbDisconnect(con), silent = TRUE), env)
  list(con = con, connect = function() script$connect_postgres(server$folder))
}
