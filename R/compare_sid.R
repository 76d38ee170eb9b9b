# Distances between networks that count wrong conclusions about interventions instead of edges.

# Beyond this many nodes the distance takes minutes.
most_sid_nodes <- 1000

# The structural intervention distance of Peters and Buehlmann (2015): over all ordered pairs (i,
# j), how often adjustment for the parents of i in `found` gives a wrong effect of i on j in `true`.
# Both are 0/1 matrices of DAGs on the same nodes; NA where `found` has undirected edges.
intervention_distance <- function(true, found) {
  m <- nrow(true)
  if (any(found & t(found)) || m > most_sid_nodes) {
    return(NA_real_)
  }
  parents <- lapply(seq_len(m), function(j) which(true[, j] != 0))
  children <- lapply(seq_len(m), function(i) which(true[i, ] != 0))
  descends <- reachability(true)
  wrong <- vapply(seq_len(m), function(i) {
    adjusted <- which(found[, i] != 0)
    sum(wrong_effects(i, adjusted, parents, children, descends))
  }, 0)
  sum(wrong)
}

# [i, j]: whether there is a directed path from i to j, or i is j.
reachability <- function(adjacency) {
  m <- nrow(adjacency)
  reached <- diag(m) > 0
  for (i in rev(topological_order(adjacency))) {
    for (child in which(adjacency[i, ] != 0)) reached[i, ] <- reached[i, ] | reached[child, ]
  }
  reached
}

# For each j whether `adjusted`, the parents of i in the other network, is no valid adjustment set
# for the effect of i on j.
wrong_effects <- function(i, adjusted, parents, children, descends) {
  wrong <- joined_off_causal_paths(i, adjusted, parents, children, descends)
  # A node on a causal path, or a descendant of one, must not be adjusted for.
  leads_to_adjusted <- rowSums(descends[, adjusted, drop = FALSE]) > 0
  forbidden <- setdiff(which(descends[i, ] & leads_to_adjusted), i)
  wrong <- wrong | colSums(descends[forbidden, , drop = FALSE]) > 0
  # A parent of i is not affected by i, says the other network.
  wrong[adjusted] <- descends[i, adjusted]
  wrong[i] <- FALSE
  wrong
}

# The nodes that a walk from i reaches, given `adjusted`, that is open and not a causal path. A walk
# comes to a node "down" an edge that points to it or "up" an edge that points away; it is causal as
# long as it has only gone down.
joined_off_causal_paths <- function(i, adjusted, parents, children, descends) {
  m <- length(parents)
  closed <- seq_len(m) %in% adjusted
  # A node at which two edges meet is passed where it or a descendant is adjusted for.
  opens <- rowSums(descends[, adjusted, drop = FALSE]) > 0
  seen <- list(causal = logical(m), down = logical(m), up = logical(m))
  reached <- list(causal = children[[i]], down = integer(), up = parents[[i]])
  while (length(unlist(reached)) > 0) {
    for (way in names(seen)) seen[[way]][reached[[way]]] <- TRUE
    passed <- lapply(reached, function(nodes) nodes[!closed[nodes]])
    met <- unlist(reached[c("causal", "down")])
    reached <- list(
      causal = unlist(children[passed$causal]),
      down = unlist(children[c(passed$down, passed$up)]),
      up = unlist(parents[c(met[opens[met]], passed$up)])
    )
    reached <- Map(function(nodes, known) {
      nodes <- unique(nodes)
      nodes[!known[nodes] & nodes != i]
    }, reached, seen)
  }
  seen$down | seen$up
}

# The ancestor adjustment identification distance of Henckel, Wuertzen and Weichwald (2024), by
# their package; NA where it is not installed. A partially directed network must be a CPDAG.
adjustment_distance <- function(true, found) {
  undirected <- found & t(found)
  if (!requireNamespace("gadjid", quietly = TRUE)) {
    return(NA_real_)
  }
  if (any(undirected) && !identical(unname(cpdag_of(found)), unname(found * 1))) {
    return(NA_real_)
  }
  gadjid::ancestor_aid(
    unname(true) * 1, unname(found + undirected) * 1, "from row to column"
  )[2]
}

cpdag_of <- function(adjacency) {
  net <- bn_of(adjacency, "learned")
  extension <- tryCatch(bnlearn::cextend(net), error = function(condition) NULL)
  if (is.null(extension)) NULL else bnlearn::amat(bnlearn::cpdag(extension)) * 1
}
