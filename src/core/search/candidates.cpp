#include "search/candidates.h"

#include "search/network.h"

namespace daggnn {

Candidates::Candidates(std::vector<Parents> of) : of_(std::move(of)), related_(of_) {
  for (std::size_t child = 0; child < of_.size(); ++child) {
    const Index j = static_cast<Index>(child);
    for (const Index i : of_[child]) {
      if (!contains(of_[i], j)) related_[i] = with_parent(related_[i], j);
    }
  }
}

bool Candidates::add(Index child, const Parents& found, const EdgeRules& rules) {
  bool added = false;
  for (const Index i : found) {
    if (contains(of_[child], i)) continue;
    added = true;
    of_[child] = with_parent(of_[child], i);
    if (rules.allowed(child, i) && !contains(of_[i], child)) of_[i] = with_parent(of_[i], child);
    if (contains(related_[child], i)) continue;
    related_[child] = with_parent(related_[child], i);
    related_[i] = with_parent(related_[i], child);
  }
  return added;
}

Candidates all_allowed(const EdgeRules& rules) {
  std::vector<Parents> of(static_cast<std::size_t>(rules.variables()));
  for (Index j = 0; j < rules.variables(); ++j) {
    for (Index i = 0; i < rules.variables(); ++i) {
      if (rules.allowed(i, j)) of[j].push_back(i);
    }
  }
  return Candidates(std::move(of));
}

}  // namespace daggnn
