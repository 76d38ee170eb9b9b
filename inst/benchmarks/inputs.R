# Inputs tried and how each ended: a row for each learner or reader and each kind of input.
#
#   Rscript inputs.R [--quick] [--folder=.]
#
# Columns: what was called, the trait of the input, how many were tried, how many ended in a network
# (a table, a file that was read), how many in an error of this package, and how many otherwise.
# --quick tries a tenth. Any input can be made again by hostile_case(seed). Writes inputs.csv and
# inputs.png into --folder.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
script <- gsub("~+~", " ", script, fixed = TRUE) # Rscript's way to write a space
source(file.path(dirname(script), "common.R"))
source(file.path(dirname(script), "hostile.R"))

settings <- script_options()

# How a hostile call ends: its trait and its end.
try_learner <- function(end) {
  function(seed) {
    case <- hostile_case(seed)
    data.frame(trait = case$trait, end = end(case))
  }
}
try_reader <- function(reader) {
  force(reader)
  function(seed) data.frame(trait = "damaged file", end = end_of_reading(reader, seed))
}
called <- c(
  list(
    dag_gnn = list(5000, try_learner(function(case) end_of(dag_gnn, case))),
    notears = list(2500, try_learner(function(case) end_of(notears, case))),
    exact_dag = list(2000, try_learner(function(case) end_of(exact_dag, case))),
    compare_learners = list(500, try_learner(end_of_comparison))
  ),
  lapply(stats::setNames(nm = names(whole_files)), function(reader) list(3000, try_reader(reader)))
)

# The seeds are tried in parts, so that the bar moves.
most <- 250
parts <- do.call(rbind, lapply(names(called), function(name) {
  count <- called[[name]][[1]] / (if (settings$quick) 10 else 1)
  first <- seq(1, count, by = most)
  data.frame(name = name, first = first, last = pmin(first + most - 1, count))
}))
began <- proc.time()[["elapsed"]]
ends <- lapply(seq_len(nrow(parts)), function(k) {
  part <- parts[k, ]
  close <- show_progress(part$name, k - 1, nrow(parts), began, settings)
  on.exit(close())
  ends <- lapply(part$first:part$last, called[[part$name]][[2]])
  cbind(called = part$name, do.call(rbind, ends))
})
ends <- do.call(rbind, ends)

summed <- by(ends, ends[c("called", "trait")], function(group) {
  fine <- group$end %in% c("network", "table", "read")
  ours <- group$end == "our error"
  data.frame(
    called = group$called[1], trait = group$trait[1], tried = nrow(group), fine = sum(fine),
    our_error = sum(ours), otherwise = sum(!fine & !ours)
  )
})
table <- do.call(rbind, summed)
print_rows()(table)
write_rows(table, settings)
cat(
  "\nAll:", sum(table$tried), "inputs,", sum(table$fine), "fine,", sum(table$our_error),
  "errors of ours,", sum(table$otherwise), "otherwise\n"
)
write_picture(function() {
  counts <- rowsum(as.matrix(table[c("fine", "our_error", "otherwise")]), table$called)
  colnames(counts) <- c("network, or file read", "error of ours", "otherwise")
  draw_bars(
    t(counts), rownames(counts), "Hostile inputs, and how each ended", "inputs",
    fill = colours[c("blue", "orange", "vermillion")]
  )
}, 8, 4.5, settings)
