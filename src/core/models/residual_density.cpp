#include "models/residual_density.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "likelihood/normal.h"
#include "scores/density_score.h"

namespace daggnn {

namespace {

constexpr Index most_components = 100;

double normal_density(double x, double mean, double spread) {
  const double z = (x - mean) / spread;
  return std::exp(-(z * z + log_two_pi) / 2) / spread;
}

}  // namespace

ResidualDensity::ResidualDensity(const Vector& residuals, double charge) {
  const DensityChoice choice = choose_density(residuals);
  if (!(choice.gain > charge)) return;
  const Index n = residuals.size();
  Vector t = residuals / std::sqrt(residuals.squaredNorm() / static_cast<double>(n));
  tamed_ = choice.tamed;
  if (tamed_) {
    for (Index r = 0; r < n; ++r) t[r] = std::asinh(taming * t[r]);
    tame_mean_ = t.mean();
    tame_spread_ = std::sqrt((t.array() - tame_mean_).square().mean());
    t = (t.array() - tame_mean_) / tame_spread_;
  }
  std::sort(t.data(), t.data() + n);
  const Index components = std::min(n, most_components);
  weight_.resize(components);
  mean_.resize(components);
  spread_.resize(components);
  for (Index k = 0; k < components; ++k) {
    const Index from = k * n / components, to = (k + 1) * n / components;
    const auto group = t.segment(from, to - from);
    weight_[k] = static_cast<double>(to - from) / static_cast<double>(n);
    mean_[k] = group.mean();
    const double variance = (group.array() - mean_[k]).square().mean();
    spread_[k] = std::max(std::sqrt(variance), choice.width);
  }
  standardise();
}

// The kernel's width makes the mixture wider than the residuals, and a function of residuals with
// mean 0 need not have mean 0.
void ResidualDensity::standardise() {
  const auto variance = [&] {
    return (weight_.array() * (mean_.array().square() + spread_.array().square())).sum();
  };
  const double excess = std::sqrt(variance());
  mean_ /= excess;
  spread_ /= excess;
  double first = 0, second = 0;
  for (Index k = 0; k < weight_.size(); ++k) {
    if (!tamed_) {
      first += weight_[k] * mean_[k];
      second += weight_[k] * (mean_[k] * mean_[k] + spread_[k] * spread_[k]);
      continue;
    }
    // Moments of sinh of a normal variable.
    const double mean = tame_mean_ + tame_spread_ * mean_[k];
    const double variance_k = std::pow(tame_spread_ * spread_[k], 2);
    first += weight_[k] * std::exp(variance_k / 2) * std::sinh(mean) / taming;
    second +=
        weight_[k] * (std::exp(2 * variance_k) * std::cosh(2 * mean) - 1) / 2 / (taming * taming);
  }
  shift_ = first;
  factor_ = std::sqrt(second - first * first);
}

ResidualDensity::ResidualDensity(NumberReader& reader) : weight_(reader.vector()) {
  mean_ = reader.vector(weight_.size());
  spread_ = reader.vector(weight_.size());
  tamed_ = reader.flag();
  tame_mean_ = reader.number();
  tame_spread_ = reader.number();
  shift_ = reader.number();
  factor_ = reader.number();
}

void ResidualDensity::write(NumberWriter& writer) const {
  writer.vector(weight_);
  writer.vector(mean_);
  writer.vector(spread_);
  writer.count(tamed_);
  for (const double each : {tame_mean_, tame_spread_, shift_, factor_}) writer.number(each);
}

double ResidualDensity::mixture(double t) const {
  double density = 0;
  for (Index k = 0; k < weight_.size(); ++k) {
    density += weight_[k] * normal_density(t, mean_[k], spread_[k]);
  }
  return density;
}

// A group of residuals stands for its members.
double ResidualDensity::parameters() const {
  if (normal()) return 0;
  const double own = normal_density(0, 0, spread_.minCoeff());
  double sum = 0;
  for (Index k = 0; k < weight_.size(); ++k) sum += weight_[k] * own / mixture(mean_[k]);
  return std::max(sum - 1, 0.0);
}

double ResidualDensity::log_density(double residual) const {
  if (normal()) return -(residual * residual + log_two_pi) / 2;
  const double y = shift_ + factor_ * residual;
  double t = y, slope = factor_;
  if (tamed_) {
    t = (std::asinh(taming * y) - tame_mean_) / tame_spread_;
    slope *= taming / std::sqrt(1 + taming * taming * y * y) / tame_spread_;
  }
  // The wide part is for log-likelihoods only, and nothing is drawn from it.
  const double density =
      wide_share * normal_density(t, 0, wide_spread) + (1 - wide_share) * mixture(t);
  // Far out even the wide density underflows: its logarithm is known.
  const double far =
      std::log(wide_share / wide_spread) - (t * t / (wide_spread * wide_spread) + log_two_pi) / 2;
  return (density > 0 ? std::log(density) : far) + std::log(slope);
}

double ResidualDensity::draw(const NoiseDraw& from) const {
  if (normal()) return from.normal;
  double place = from.uniform;
  Index k = 0;
  while (k + 1 < weight_.size() && place >= weight_[k]) place -= weight_[k++];
  const double t = mean_[k] + spread_[k] * from.normal;
  const double y = tamed_ ? std::sinh(tame_mean_ + tame_spread_ * t) / taming : t;
  return (y - shift_) / factor_;
}

}  // namespace daggnn
