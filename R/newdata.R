# New data for a learned network: the columns that it was learned from, read as they were read then.

# A list of columns in the order of the nodes; further columns are left alone.
newdata_columns <- function(net, x, argument = "newdata") {
  columns <- variables_of(x)
  nodes <- net$daggnn$nodes
  lost <- setdiff(nodes, names(columns))
  if (length(lost) > 0) {
    stop_input(
      "`", argument, "` must have all variables that the network was learned from, but ",
      quoted(lost), if (length(lost) == 1) " is" else " are", " not there."
    )
  }
  columns[nodes]
}

# Samples with the kinds, levels and scale that the network was learned with.
newdata_samples <- function(net, x, argument = "newdata") {
  known <- net$daggnn$samples
  columns <- newdata_columns(net, x, argument)[known$names]
  encoded <- lapply(known$names, function(name) {
    encode <- if (known$kind[[name]] == "discrete") newdata_discrete else newdata_continuous
    encode(columns[[name]], name, known, argument)
  })
  values <- do.call(cbind, encoded)
  values <- sweep(sweep(values, 2, known$center), 2, known$scale, "/")
  utils::modifyList(known, list(values = values))
}

newdata_discrete <- function(column, name, known, argument) {
  seen <- as.character(column)
  levels <- known$levels[[name]]
  codes <- match(seen, levels)
  unknown <- unique(seen[is.na(codes) & !is.na(seen)])
  if (length(unknown) > 0) {
    stop_input(
      "Column \"", name, "\" of `", argument, "` has the value ", quoted(unknown),
      ", which was not among the levels that the network was learned from: ", quoted(levels), "."
    )
  }
  matrix(codes - 1)
}

newdata_continuous <- function(column, name, known, argument) {
  width <- known$width[[name]]
  if (!is.numeric(column) || NCOL(column) != width) {
    stop_input(
      "Column \"", name, "\" of `", argument, "` must be numeric",
      if (width > 1) paste0(", a matrix of ", width, " columns"), ", as the network was learned, not ",
      class(column)[1], "."
    )
  }
  values <- matrix(as.numeric(column), NROW(column))
  if (any(is.infinite(values))) {
    stop_input(
      "Column \"", name, "\" of `", argument, "` has infinite values: replace them by numbers or NA."
    )
  }
  values
}
