# More rows than memory: tables in databases, and chunks that are made on the fly.
#
#   Rscript rows.R [--quick] [--rows=1e7] [--chunk_rows=1e8] [--columns=20]
#                  [--engines=SQLite,PostgreSQL,chunks] [--effects=linear,auto] [--threads=2]
#                  [--folder=.]
#
# A row for each engine and kind of effects: rows, columns, seconds of dag_gnn(), seconds that the
# engine takes for the same sums of products of columns by itself (mean of before and after) and how
# many times that dag_gnn() takes (linear effects only: with curves the products are computed in R),
# the peak of memory in MiB of the process that learns (as Linux counts it), and the SHD from the
# true network. Other work on the machine shows in the seconds more than in the ratio. Goals:
# 1024 MiB, and 5 times the engine's own time. --quick has 300 000 rows, and 10^6 of chunks.
# Databases are made in the folder for temporary files and removed. Writes rows.csv and rows.png
# into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "postgres.R"))

# one, where, into: of the process that learns, see below.
settings <- script_options(
  rows = 1e7, chunk_rows = 1e8, columns = 20, engines = c("SQLite", "PostgreSQL", "chunks"),
  effects = c("linear", "auto"), one = c("", ""), where = "", into = "",
  quick = list(rows = 3e5, chunk_rows = 1e6)
)

rows_at_a_time <- 1e5

set.seed(101)
dag <- random_dag(settings$columns, degree = 3)

make_rows <- function(k, rows) {
  set.seed(k)
  as.data.frame(simulate_sem(dag, min(rows - (k - 1) * rows_at_a_time, rows_at_a_time)))
}

connect <- function(engine, where) {
  if (engine == "SQLite") DBI::dbConnect(RSQLite::SQLite(), where) else connect_postgres(where)
}

fill_table <- function(engine, where) {
  con <- connect(engine, where)
  on.exit(DBI::dbDisconnect(con))
  for (k in seq_len(ceiling(settings$rows / rows_at_a_time))) {
    chunk <- make_rows(k, settings$rows)
    if (k == 1) DBI::dbCreateTable(con, "visits", chunk)
    DBI::dbAppendTable(con, "visits", chunk, copy = if (engine == "PostgreSQL") TRUE)
  }
}

# The sums of products of all pairs of columns, by the engine alone.
engine_seconds <- function(con) {
  names <- DBI::dbQuoteIdentifier(con, DBI::dbListFields(con, "visits"))
  pairs <- which(upper.tri(diag(length(names)), diag = TRUE), arr.ind = TRUE)
  sums <- paste0("SUM(", names[pairs[, 1]], " * ", names[pairs[, 2]], ")")
  columns <- paste0(sums, " AS s", seq_along(sums), collapse = ", ")
  query <- paste("SELECT", columns, "FROM visits")
  system.time(DBI::dbGetQuery(con, query))[["elapsed"]]
}

# The largest resident size of this process so far, in MiB; NA where the system does not tell.
peak_memory <- function() {
  if (!file.exists("/proc/self/status")) {
    return(NA_real_)
  }
  line <- grep("^VmHWM:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

learn <- function(engine, effects, where) {
  chunked <- engine == "chunks"
  alone <- NA_real_
  rows <- if (chunked) settings$chunk_rows else settings$rows
  if (chunked) {
    last <- ceiling(rows / rows_at_a_time)
    x <- chunks(function(k) if (k <= last) make_rows(k, rows))
  } else {
    con <- connect(engine, where)
    on.exit(DBI::dbDisconnect(con))
    x <- data_source(con, "visits")
    if (effects == "linear") alone <- engine_seconds(con)
  }
  net <- dag_gnn(
    x, threads = settings$threads, progress = settings$progress,
    control = dag_gnn_control(effects = effects)
  )
  seconds <- net$daggnn$seconds
  if (!is.na(alone)) alone <- (alone + engine_seconds(con)) / 2
  data.frame(
    engine = engine, effects = effects, rows = rows, columns = settings$columns,
    seconds = seconds, engine_seconds = alone, times = seconds / alone, peak_mib = peak_memory(),
    shd = dag_metrics(dag, net)[["shd"]]
  )
}

# A child calls this script again with one case and leaves its row in a file.
if (nzchar(settings$into)) {
  saveRDS(learn(settings$one[1], settings$one[2], settings$where), settings$into)
  quit(save = "no")
}

learn_apart <- function(case) {
  into <- tempfile(fileext = ".rds")
  size <- c("rows", "chunk_rows", "columns", "threads")
  status <- system2(
    file.path(R.home("bin"), "Rscript"),
    c(
      shQuote(script), paste0("--one=", case$engine, ",", case$effects),
      paste0("--where=", if (is.null(case$where)) "-" else case$where), paste0("--into=", into),
      paste0("--", size, "=", format(unlist(settings[size]), scientific = FALSE, trim = TRUE)),
      if (settings$progress) "--progress"
    ),
    env = same_libraries()
  )
  if (status != 0) stop("the process of ", case$engine, " failed", call. = FALSE)
  readRDS(into)
}

places <- list()
if ("SQLite" %in% settings$engines) {
  places$SQLite <- tempfile(fileext = ".sqlite")
  fill_table("SQLite", places$SQLite)
}
server <- if ("PostgreSQL" %in% settings$engines) start_postgres()
if (is.character(server)) {
  message(server)
} else if (!is.null(server)) {
  places$PostgreSQL <- server$folder
}
rows <- tryCatch(
  {
    if (!is.null(places$PostgreSQL)) fill_table("PostgreSQL", places$PostgreSQL)
    engines <- intersect(settings$engines, c(names(places), "chunks"))
    cases <- unlist(lapply(engines, function(engine) {
      lapply(settings$effects, function(effects) {
        list(engine = engine, effects = effects, where = places[[engine]])
      })
    }), FALSE)
    labels <- vapply(cases, function(case) paste(case$engine, case$effects), "")
    run_cases(cases, labels, learn_apart, settings)
  },
  finally = {
    if (is.list(server)) server$stop()
    unlink(unlist(places$SQLite))
  }
)

draw <- function() {
  labels <- paste(rows$engine, rows$effects, format(rows$rows, digits = 1), sep = "\n")
  draw_bars(rows$seconds, labels, "Learning from rows that are elsewhere", "seconds")
}
write_picture(draw, 7, 4, settings)
