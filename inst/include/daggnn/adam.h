// Adam (Kingma and Ba 2015), with one rate for the graph and one for the networks.
#pragma once

#include <cmath>

#include "types.h"

namespace daggnn {

struct Adam {
  static constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

  Vector mean, square;  // running moments of the gradient
  double steps = 0;

  explicit Adam(Index parameters)
      : mean(Vector::Zero(parameters)), square(Vector::Zero(parameters)) {}

  // theta moves against dtheta: its first `graph` entries with `graph_rate`, the others with
  // `rate`.
  void step(Vector& theta, const Vector& dtheta, Index graph, double graph_rate, double rate) {
    ++steps;
    const double unbias = std::sqrt(1 - std::pow(beta2, steps)) / (1 - std::pow(beta1, steps));
    for (Index k = 0; k < theta.size(); ++k) {
      mean[k] = beta1 * mean[k] + (1 - beta1) * dtheta[k];
      square[k] = beta2 * square[k] + (1 - beta2) * dtheta[k] * dtheta[k];
      theta[k] -=
          (k < graph ? graph_rate : rate) * unbias * mean[k] / (std::sqrt(square[k]) + epsilon);
    }
  }
};

}  // namespace daggnn
