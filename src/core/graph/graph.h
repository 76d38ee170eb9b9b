// From weights to edges: a directed acyclic graph in every case.
#pragma once

#include <vector>

#include "base/types.h"

namespace daggnn {

struct Edge {
  Index from, to;
  double absolute_weight;
  bool required = false;
};

struct Edges {
  std::vector<Edge> kept, dropped;  // dropped: each has the smallest weight of some cycle
};

// Edges between m variables enter from the largest absolute weight to the smallest (required ones
// first), and one that would close a cycle with those before it stays out.
Edges acyclic_edges(Index m, std::vector<Edge> candidates);

// The nodes of a DAG with parents before children.
std::vector<Index> topological_order(const std::vector<std::vector<Index>>& parents);
// edges: m x m, nonzero for an edge.
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
