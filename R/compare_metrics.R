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
#' Denominators are at least 1. Three more distances measure what the network can be used for:
#'
#' * `shd_cpdag`, the structural Hamming distance between the two CPDAGs, which is [bnlearn::shd()]:
#'   edges whose direction no data can determine are not held against the learner;
#' * `sid`, the structural intervention distance: over all ordered pairs of nodes (i, j), how often
#'   the effect of an intervention at i on j is wrong if it is computed by adjusting for the parents
#'   that i has in `learned`. It lies between 0 and m (m - 1), and is `NA` for a network with
#'   undirected edges or with more than 1000 nodes. An edge too many may cost nothing here, while a
#'   reversed edge may cost a lot;
#' * `aid`, the ancestor adjustment identification distance: the same with adjustment for the
#'   ancestors that i has in `learned`. Where that is a CPDAG, effects that it leaves open count as
#'   wrong. The distance comes from the package gadjid; it is `NA` where that is not installed, and
#'   for partially directed networks that are no CPDAG.
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
#'   `extra`, `missing`, `shd`, `fdr`, `tpr`, `fpr`, `shd_cpdag`, `sid` and `aid`.
#' @references
#' Henckel, Wuertzen and Weichwald (2024), Adjustment identification distance: a gadjid for causal
#' structure learning, UAI, for `aid`.
#'
#' Peters and Buehlmann (2015), Structural intervention distance for evaluating causal graphs,
#' Neural Computation 27, for `sid`.
#'
#' Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure
#' learning algorithm, Machine Learning 65, for the distance between CPDAGs.
#'
#' Zheng, Aragam, Ravikumar and Xing (2018), DAGs with NO TEARS: continuous optimization for
#' structure learning, NeurIPS 31, for the others.
#' @seealso [random_dag()], [simulate_sem()], [bnlearn::compare()].
#' @examples
#' set.seed(1)
#' dag <- random_dag(8)
#' x <- simulate_sem(dag, 500)
#' dag_metrics(dag, bnlearn::hc(x))
#' @export
dag_metrics <- function(truth, learned) {
  true <- adjacency_of(truth, "truth")
  check_dag(true, "truth")
  found <- adjacency_of(learned, "learned")
  if (is_unnamed(truth)) {
    true <- adjacency_on(truth, rownames(found), "truth", "learned")
  } else {
    found <- adjacency_on(learned, rownames(true), "learned", "truth")
  }

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
    shd_cpdag = shd_between_cpdags(true, found),
    sid = intervention_distance(true, found),
    aid = adjustment_distance(true, found)
  )
}

shd_between_cpdags <- function(true, found) {
  bnlearn::shd(bn_of(found, "learned"), bn_of(true, "truth"))
}
