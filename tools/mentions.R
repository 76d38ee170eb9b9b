# CONTRIBUTING.md leads from equations and recipes to files and functions: a sentence for each that
# is not there. A name must occur in a file that its line names, or in any where it names none.
wrong_mentions <- function() {
  lines <- readLines("CONTRIBUTING.md")
  section <- cumsum(startsWith(lines, "## "))
  titles <- lines[startsWith(lines, "## ")]
  lines <- lines[section %in% which(titles %in% c("## From the paper to the code", "## Recipes"))]
  # A folder stands before the first of several files in it.
  path <- "(src|R|tests|tools|inst)/[A-Za-z0-9_/.-]+[.](h|cpp|R)\\b"
  name <- "`[A-Za-z_]+(::[A-Za-z_]+)*(\\(\\))?`"
  all_in <- function(pattern) regmatches(lines, gregexpr(pattern, lines, perl = TRUE))
  paths <- all_in(path)
  names <- lapply(all_in(name), function(found) unique(gsub("[`()]|.*::", "", found)))
  everywhere <- list.files(c("src/core", "src/glue", "R"), recursive = TRUE, full.names = TRUE)
  everywhere <- grep("[.](h|cpp|R)$", everywhere, value = TRUE)
  text <- function(files) {
    paste(unlist(lapply(files, readLines, warn = FALSE)), collapse = "\n")
  }
  absent <- setdiff(unlist(paths), everywhere)
  absent <- absent[!file.exists(absent)]
  all_text <- text(everywhere)
  is_table <- startsWith(lines, "|")
  unknown <- unlist(Map(function(paths, names, in_table) {
    known <- paths[file.exists(paths)]
    where <- if (in_table && length(known) > 0) text(known) else all_text
    there <- vapply(names, function(name) grepl(paste0("\\b", name, "\\b"), where), NA)
    names[!there]
  }, paths, names, is_table))
  c(
    sprintf("CONTRIBUTING.md names %s, which is not there.", absent),
    sprintf("CONTRIBUTING.md names `%s`, which is not where it says.", unknown)
  )
}
