# Edges near the line between in and out: a threshold, or what an edge is charged.

# What the last of so many edges is charged, with one parameter, in units of the log-likelihood.
edge_cost <- function(details) {
  m <- length(details$nodes)
  edges <- max(1, nrow(details$arcs))
  last <- max(0, log((choose(m, 2) - edges + 1) / edges))
  log(details$n) / 2 + details$control$edge_charge * last
}

has_gain <- function(details) {
  identical(details$threshold_rule, "auto") && !is.null(details$gain)
}

# The edges that a threshold or charge smaller or larger by `margin` would change, and how; NULL
# where that cannot be told.
edges_near <- function(net, margin) {
  if (has_gain(net$daggnn)) near_gain(net, margin) else near_threshold(net$daggnn, margin)
}

near_threshold <- function(details, margin) {
  threshold <- details[["threshold"]]
  # No share of a threshold of 0 is another threshold.
  if (is.null(details$weights) || is.null(threshold) || is.na(threshold) || threshold == 0) {
    return(NULL)
  }
  weights <- threshold_weights(details)
  edges_at <- function(value) edges_from_weights(weights, value, details$prior)$edges
  now <- edges_at(threshold)
  lower <- edges_at((1 - margin) * threshold)
  higher <- edges_at((1 + margin) * threshold)
  gone <- edges_without(now, higher)
  near <- rbind(
    near_table(gone, weights, "goes if higher"),
    near_table(edges_without(lower, now), weights, "comes if lower"),
    near_table(edges_without(edges_without(now, lower), gone), weights, "goes if lower")
  )
  near[order(-abs(near$weight)), , drop = FALSE]
}

edges_without <- function(edges, others) {
  edges[!edge_numbers(edges) %in% edge_numbers(others), , drop = FALSE]
}

near_table <- function(edges, weights, becomes) {
  nodes <- rownames(weights)
  data.frame(
    from = nodes[edges[, 1]], to = nodes[edges[, 2]], weight = weights[edges],
    becomes = rep(becomes, nrow(edges))
  )
}

# Each edge on its own: what it adds is known for the network as it is.
near_gain <- function(net, margin) {
  details <- net$daggnn
  listed <- listed_values(details$gain)
  edges <- listed$edges
  gain <- listed$value
  cost <- edge_cost(details)
  learned <- matrix(match(details$arcs, details$nodes), ncol = 2)
  now <- edge_numbers(edges) %in% edge_numbers(learned)
  required <- edge_numbers(edges) %in% edge_numbers(details$prior$required)
  goes <- now & !required & gain < margin * cost
  comes <- !now & is.finite(gain) & gain > -margin * cost
  near <- rbind(
    near_table(edges[goes, , drop = FALSE], details$weights, "goes if higher"),
    near_table(edges[comes, , drop = FALSE], details$weights, "comes if lower")
  )
  near$gain <- gain[c(which(goes), which(comes))]
  near[order(-near$gain), c("from", "to", "weight", "gain", "becomes"), drop = FALSE]
}
