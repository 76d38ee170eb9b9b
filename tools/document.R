# Writes everything that is generated from the sources: the Rcpp glue, NAMESPACE and man/.
# compileAttributes() reads src/ but none of its folders: it is shown a package with the glue there.
flat <- tempfile()
for (folder in c("src", "R")) dir.create(file.path(flat, folder), recursive = TRUE)
invisible(file.copy(c("DESCRIPTION", "NAMESPACE"), flat))
invisible(file.copy(list.files("src/glue", full.names = TRUE), file.path(flat, "src")))
Rcpp::compileAttributes(flat)
for (file in c("src/RcppExports.cpp", "R/RcppExports.R")) {
  invisible(file.copy(file.path(flat, file), file, overwrite = TRUE))
}

library <- file.path("build", "library")
dir.create(library, recursive = TRUE, showWarnings = FALSE)
.libPaths(c(library, .libPaths()))
status <- system2(
  "R", c("CMD", "INSTALL", "--preclean", "--no-docs", paste0("--library=", library), ".")
)
if (status != 0) stop("the package does not install")
# Tags for the package srr, which need not be installed: roxygen2 has only to let them pass.
for (tag in c("srrstats", "srrstatsVerbose")) {
  registerS3method(
    "roxy_tag_parse", paste0("roxy_tag_", tag), roxygen2::tag_value,
    envir = asNamespace("roxygen2")
  )
}
roxygen2::roxygenise(".", load_code = "installed")
