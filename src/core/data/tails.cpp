#include "data/tails.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace daggnn {

double tail_weight(const Vector& values, double standard_deviation) {
  constexpr double normal_quartiles = 1.349;  // their distance in standard deviations
  std::vector<double> some(values.data(), values.data() + values.size());
  const auto upper = some.begin() + static_cast<std::ptrdiff_t>(3 * some.size() / 4);
  const auto lower = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 4);
  std::nth_element(some.begin(), upper, some.end());
  const double third = *upper;
  std::nth_element(some.begin(), lower, upper);
  const double range = third - (lower == upper ? third : *lower);
  return range > 0 ? std::max(0.0, std::log(standard_deviation / (range / normal_quartiles))) : 0;
}

namespace {

double rounding_share_of(const Vector& values, Index count, double variance) {
  constexpr double same = 1e-9;  // of the range: values that differ by less are equal but for noise
  std::vector<double> sorted(values.data(), values.data() + count);
  std::sort(sorted.begin(), sorted.end());
  const double range = sorted.back() - sorted.front();
  double unit = range;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    const double distance = sorted[k] - sorted[k - 1];
    if (distance > same * range) unit = std::min(unit, distance);
  }
  return variance > 0 ? std::min(1.0, unit * unit / 12 / variance) : 0;
}

}  // namespace

double rounding_share(const Vector& values) {
  const double variance = (values.array() - values.mean()).square().mean();
  // All values have no larger unit than some: where that is too small to matter, it need not be
  // known better. The first rows are as good as others.
  constexpr Index some = 3000;
  constexpr double too_small = 1e-12;
  if (values.size() > 2 * some) {
    const double share = rounding_share_of(values, some, variance);
    if (share < too_small) return share;
  }
  return rounding_share_of(values, values.size(), variance);
}

}  // namespace daggnn
