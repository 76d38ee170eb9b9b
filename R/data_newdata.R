# The data of a learned network, given once more or found again: it keeps no copy of them.

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

# x where it is given. Otherwise what the call that learned the network names, as `frame` sees it,
# provided that these are still the same data. NULL where they are not found.
data_of <- function(net, x, frame) {
  named <- net$daggnn$call$x
  if (!is.null(x) || !only_looks_up(named)) {
    return(x)
  }
  tryCatch(
    {
      found <- eval(named, frame)
      if (same_data(samples(found), net$daggnn$samples)) found
    },
    error = function(condition) NULL
  )
}

# called, argument: the function that the user called and its argument, for the message.
needed_data_of <- function(net, x, frame, called, argument = "x") {
  x <- data_of(net, x, frame)
  if (is.null(x)) {
    stop_input(
      "`", argument, "` must be the data that the network was learned from, as in ", called,
      "(net, ", argument, " = mine): the network keeps no copy of them, and they are not found ",
      "again under a name."
    )
  }
  x
}

# Whether an expression can be evaluated again without harm, and without much work.
only_looks_up <- function(expression) {
  words <- all.names(expression)
  calls <- length(words) - length(all.names(expression, functions = FALSE))
  harmless <- words %in% c("::", "$", "@", "[", "[[", "(", "c", ":", "-")
  is.language(expression) && calls == sum(harmless)
}

# The call of a learner by names: do.call() puts the data and the function themselves into it.
named_call <- function(call, learner) {
  if (!is.language(call[[1]])) call[[1]] <- as.name(learner)
  if (!is.language(call$x)) call$x <- quote(x)
  call
}

# What tells data from others, without keeping them: two sums for each column, of the known values
# and of these times their row. values: of samples(), unscaled.
fingerprint <- function(values) {
  row <- as.numeric(seq_len(nrow(values)))
  by_row <- drop(crossprod(row, values))
  for (k in which(is.na(by_row))) by_row[k] <- sum(row * values[, k], na.rm = TRUE)
  c(nrow(values), colSums(values, na.rm = TRUE), by_row)
}

# before, now: from samples(), of the first without `values`. Sums may be rounded in another way on
# another machine.
same_data <- function(before, now) {
  identical(before$names, now$names) && length(before$fingerprint) == length(now$fingerprint) &&
    isTRUE(all.equal(before$fingerprint, now$fingerprint, tolerance = 1e-10))
}
