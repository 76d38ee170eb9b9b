// Levels: the cross-entropy of one-hot rows, -sum_r sum_k x_k log softmax(logits)_k.
#pragma once

#include "likelihood/likelihood.h"

namespace daggnn {

// Probabilities below this count as this in log-likelihoods.
constexpr double least_probability = 1e-300;

// Softmax over `levels` logits, one every `stride` values; returns log sum_k exp(logit_k).
double softmax(Index levels, Index stride, const double* logits, double* probabilities);

// The level that a uniform number from [0, 1) draws by the probabilities, one every `stride`
// values.
Index draw_level(Index levels, Index stride, const double* probabilities, double uniform);

class CategoricalLikelihood final : public Likelihood {
 public:
  double loss_forward_backward(const Observations& of) const override;
  void expect(Index width, Index stride, double* outputs) const override;
  void outputs_of_expected(Index width, Index stride, double* expected) const override;
  double log_density(Index stride, const double* expected, double value) const override;
  double draw(Index width, Index stride, const double* expected,
              const NoiseDraw& from) const override;
};

}  // namespace daggnn
