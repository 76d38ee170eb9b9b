// A number regressed on its parents: the best of the forms that the effects allow, by the scores
// that networks are chosen by.
#pragma once

#include <memory>
#include <vector>

#include "models/family_data.h"
#include "models/regression_form.h"
#include "scores/additive_score.h"

namespace daggnn {

class NumericFit {
 public:
  // Of one component of a variable.
  NumericFit(const FamilyData& data, Index child, Index component, const Parents& parents);

  const Regression& regression() const { return regression_; }
  double parameters() const { return parameters_; }  // those of the mean, with the intercept
  // Intercept, slopes and noise for each configuration of the discrete parents, where these score
  // higher, and their number in `parameters`; else none.
  std::unique_ptr<FamilyForm> by_configuration(double& parameters) const;

 private:
  void standardise();
  void fit_additive();
  void fit_index();
  void fit_joint();
  void set_spread();
  // The child's standardised values, and each parent's linear features.
  std::vector<Matrix> coordinates() const;
  double curve_charge() const;
  const StructureOptions& options() const { return data_.options().structure; }

  const FamilyData& data_;
  const Samples& samples_;
  const Index child_, column_;
  const Parents& parents_;

  Regression regression_;
  double score_ = 0, parameters_ = 0;
  bool constant_ = false;  // the child is
  // What the scores are given: the child's standardised values and the parents' features.
  Matrix features_;
  std::vector<FeatureBlock> blocks_;
  Parents places_;  // of the parents among the blocks
};

}  // namespace daggnn
