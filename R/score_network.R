# The log-likelihood of networks: of the families behind a learned one, and of any DAG on any data.

#' Score any network on any data
#'
#' Fits a distribution of each variable given its parents to the data and judges the network by it.
#' Unlike bnlearn's scores, which need complete data and know linear effects only, this one takes
#' every network and all data that [dag_gnn()] takes: continuous, discrete, mixed, vector-valued and
#' incomplete. Networks of different learners can be ranked by it.
#'
#' @details
#' A numeric variable has a sum of smooth functions of its numeric parents and contrasts of its
#' discrete ones, or a linear regression for each configuration of the discrete parents where that
#' has the higher evidence. A discrete variable has a table of probabilities where all parents are
#' discrete, and otherwise a multinomial logit. With `effects = "linear"` and complete continuous
#' data, or with complete discrete data, `"loglik"` and `"bic"` are those of [bnlearn::score()].
#'
#' `"predictive"` is the log-likelihood of rows that the distributions were not fitted to, summed
#' over the folds of a cross-validation. It needs no penalty: an edge that does not help to predict
#' makes it smaller. Rows are dealt out to the folds in sorted order, so that neither the order of
#' rows nor a seed matters, and all networks have the same folds. Tables of probabilities are then
#' estimated as if ten more rows had been seen, in which all variables are independent with the
#' frequencies that they have: equivalent networks of discrete variables have the same score.
#'
#' Missing values are drawn several times given the other variables before the distributions are
#' fitted. Only observed values count in the log-likelihood; where a parent is missing, the density
#' is averaged over draws of it given its own parents, weighted by how well they explain what else
#' is observed (a particle filter).
#'
#' The edges of a partially directed network are directed first ([bnlearn::cextend()]). With curves,
#' networks of one equivalence class may have different scores.
#'
#' @param net A network of class `"bn"` or `"bn.fit"`, or an adjacency matrix, `[i, j]` for i -> j.
#' @param x Data with all variables of the network, as for [dag_gnn()]; further columns are ignored.
#' @param type `"loglik"`, the log-likelihood; `"bic"`, the log-likelihood minus log(n) / 2 for each
#'   (effective) parameter; `"predictive"`, the log-likelihood of held-out rows. Higher is better.
#' @param effects How numeric parents act on numeric children: `"additive"`, by a smooth function
#'   each; `"linear"`; `"index"`, by curves of weighted sums of them, or `"joint"`, by a smooth
#'   function of all of them, where that has the higher
#'   evidence.
#' @param density The noise of numeric variables: `"normal"`, or `"estimated"` from the residuals
#'   where that is better than normal.
#' @param folds The number of folds for `"predictive"`, from 2 to the number of rows.
#' @param by_node Whether to return the score of each variable instead of their sum.
#' @param threads As in [dag_gnn()].
#' @return A number, or a named vector with a number for each variable.
#' @seealso [bnlearn::score()], [compare_learners()], [logLik()][logLik.daggnn] for the model that
#'   was learned with a network.
#' @examples
#' x <- bnlearn::clgaussian.test[1:500, ]
#' net <- bnlearn::hc(x)
#' network_score(net, x, "bic")
#' empty <- bnlearn::empty.graph(names(x))
#' network_score(net, x, "predictive") - network_score(empty, x, "predictive")
#'
#' # The same comparison where values are missing, for each variable.
#' x$A[1:50] <- NA
#' x$G[1:50] <- NA
#' network_score(net, x, "predictive", by_node = TRUE) -
#'   network_score(empty, x, "predictive", by_node = TRUE)
#' @export
network_score <- function(net, x, type = c("loglik", "bic", "predictive"),
                          effects = c("additive", "linear", "index", "joint"),
                          density = c("normal", "estimated"), folds = 10, by_node = FALSE,
                          threads = NULL) {
  type <- check_choice(type, "type", c("loglik", "bic", "predictive"))
  effects <- check_choice(effects, "effects", c("additive", "linear", "index", "joint"))
  density <- check_choice(density, "density", c("normal", "estimated"))
  check_flag(by_node, "by_node")
  threads <- check_threads(threads)
  adjacency <- directed_adjacency(net, "net")
  nodes <- rownames(adjacency)
  data <- samples(as_frame(columns_like(nodes, x, "x")), counts = declared_counts(net))
  adjacency <- adjacency[data$names, data$names]
  control <- dag_gnn_control(effects = effects, density = density)
  # The folds average over draws of missing values already.
  if (type == "predictive") control$copies <- 2
  # Smoothing keeps the probability of what was not seen positive.
  edges <- edge_list(adjacency)
  fit <- function(data, smoothing) {
    fit_families(data, edges, control, smoothing, edge_effects = FALSE, threads = threads)
  }
  scores <- if (type == "predictive") {
    folds <- check_number(folds, "folds", 2, nrow(data$values), whole = TRUE)
    held_out_log_likelihood(data, folds, function(data) fit(data, table_smoothing))
  } else {
    families <- fit(data, smoothing = if (anyNA(data$values)) 1 else 0)
    charge <- if (type == "bic") families$parameters * log(nrow(data$values)) / 2 else 0
    colSums(log_likelihood_families_cpp(families, data)) - charge
  }
  if (by_node) stats::setNames(scores, data$names)[nodes] else sum(scores)
}

# For each variable, the sum over all rows, each by families that were fitted to other folds.
held_out_log_likelihood <- function(data, folds, fit) {
  fold <- rep_len(seq_len(folds), nrow(data$values))
  some <- function(rows) {
    utils::modifyList(data, list(values = data$values[rows, , drop = FALSE]))
  }
  scores <- vapply(seq_len(folds), function(k) {
    colSums(log_likelihood_families_cpp(fit(some(fold != k)), some(fold == k)))
  }, numeric(length(data$names)))
  rowSums(scores)
}

# The adjacency matrix of a DAG; undirected edges are given a direction where that is possible.
directed_adjacency <- function(net, argument) {
  adjacency <- adjacency_of(net, argument)
  if (any(adjacency != 0 & t(adjacency) != 0)) {
    partial <- bnlearn::empty.graph(rownames(adjacency))
    bnlearn::amat(partial, check.cycles = FALSE) <- adjacency
    adjacency <- tryCatch(
      bnlearn::amat(bnlearn::cextend(partial)),
      error = function(condition) {
        stop_input(
          "`", argument, "` must be a DAG or have a DAG among its extensions: ",
          conditionMessage(condition), "."
        )
      }
    )
  }
  if (is.null(topological_order(adjacency))) {
    stop_input("`", argument, "` must be a DAG: it has a cycle.")
  }
  adjacency
}

#' The log-likelihood of a learned network
#'
#' `logLik()` is the log-likelihood of data under the distributions that were fitted with the
#' network: those that [predict()][predict.daggnn] and [simulate()][simulate.daggnn] use. Where the
#' network has none, because another learner than [dag_gnn()] found it, the model is the paper's
#' autoencoder, or its edges were changed since, they are fitted to `data` first, with smooth
#' effects. `BIC()` is bnlearn's: the log-likelihood minus log(n) / 2 for each parameter, so that
#' higher is better. Smooth functions and estimated densities count by their effective number of
#' parameters.
#'
#' @param object A network of this package.
#' @param data Data with the variables of the network; values may be missing. By default, those that
#'   it was learned from, looked up by the name that they had in the call that learned it.
#' @param ... Not used.
#' @return For `logLik()` a number with the attributes `df`, the effective number of parameters, and
#'   `nobs`; for `BIC()` a number.
#' @seealso [network_score()] for any network, with cross-validation.
#' @examples
#' x <- bnlearn::gaussian.test
#' net <- dag_gnn(x)
#' logLik(net, x)
#' BIC(net, x)
#' @importFrom stats logLik
#' @export
logLik.daggnn <- function(object, data = NULL, ...) {
  if (inherits(object, "bn.fit")) {
    return(NextMethod())
  }
  check_network(object)
  data <- needed_data_of(object, data, parent.frame(), "logLik", "data")
  values <- log_likelihood_of(object, data)
  structure(values$sum, df = values$parameters, nobs = values$n, class = "logLik")
}

#' @rdname logLik.daggnn
#' @importFrom stats BIC
#' @export
BIC.daggnn <- function(object, data = NULL, ...) {
  if (inherits(object, "bn.fit")) {
    return(NextMethod())
  }
  check_network(object)
  data <- needed_data_of(object, data, parent.frame(), "BIC", "data")
  values <- log_likelihood_of(object, data)
  values$sum - values$parameters * log(values$n) / 2
}

# A list: the log-likelihood in the units of the data, the number of parameters and that of rows.
log_likelihood_of <- function(net, x) {
  families <- families_of(net)
  # The density of signals is not that of the data.
  signals <- !all(vapply(net$daggnn$samples$signals, is.null, NA))
  if (is.null(families) || signals) {
    data <- samples(
      as_frame(columns_like(net$daggnn$nodes, x, "data")), counts = declared_counts(net)
    )
    control <- dag_gnn_control(effects = "additive", density = "normal")
    families <- fit_families(data, edges_of_bn(net, data$names), control, edge_effects = FALSE)
  } else {
    data <- samples_like(x, net$daggnn$samples, "data")
  }
  columns <- continuous_columns(data)
  seen <- colSums(!is.na(data$values[, columns, drop = FALSE]))
  list(
    sum = sum(log_likelihood_families_cpp(families, data)) - sum(seen * log(data$scale[columns])),
    parameters = sum(families$parameters), n = nrow(data$values)
  )
}
