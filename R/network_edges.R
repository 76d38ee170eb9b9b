# From weights to edges.

# weights: m x m, [i, j] is i -> j, or edge_values; prior: from check_prior(), for the same nodes in
# the same order. The `edges` are always those of a DAG; `dropped` had to go to make it one.
edges_from_weights <- function(weights, threshold, prior) {
  nodes <- rownames(weights)
  found <- strongest_first(weights, threshold, prior)
  edges <- sorted_edges(found$kept[, 1:2, drop = FALSE])
  dropped <- data.frame(
    from = nodes[found$dropped[, 1]], to = nodes[found$dropped[, 2]],
    weight = found$dropped[, 3], stringsAsFactors = FALSE
  )
  list(edges = edges, dropped = dropped)
}

# The edges whose absolute weight is above the threshold, and all required ones, as matrices with
# the columns from, to and absolute weight: required ones first, then from the strongest to the
# weakest. Those `dropped` would close a cycle with those `kept` before them.
strongest_first <- function(weights, threshold, prior) {
  listed <- listed_values(weights)
  strength <- abs(listed$value)
  number <- edge_numbers(listed$edges)
  loop <- listed$edges[, 1] == listed$edges[, 2]
  keep <- strength > threshold & !loop & !number %in% edge_numbers(prior$forbidden)
  # In the order of the edges, which decides between equal weights.
  edges <- sorted_edges(rbind(listed$edges[keep, , drop = FALSE], prior$required))
  row <- match(edge_numbers(edges), number)
  required <- edge_numbers(edges) %in% edge_numbers(prior$required)
  acyclic_edges_cpp(
    nrow(weights), edges, ifelse(is.na(row), 0, strength[row]), required
  )
}

edge_keys <- function(edges) paste(edges$from, edges$to, sep = "\r")

# What is known about each edge of a network from anywhere.
edge_facts <- function(net, strength = NULL) {
  table <- edges_of(net)[c("from", "to")]
  arcs <- as.matrix(table)
  if (is_network(net)) {
    details <- net$daggnn
    known <- list(weight = details$weights, share = details$shares, gain = details$gain)
    for (name in names(known)) {
      if (!is.null(known[[name]])) table[[name]] <- known[[name]][arcs]
    }
  }
  if (!is.null(strength)) {
    row <- match(edge_keys(table), edge_keys(strength))
    table$strength <- strength$strength[row]
    table$direction <- strength$direction[row]
  }
  table
}

# One row for each edge, directed ones first: an undirected one is in `arcs` both ways.
edges_of <- function(net) {
  arcs <- bnlearn::arcs(net)
  undirected <- bnlearn::undirected.arcs(net)
  key <- function(arcs) paste(arcs[, 1], arcs[, 2], sep = "\r")
  directed <- !key(arcs) %in% key(undirected)
  nodes <- bnlearn::nodes(net)
  first <- match(undirected[, 1], nodes) < match(undirected[, 2], nodes)
  edges <- rbind(arcs[directed, , drop = FALSE], undirected[first, , drop = FALSE])
  data.frame(
    from = edges[, 1], to = edges[, 2], arrow = rep(c(TRUE, FALSE), c(sum(directed), sum(first))),
    row.names = NULL
  )
}
