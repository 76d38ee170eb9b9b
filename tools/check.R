# R CMD build and R CMD check --as-cran: no errors, warnings or notes but the expected ones. Of the
# tests it runs those that CRAN would run, which must not take long; tools/unit_test.R runs all of
# them. What needs the network is left out.
source("tools/count.R")

# GNU make is in SystemRequirements, as RcppParallel asks; CRAN knows.
expected <- "checking for GNU extensions in Makefiles"

Sys.setenv(
  "_R_CHECK_CRAN_INCOMING_" = "false", "_R_CHECK_FORCE_SUGGESTS_" = "false",
  "_R_CHECK_SYSTEM_CLOCK_" = "false", "OMP_THREAD_LIMIT" = "2", "MAKEFLAGS" = "-j2",
  "_R_CHECK_TIMINGS_" = "0", "NOT_CRAN" = "false", "DAGGNN_TEST_SLOW" = "false"
)
longest_tests <- 300  # seconds of processor time
unlink(list.files("build", "^daggnn_.*[.]tar[.]gz$", full.names = TRUE))
r <- file.path(R.home("bin"), "R")
vignettes <- nzchar(Sys.which("pandoc")) || nzchar(Sys.getenv("RSTUDIO_PANDOC"))
if (!vignettes) {
  message("pandoc is not installed: the vignettes are not built.")
}
root <- getwd()
dir.create("build", showWarnings = FALSE)
setwd("build")
# Debugging symbols would count as size of the package; the rest of the user's settings stays.
own <- Sys.getenv("R_MAKEVARS_USER", path.expand("~/.R/Makevars"))
settings <- c(if (file.exists(own)) readLines(own), "CXX17FLAGS = -O2")
writeLines(settings, "Makevars.check")
Sys.setenv(R_MAKEVARS_USER = normalizePath("Makevars.check"))
status <- system2(r, c("CMD", "build", if (!vignettes) "--no-build-vignettes", root))
tarball <- list.files(".", "^daggnn_.*[.]tar[.]gz$")
if (status != 0 || length(tarball) != 1) {
  message("R CMD build failed.")
  count(0, 1)
}

# R asks CRAN's web pages which packages are orphaned, and breaks off where they cannot be read:
# here it finds none.
web <- tempfile()
dir.create(file.path(web, "web", "packages"), recursive = TRUE)
saveRDS(
  data.frame(Package = character(), Maintainer = character()),
  file.path(web, "web", "packages", "packages.rds")
)
Sys.setenv(R_CRAN_WEB = paste0("file://", web))

latex <- nzchar(Sys.which("pdflatex"))
system2(r, c(
  "CMD", "check", "--as-cran", if (!latex) "--no-manual",
  if (!vignettes) "--ignore-vignettes", tarball
))
log <- readLines(file.path("daggnn.Rcheck", "00check.log"))
verdicts <- grep("^\\* checking .*(OK|NOTE|WARNING|ERROR)$", log, value = TRUE)
# The verdict on the tests may stand on a line of its own, after those on each file of them.
at <- grep("^\\* checking tests \\.\\.\\.$", log)
if (length(at) == 1) {
  verdict <- grep("^ (OK|NOTE|WARNING|ERROR)$", log[-seq_len(at)], value = TRUE)
  verdicts <- c(verdicts, paste("* checking tests ...", trimws(verdict[1])))
}
# "[40s/55s]" or "[7m/12m]": processor time, then elapsed.
time <- sub(".*\\[([0-9]+[sm])/.*", "\\1", grep("Running .testthat.R. +\\[", log, value = TRUE))
seconds <- sum(as.numeric(sub("[sm]$", "", time)) * ifelse(endsWith(time, "m"), 60, 1))
quick <- length(time) == 1 && seconds <= longest_tests
message(sprintf("The tests that CRAN runs took %g s of %g s.", seconds, longest_tests))
# These are not always there to check with: they build on Bioconductor, JavaScript, Rust or the
# library of a database, or for an hour. A note of them alone is fine.
hard_to_get <- c(
  "arrow", "caugi", "causalDisco", "dagitty", "duckdb", "gadjid", "pcalg", "RPostgres"
)
at <- grep("checking package dependencies ... NOTE", log, fixed = TRUE)
if (length(at) == 1) {
  end <- min(grep("^\\* ", log[-seq_len(at)])) - 1
  note <- paste(log[at + seq_len(end)], collapse = " ")
  names <- regmatches(note, gregexpr("[\u2018'][^\u2019']+[\u2019']", note))[[1]]
  absent <- gsub("[\u2018\u2019']", "", names)
  if (grepl("^Packages? suggested but not available", note) && all(absent %in% hard_to_get)) {
    expected <- paste0(expected, "|checking package dependencies")
  }
}
fine <- grepl("OK$", verdicts) | (grepl("NOTE$", verdicts) & grepl(expected, verdicts))
cat(verdicts[!fine], sep = "\n")
whole <- any(grepl("^Status: ", log))
if (!whole) message("R CMD check broke off: see build/daggnn.Rcheck/00check.log.")
size <- file.size(tarball) / 2^20
if (size > 5) message(sprintf("%s has %.1f MB; CRAN takes 5.", tarball, size))
count(
  sum(fine) + (size <= 5) + whole + quick,
  sum(!fine) + (size > 5) + !whole + !quick
)
