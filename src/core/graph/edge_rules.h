// Which edges a network may have and which it must have. Only what is said is kept: of thousands of
// variables, hardly any edge is forbidden or required as a rule.
#pragma once

#include <vector>

#include "base/types.h"

namespace daggnn {

class EdgeRules {
 public:
  // Each edge is allowed, none is required.
  explicit EdgeRules(Index variables)
      : forbidden_(static_cast<std::size_t>(variables)),
        required_(static_cast<std::size_t>(variables)) {}
  // m x m, [i, j] is i -> j: nonzero where an edge may be, and where it must be.
  EdgeRules(const Matrix& allowed, const Matrix& required);

  void forbid(Index from, Index to);
  void require(Index from, Index to);

  Index variables() const { return static_cast<Index>(forbidden_.size()); }
  bool allowed(Index from, Index to) const {
    return from != to && (forbidden_[to].empty() || forbidden_[to][from] == 0);
  }
  bool required(Index from, Index to) const;
  // Sorted.
  const std::vector<Index>& required_parents(Index child) const { return required_[child]; }
  bool requires_any() const { return requires_any_; }
  // Pairs of variables that an edge may join.
  Index pairs() const;

 private:
  std::vector<std::vector<char>> forbidden_;  // of each child: empty, or 1 for each such parent
  std::vector<std::vector<Index>> required_;  // of each child
  bool requires_any_ = false;
};

}  // namespace daggnn
