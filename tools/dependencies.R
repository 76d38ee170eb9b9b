# What may use what: each folder of the core only folders below it, and no file of R/ itself by way
# of others. Gives a sentence for each violation.

# src/core/learn.cpp belongs to learn/, src/core/structure.cpp to structure/.
core_folders <- c(
  "base", "linalg", "data", "features", "likelihood", "nn", "constraint", "optim", "graph",
  "scores", "search", "models", "structure", "learn"
)

wrong_includes <- function() {
  files <- list.files("src/core", "[.](h|cpp)$", recursive = TRUE)
  rank <- function(path) match(sub("[/.].*", "", path), core_folders)
  unlist(lapply(files, function(file) {
    lines <- readLines(file.path("src/core", file))
    included <- sub('#include "(.*)"', "\\1", grep('^#include "', lines, value = TRUE))
    allowed <- rank(included) <= rank(file)
    wrong <- included[is.na(allowed) | !allowed]
    if (length(wrong) > 0) paste0("src/core/", file, " must not include ", wrong, ".")
  }))
}

# The names that a file of R/ defines at its top level, and those that it looks up elsewhere.
names_in <- function(file) {
  defined <- used <- character()
  for (expression in parse(file, keep.source = FALSE)) {
    value <- expression
    if (is.call(expression) && identical(expression[[1]], quote(`<-`))) {
      defined <- c(defined, as.character(expression[[2]])[1])
      value <- expression[[3]]
    }
    is_function <- is.call(value) && identical(value[[1]], quote(`function`))
    used <- c(used, if (is_function) {
      codetools::findGlobals(eval(value, baseenv()))
    } else {
      all.names(value)
    })
  }
  list(defined = defined, used = unique(used))
}

cycles_in_r <- function() {
  files <- setdiff(list.files("R", "[.]R$", full.names = TRUE), "R/RcppExports.R")
  names <- lapply(files, names_in)
  uses <- outer(seq_along(files), seq_along(files), Vectorize(function(from, to) {
    from != to && any(names[[to]]$defined %in% names[[from]]$used)
  }))
  reaches <- uses
  for (k in seq_along(files)) reaches <- reaches | outer(reaches[, k], reaches[k, ], `&`)
  cyclic <- which(uses & t(reaches), arr.ind = TRUE)
  sprintf("%s uses %s, which uses it in turn.", files[cyclic[, 1]], files[cyclic[, 2]])
}
