# Inputs tried and how each ended: a row for each learner or reader and each kind of input.
#
#   Rscript inputs.R [--quick] [--csv=inputs.csv]
#
# Columns: what was called, the trait of the input, how many were tried, how many ended in a network
# (a table, a file that was read), how many in an error of this package, and how many otherwise.
# --quick tries a tenth. Any input can be made again by hostile_case(seed).

library(daggnn)
source(system.file("benchmarks", "hostile.R", package = "daggnn"))

arguments <- commandArgs(trailingOnly = TRUE)
quick <- "--quick" %in% arguments
given <- grep("^--csv=", arguments, value = TRUE)
csv <- if (length(given) > 0) sub("^--csv=", "", given[1]) else "inputs.csv"
tried <- function(count) seq_len(if (quick) count / 10 else count)

by_trait <- function(name, seeds, end) {
  cases <- lapply(seeds, function(seed) {
    case <- hostile_case(seed)
    data.frame(called = name, trait = case$trait, end = end(case))
  })
  do.call(rbind, cases)
}

rows <- rbind(
  by_trait("dag_gnn", tried(5000), function(case) end_of(dag_gnn, case)),
  by_trait("notears", tried(2500), function(case) end_of(notears, case)),
  by_trait("exact_dag", tried(2000), function(case) end_of(exact_dag, case)),
  by_trait("compare_learners", tried(500), end_of_comparison),
  do.call(rbind, lapply(names(whole_files), function(reader) {
    ends <- vapply(tried(3000), function(seed) end_of_reading(reader, seed), "")
    data.frame(called = reader, trait = "damaged file", end = ends)
  }))
)

summed <- by(rows, rows[c("called", "trait")], function(group) {
  fine <- group$end %in% c("network", "table", "read")
  ours <- group$end == "our error"
  data.frame(
    called = group$called[1], trait = group$trait[1], tried = nrow(group), fine = sum(fine),
    our_error = sum(ours), otherwise = sum(!fine & !ours)
  )
})
table <- do.call(rbind, summed)
print(table, row.names = FALSE, right = FALSE)
cat(
  "\nAll:", sum(table$tried), "inputs,", sum(table$fine), "fine,", sum(table$our_error),
  "errors of ours,", sum(table$otherwise), "otherwise\n"
)
utils::write.csv(table, csv, row.names = FALSE)
