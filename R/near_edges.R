# Edges near the line between in and out: a threshold, or with "auto" the price of an edge.

# Whether each edge had to be worth a price, by the rule of refinement.h or of child_edges().
has_price <- function(details) {
  identical(details$threshold_rule, "auto") &&
    (!is.null(details$worth) || chose_by_bic(details))
}

chose_by_bic <- function(details) {
  is.null(details[["threshold"]]) && identical(details$model, "mechanism") &&
    all(details$samples$kind == "discrete")
}

# The edges that a threshold or price smaller or larger by `margin` would change, and how; NULL
# where that cannot be told. x: the data, or NULL.
edges_near <- function(net, margin, x = NULL) {
  details <- net$daggnn
  if (!has_price(details)) {
    return(near_threshold(details, margin))
  }
  if (!is.null(details$worth)) {
    return(near_worth(net, margin))
  }
  if (!is.null(x)) near_bic(details, margin, columns_like(details$nodes, x, "x"))
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
  changed_edges(weights, edges_at, threshold, margin)
}

# Children choose their parents anew at another price for each parameter.
near_bic <- function(details, margin, columns) {
  weights <- threshold_weights(details)
  edges_at <- function(price) child_edges(weights, details$prior, columns, price)$adjacency != 0
  changed_edges(weights, edges_at, 1, margin)
}

# edges_at: the edges, a matrix, as a function of the threshold or price.
changed_edges <- function(weights, edges_at, value, margin) {
  now <- edges_at(value)
  lower <- edges_at((1 - margin) * value)
  higher <- edges_at((1 + margin) * value)
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

# Each edge on its own: what it is worth is known for the network as it is.
near_worth <- function(net, margin) {
  details <- net$daggnn
  worth <- details$worth
  now <- worth * 0
  now[details$arcs] <- 1
  goes <- now == 1 & !details$prior$required & worth < 1 + margin
  comes <- now == 0 & details$prior$allowed & worth > 1 - margin
  for (k in which(comes)) {
    ends <- details$nodes[arrayInd(k, dim(worth))]
    comes[k] <- !bnlearn::path.exists(net, from = ends[2], to = ends[1])
  }
  near <- rbind(
    near_table(goes, details$weights, "goes if higher"),
    near_table(comes, details$weights, "comes if lower")
  )
  near$worth <- worth[as.matrix(near[c("from", "to")])]
  near[order(-near$worth), c("from", "to", "weight", "worth", "becomes"), drop = FALSE]
}
