// A family: the distribution of one variable given its parents, fitted to samples and independent
// of them afterwards.
#pragma once

#include <memory>
#include <vector>

#include "models/family_form.h"
#include "models/residual_density.h"
#include "structure.h"

namespace daggnn {

struct FamilyOptions {
  // Which effects and which density of the noise, and the charges by which each family chooses
  // among them. Automatic effects are additive, an automatic density is normal.
  StructureOptions structure;
  // Tables of probabilities: the marginal distribution counts as so many rows in each configuration
  // of the parents, and in it all levels together as so many rows.
  double smoothing = 1;
};

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

// What all families are fitted to: complete samples, and the feature map of every variable.
class FamilyData {
 public:
  FamilyData(const Samples& samples, const FamilyOptions& options);

  FittedFamily fit(Index child, const Parents& parents) const;
  // Of the samples, copies of a row counting as one.
  double log_likelihood(const FittedFamily& family) const;

  const Samples& samples() const { return samples_; }
  const Matrix& outputs() const { return outputs_; }
  // What a variable offers to its children, linear features first.
  Matrix features(Index variable) const { return maps_[variable].evaluate(outputs_); }
  // Of a component of a number.
  double standard_deviation(Index column) const;

 private:
  FittedFamily fit_number(Index child, const Parents& parents) const;
  FittedFamily fit_levels(Index child, const Parents& parents) const;
  FittedFamily fit_logit(Index child, const Parents& parents) const;
  FittedFamily fit_table(Index child, const Parents& parents) const;
  FittedFamily fit_counts(Index child, const Parents& parents) const;

  // The regression of one component of a number, and what it was chosen from.
  struct NumericFit;
  NumericFit fit_component(Index child, Index component, const Parents& parents) const;
  NumericFit prepare(Index column, const Parents& parents) const;
  void fit_additive(const Parents& parents, NumericFit& fit) const;
  // The child's standardised values, and each parent's linear features.
  static std::vector<Matrix> coordinates_of(const NumericFit& fit);
  void fit_index(const Parents& parents, NumericFit& fit) const;
  void fit_joint(const Parents& parents, NumericFit& fit) const;
  std::unique_ptr<FamilyForm> fit_configurations(Index child, const Parents& parents,
                                                 const NumericFit& additive,
                                                 double& parameters) const;

  double curve_charge() const;
  Design design(const Parents& parents, bool curves) const;
  std::vector<Index> codes(Index variable) const;

  const Samples& samples_;
  const FamilyOptions options_;
  const double n_;
  const OutputLayout layout_;
  Matrix outputs_;
  std::vector<FeatureMap> maps_;
};

}  // namespace daggnn
