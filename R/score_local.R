# Local scores: for each node the parent sets that an optimal network can use, and their scores.
#
# An object of class "local_scores" is a list with
#   names    the nodes, sorted, so that the order of columns cannot matter
#   nodes    the nodes in the order of the data or file: the order of every result
#   child, score, size  of each parent set: its node (a number in `names`), its score, and how many
#            parents it has; sets are sorted by node, then from the best score to the worst
#   parents  numbers in `names`, those of one set side by side
#   type     "bic", "aic", "bde", or NULL where the scores were read from a file

#' Local scores of parent sets
#'
#' Scores every set of at most `maxp` parents for each node, and keeps those that beat all of their
#' own subsets: no other set can be part of a network with the best score. [exact_dag()] does this
#' by itself; call it to write the scores to a file ([write_jkl()]) or to search them several times.
#'
#' @param x A data frame or matrix as in [dag_gnn()], or a [data_source()], all columns discrete or
#'   all of them numeric, without missing values.
#' @param whitelist,blacklist Edges that must and must not be there, as in bnlearn: two columns of
#'   names, `from` and `to`. Parent sets that do not agree with them are left out.
#' @param maxp The most parents a node may have: a whole number from 0. Default 3. The number of
#'   sets grows with the number of columns to the power `maxp + 1`.
#' @param tiers A list of vectors of names; edges from later to earlier tiers are forbidden.
#' @param score `"bic"` (default), `"aic"` or, for discrete data, `"bde"`: BDeu. The values are
#'   those of [bnlearn::score()].
#' @param iss The imaginary sample size of BDeu, above 0. Default 1, as in bnlearn.
#' @param threads How many threads to use, from 1; by default the environment variable
#'   `DAGGNN_THREADS`, else the option `daggnn.threads`, else 2.
#' @return An object of class `"local_scores"`.
#' @seealso [exact_dag()], [write_jkl()], [read_jkl()]
#' @references de Campos and Ji (2011), Efficient structure learning of Bayesian networks using
#'   constraints, Journal of Machine Learning Research 12, 663-689: how sets are ruled out unseen.
#' @examples
#' scores <- local_scores(bnlearn::learning.test, score = "bde")
#' scores
#' exact_dag(scores)
#' @export
local_scores <- function(x, whitelist = NULL, blacklist = NULL, maxp = 3, tiers = NULL,
                         score = c("bic", "aic", "bde"), iss = 1, threads = NULL) {
  data <- scorable_samples(x, check_choice(score, "score", c("bic", "aic", "bde")))
  prior <- check_prior(data$names, whitelist, blacklist, tiers)
  score_data(data, prior, maxp, score, iss, threads)
}

# data: from scorable_samples(); prior: in the order of data$names. Element `stop` of the result
# says why the work ended early, if it did.
score_data <- function(data, prior, maxp, score, iss, threads, time_limit = Inf) {
  score <- check_choice(score, "score", c("bic", "aic", "bde"))
  iss <- check_number(iss, "iss", 0, Inf, open = TRUE)
  maxp <- check_maxp(maxp, prior)
  found <- local_scores_cpp(
    data[scored_fields(data)], score, iss, maxp, prior, threads_for(data, check_threads(threads)),
    time_limit
  )
  new_local_scores(data$names, data$nodes, found, type = score, source = data$source)
}

new_local_scores <- function(names, nodes, sets, type = NULL, source = NULL) {
  structure(
    list(
      names = names, nodes = nodes, child = sets$child, score = sets$score, size = sets$size,
      parents = sets$parents, type = type, source = source,
      stop = if (is.null(sets$stop)) "none" else sets$stop
    ),
    class = "local_scores"
  )
}

check_maxp <- function(maxp, prior) {
  m <- length(prior$nodes)
  maxp <- check_number(maxp, "maxp", 0, Inf, whole = TRUE)
  check_required_parents(maxp, prior)
  maxp <- as.integer(min(maxp, m - 1))
  held <- m * sum(choose(m, seq_len(maxp) - 1))
  if (held > most_held_sets) {
    stop_input(
      "`maxp` must be smaller than ", maxp, " for ", m, " columns: too many parent sets (",
      format(m * sum(choose(m - 1, 0:maxp)), digits = 2), ")."
    )
  }
  maxp
}

check_required_parents <- function(maxp, prior) {
  asked <- tabulate(prior$required[, 2], length(prior$nodes))
  if (any(asked > maxp)) {
    node <- which.max(asked)
    stop_input(
      "`whitelist` gives ", quoted(prior$nodes[node]), " ", asked[[node]],
      " parents, but `maxp` is ", format(maxp), "."
    )
  }
}

# Scores of smaller sets that are held in memory while larger ones are made: 4 GB, the core's limit.
most_held_sets <- 5e8

# The samples of x, where they are of a kind that has a score.
scorable_samples <- function(x, score) {
  rows <- read_rows(x)
  data <- samples(rows$x)
  of_column <- rep(data$names, ifelse(data$kind == "continuous", data$width, 1L))
  vectors <- data$names[data$kind == "continuous" & data$width > 1]
  if (length(vectors) > 0) {
    stop_input(
      "Column ", quoted(vectors[1]), " of `x` is a vector-valued variable: there is no ", score,
      " score for it. Give its components as columns."
    )
  }
  missing <- colSums(is.na(data$values)) > 0
  if (!is.null(rows$described)) missing <- missing | rows$described$missing[data$names] > 0
  if (any(missing)) {
    stop_input(
      "Column ", quoted(of_column[missing][1]), " of `x` has missing values: scores need complete ",
      "data. Leave out rows or fill them in, for instance by `bnlearn::impute()`."
    )
  }
  kinds <- unique(unname(data$kind))
  if (length(kinds) > 1) {
    stop_input(
      "`x` must be all discrete or all numeric: column ",
      quoted(data$names[data$kind == "discrete"][1]), " is discrete, column ",
      quoted(data$names[data$kind == "continuous"][1]), " is numeric."
    )
  }
  if (kinds == "continuous" && score == "bde") {
    stop_input("`score` must be \"bic\" or \"aic\" for numeric data, not \"bde\".")
  }
  with_statistics(data, rows)
}

# Only the sets that agree with the prior (in the order of scores$names).
restrict_scores <- function(scores, prior, maxp) {
  of_parent <- rep(seq_along(scores$child), scores$size)
  edge <- cbind(scores$parents, scores$child[of_parent])
  count <- function(chosen) tabulate(of_parent[chosen], length(scores$child))
  required <- required_edges(prior)
  keep <- count(!allowed_edges(prior)[edge]) == 0 & scores$size <= maxp &
    count(required[edge]) == colSums(required)[scores$child]
  scores$parents <- scores$parents[keep[of_parent]]
  for (field in c("child", "score", "size")) scores[[field]] <- scores[[field]][keep]
  without <- setdiff(seq_along(scores$names), scores$child)
  if (length(without) > 0) {
    stop_input(
      "No parent set of ", quoted(scores$names[without[1]]), " in `x` agrees with `whitelist`, ",
      "`blacklist`, `tiers` and `maxp`."
    )
  }
  scores
}

# The 0/1 matrix, in the order of scores$nodes, of the network with one set for each node.
adjacency_of_sets <- function(scores, set) {
  m <- length(scores$names)
  adjacency <- matrix(0L, m, m, dimnames = list(scores$names, scores$names))
  before <- cumsum(c(0, scores$size))
  for (s in set) {
    adjacency[scores$parents[before[s] + seq_len(scores$size[s])], scores$child[s]] <- 1L
  }
  adjacency[scores$nodes, scores$nodes, drop = FALSE]
}

#' @export
print.local_scores <- function(x, ...) {
  cat(
    "Local scores", if (!is.null(x$type)) paste0(" (", x$type, ")"), ": ", length(x$child),
    " parent sets of ", length(x$nodes), " nodes, at most ", max(x$size, 0), " parents\n",
    sep = ""
  )
  invisible(x)
}
