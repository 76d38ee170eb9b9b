// From weights to edges: a directed acyclic graph in every case.
#pragma once

#include <vector>

#include "base/types.h"

namespace daggnn {

struct Edge {
  Index from, to;
  double absolute_weight;
};

struct Edges {
  std::vector<Edge> kept, dropped;  // dropped: each has the smallest weight of some cycle
};

// The edges whose weight is above the threshold, and all required ones. Edges enter from the
// largest absolute weight to the smallest (required ones first), and one that would close a cycle
// with those before it stays out. weights: m x m, absolute values.
Edges acyclic_edges(const Matrix& weights, double threshold, const Matrix& required);

// The nodes with parents before children; edges: m x m, nonzero for an edge of a DAG.
std::vector<Index> topological_order(const Matrix& edges);

// m x m: 1 where there is a directed path from i to j, and on the diagonal. edges: of a DAG.
inline Matrix reachability(const Matrix& edges) {
  const Index m = edges.rows();
  Matrix reaches = Matrix::Identity(m, m);
  const std::vector<Index> order = topological_order(edges);
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    for (Index j = 0; j < m; ++j) {
      if (edges(*i, j) != 0) reaches.row(*i) = reaches.row(*i).cwiseMax(reaches.row(j));
    }
  }
  return reaches;
}

}  // namespace daggnn
