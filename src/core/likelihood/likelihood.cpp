#include "likelihood/likelihood.h"

namespace daggnn {

double unit_normal_forward_backward(Index rows, const double* x, const double* seen,
                                    const double* mean, double share, double* dmean) {
  double total = 0;
  for (Index r = 0; r < rows; ++r) {
    const double gap = is_seen(seen, r) ? mean[r] - x[r] : 0;
    total += gap * gap;
    dmean[r] = share * gap;
  }
  return share * total / 2;
}

double normal_forward_backward(Index rows, const double* x, const double* seen, const double* mean,
                               const double* log_spread, double share, double* dmean,
                               double* dlog_spread) {
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

double softmax(Index levels, Index stride, const double* logits, double* probabilities) {
  double highest = logits[0], total = 0;
  for (Index k = 1; k < levels; ++k) highest = std::max(highest, logits[k * stride]);
  for (Index k = 0; k < levels; ++k) {
    total += probabilities[k * stride] = std::exp(logits[k * stride] - highest);
  }
  for (Index k = 0; k < levels; ++k) probabilities[k * stride] /= total;
  return highest + std::log(total);
}

Index draw_level(Index levels, Index stride, const double* probabilities, double uniform) {
  Index level = 0;
  while (level + 1 < levels && (uniform -= probabilities[level * stride]) >= 0) ++level;
  return level;
}

double categorical_forward_backward(Index rows, Index levels, Index stride, const double* x,
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

double unit_divergence_forward_backward(Index rows, const double* mean, double share,
                                        double* dmean) {
  double total = 0;
  for (Index r = 0; r < rows; ++r) {
    total += mean[r] * mean[r];
    dmean[r] = share * mean[r];
  }
  return share * total / 2;
}

double divergence_forward_backward(Index rows, const double* mean, const double* log_spread,
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
