# The data of a learned network, given once more or found again: it keeps no copy of them.

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
