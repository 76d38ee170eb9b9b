# What tells a new R process where this one finds its packages, for its environment.
same_libraries <- function() {
  paste0("R_LIBS=", paste(.libPaths(), collapse = .Platform$path.sep))
}

# What a new R process prints that runs these lines of code, errors and warnings too. before: what
# the shell does first.
in_new_process <- function(..., before = "") {
  script <- text_file(...)
  rscript <- shQuote(file.path(R.home("bin"), "Rscript"))
  call <- paste(same_libraries(), rscript, shQuote(script), "2>&1")
  # A status other than 0 is a warning, of no interest here.
  suppressWarnings(system(paste(before, call), intern = TRUE))
}

# The same in a process that cannot write more than a kilobyte or two into a file: a full disk.
on_full_disk <- function(...) in_new_process(..., before = "trap '' XFSZ; ulimit -f 2;")

# Code that makes a function of the package press Ctrl-C when it is called first.
pressing_ctrl_c <- function(name) {
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
