# What tells a new R process where this one finds its packages, for its environment.
same_libraries <- function() {
  paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
}

# What a new R process prints that runs these lines of code, errors and warnings too. before: what
# the shell does first.
in_new_process <- function(..., before = "") {
  skip_on_cran()
  script <- text_file(...)
  rscript <- shQuote(file.path(R.home("bin"), "Rscript"))
  call <- paste(same_libraries(), rscript, shQuote(script), "2>&1")
  # A status other than 0 is a warning, of no interest here.
  suppressWarnings(system(paste(before, call), intern = TRUE))
}

# The same in a process that cannot write more than a kilobyte or two into a file: a full disk.
on_full_disk <- function(...) in_new_process(..., before = "trap '' XFSZ; ulimit -f 2;")

# A shell that starts a script in the background may have the script ignore Ctrl-C, and all that the
# script starts as well.
skip_where_ctrl_c_is_ignored <- function() {
  heard <- in_new_process(
    "press <- function() tools::pskill(Sys.getpid(), tools::SIGINT)",
    "tryCatch({ press(); Sys.sleep(1) }, interrupt = function(pressed) cat('heard'))"
  )
  skip_if_not("heard" %in% heard, "Ctrl-C (SIGINT) is ignored where these tests were started")
}

# Code that makes a function of the package press Ctrl-C when it is called first.
pressing_ctrl_c <- function(name) {
  skip_where_ctrl_c_is_ignored()
  c(
    sprintf("original <- daggnn:::%s", name),
    "pressed <- FALSE",
    "pressing <- function(...) {",
    "  if (!pressed) {",
    "    pressed <<- TRUE",
    "    now <- proc.time()[['elapsed']]",
    "    tools::pskill(Sys.getpid(), tools::SIGINT)",
    # The signal may reach another thread first. Sys.sleep() would let it through at any time.
    "    while (proc.time()[['elapsed']] < now + 0.1) NULL",
    "  }",
    "  original(...)",
    "}",
    sprintf("utils::assignInNamespace(\"%s\", pressing, \"daggnn\")", name)
  )
}
