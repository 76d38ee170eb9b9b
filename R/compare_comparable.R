# Weights in units that can be compared.

# How much each variable varies, in the units that it was trained in: its standard deviation, for a
# vector that of its components together. A discrete variable's weights are in units of standardised
# indicators already.
spread_of <- function(data) {
  count <- column_count(data)
  spread <- vapply(seq_along(count), function(j) {
    if (data$kind[j] == "discrete") {
      return(1)
    }
    own <- places_of(count, j)
    sqrt(mean(vapply(own, function(k) stats::var(data$values[, k], na.rm = TRUE), 1)))
  }, 1)
  stats::setNames(spread, data$names)
}

# The share of the child's spread that each edge carries. weights: in the units of training.
shares_of <- function(weights, data) {
  spread <- spread_of(data)[rownames(weights)]
  # The log rate of a count has no unit.
  child <- replace(spread, names(spread) %in% data$names[data$distribution == "poisson"], 1)
  weights * outer(spread, 1 / child)
}

# weights in the units of the data, where training was on standardised columns: single numbers only,
# since a block's norm has no unit.
in_data_units <- function(weights, data) {
  columns <- column_count(data)
  scale <- data$scale[cumsum(columns) - columns + 1]
  scale[data$width > 1] <- 1
  scale <- stats::setNames(scale, data$names)[rownames(weights)]
  if (inherits(weights, "edge_values")) {
    edges <- weights$edges
    value <- weights$value * (1 / scale[edges[, 1]]) * scale[edges[, 2]]
    return(edge_values(weights$nodes, edges[, 1], edges[, 2], unname(value), weights$absent))
  }
  weights * outer(1 / scale, scale)
}
