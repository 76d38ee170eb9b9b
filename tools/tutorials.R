# Builds the tutorials and adds them to the installed package, so that vignette("get-started")
# works:
#
#   Rscript tools/tutorials.R <library>
#
# R builds tutorials only into the archive of a package, which would compile everything once more.
library <- normalizePath(commandArgs(trailingOnly = TRUE)[1])
.libPaths(c(library, .libPaths()))

tools <- vapply(c("knitr", "rmarkdown"), requireNamespace, NA, quietly = TRUE)
pandoc <- nzchar(Sys.which("pandoc")) || nzchar(Sys.getenv("RSTUDIO_PANDOC"))
if (!all(tools) || !pandoc) {
  message(
    "The tutorials are not built: they need the program pandoc and the R packages knitr and ",
    "rmarkdown. Install these and try again."
  )
  quit(status = 0)
}

doc <- file.path("inst", "doc")
sources <- list.files("vignettes", "[.](Rmd|bib)$", full.names = TRUE)
tutorials <- grep("[.]Rmd$", sources, value = TRUE)
page <- sub("[.]Rmd$", ".html", basename(tutorials))
installed <- file.path(library, "daggnn")
wanted <- file.path(installed, "doc", page)
newest <- max(file.mtime(c(sources, file.path(installed, "DESCRIPTION"))))
if (all(file.exists(wanted)) && min(file.mtime(wanted)) >= newest) {
  quit(status = 0)
}

message("Building the tutorials: this takes a minute or two.")
unlink(doc, recursive = TRUE)
dir.create(doc, recursive = TRUE)
# In a folder of their own, so that nothing is left beside the sources.
work <- tempfile()
dir.create(work)
invisible(file.copy(sources, work))
for (tutorial in file.path(work, basename(tutorials))) {
  rmarkdown::render(tutorial, envir = new.env(), quiet = TRUE)
  knitr::purl(tutorial, sub("[.]Rmd$", ".R", tutorial), quiet = TRUE, documentation = 0)
}
made <- list.files(work, "[.](Rmd|html|R)$", full.names = TRUE)
invisible(file.copy(made, doc))
# The objects are there already: nothing is compiled again.
r <- file.path(R.home("bin"), "R")
arguments <- c("CMD", "INSTALL", "--no-test-load", paste0("--library=", shQuote(library)), ".")
status <- system2(r, arguments, stdout = FALSE, stderr = FALSE)
unlink(doc, recursive = TRUE)
if (status != 0) message("The tutorials could not be installed.")
quit(status = status)
