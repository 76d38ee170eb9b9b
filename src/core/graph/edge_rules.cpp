#include "graph/edge_rules.h"

#include <algorithm>

namespace daggnn {

EdgeRules::EdgeRules(const Matrix& allowed, const Matrix& required) : EdgeRules(allowed.rows()) {
  for (Index j = 0; j < variables(); ++j) {
    for (Index i = 0; i < variables(); ++i) {
      if (allowed(i, j) == 0) forbid(i, j);
      if (required(i, j) != 0) require(i, j);
    }
  }
}

void EdgeRules::forbid(Index from, Index to) {
  if (from == to) return;
  forbidden_[to].resize(forbidden_.size(), 0);
  forbidden_[to][from] = 1;
}

void EdgeRules::require(Index from, Index to) {
  std::vector<Index>& parents = required_[to];
  const auto place = std::lower_bound(parents.begin(), parents.end(), from);
  if (place == parents.end() || *place != from) parents.insert(place, from);
  requires_any_ = true;
}

bool EdgeRules::required(Index from, Index to) const {
  return std::binary_search(required_[to].begin(), required_[to].end(), from);
}

Index EdgeRules::pairs() const {
  const Index m = variables();
  Index pairs = m * (m - 1) / 2;
  for (Index j = 0; j < m; ++j) {
    if (forbidden_[j].empty()) continue;
    for (Index i = 0; i < j; ++i) pairs -= !allowed(i, j) && !allowed(j, i);
  }
  return pairs;
}

}  // namespace daggnn
