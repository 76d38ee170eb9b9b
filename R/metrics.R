# How far a learned network is from the true one.

#' Compare a learned network with the true one
#'
#' Counts what a learned network has right and wrong. The definitions are those of NOTEARS and of
#' the paper:
#'
#' * `shd`, the structural Hamming distance between the two graphs: missing + extra + reversed
#'   edges, and a reversed edge counts once;
#' * `fdr`, the false discovery rate: (reversed + extra) / learned edges;
#' * `tpr`, the true positive rate: correct / true edges;
#' * `fpr`, the false positive rate: (reversed + extra) / pairs of nodes without a true edge.
#'
#' No denominator is less than 1. `shd_cpdag` is the distance between the two CPDAGs, that is
#' [bnlearn::shd()]: edges whose direction no data can tell are not held against the learner.
#'
#' An undirected edge in `learned`, as in the CPDAGs that `pc.stable()` or GES give, counts as
#' correct where the truth has an edge in either direction, as NOTEARS counts it, and as extra
#' elsewhere.
#'
#' @param truth The true DAG: a network of class `"bn"` or `"bn.fit"` ([random_dag()], [dag_gnn()]
#'   and all of bnlearn), or an adjacency or weight matrix, where `[i, j]` other than 0 is an edge
#'   from i to j.
#' @param learned The learned network, in the same forms, on the same nodes. Nodes are matched by
#'   name; where one of the two is a matrix without names, by position.
#' @return A data frame of one row with the columns `edges` (learned edges), `correct`, `reversed`,
#'   `extra`, `missing`, `shd`, `fdr`, `tpr`, `fpr` and `shd_cpdag`.
#' @references Zheng, Aragam, Ravikumar and Xing (2018), DAGs with NO TEARS. Tsamardinos, Brown and
#'   Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm, for
#'   the distance between CPDAGs.
#' @seealso [random_dag()], [simulate_sem()], [bnlearn::compare()].
#' @examples
#' set.seed(1)
#' dag <- random_dag(8)
#' x <- simulate_sem(dag, 500)
#' dag_metrics(dag, bnlearn::hc(x))
#' @export
dag_metrics <- function(truth, learned) {
  true <- adjacency_of(truth, "truth")
  if (is.null(topological_order(true))) {
    stop_input("`truth` must be a DAG: it has a cycle or an undirected edge.")
  }
  found <- match_nodes(adjacency_of(learned, "learned"), learned, true, truth)

  joined_true <- true | t(true)
  joined_found <- found | t(found)
  once <- upper.tri(true)
  undirected <- found & t(found)
  correct <- sum(found & true & !undirected) + sum(undirected & true)
  reversed <- sum(found & t(true) & !undirected)
  extra <- sum((joined_found & !joined_true)[once])
  missing <- sum((joined_true & !joined_found)[once])
  edges <- sum(joined_found[once])
  rate <- function(count, of) count / max(of, 1)
  data.frame(
    edges = edges, correct = correct, reversed = reversed, extra = extra, missing = missing,
    shd = missing + extra + reversed,
    fdr = rate(reversed + extra, edges),
    tpr = rate(correct, sum(true)),
    fpr = rate(reversed + extra, sum(once) - sum(true)),
    shd_cpdag = shd_between_cpdags(true, found)
  )
}

# `found` with its nodes in the order of `true`.
match_nodes <- function(found, learned, true, truth) {
  if (nrow(found) != nrow(true)) {
    stop_input(
      "`truth` and `learned` must have the same nodes, but have ", nrow(true), " and ",
      nrow(found), "."
    )
  }
  unnamed <- function(dag) is.matrix(dag) && is.null(unlist(dimnames(dag)))
  if (unnamed(learned) || unnamed(truth)) {
    dimnames(found) <- dimnames(true)
    return(found)
  }
  nodes <- rownames(true)
  unknown <- setdiff(nodes, rownames(found))
  if (length(unknown) > 0) {
    stop_input("`learned` must have the nodes of `truth`, but lacks ", quoted(unknown), ".")
  }
  found[nodes, nodes]
}

shd_between_cpdags <- function(true, found) {
  bnlearn::shd(bn_of(found, "learned"), bn_of(true, "truth"))
}

bn_of <- function(adjacency, argument) {
  directed <- adjacency * !(adjacency & t(adjacency))
  if (is.null(topological_order(directed))) {
    stop_input("`", argument, "` must not have a directed cycle.")
  }
  net <- bnlearn::empty.graph(rownames(adjacency))
  bnlearn::amat(net, check.cycles = FALSE) <- adjacency
  net
}
