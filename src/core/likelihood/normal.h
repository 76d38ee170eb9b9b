// Numbers with normal noise: sum (x - mean)^2 / (2 S^2) + log S, with S = 1 where it is not
// learned.
#pragma once

#include <algorithm>
#include <cmath>

#include "likelihood/likelihood.h"

namespace daggnn {

// log S stays within this, forth and back: a decoder that reconstructs perfectly would otherwise
// drive S_X to 0 and the loss to minus infinity.
constexpr double log_spread_bound = 6;

inline double bounded_log_spread(double value) {
  return std::min(std::max(value, -log_spread_bound), log_spread_bound);
}
// d bounded / d value.
inline double bounded_log_spread_backward(double value) {
  return std::abs(value) < log_spread_bound ? 1 : 0;
}

class NormalLikelihood final : public Likelihood {
 public:
  double loss_forward_backward(const Observations& of) const override;
  void expect(Index, Index, double*) const override {}
  void outputs_of_expected(Index, Index, double*) const override {}
  double log_density(Index stride, const double* expected, double value) const override;
  double draw(Index width, Index stride, const double* expected,
              const NoiseDraw& from) const override;
};

// D_KL(N(M_Z, S_Z^2) || N(0, 1)) with S_Z = 1: sum_r M_Z^2 / 2. Gradients are written.
double unit_divergence_forward_backward(Index rows, const double* mean, double share,
                                        double* dmean);

// The same for any S_Z: sum_r (S_Z^2 + M_Z^2 - 2 log S_Z - 1) / 2.
double divergence_forward_backward(Index rows, const double* mean, const double* log_spread,
                                   double share, double* dmean, double* dlog_spread);

}  // namespace daggnn
