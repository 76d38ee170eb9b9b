// The score of discrete children: a table of probabilities where all parents are discrete, a
// multinomial logit on the parents' linear features where some are numbers. Log-likelihood with
// log(n) / 2 charged for each parameter, which for tables is bnlearn's BIC.
#pragma once

#include <vector>

#include "data/samples.h"
#include "scores/additive_score.h"
#include "scores/discrete_variables.h"

namespace daggnn {

class CategoricalScore final : public LocalScore {
 public:
  // features, blocks: as AdditiveScore has them; they outlive the score.
  CategoricalScore(const Samples& samples, const Matrix& features,
                   const std::vector<FeatureBlock>& blocks);
  Index variables() const override { return static_cast<Index>(blocks_.size()); }
  // Not applicable to numeric children.
  double value(Index child, const Parents& parents) const override;

 private:
  double table(Index child, const Parents& parents) const;
  std::vector<Index> most_frequent_last(Index child) const;
  double logit(Index child, const Parents& parents) const;

  const Matrix& features_;
  const std::vector<FeatureBlock>& blocks_;
  const double n_, copies_;
  const DiscreteVariables discrete_;
};

}  // namespace daggnn
