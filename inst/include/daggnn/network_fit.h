// Least squares of numbers y on f(x), f a scalar network, by the method of Levenberg and Marquardt.
//
//   J   values x parameters, in blocks: columns are d f(x) / d (skip, v, w, b)
#pragma once

#include <algorithm>
#include <limits>

#include "scalar_network.h"
#include "types.h"

namespace daggnn {

// weights: where to begin, and what comes out. Returns the sum of squares.
inline double fit_network(const ScalarNetwork& network, const Vector& x, const Vector& y, int steps,
                          Vector& weights) {
  const Index parameters = network.parameters(), n = x.size();
  constexpr Index block = 512;
  // Units whose v is near zero hardly change f by their w and b: without a ridge the step there is
  // large and made of rounding.
  constexpr double ridge = 1e-4;  // in units of the largest diagonal element
  Matrix mean, JJ(parameters, parameters), J;
  Vector Jr(parameters);
  const auto squares = [&](const Vector& at) {
    network.forward(at.data(), x, mean);
    return (y - mean).squaredNorm();
  };
  double now = squares(weights), damping = 1e-3;
  if (network.identity()) return now;
  for (int step = 0; step < steps; ++step) {
    JJ.setZero();
    Jr.setZero();
    network.forward(weights.data(), x, mean);
    for (Index first = 0; first < n; first += block) {
      const Index count = std::min(block, n - first);
      network.jacobian(weights.data(), x.segment(first, count), J);
      JJ.selfadjointView<Eigen::Lower>().rankUpdate(J.transpose());
      Jr += J.transpose() * (y.segment(first, count) - mean.block(first, 0, count, 1));
    }
    const double before = now;
    for (int trial = 0; trial < 6; ++trial) {
      Matrix damped = JJ.selfadjointView<Eigen::Lower>();
      damped.diagonal() *= 1 + damping;
      damped.diagonal().array() += ridge * JJ.diagonal().maxCoeff();
      const Vector candidate = weights + damped.ldlt().solve(Jr);
      const double next = squares(candidate);
      if (next < now) {
        weights = candidate;
        now = next;
        damping = std::max(1e-8, damping / 10);
        break;
      }
      damping *= 10;
    }
    if (before - now < 1e-6 * before) break;
  }
  return now;
}

}  // namespace daggnn
