# How much of the code the tests reach: R code by the fast R tests, the core by these and by its own
# tests. The build has assertions on, which R's own builds have not, so this run is a check as well.
# Prints a table of files, and writes the lines that no test reaches to build/missed.csv.
source("tools/count.R")

# Optimised a little, since the tests train networks; -UNDEBUG comes after R's -DNDEBUG and undoes
# it.
flags <- "-g -O1 --coverage -UNDEBUG -D_GLIBCXX_ASSERTIONS"
options(covr.flags = c(
  CXXFLAGS = flags, CXX17FLAGS = flags, LDFLAGS = "--coverage", SHLIB_CXXLDFLAGS = "--coverage"
))
Sys.setenv(DAGGNN_TEST_SLOW = "false", NOT_CRAN = "true", MAKEFLAGS = "-j2")
aim <- 95  # per cent

# Lines of the core that its own tests reach: a data frame of file, line, hits.
core_lines <- function() {
  build <- file.path("build", "core-coverage")
  unlink(build, recursive = TRUE)
  Sys.setenv(CORE_BUILD = build, CORE_FLAGS = "-O0 --coverage")
  system2(file.path("tests", "core", "run"), stdout = FALSE)
  data <- list.files(build, "[.]gcda$", recursive = TRUE, full.names = TRUE)
  hits <- lapply(data, function(file) {
    report <- jsonlite::fromJSON(
      system2("gcov", c("--json-format", "--stdout", file), stdout = TRUE, stderr = FALSE),
      simplifyVector = FALSE
    )
    do.call(rbind, lapply(report$files, function(source) {
      data.frame(
        file = rep(source$file, length(source$lines)),
        line = vapply(source$lines, function(line) as.integer(line$line_number), 1L),
        hits = vapply(source$lines, function(line) as.numeric(line$count), 1)
      )
    }))
  })
  hits <- do.call(rbind, hits)
  hits <- hits[grepl("src/core/", hits$file, fixed = TRUE), ]
  hits$file <- sub(".*src/core/", "src/core/", hits$file)
  hits
}

# Lines that the R tests reach, and how many of these tests pass. Workers that the tests kill leave
# half a trace behind, which covr cannot read.
package_lines <- function() {
  results <- tempfile(fileext = ".rds")
  tests <- normalizePath("tests/testthat")
  code <- sprintf(
    "results <- testthat::test_dir(%s, package = 'daggnn', load_package = 'installed',
       reporter = 'check', stop_on_failure = FALSE)
     saveRDS(as.data.frame(results), %s)
     traces <- list.files(dirname(find.package('daggnn')), '^covr_trace', full.names = TRUE)
     whole <- function(file) !inherits(try(readRDS(file), silent = TRUE), 'try-error')
     unlink(Filter(Negate(whole), traces))",
    deparse(tests), deparse(results)
  )
  coverage <- as.data.frame(covr::package_coverage(type = "none", code = code, quiet = TRUE))
  lines <- data.frame(
    file = coverage$filename, line = coverage$first_line, hits = coverage$value
  )
  list(lines = lines, tests = readRDS(results))
}

# Per file: how many per cent of its lines were reached at least once. best: a row for each line.
summarise <- function(best) {
  reached <- tapply(best$hits > 0, best$file, sum)
  all <- tapply(best$hits > 0, best$file, length)
  data.frame(file = names(all), lines = c(all), reached = c(reached), row.names = NULL)
}

show <- function(table, title) {
  table$percent <- round(100 * table$reached / table$lines, 1)
  cat("\n", title, "\n", sep = "")
  print(table[order(table$percent), ], row.names = FALSE)
  total <- 100 * sum(table$reached) / sum(table$lines)
  cat(sprintf("%s: %.1f %% of the lines (aim: %g %%)\n", title, total, aim))
}

if (!requireNamespace("covr", quietly = TRUE)) {
  message("covr is not installed: coverage is not measured.")
  count(0, 0)
}
package <- package_lines()
# Named first: aggregate() would look at its data, and so run the core's tests, twice.
every_test <- rbind(package$lines, core_lines())
lines <- stats::aggregate(hits ~ file + line, every_test, max)
table <- summarise(lines)
show(table[startsWith(table$file, "R/"), ], "R code")
show(table[startsWith(table$file, "src/core/"), ], "The core")
show(table[startsWith(table$file, "src/glue/"), ], "The glue")
missed <- lines[lines$hits == 0, c("file", "line")]
utils::write.csv(missed[order(missed$file, missed$line), ], "build/missed.csv", row.names = FALSE)
cat("\nThe lines that no test reaches are in build/missed.csv.\n")
bad <- package$tests[package$tests$failed > 0 | package$tests$error, c("file", "test")]
if (nrow(bad) > 0) print(bad, row.names = FALSE, right = FALSE)
count(sum(package$tests$passed), sum(package$tests$failed) + sum(package$tests$error))
