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

}  // namespace daggnn
