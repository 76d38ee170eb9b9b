// Adam (Kingma and Ba 2015), with one rate for the graph and one for the networks.
#pragma once

#include <cmath>

#include "base/executor.h"
#include "base/types.h"
#include "linalg/simd/kernels.h"

namespace daggnn {

struct Adam {
  static constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

  Vector mean, square;  // running moments of the gradient
  double steps = 0;

  explicit Adam(Index parameters)
      : mean(Vector::Zero(parameters)), square(Vector::Zero(parameters)) {}

  // theta moves against dtheta: its first `graph` entries with `graph_rate`, the others with
  // `rate`.
  void step(Vector& theta, const Vector& dtheta, Index graph, double graph_rate, double rate,
            Executor& executor, const Kernels* kernels = fastest_kernels()) {
    ++steps;
    const double unbias = std::sqrt(1 - std::pow(beta2, steps)) / (1 - std::pow(beta1, steps));
    step(0, graph, graph_rate * unbias, theta, dtheta, executor, kernels);
    step(graph, theta.size() - graph, rate * unbias, theta, dtheta, executor, kernels);
  }
  void step(Vector& theta, const Vector& dtheta, Index graph, double graph_rate, double rate) {
    SerialExecutor executor;
    step(theta, dtheta, graph, graph_rate, rate, executor);
  }

 private:
  // `count` entries from `first` on, all with the same rate.
  void step(Index first, Index count, double rate, Vector& theta, const Vector& dtheta,
            Executor& executor, const Kernels* kernels) {
    constexpr double work = 4;  // of an entry, in simple operations
    // Whole cache lines, so that each entry is computed alike whatever the blocks are.
    constexpr Index line = 8;
    for_each_block(executor, (count + line - 1) / line, line * work, [&](Index lines, Index some) {
      const Index from = first + lines * line;
      const Index here = std::min(some * line, first + count - from);
      if (kernels != nullptr) {
        kernels->adam_step(here, theta.data() + from, dtheta.data() + from, mean.data() + from,
                           square.data() + from, beta1, beta2, epsilon, rate);
        return;
      }
      for (Index k = from; k < from + here; ++k) {
        mean[k] = beta1 * mean[k] + (1 - beta1) * dtheta[k];
        square[k] = beta2 * square[k] + (1 - beta2) * dtheta[k] * dtheta[k];
        theta[k] -= rate * mean[k] / (std::sqrt(square[k]) + epsilon);
      }
    });
  }
};

}  // namespace daggnn
