# Writes everything that is generated from the sources: the Rcpp glue, NAMESPACE and man/.
Rcpp::compileAttributes(".")
library <- file.path("build", "library")
dir.create(library, recursive = TRUE, showWarnings = FALSE)
.libPaths(c(library, .libPaths()))
status <- system2(
  "R", c("CMD", "INSTALL", "--preclean", "--no-docs", paste0("--library=", library), ".")
)
if (status != 0) stop("the package does not install")
roxygen2::roxygenise(".", load_code = "installed")
