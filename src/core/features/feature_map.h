// What one variable offers to its children, as functions that can be evaluated on other rows than
// those they were made from.
//
// Rows come as outputs: a number has a column for each component, a discrete variable one for each
// level, the indicator of the level or, where the level is not known, its probability.
#pragma once

#include <vector>

#include "base/numbers.h"
#include "data/samples.h"
#include "features/spline_basis.h"

namespace daggnn {

// Where the outputs of each variable stand.
struct OutputLayout {
  explicit OutputLayout(const std::vector<Variable>& variables);
  std::vector<Index> first;
  Index columns = 0;
};

// values: in the columns of Samples::values. A missing value is NaN in all outputs of its variable.
Matrix outputs_of(const Eigen::Ref<const Matrix>& values, const std::vector<Variable>& variables);

class FeatureMap {
 public:
  // outputs: n x width, those of the variable, complete. A number offers its splines, a vector its
  // components, a discrete variable contrasts of its levels; what does not vary is left out. first:
  // where its outputs stand among those of all variables.
  FeatureMap(const Matrix& outputs, const Variable& variable, Index first, Index splines);
  FeatureMap(NumberReader& reader, const std::vector<Variable>& variables, Index variable,
             const OutputLayout& layout);
  void write(NumberWriter& writer) const;

  Index linear() const;
  Index size() const;
  FeatureMap without_curves() const;
  // outputs: of all variables. Linear features come first.
  Matrix evaluate(const Matrix& outputs) const;

 private:
  Index first_;
  std::vector<Index> components_;   // those that vary
  std::vector<SplineBasis> bases_;  // of these
  Matrix table_;                    // of a discrete variable: levels x contrasts
};

}  // namespace daggnn
