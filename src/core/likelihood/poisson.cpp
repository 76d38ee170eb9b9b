#include "likelihood/poisson.h"

#include <algorithm>
#include <limits>

namespace daggnn {

namespace {

constexpr double least_rate = 1e-12;      // keeps logarithms finite
constexpr double largest_inverted = 100;  // rates up to this are drawn exactly

}  // namespace

double poisson_rate(double u) {
  if (u <= largest_exponent) return std::exp(u);
  return std::exp(largest_exponent) * (1 + u - largest_exponent);
}

double poisson_rate_backward(double u) { return std::exp(std::min(u, largest_exponent)); }

double poisson_log_density(double rate, double x) {
  if (x < 0) return -std::numeric_limits<double>::infinity();
  return x * std::log(std::max(rate, least_rate)) - rate - std::lgamma(x + 1);
}

double draw_count(double rate, const NoiseDraw& from) {
  if (rate > largest_inverted) {
    const double z = from.normal;
    return std::max(0.0, std::round(rate + std::sqrt(rate) * z + (z * z - 1) / 6));
  }
  double count = 0, probability = std::exp(-rate), remaining = from.uniform - probability;
  // Probabilities vanish at last where rounding leaves a remainder.
  while (remaining >= 0 && probability > 0) {
    probability *= rate / ++count;
    remaining -= probability;
  }
  return count;
}

namespace {

class PoissonLikelihood final : public Likelihood {
 public:
  double loss_forward_backward(const Observations& of) const override {
    double total = 0;
    for (Index r = 0; r < of.rows; ++r) {
      of.doutputs[r] = 0;
      if (!of.is_seen(r)) continue;
      const double u = of.outputs[r], rate = poisson_rate(u);
      // Where the rate underflows its logarithm is still u.
      const double log_rate = u <= largest_exponent ? u : std::log(rate);
      const double slope = u <= largest_exponent ? 1 : poisson_rate_backward(u) / rate;
      total += rate - of.x[r] * log_rate;
      of.doutputs[r] = of.share * (poisson_rate_backward(u) - of.x[r] * slope);
    }
    return of.share * total;
  }

  void expect(Index, Index, double* outputs) const override {
    outputs[0] = poisson_rate(outputs[0]);
  }

  void outputs_of_expected(Index, Index, double* expected) const override {
    expected[0] = std::log(std::max(expected[0], least_rate));
  }

  double log_density(Index, const double* expected, double value) const override {
    return poisson_log_density(expected[0], value);
  }

  double draw(Index, Index, const double* expected, const NoiseDraw& from) const override {
    return draw_count(expected[0], from);
  }
};

}  // namespace

const Likelihood& poisson_likelihood() {
  static const PoissonLikelihood likelihood;
  return likelihood;
}

}  // namespace daggnn
