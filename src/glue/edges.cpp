#include <RcppEigen.h>

#include "graph/graph.h"

namespace {

// from, to (from 1) and absolute weight, one row per edge.
Rcpp::NumericMatrix as_table(const std::vector<daggnn::Edge>& edges) {
  Rcpp::NumericMatrix table(static_cast<int>(edges.size()), 3);
  for (int k = 0; k < table.nrow(); ++k) {
    table(k, 0) = static_cast<double>(edges[k].from + 1);
    table(k, 1) = static_cast<double>(edges[k].to + 1);
    table(k, 2) = edges[k].absolute_weight;
  }
  return table;
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List acyclic_edges_cpp(const Eigen::MatrixXd& weights, double threshold,
                             const Eigen::MatrixXd& required) {
  const daggnn::Edges edges = daggnn::acyclic_edges(weights, threshold, required);
  return Rcpp::List::create(Rcpp::_["kept"] = as_table(edges.kept),
                            Rcpp::_["dropped"] = as_table(edges.dropped));
}
