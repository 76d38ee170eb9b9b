// The gains of edges as a matrix, [i, j] for i -> j, NaN where there is none.
#pragma once

#include <limits>
#include <vector>

#include "search/order_search.h"

namespace daggnn {

inline Matrix gain_matrix(const std::vector<EdgeGain>& gains, Index m) {
  Matrix matrix = Matrix::Constant(m, m, std::numeric_limits<double>::quiet_NaN());
  for (const EdgeGain& each : gains) matrix(each.from, each.to) = each.gain;
  return matrix;
}

}  // namespace daggnn
