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
  edges_at <- function(value) {
    edges_from_weights(weights, value, details$prior)$adjacency != 0
  }
  now <- edges_at(threshold)
  lower <- edges_at((1 - margin) * threshold)
  higher <- edges_at((1 + margin) * threshold)
  near <- rbind(
    near_table(now & !higher, weights, "goes if higher"),
    near_table(!now & lower, weights, "comes if lower"),
    near_table(now & !lower & higher, weights, "goes if lower")
  )
  near[order(-abs(near$weight)), , drop = FALSE]
}

near_table <- function(changed, weights, becomes) {
  index <- which(changed, arr.ind = TRUE)
  nodes <- rownames(weights)
  data.frame(
    from = nodes[index[, 1]], to = nodes[index[, 2]], weight = weights[index],
    becomes = rep(becomes, nrow(index))
  )
}

# Each edge on its own: what it adds is known for the network as it is.
near_gain <- function(net, margin) {
  details <- net$daggnn
  gain <- details$gain
  cost <- edge_cost(details)
  now <- gain * 0
  now[details$arcs] <- 1
  goes <- now == 1 & !details$prior$required & gain < margin * cost
  comes <- now == 0 & is.finite(gain) & gain > -margin * cost
  near <- rbind(
    near_table(goes & !is.na(goes), details$weights, "goes if higher"),
    near_table(comes & !is.na(comes), details$weights, "comes if lower")
  )
  near$gain <- gain[as.matrix(near[c("from", "to")])]
  near[order(-near$gain), c("from", "to", "weight", "gain", "becomes"), drop = FALSE]
}
