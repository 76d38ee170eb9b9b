# R CMD build and R CMD check --as-cran: no errors, warnings or notes but the expected ones. The
# tests are left out because tools/unit_test.R runs them, and so is what needs the network.
source("tools/count.R")

# GNU make is in SystemRequirements, as RcppParallel asks; CRAN knows.
expected <- "checking for GNU extensions in Makefiles"

Sys.setenv(
  "_R_CHECK_CRAN_INCOMING_" = "false", "_R_CHECK_FORCE_SUGGESTS_" = "false",
  "_R_CHECK_SYSTEM_CLOCK_" = "false", "OMP_THREAD_LIMIT" = "2", "MAKEFLAGS" = "-j2"
)
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
  "CMD", "check", "--as-cran", "--no-tests", if (!latex) "--no-manual",
  if (!vignettes) "--ignore-vignettes", tarball
))
log <- readLines(file.path("daggnn.Rcheck", "00check.log"))
verdicts <- grep("^\\* checking .*(OK|NOTE|WARNING|ERROR)$", log, value = TRUE)
# pcalg builds on Bioconductor and is not always there to check with; a note of that alone is fine.
at <- grep("checking package dependencies ... NOTE", log, fixed = TRUE)
without_pcalg <- "^Package suggested but not available for checking: .pcalg.$"
if (length(at) == 1 && grepl(without_pcalg, log[at + 1]) && startsWith(log[at + 2], "* ")) {
  expected <- paste0(expected, "|checking package dependencies")
}
fine <- grepl("OK$", verdicts) | (grepl("NOTE$", verdicts) & grepl(expected, verdicts))
cat(verdicts[!fine], sep = "\n")
whole <- any(grepl("^Status: ", log))
if (!whole) message("R CMD check broke off: see build/daggnn.Rcheck/00check.log.")
size <- file.size(tarball) / 2^20
if (size > 5) message(sprintf("%s has %.1f MB; CRAN takes 5.", tarball, size))
count(sum(fine) + (size <= 5) + whole, sum(!fine) + (size > 5) + !whole)
