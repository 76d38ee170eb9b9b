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

constexpr double log_two_pi = 1.8378770664093453;

inline double bounded_log_spread(double value) {
  return std::min(std::max(value, -log_spread_bound), log_spread_bound);
}
// d bounded / d value.
inline double bounded_log_spread_backward(double value) {
  return std::abs(value) < log_spread_bound ? 1 : 0;
}

const Likelihood& normal_likelihood();

// D_KL(N(M_Z, S_Z^2) || N(0, 1)) with S_Z = 1: sum_r M_Z^2 / 2. Gradients are written.
double unit_divergence_forward_backward(Index rows, const double* mean, double share,
                                        double* dmean);

// The same for any S_Z: sum_r (S_Z^2 + M_Z^2 - 2 log S_Z - 1) / 2.
double divergence_forward_backward(Index rows, const double* mean, const double* log_spread,
                                   double share, double* dmean, double* dlog_spread);

}  // namespace daggnn
