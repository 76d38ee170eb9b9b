#include "search/network.h"

#include <numeric>

namespace daggnn {

Matrix Network::adjacency() const {
  const Index m = static_cast<Index>(parents.size());
  Matrix edges = Matrix::Zero(m, m);
  for (Index j = 0; j < m; ++j) {
    for (const Index i : parents[j]) edges(i, j) = 1;
  }
  return edges;
}

double total(const Network& network) {
  return std::accumulate(network.scores.begin(), network.scores.end(), 0.0);
}

std::vector<Parents> children_of(const Network& network) {
  std::vector<Parents> children(network.parents.size());
  for (std::size_t j = 0; j < network.parents.size(); ++j) {
    for (const Index i : network.parents[j]) children[i].push_back(static_cast<Index>(j));
  }
  return children;
}

std::vector<char> descendants(const std::vector<Parents>& children, Index variable) {
  std::vector<char> reached(children.size(), 0);
  reached[variable] = 1;
  std::vector<Index> open = {variable};
  while (!open.empty()) {
    const Index i = open.back();
    open.pop_back();
    for (const Index j : children[i]) {
      if (reached[j] != 0) continue;
      reached[j] = 1;
      open.push_back(j);
    }
  }
  return reached;
}

std::vector<Index> places(const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
  return place;
}

}  // namespace daggnn
