// The terms of the evidence lower bound, each with its gradient, for one variable and a column of
// samples. Values are negative log-likelihoods without their constants; gradients are *written*.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/types.h"

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

// seen[r] is 0 where a value is missing; a null pointer says that all are there.
inline bool is_seen(const double* seen, Index r) { return seen == nullptr || seen[r] != 0; }

// sum_r (x - mean)^2 / 2, unit variance.
double unit_normal_forward_backward(Index rows, const double* x, const double* seen,
                                    const double* mean, double share, double* dmean);

// sum_r (x - mean)^2 / (2 S^2) + log S.
double normal_forward_backward(Index rows, const double* x, const double* seen, const double* mean,
                               const double* log_spread, double share, double* dmean,
                               double* dlog_spread);

// Softmax over `levels` logits, one every `stride` values; returns log sum_k exp(logit_k).
double softmax(Index levels, Index stride, const double* logits, double* probabilities);

// The level that a uniform number from [0, 1) draws by the probabilities, one every `stride`
// values.
Index draw_level(Index levels, Index stride, const double* probabilities, double uniform);

// Cross-entropy of one-hot rows x: -sum_r sum_k x_k log softmax(logits)_k. Levels are `stride`
// apart.
double categorical_forward_backward(Index rows, Index levels, Index stride, const double* x,
                                    const double* seen, const double* logits, double share,
                                    double* dlogits);

// D_KL(N(M_Z, S_Z^2) || N(0, 1)) with S_Z = 1: sum_r M_Z^2 / 2.
double unit_divergence_forward_backward(Index rows, const double* mean, double share,
                                        double* dmean);

// The same for any S_Z: sum_r (S_Z^2 + M_Z^2 - 2 log S_Z - 1) / 2.
double divergence_forward_backward(Index rows, const double* mean, const double* log_spread,
                                   double share, double* dmean, double* dlog_spread);

}  // namespace daggnn
