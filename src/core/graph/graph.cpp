#include "graph/graph.h"

#include <algorithm>

namespace daggnn {

Edges acyclic_edges(const Matrix& weights, double threshold, const Matrix& required) {
  const Index m = weights.rows();
  std::vector<Edge> candidates;
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < m; ++i) {
      if (i != j && (required(i, j) != 0 || weights(i, j) > threshold)) {
        candidates.push_back({i, j, weights(i, j)});
      }
    }
  }
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Edge& a, const Edge& b) {
    const bool first = required(a.from, a.to) != 0, second = required(b.from, b.to) != 0;
    return first != second ? first : a.absolute_weight > b.absolute_weight;
  });

  // reaches[i][j]: there is a path from i to j, kept up to date as edges enter.
  std::vector<std::vector<bool>> reaches(m, std::vector<bool>(m, false));
  for (Index i = 0; i < m; ++i) reaches[i][i] = true;
  Edges edges;
  for (const Edge& edge : candidates) {
    if (reaches[edge.to][edge.from]) {
      edges.dropped.push_back(edge);
      continue;
    }
    edges.kept.push_back(edge);
    if (reaches[edge.from][edge.to]) continue;
    for (Index i = 0; i < m; ++i) {
      if (!reaches[i][edge.from]) continue;
      for (Index j = 0; j < m; ++j) {
        if (reaches[edge.to][j]) reaches[i][j] = true;
      }
    }
  }
  return edges;
}

std::vector<Index> topological_order(const Matrix& edges) {
  const Index m = edges.rows();
  std::vector<Index> order, parents(static_cast<std::size_t>(m));
  for (Index j = 0; j < m; ++j) {
    parents[j] = (edges.col(j).array() != 0).count();
    if (parents[j] == 0) order.push_back(j);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (Index j = 0; j < m; ++j) {
      if (edges(order[next], j) != 0 && --parents[j] == 0) order.push_back(j);
    }
  }
  if (static_cast<Index>(order.size()) < m) throw Error("the graph has a cycle");
  return order;
}

}  // namespace daggnn
