# Results that a script of inst/benchmarks wrote to results/NAME.csv and results/NAME.png.

# Scores have nine digits that count.
options(knitr.kable.NA = "", digits = 12)

stored_file <- function(name, extension) file.path("results", paste0(name, ".", extension))

# The stored table, or what `arrange` makes of it.
show_stored <- function(name, arrange = identity) {
  file <- stored_file(name, "csv")
  if (!file.exists(file)) {
    return(knitr::asis_output(paste0(
      "*No results are stored: `Rscript inst/benchmarks/", name, ".R` makes them.*\n"
    )))
  }
  table <- utils::read.csv(file, check.names = FALSE, stringsAsFactors = FALSE)
  # A table with other columns than the article expects is shown as it is.
  table <- tryCatch(arrange(table), error = function(condition) table)
  names(table) <- gsub("_", " ", names(table), fixed = TRUE)
  knitr::kable(table, digits = 3, row.names = FALSE)
}

# The stored picture, where there is one. what: in words, for those who do not see it.
show_picture <- function(name, what) {
  file <- stored_file(name, "png")
  if (!file.exists(file)) {
    return(invisible())
  }
  knitr::asis_output(paste0("![", what, "](", file, "){width=100%}\n"))
}

# A function that turns a row for each run into a row for each setting, `by`, with a column for each
# value of `across`: the mean of `measure` over the runs and its standard deviation.
mean_and_spread <- function(measure, by, across, digits) {
  function(table) {
    one <- function(values) {
      spread <- if (length(values) > 1) paste(" \u00b1", format_fixed(stats::sd(values), digits))
      paste0(format_fixed(mean(values), digits), spread)
    }
    # In the order of the file.
    keys <- unique(table[by])
    cells <- tapply(
      table[[measure]],
      list(match_rows(table[by], keys), factor(table[[across]], unique(table[[across]]))), one
    )
    cbind(keys, as.data.frame(cells, stringsAsFactors = FALSE))
  }
}

format_fixed <- function(value, digits) formatC(value, format = "f", digits = digits)

# For each row of `rows` its place among `keys`.
match_rows <- function(rows, keys) {
  match(do.call(paste, c(rows, sep = "\r")), do.call(paste, c(keys, sep = "\r")))
}

# A function that adds up the columns `counts` over rows with the same `by`.
total_by <- function(by, counts) {
  function(table) {
    sums <- rowsum(table[counts], table[[by]], reorder = FALSE)
    cbind(stats::setNames(data.frame(rownames(sums)), by), sums)
  }
}
