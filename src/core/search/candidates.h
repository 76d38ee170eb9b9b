// Where there are many variables, each has a list of candidate parents. Only candidates of each
// other matter when one passes the other in the order, so that a move costs as much as the variable
// has candidates.
#pragma once

#include <utility>
#include <vector>

#include "graph/edge_rules.h"
#include "scores/local_score.h"

namespace daggnn {

class Candidates {
 public:
  Candidates() = default;
  // The candidate parents of each variable, sorted.
  explicit Candidates(std::vector<Parents> of);

  bool empty() const { return of_.empty(); }
  const Parents& operator[](Index child) const { return of_[child]; }
  // The candidates of a variable, and those that it is a candidate of.
  const Parents& related(Index variable) const { return related_[variable]; }

  // Makes variables candidates of a child, and the child one of theirs where the rules allow that;
  // false where all were.
  bool add(Index child, const Parents& found, const EdgeRules& rules);

 private:
  std::vector<Parents> of_, related_;
};

// All variables that the rules allow.
Candidates all_allowed(const EdgeRules& rules);

}  // namespace daggnn
