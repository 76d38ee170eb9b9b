# Prior knowledge: which edges a network may have and which it must have.

# whitelist, blacklist: bnlearn's forms (two columns, from and to); tiers: a list of vectors of
# names, earlier tiers come before later ones. Returns two logical matrices, [i, j] is i -> j.
check_prior <- function(nodes, whitelist = NULL, blacklist = NULL, tiers = NULL) {
  m <- length(nodes)
  empty <- matrix(FALSE, m, m, dimnames = list(nodes, nodes))
  required <- empty
  required[check_arcs(whitelist, "whitelist", nodes)] <- TRUE
  forbidden <- empty
  forbidden[check_arcs(blacklist, "blacklist", nodes)] <- TRUE
  tiered <- tier_of(tiers, nodes)
  later <- outer(tiered, tiered, ">")
  later[is.na(later)] <- FALSE

  complain <- function(clash, why) {
    if (any(clash)) {
      first <- which(clash, arr.ind = TRUE)[1, ]
      stop_input(
        "`whitelist` asks for the edge ", nodes[first[1]], " -> ", nodes[first[2]], ", ", why, "."
      )
    }
  }
  complain(required & forbidden, "which `blacklist` forbids")
  complain(required & later, "which `tiers` forbids")
  if (!is_acyclic_matrix(required)) {
    stop_input("`whitelist` must not contain a directed cycle.")
  }
  allowed <- !forbidden & !later & !t(required)
  diag(allowed) <- FALSE
  list(allowed = allowed, required = required)
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
