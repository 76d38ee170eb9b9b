// The score of numeric children with discrete parents: a linear regression on the numeric parents
// with its own intercept, slopes and variance for each configuration of the discrete ones (the
// conditional Gaussian model), by BIC. Configurations with few rows borrow from the pooled
// variance.
#pragma once

#include <vector>

#include "data/samples.h"
#include "scores/additive_score.h"
#include "scores/discrete_variables.h"

namespace daggnn {

class ConditionalGaussianScore final : public LocalScore {
 public:
  // features, blocks: as AdditiveScore has them; they outlive the score.
  ConditionalGaussianScore(const Samples& samples, const Matrix& features,
                           const std::vector<FeatureBlock>& blocks);
  Index variables() const override { return static_cast<Index>(blocks_.size()); }
  // Not applicable without a discrete parent.
  double value(Index child, const Parents& parents) const override;

  // One regression for each configuration of the discrete parents that occurs, on the standardised
  // features.
  struct Regressions {
    std::vector<Index> rows;  // for each configuration, a row that has it
    Matrix coefficients;      // configurations x (1 + linear features of the numeric parents)
    Vector variances;
    double log_likelihood = 0, parameters = 0;
  };
  // Not for families that value() is not applicable to.
  Regressions regressions(Index child, const Parents& parents) const;

 private:
  struct Design;
  Design design(const Parents& parents) const;
  Regressions fit(Index child, const Design& of) const;

  const Matrix& features_;
  const std::vector<FeatureBlock>& blocks_;
  const double n_;
  const DiscreteVariables discrete_;
};

}  // namespace daggnn
