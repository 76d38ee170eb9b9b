# Edges by the rule "auto": what the model itself holds for an edge.

# The paper's threshold, for its model and for linear ones.
paper_threshold <- 0.3

# What is left of an edge below this strength did not pay its price: polish_softness in polish.h.
polished_threshold <- 0.1

# As choose_edges(). A mechanism of discrete variables lets each child choose by BIC; one with other
# variables too has made each edge pay its price in training; one of numbers alone has no weights
# but those of the DAG that refinement.h found; other models, and training that was cut short, have
# the paper's threshold.
auto_edges <- function(weights, details, columns) {
  mechanism <- identical(details$model, "mechanism")
  kind <- details$samples$kind
  if (mechanism && all(kind == "discrete")) {
    if (is.null(columns)) {
      stop_input("`x` must be the data that `net` was learned from: \"auto\" is decided on them.")
    }
    return(child_edges(weights, details$prior, columns))
  }
  threshold <- if (!mechanism || !was_polished(details)) {
    paper_threshold
  } else if (any(kind == "discrete")) {
    polished_threshold
  } else {
    0
  }
  c(edges_from_weights(weights, threshold, details$prior), list(threshold = threshold))
}

was_polished <- function(details) {
  isTRUE(details$control$polish) && !details$reason %in% c("interrupt", "time_limit", "not_finite")
}

# Edges by BIC, child by child: one threshold for all would have to suit children with many levels
# and with few. weights and prior as in edges_from_weights(); columns: a list of data columns in the
# nodes' order. A child's candidates are the edges that stay acyclic together, entered from the
# strongest to the weakest. It keeps its required parents and those others that best_parents()
# chooses. price: of each parameter, in units of the BIC's.
child_edges <- function(weights, prior, columns, price = 1) {
  local_bic <- priced_bic_scorer(columns, price)
  nodes <- rownames(weights)
  candidates <- edges_from_weights(weights, 0, prior)
  adjacency <- prior$required * 1L
  weakest <- stats::setNames(rep(Inf, length(nodes)), nodes)
  for (child in nodes) {
    required <- nodes[prior$required[, child]]
    others <- nodes[candidates$adjacency[, child] == 1 & !prior$required[, child]]
    others <- others[order(-abs(weights[others, child]))]
    kept <- best_parents(child, required, others, local_bic)
    adjacency[kept, child] <- 1L
    if (length(kept) > 0) weakest[child] <- min(abs(weights[kept, child]))
  }
  dropped <- candidates$dropped
  list(
    adjacency = adjacency,
    dropped = dropped[dropped$strength >= weakest[dropped$to], , drop = FALSE]
  )
}

# local_bic_scorer() of discrete columns, at another price for each parameter.
priced_bic_scorer <- function(columns, price) {
  local_bic <- local_bic_scorer(columns)
  levels <- vapply(scorable_columns(columns), nlevels, 1L)
  parameter <- log(NROW(columns[[1]])) / 2
  function(node, parents) {
    parameters <- (levels[[node]] - 1) * prod(levels[parents])
    local_bic(node, parents) - (price - 1) * parameters * parameter
  }
}

# The others that make a child's BIC best: the k strongest for the best k, then one more, one less,
# or one for another, for as long as that helps. others: the strongest first.
best_parents <- function(child, required, others, local_bic, most_candidates = 20) {
  others <- utils::head(others, most_candidates)
  kept <- utils::head(others, best_prefix(child, required, others, local_bic))
  score <- local_bic(child, c(required, kept))
  repeat {
    changes <- changes_of(kept, others)
    scores <- vapply(changes, function(parents) local_bic(child, c(required, parents)), 1)
    best <- which.max(scores)
    if (length(best) == 0 || !isTRUE(scores[best] > score)) {
      return(kept)
    }
    kept <- changes[[best]]
    score <- scores[best]
  }
}

# All sets that differ from `kept` by one more, one less, or one for another.
changes_of <- function(kept, others) {
  less <- lapply(kept, function(parent) setdiff(kept, parent))
  more <- function(sets) {
    added <- lapply(setdiff(others, kept), function(other) lapply(sets, c, other))
    unlist(added, recursive = FALSE)
  }
  c(less, more(c(list(kept), less)))
}

# How many of `others` to take: a child may need several parents at once before its score rises, but
# `patience` in vain are enough.
best_prefix <- function(child, required, others, local_bic, patience = 8) {
  best <- 0
  best_score <- local_bic(child, required)
  for (k in seq_along(others)) {
    score <- local_bic(child, c(required, others[seq_len(k)]))
    if (is.na(score) || k > best + patience) break
    if (is.na(best_score) || score > best_score) {
      best <- k
      best_score <- score
    }
  }
  best
}
