#' daggnn: Bayesian network structure learning with graph neural networks
#'
#' @keywords internal
#' @useDynLib daggnn, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom RcppParallel RcppParallelLibs
#' @importFrom methods setClass
#' @importClassesFrom bnlearn bn
"_PACKAGE"

# bnlearn's generics dispatch by S4 classes: they must know that a "daggnn" network is a "bn".
setClass("daggnn", contains = "bn", representation("VIRTUAL"))
setClass("dag_gnn", contains = "daggnn", representation("VIRTUAL"))
