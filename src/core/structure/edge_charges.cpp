#include "structure/edge_charges.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "data/tails.h"

namespace daggnn {

EdgeCharges::EdgeCharges(double weight, double least, const EdgeRules& rules, Vector tails)
    : weight_(weight), least_(least), pairs_(rules.pairs()), tails_(std::move(tails)) {
  expect(0);
}

// log C(M, k) - log C(M, k - 1) = log((M - k + 1) / k), or the least.
double EdgeCharges::of_last(Index edges) const {
  const double count = std::max(1.0, static_cast<double>(edges));
  return std::max(least_, weight_ * std::log((static_cast<double>(pairs_) - count + 1) / count));
}

void EdgeCharges::expect(Index edges) {
  expected_ = edges;
  slope_ = of_last(edges);
}

double EdgeCharges::of(Index child, const Parents& parents) const {
  double sum = 0;
  for (const Index i : parents) sum += of_edge(child, i);
  return sum;
}

double EdgeCharges::of(const Network& network) const {
  double sum = 0;
  for (std::size_t j = 0; j < network.parents.size(); ++j) {
    sum += of(static_cast<Index>(j), network.parents[j]);
  }
  return sum;
}

double EdgeCharges::exact(const Network& network) const {
  const Index edges = number_of_edges(network);
  double sum = of(network) - slope_ * static_cast<double>(edges);
  for (Index k = 1; k <= edges; ++k) sum += of_last(k);
  return sum;
}

Index number_of_edges(const Network& network) {
  std::size_t sum = 0;
  for (const Parents& parents : network.parents) sum += parents.size();
  return static_cast<Index>(sum);
}

Vector tail_weights(const Samples& samples, const std::vector<bool>& continuous,
                    Executor& executor) {
  constexpr double precision = 1 << 26;  // beyond, digits come from the unit of the values
  Vector weights = Vector::Zero(samples.m());
  executor.run(samples.m(), [&](Index j) {
    if (!continuous[j]) return;
    const Vector values = samples.values.col(samples.variables[j].first);
    const double weight =
        tail_weight(values, std::sqrt((values.array() - values.mean()).square().mean()));
    weights[j] = std::round(weight * precision) / precision;
  });
  return weights;
}

}  // namespace daggnn
