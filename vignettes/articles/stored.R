# Results that a script of inst/benchmarks wrote to results/NAME.csv, as a table.
show_stored <- function(name) {
  file <- file.path("results", paste0(name, ".csv"))
  if (!file.exists(file)) {
    return(knitr::asis_output(paste0(
      "*No results are stored: `Rscript inst/benchmarks/", name, ".R` makes them.*\n"
    )))
  }
  knitr::kable(utils::read.csv(file, check.names = FALSE), digits = 3)
}
