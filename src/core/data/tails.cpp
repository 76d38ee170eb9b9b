#include "data/tails.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace daggnn {

double tail_weight(const Vector& values, double standard_deviation) {
  constexpr double normal_quartiles = 1.349;  // their distance in standard deviations
  std::vector<double> sorted(values.data(), values.data() + values.size());
  std::sort(sorted.begin(), sorted.end());
  const double range = sorted[3 * sorted.size() / 4] - sorted[sorted.size() / 4];
  return range > 0 ? std::max(0.0, std::log(standard_deviation / (range / normal_quartiles))) : 0;
}

double rounding_share(const Vector& values) {
  constexpr double same = 1e-9;  // of the range: values that differ by less are equal but for noise
  std::vector<double> sorted(values.data(), values.data() + values.size());
  std::sort(sorted.begin(), sorted.end());
  const double range = sorted.back() - sorted.front();
  double unit = range;
  for (std::size_t k = 1; k < sorted.size(); ++k) {
    const double distance = sorted[k] - sorted[k - 1];
    if (distance > same * range) unit = std::min(unit, distance);
  }
  const double variance = (values.array() - values.mean()).square().mean();
  return variance > 0 ? std::min(1.0, unit * unit / 12 / variance) : 0;
}

}  // namespace daggnn
