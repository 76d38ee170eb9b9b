#' daggnn: Bayesian network structure learning with graph neural networks
#'
#' @keywords internal
#' @useDynLib daggnn, .registration = TRUE
#' @importFrom Rcpp sourceCpp
#' @importFrom RcppParallel RcppParallelLibs
#' @importFrom methods setClass
#' @importClassesFrom bnlearn bn
"_PACKAGE"
