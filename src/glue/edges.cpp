#include <RcppEigen.h>

#include <utility>
#include <vector>

#include "graph/graph.h"

#include "edge_lists.h"

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

// The edges between m nodes that make a DAG, and those that would close a cycle. edges: two columns
// of numbers from 1; weights: absolute ones; required: logical.
// [[Rcpp::export]]
Rcpp::List acyclic_edges_cpp(int m, const Rcpp::IntegerMatrix& edges,
                             const Rcpp::NumericVector& weights,
                             const Rcpp::LogicalVector& required) {
  std::vector<daggnn::Edge> candidates;
  for_each_edge(edges, m, [&](daggnn::Index from, daggnn::Index to) {
    const R_xlen_t k = static_cast<R_xlen_t>(candidates.size());
    candidates.push_back({from, to, weights[k], required[k] == TRUE});
  });
  const daggnn::Edges found = daggnn::acyclic_edges(m, std::move(candidates));
  return Rcpp::List::create(Rcpp::_["kept"] = as_table(found.kept),
                            Rcpp::_["dropped"] = as_table(found.dropped));
}
