// The terms of the evidence lower bound, each with its gradient, for one variable and a column of
// samples. Values are negative log-likelihoods without their constants; gradients are *written*.
#pragma once

#include <algorithm>
#include <cmath>

#include "types.h"

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
inline double unit_normal_forward_backward(Index rows, const double* x, const double* seen,
                                           const double* mean, double share, double* dmean) {
  double total = 0;
  for (Index r = 0; r < rows; ++r) {
    const double gap = is_seen(seen, r) ? mean[r] - x[r] : 0;
    total += gap * gap;
    dmean[r] = share * gap;
  }
  return share * total / 2;
}

// sum_r (x - mean)^2 / (2 S^2) + log S.
inline double normal_forward_backward(Index rows, const double* x, const double* seen,
                                      const double* mean, const double* log_spread, double share,
                                      double* dmean, double* dlog_spread) {
  double total = 0;
  for (Index r = 0; r < rows; ++r) {
    dmean[r] = dlog_spread[r] = 0;
    if (!is_seen(seen, r)) continue;
    const double logS = bounded_log_spread(log_spread[r]);
    const double precision = std::exp(-2 * logS), gap = mean[r] - x[r];
    total += gap * gap * precision / 2 + logS;
    dmean[r] = share * gap * precision;
    dlog_spread[r] =
        share * (1 - gap * gap * precision) * bounded_log_spread_backward(log_spread[r]);
  }
  return share * total;
}

// Softmax over `levels` logits, one every `stride` values; returns log sum_k exp(logit_k).
inline double softmax(Index levels, Index stride, const double* logits, double* probabilities) {
  double highest = logits[0], total = 0;
  for (Index k = 1; k < levels; ++k) highest = std::max(highest, logits[k * stride]);
  for (Index k = 0; k < levels; ++k) {
    total += probabilities[k * stride] = std::exp(logits[k * stride] - highest);
  }
  for (Index k = 0; k < levels; ++k) probabilities[k * stride] /= total;
  return highest + std::log(total);
}

// Cross-entropy of one-hot rows x: -sum_r sum_k x_k log softmax(logits)_k. Levels are `stride`
// apart.
inline double categorical_forward_backward(Index rows, Index levels, Index stride, const double* x,
                                           const double* seen, const double* logits, double share,
                                           double* dlogits) {
  double total = 0;
  for (Index r = 0; r < rows; ++r) {
    if (!is_seen(seen, r)) {
      for (Index k = 0; k < levels; ++k) dlogits[r + k * stride] = 0;
      continue;
    }
    const double log_total = softmax(levels, stride, logits + r, dlogits + r);
    for (Index k = 0; k < levels; ++k) {
      const double one_hot = x[r + k * stride];
      total += one_hot * (log_total - logits[r + k * stride]);
      dlogits[r + k * stride] = share * (dlogits[r + k * stride] - one_hot);
    }
  }
  return share * total;
}

// D_KL(N(M_Z, S_Z^2) || N(0, 1)) with S_Z = 1: sum_r M_Z^2 / 2.
inline double unit_divergence_forward_backward(Index rows, const double* mean, double share,
                                               double* dmean) {
  double total = 0;
  for (Index r = 0; r < rows; ++r) {
    total += mean[r] * mean[r];
    dmean[r] = share * mean[r];
  }
  return share * total / 2;
}

// The same for any S_Z: sum_r (S_Z^2 + M_Z^2 - 2 log S_Z - 1) / 2.
inline double divergence_forward_backward(Index rows, const double* mean, const double* log_spread,
                                          double share, double* dmean, double* dlog_spread) {
  double total = 0;
  for (Index r = 0; r < rows; ++r) {
    const double logS = bounded_log_spread(log_spread[r]), variance = std::exp(2 * logS);
    total += variance + mean[r] * mean[r] - 2 * logS - 1;
    dmean[r] = share * mean[r];
    dlog_spread[r] = share * (variance - 1) * bounded_log_spread_backward(log_spread[r]);
  }
  return share * total / 2;
}

}  // namespace daggnn
