// The score of counts: Poisson regression with a log link on the parents' linear features.
// Log-likelihood with log(n) / 2 charged for each coefficient, as in BIC.
#pragma once

#include <vector>

#include "data/samples.h"
#include "scores/additive_score.h"

namespace daggnn {

struct PoissonRegression {
  Vector coefficients;  // 1 + features: of the log rate, intercept first
  double log_likelihood = 0;
};

// features: rows x p, standardised. By Newton's method.
PoissonRegression fit_poisson_regression(const Matrix& features, const Vector& counts);

// The column of a count. Imputed values are rounded to the nearest count.
Vector counts_of(const Samples& samples, const Variable& variable);

class PoissonScore final : public LocalScore {
 public:
  // features, blocks: as AdditiveScore has them; they outlive the score.
  PoissonScore(const Samples& samples, const Matrix& features,
               const std::vector<FeatureBlock>& blocks);
  Index variables() const override { return static_cast<Index>(counts_.size()); }
  // Not applicable to children that are not counts.
  double value(Index child, const Parents& parents) const override;

 private:
  const Matrix& features_;
  const std::vector<FeatureBlock>& blocks_;
  const double n_, copies_;
  std::vector<Vector> counts_;  // of each variable; empty: not a count
};

}  // namespace daggnn
