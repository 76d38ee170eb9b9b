# Prior knowledge: which edges a network may have and which it must have.

# whitelist, blacklist: bnlearn's forms (two columns, from and to); tiers: a list of vectors of
# names, earlier tiers come before later ones. A list: the `nodes`, and the edges between them that
# are `forbidden`, among them the reverse of required ones, and `required` (network_edge_values.R).
check_prior <- function(nodes, whitelist = NULL, blacklist = NULL, tiers = NULL) {
  required <- sorted_edges(check_arcs(whitelist, "whitelist", nodes))
  forbidden <- sorted_edges(check_arcs(blacklist, "blacklist", nodes))
  backwards <- edges_between_tiers(tier_of(tiers, nodes))

  complain <- function(edges, why) {
    clash <- edge_numbers(required) %in% edge_numbers(edges)
    if (any(clash)) {
      first <- required[which(clash)[1], ]
      stop_input(
        "`whitelist` asks for the edge ", nodes[first[1]], " -> ", nodes[first[2]], ", ", why, "."
      )
    }
  }
  complain(forbidden, "which `blacklist` forbids")
  complain(backwards, "which `tiers` forbids")
  if (!are_acyclic(required, length(nodes))) {
    stop_input("`whitelist` must not contain a directed cycle.")
  }
  list(
    nodes = nodes,
    forbidden = sorted_edges(rbind(forbidden, backwards, reversed_edges(required))),
    required = required
  )
}

# The edges from a later tier to an earlier one; tier: the number of each node's, NA for none.
edges_between_tiers <- function(tier) {
  known <- sort(unique(tier[!is.na(tier)]))
  parts <- lapply(known, function(k) {
    from <- which(tier > k)
    to <- which(tier == k)
    cbind(rep(from, times = length(to)), rep(to, each = length(from)))
  })
  do.call(rbind, c(list(matrix(0L, 0, 2)), parts))
}

# The prior for the same nodes in another order.
prior_on <- function(prior, nodes) {
  lists <- lapply(prior[c("forbidden", "required")], renumbered_edges, prior$nodes, nodes)
  c(list(nodes = nodes), lists)
}

# As logical matrices, [i, j] is i -> j.
allowed_edges <- function(prior) {
  allowed <- adjacency_of_edges(prior$forbidden, prior$nodes) == 0
  diag(allowed) <- FALSE
  allowed
}

required_edges <- function(prior) adjacency_of_edges(prior$required, prior$nodes) == 1

# bnlearn's lists, NULL where they are empty. The reverse of required edges goes without saying.
prior_arcs <- function(prior) {
  implied <- edge_numbers(reversed_edges(prior$required))
  named <- !edge_numbers(prior$forbidden) %in% implied
  arcs <- function(edges) if (nrow(edges) > 0) arcs_of_edges(edges, prior$nodes)
  list(
    required = arcs(prior$required), forbidden = arcs(prior$forbidden[named, , drop = FALSE])
  )
}

# The edges as a matrix of node numbers with two columns.
check_arcs <- function(arcs, argument, nodes) {
  names <- arc_names(arcs, argument)
  check_known(names, argument, nodes)
  index <- matrix(match(names, nodes), ncol = 2)
  loop <- index[, 1] == index[, 2]
  if (any(loop)) {
    stop_input(
      "`", argument, "` has an edge from ", quoted(nodes[index[loop, 1][1]]), " to itself."
    )
  }
  index
}

# bnlearn's forms as a matrix of names with two columns.
arc_names <- function(arcs, argument) {
  if (NROW(arcs) == 0) {
    return(matrix("", 0, 2))
  }
  names <- arcs
  if (is.data.frame(arcs)) {
    names <- as.matrix(arcs)
  } else if (is.vector(arcs, "character") && length(arcs) == 2) {
    names <- matrix(arcs, 1)
  }
  if (!is.character(names) || !identical(ncol(names), 2L)) {
    stop_input(
      "`", argument, "` must have two columns of names, `from` and `to`, not be ",
      show_value(arcs), "."
    )
  }
  names
}

check_known <- function(names, argument, nodes) {
  unknown <- setdiff(names, nodes)
  if (length(unknown) > 0) {
    stop_input(
      "`", argument, "` names ", quoted(unknown), ", which ",
      if (length(unknown) == 1) "is not a column" else "are not columns", " of `x`."
    )
  }
}

# The tier of each node, NA where it is in none.
tier_of <- function(tiers, nodes) {
  tier <- rep(NA_integer_, length(nodes))
  if (is.null(tiers)) {
    return(tier)
  }
  if (!is.list(tiers) || !all(vapply(tiers, is.character, NA))) {
    stop_input("`tiers` must be a list of vectors of names, not ", show_value(tiers), ".")
  }
  named <- unlist(tiers)
  check_known(named, "tiers", nodes)
  if (anyDuplicated(named)) {
    stop_input("`tiers` names ", quoted(named[duplicated(named)][1]), " more than once.")
  }
  tier[match(named, nodes)] <- rep(seq_along(tiers), lengths(tiers))
  tier
}
