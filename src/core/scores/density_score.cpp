#include "scores/density_score.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "likelihood/normal.h"

namespace daggnn {

namespace {

constexpr Index cells = 400;  // of the grid on which the density is estimated
// Bandwidths in units of the standard deviation times n^(-1/5).
constexpr double bandwidths[] = {0.25, 0.5, 1.0};
// The share of rows that one value of a continuous variable may have.
constexpr double largest_tie = 0.02;

double normal_density(double x, double spread) {
  return std::exp(-x * x / (2 * spread * spread) - log_two_pi / 2) / spread;
}

struct LeftOut {
  double log_likelihood = not_applicable;
  double width = 1;
};

// The sum of log densities of standardised values, each by the estimate from the others, with the
// best bandwidth.
LeftOut left_out(const Vector& y) {
  const double n = static_cast<double>(y.size());
  const double low = y.minCoeff(), step = (y.maxCoeff() - low) / static_cast<double>(cells - 1);
  if (!(step > 0)) return {};
  // Each value is shared by the two grid points beside it.
  Vector mass = Vector::Zero(cells + 1);
  for (Index r = 0; r < y.size(); ++r) {
    const double place = (y[r] - low) / step;
    const Index cell = std::min(static_cast<Index>(place), cells - 1);
    mass[cell + 1] += place - static_cast<double>(cell);
    mass[cell] += 1 - (place - static_cast<double>(cell));
  }
  LeftOut best;
  for (const double factor : bandwidths) {
    const double width = std::max(factor * std::pow(n, -0.2), 2 * step);
    const Index reach = std::min(cells, static_cast<Index>(4 * width / step) + 1);
    Vector kernel(reach + 1);
    for (Index k = 0; k <= reach; ++k) {
      kernel[k] = normal_density(static_cast<double>(k) * step, width);
    }
    double total = 0;
    for (Index c = 0; c <= cells; ++c) {
      if (mass[c] == 0) continue;
      double density = -kernel[0];  // without the value itself
      const Index first = std::max<Index>(0, c - reach), last = std::min(cells, c + reach);
      for (Index k = first; k <= last; ++k) density += mass[k] * kernel[std::abs(k - c)];
      const double wide = normal_density(low + static_cast<double>(c) * step, wide_spread);
      total += mass[c] *
               std::log((1 - wide_share) * std::max(density, 0.0) / (n - 1) + wide_share * wide);
    }
    if (total > best.log_likelihood) best = {total, width};
  }
  return best;
}

}  // namespace

DensityChoice choose_density(const Vector& values) {
  const double n = static_cast<double>(values.size());
  const double spread = std::sqrt(values.squaredNorm() / n);
  if (!(spread > 1e-6)) return {};
  const Vector y = values / spread;
  const LeftOut plain = left_out(y);
  // The logarithm of the derivative of t belongs to the density of y.
  Vector t(y.size());
  double log_slope = 0;
  for (Index r = 0; r < y.size(); ++r) {
    t[r] = std::asinh(taming * y[r]);
    log_slope += std::log(taming / std::sqrt(1 + taming * taming * y[r] * y[r]));
  }
  t.array() -= t.mean();
  const double t_spread = std::sqrt(t.squaredNorm() / n);
  LeftOut tamed = left_out(t / t_spread);
  tamed.log_likelihood += log_slope - n * std::log(t_spread);
  const double normal = -n / 2 * (log_two_pi + 1);
  return plain.log_likelihood >= tamed.log_likelihood
             ? DensityChoice{plain.log_likelihood - normal, false, plain.width}
             : DensityChoice{tamed.log_likelihood - normal, true, tamed.width};
}

bool seldom_repeats(const Vector& values) {
  std::vector<double> sorted(values.data(), values.data() + values.size());
  std::sort(sorted.begin(), sorted.end());
  const double most = std::max(2.0, largest_tie * static_cast<double>(sorted.size()));
  std::size_t run = 1;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    run = sorted[k] == sorted[k - 1] ? run + 1 : 1;
    if (static_cast<double>(run) > most) return false;
  }
  return true;
}

DensityScore::DensityScore(std::vector<const NumericScore*> kinds, std::vector<bool> continuous,
                           double charge, double edge_charge)
    : kinds_(std::move(kinds)),
      continuous_(std::move(continuous)),
      charge_(charge),
      edge_charge_(edge_charge) {}

double DensityScore::value(Index child, const Parents& parents) const {
  const double charge = charge_ + edge_charge_ * static_cast<double>(parents.size());
  double best = not_applicable;
  for (const NumericScore* const kind : kinds_) {
    double total = 0;
    for (Index r = 0; r < kind->responses(child); ++r) {
      const NumericScore::Choice choice = kind->choose(child, r, parents);
      total += choice.score;
      if (choice.score == not_applicable || !continuous_[child]) continue;
      // Copies of a row would vouch for each other: the first of them counts.
      const Vector residuals = kind->residuals(child, r, parents, choice.fit)
                                   .head(static_cast<Index>(kind->effective_rows()));
      total += std::max(0.0, choose_density(residuals).gain - charge);
    }
    if (kind->responses(child) > 0) best = std::max(best, total);
  }
  return best;
}

}  // namespace daggnn
