#include "scores/discrete_variables.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace daggnn {

Parents parents_of_kind(const Parents& parents, const std::vector<Variable>& variables, Kind kind) {
  Parents result;
  std::copy_if(parents.begin(), parents.end(), std::back_inserter(result),
               [&](Index i) { return variables[i].kind == kind; });
  return result;
}

DiscreteVariables::DiscreteVariables(const Samples& samples)
    : variables_(samples.variables), rows_(samples.n()) {
  for (const Variable& variable : variables_) {
    std::vector<Index> codes;
    for (Index r = 0; variable.kind == Kind::discrete && r < rows_; ++r) {
      codes.push_back(static_cast<Index>(samples.values(r, variable.first)));
    }
    codes_.push_back(std::move(codes));
  }
}

Configurations DiscreteVariables::configurations(const Parents& discrete) const {
  Configurations result{std::vector<Index>(static_cast<std::size_t>(rows_), 0), 1};
  for (const Index i : discrete) {
    // Those that occur are numbered anew after each variable, so that numbers stay small.
    std::unordered_map<Index, Index> number;
    for (Index r = 0; r < rows_; ++r) {
      const Index joint = result.of_row[r] * levels(i) + codes_[i][r];
      result.of_row[r] = number.emplace(joint, static_cast<Index>(number.size())).first->second;
    }
    result.count = static_cast<Index>(number.size());
  }
  return result;
}

}  // namespace daggnn
