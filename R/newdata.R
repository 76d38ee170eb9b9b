# The data of a learned network, given once more: it keeps no copy of them.

# A list of columns in the order of the nodes; further columns are left alone.
columns_like <- function(nodes, x, argument) {
  columns <- variables_of(x, argument)
  absent <- setdiff(nodes, names(columns))
  if (length(absent) > 0) {
    stop_input(
      "`", argument, "` must have all variables of the network, but lacks ", quoted(absent), "."
    )
  }
  columns[nodes]
}
