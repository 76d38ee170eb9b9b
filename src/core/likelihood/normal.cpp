#include "likelihood/normal.h"

namespace daggnn {

namespace {

// One component with unit spread.
double unit_component(const Observations& of, Index k) {
  const Eigen::Map<const Vector> x(of.x + k * of.stride, of.rows);
  const Eigen::Map<const Vector> mean(of.outputs + k * of.stride, of.rows);
  Eigen::Map<Vector> dmean(of.doutputs + k * of.stride, of.rows);
  dmean = mean - x;
  for (Index r = 0; of.seen != nullptr && r < of.rows; ++r) {
    if (!of.is_seen(r, k)) dmean[r] = 0;
  }
  const double total = dmean.squaredNorm() / 2;
  dmean *= of.share;
  return of.share * total;
}

double component(const Observations& of, Index k) {
  double total = 0;
  for (Index r = 0; r < of.rows; ++r) {
    const Index at = r + k * of.stride;
    of.doutputs[at] = of.dlog_spread[at] = 0;
    if (!of.is_seen(r, k)) continue;
    const double logS = bounded_log_spread(of.log_spread[at]);
    const double precision = std::exp(-2 * logS), difference = of.outputs[at] - of.x[at];
    const double square = difference * difference * precision;
    total += square / 2 + logS;
    of.doutputs[at] = of.share * difference * precision;
    of.dlog_spread[at] = of.share * (1 - square) * bounded_log_spread_backward(of.log_spread[at]);
  }
  return of.share * total;
}

}  // namespace

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

namespace {

class NormalLikelihood final : public Likelihood {
 public:
  double loss_forward_backward(const Observations& of) const override {
    double total = 0;
    for (Index k = 0; k < of.width; ++k) {
      total += of.log_spread == nullptr ? unit_component(of, k) : component(of, k);
    }
    return total;
  }

  void expect(Index, Index, double*) const override {}
  void outputs_of_expected(Index, Index, double*) const override {}

  double log_density(Index, const double* expected, double value) const override {
    const double residual = value - expected[0];
    return -(residual * residual + log_two_pi) / 2;
  }

  double draw(Index, Index, const double* expected, const NoiseDraw& from) const override {
    return expected[0] + from.normal;
  }
};

}  // namespace

const Likelihood& normal_likelihood() {
  static const NormalLikelihood likelihood;
  return likelihood;
}

}  // namespace daggnn
