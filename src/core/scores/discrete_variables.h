// The discrete variables of complete samples as scores see them: codes of the levels, and the
// configurations of several variables, which are their joint levels.
#pragma once

#include <vector>

#include "data/samples.h"
#include "scores/local_score.h"

namespace daggnn {

// The parents of one kind.
Parents parents_of_kind(const Parents& parents, const std::vector<Variable>& variables, Kind kind);

// The number of each row's configuration, from 0; how many there are.
struct Configurations {
  std::vector<Index> of_row;
  Index count = 1;
};

class DiscreteVariables {
 public:
  explicit DiscreteVariables(const Samples& samples);

  const std::vector<Variable>& variables() const { return variables_; }
  bool has(Index variable) const { return variables_[variable].kind == Kind::discrete; }
  Index levels(Index variable) const { return variables_[variable].width; }
  const std::vector<Index>& codes(Index variable) const { return codes_[variable]; }
  // Of discrete variables. Only configurations that occur are numbered.
  Configurations configurations(const Parents& discrete) const;

 private:
  std::vector<Variable> variables_;
  Index rows_;
  std::vector<std::vector<Index>> codes_;  // of each variable; none where it is a number
};

}  // namespace daggnn
