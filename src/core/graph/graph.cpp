#include "graph/graph.h"

#include <algorithm>
#include <cstdint>

namespace daggnn {

namespace {

// Which nodes can be reached from each, as edges enter: a row of bits for each node.
class Reachability {
 public:
  explicit Reachability(Index m)
      : m_(m), words_((m + 63) / 64), bits_(static_cast<std::size_t>(m * words_), 0) {
    for (Index i = 0; i < m; ++i) row(i)[i / 64] |= std::uint64_t{1} << (i % 64);
  }
  bool operator()(Index from, Index to) const {
    return (bits_[from * words_ + to / 64] >> (to % 64) & 1) != 0;
  }
  void enter(Index from, Index to) {
    if ((*this)(from, to)) return;
    for (Index i = 0; i < m_; ++i) {
      if (!(*this)(i, from)) continue;
      for (Index k = 0; k < words_; ++k) row(i)[k] |= row(to)[k];
    }
  }

 private:
  std::uint64_t* row(Index i) { return bits_.data() + i * words_; }

  Index m_, words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace

Edges acyclic_edges(Index m, std::vector<Edge> candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const Edge& a, const Edge& b) {
    return a.required != b.required ? a.required : a.absolute_weight > b.absolute_weight;
  });
  Reachability reaches(m);
  Edges edges;
  for (const Edge& edge : candidates) {
    if (reaches(edge.to, edge.from)) {
      edges.dropped.push_back(edge);
      continue;
    }
    edges.kept.push_back(edge);
    reaches.enter(edge.from, edge.to);
  }
  return edges;
}

std::vector<Index> topological_order(const std::vector<std::vector<Index>>& parents) {
  std::vector<std::vector<Index>> children(parents.size());
  std::vector<Index> order, left;
  for (std::size_t j = 0; j < parents.size(); ++j) {
    for (const Index i : parents[j]) children[i].push_back(static_cast<Index>(j));
    left.push_back(static_cast<Index>(parents[j].size()));
    if (parents[j].empty()) order.push_back(static_cast<Index>(j));
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const Index j : children[order[next]]) {
      if (--left[j] == 0) order.push_back(j);
    }
  }
  if (order.size() < parents.size()) throw Error("the graph has a cycle");
  return order;
}

std::vector<Index> topological_order(const Matrix& edges) {
  std::vector<std::vector<Index>> parents(static_cast<std::size_t>(edges.rows()));
  for (Index j = 0; j < edges.cols(); ++j) {
    for (Index i = 0; i < edges.rows(); ++i) {
      if (edges(i, j) != 0) parents[j].push_back(i);
    }
  }
  return topological_order(parents);
}

}  // namespace daggnn
