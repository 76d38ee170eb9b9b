// The score of discrete children: a table of probabilities where all parents are discrete, a
// multinomial logit on the parents' linear features where some are numbers. Log-likelihood with
// log(n) / 2 charged for each parameter, which for tables is bnlearn's BIC.
#pragma once

#include <vector>

#include "data/samples.h"
#include "scores/additive_score.h"

namespace daggnn {

class CategoricalScore final : public LocalScore {
 public:
  // features, blocks: as AdditiveScore has them; they outlive the score. edge_charge: for each
  // numeric parent.
  CategoricalScore(const Samples& samples, const Matrix& features,
                   const std::vector<FeatureBlock>& blocks, double edge_charge);
  Index variables() const override { return static_cast<Index>(codes_.size()); }
  // Not applicable to numeric children.
  double value(Index child, const Parents& parents) const override;

 private:
  double table(Index child, const Parents& parents) const;
  double logit(Index child, const Parents& parents) const;

  const Matrix& features_;
  const std::vector<FeatureBlock>& blocks_;
  double n_, copies_, edge_charge_;
  std::vector<std::vector<Index>> codes_;  // of each discrete variable; empty: numeric
  std::vector<Index> levels_;
};

// The number of each row's joint level of some discrete variables, from 0; how many there are.
struct Configurations {
  std::vector<Index> of_row;
  Index count = 1;
};
Configurations configurations(const std::vector<const std::vector<Index>*>& codes,
                              const std::vector<Index>& levels, Index rows);

}  // namespace daggnn
