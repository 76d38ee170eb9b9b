// A network as searches hold it: an order of the variables, and the parents of each among those
// before it.
#pragma once

#include <algorithm>
#include <vector>

#include "scores/local_score.h"

namespace daggnn {

struct Network {
  std::vector<Index> order;      // parents before children
  std::vector<Parents> parents;  // of each variable
  std::vector<double> scores;    // of each family
  double score = 0;              // their sum

  Matrix adjacency() const;  // m x m, 1 for an edge
};

struct Family {
  Parents parents;
  double score;
};

inline bool contains(const Parents& parents, Index variable) {
  return std::binary_search(parents.begin(), parents.end(), variable);
}

// The sum of the scores of all families.
double total(const Network& network);
// Of each variable, sorted.
std::vector<Parents> children_of(const Network& network);
// 1 for the variable and its descendants.
std::vector<char> descendants(const std::vector<Parents>& children, Index variable);

// The place of each variable in the order.
std::vector<Index> places(const std::vector<Index>& order);
// The order with parents before their children, otherwise as it is. parents_of: a function.
template <class ParentsOf>
std::vector<Index> with_parents_first(const ParentsOf& parents_of,
                                      const std::vector<Index>& order) {
  std::vector<Index> result;
  std::vector<char> placed(order.size(), 0);
  // Depth first; `open` leads from a variable to an ancestor.
  std::vector<Index> open;
  for (const Index j : order) {
    if (placed[j] == 0) open.push_back(j);
    while (!open.empty()) {
      const Index child = open.back();
      const Parents& parents = parents_of(child);
      const auto waiting =
          std::find_if(parents.begin(), parents.end(), [&](Index i) { return placed[i] == 0; });
      if (waiting != parents.end()) {
        open.push_back(*waiting);
        continue;
      }
      placed[child] = 1;
      result.push_back(child);
      open.pop_back();
    }
  }
  return result;
}

}  // namespace daggnn
