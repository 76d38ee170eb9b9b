// Multinomial logistic regression with a small ridge, by Newton's method.
#pragma once

#include <vector>

#include "base/types.h"

namespace daggnn {

struct MultinomialLogit {
  Matrix coefficients;  // (1 + features) x (levels - 1): intercept first; the last level has none
  double log_likelihood = 0;

  Matrix probabilities(const Matrix& features) const;  // rows x levels
};

// features: rows x p, standardised; levels: codes from 0.
MultinomialLogit fit_multinomial_logit(const Matrix& features, const std::vector<Index>& codes,
                                       Index levels);

}  // namespace daggnn
