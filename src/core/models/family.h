// A family: the distribution of one variable given its parents, fitted to samples and independent
// of them afterwards.
#pragma once

#include <memory>
#include <vector>

#include "likelihood/likelihood.h"
#include "models/family_form.h"
#include "models/residual_density.h"

namespace daggnn {

// Named apart from the family of a set of parents, which has a score only (parent_sets.h).
class FittedFamily {
 public:
  // parameters: effective number of them.
  FittedFamily(const Variable& variable, Parents parents, std::unique_ptr<FamilyForm> form,
               std::vector<ResidualDensity> densities, double parameters);
  FittedFamily(NumberReader& reader, const std::vector<Variable>& variables, Index child);
  void write(NumberWriter& writer) const;

  const Parents& parents() const { return parents_; }
  const FamilyForm& form() const { return *form_; }
  double parameters() const { return parameters_; }

  // outputs: of all variables, complete for the parents.
  Expected expect(const Matrix& outputs) const { return form_->expect(outputs); }
  // Of the values in columns of Samples::values that belong to the child; those that are NaN do not
  // count.
  double log_density(const Expected& expected, Index row,
                     const Eigen::Ref<const Matrix>& values) const;
  // Replaces those values of the row that are NaN. from: for each column of the child.
  void draw(const Expected& expected, Index row, const NoiseDraw* from, Matrix& values) const;

 private:
  Variable variable_;
  Parents parents_;
  std::unique_ptr<FamilyForm> form_;
  std::vector<ResidualDensity> densities_;  // of each component of a number
  double parameters_;
};

}  // namespace daggnn
