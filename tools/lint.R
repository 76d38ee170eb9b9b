# lintr on all R code, clang-format on all C++ code; no file uses one that it must not, and what
# CONTRIBUTING.md names is there.
.libPaths(c(normalizePath("build/library"), .libPaths()))
source("tools/count.R")
source("tools/dependencies.R")
source("tools/mentions.R")

r_files <- list.files(
  c("R", "tests", "tools", "inst", "vignettes"), "[.](R|Rmd)$",
  recursive = TRUE, full.names = TRUE
)
r_files <- setdiff(r_files, "R/RcppExports.R")
failed <- 0
if (requireNamespace("lintr", quietly = TRUE)) {
  for (file in r_files) {
    lints <- lintr::lint(file)
    failed <- failed + (length(lints) > 0)
    if (length(lints) > 0) print(lints)
  }
} else {
  message("lintr is not installed: R code was not looked at.")
  r_files <- character()
}

cpp_files <- list.files(
  c("src", "tests/core"), "[.](h|cpp)$",
  recursive = TRUE, full.names = TRUE
)
cpp_files <- setdiff(cpp_files, "src/RcppExports.cpp")
if (nzchar(Sys.which("clang-format"))) {
  for (file in cpp_files) {
    status <- system2("clang-format", c("--dry-run", "-Werror", file))
    failed <- failed + (status != 0)
  }
} else {
  message("clang-format is not installed: C++ code was not looked at.")
  cpp_files <- character()
}

checks <- list(wrong_includes(), cycles_in_r(), wrong_mentions())
writeLines(unlist(checks))
failed <- failed + sum(lengths(checks) > 0)
count(length(r_files) + length(cpp_files) + length(checks) - failed, failed)
