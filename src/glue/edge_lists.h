// Edges as R has them: matrices of two columns of numbers from 1, from and to.
#pragma once

#include <Rcpp.h>

#include <algorithm>
#include <vector>

#include "graph/edge_rules.h"

inline Rcpp::IntegerMatrix edge_matrix(const std::vector<std::vector<daggnn::Index>>& parents) {
  std::size_t count = 0;
  for (const auto& each : parents) count += each.size();
  Rcpp::IntegerMatrix edges(static_cast<int>(count), 2);
  int row = 0;
  for (std::size_t j = 0; j < parents.size(); ++j) {
    for (const daggnn::Index i : parents[j]) {
      edges(row, 0) = static_cast<int>(i) + 1;
      edges(row++, 1) = static_cast<int>(j) + 1;
    }
  }
  return edges;
}

// visit(from, to), from 0.
template <class Visit>
void for_each_edge(const Rcpp::IntegerMatrix& edges, daggnn::Index m, const Visit& visit) {
  if (edges.ncol() != 2) throw daggnn::Error("Edges must have two columns, from and to.");
  for (int k = 0; k < edges.nrow(); ++k) {
    const daggnn::Index from = edges(k, 0) - 1, to = edges(k, 1) - 1;
    if (from < 0 || to < 0 || from >= m || to >= m) {
      throw daggnn::Error("Edges must lead from a variable to a variable.");
    }
    visit(from, to);
  }
}

// The parents of each variable, sorted.
inline std::vector<std::vector<daggnn::Index>> as_parents(const Rcpp::IntegerMatrix& edges,
                                                          daggnn::Index m) {
  std::vector<std::vector<daggnn::Index>> parents(static_cast<std::size_t>(m));
  for_each_edge(edges, m,
                [&](daggnn::Index from, daggnn::Index to) { parents[to].push_back(from); });
  for (auto& each : parents) std::sort(each.begin(), each.end());
  return parents;
}

// rules: a list of the edges `forbidden` and `required`.
inline daggnn::EdgeRules as_edge_rules(const Rcpp::List& list, daggnn::Index m) {
  daggnn::EdgeRules rules(m);
  for_each_edge(list["forbidden"], m,
                [&](daggnn::Index from, daggnn::Index to) { rules.forbid(from, to); });
  for_each_edge(list["required"], m,
                [&](daggnn::Index from, daggnn::Index to) { rules.require(from, to); });
  return rules;
}
