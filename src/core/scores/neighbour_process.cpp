#include "scores/neighbour_process.h"

#include <algorithm>
#include <cmath>

namespace daggnn {

namespace {

// The distances of `count` neighbours among each other and of the row to them.
constexpr Index pairs_of(Index count) { return count * (count + 1) / 2; }

}  // namespace

NeighbourProcess::NeighbourProcess(const Matrix& x, const std::vector<Index>& order)
    : order_(order) {
  const Index n = x.rows(), p = x.cols();
  // A column for each row, in their order.
  Matrix points(p, n);
  for (Index at = 0; at < n; ++at) points.col(at) = x.row(order[static_cast<std::size_t>(at)]);
  const Vector norms = points.colwise().squaredNorm();
  nearest_.resize(static_cast<std::size_t>(n * neighbours));
  squared_.resize(static_cast<std::size_t>(n * pairs_of(neighbours)));
  Vector distance(n);
  for (Index at = 1; at < n; ++at) {
    distance.head(at) = norms.head(at);
    distance.head(at).noalias() -= 2 * (points.leftCols(at).transpose() * points.col(at));
    const Index count = std::min(at, neighbours);
    Index* const nearest = nearest_.data() + at * neighbours;
    // The nearest so far, by distance; of equal ones, as of rounded values, the first.
    for (Index k = 0; k < at; ++k) {
      if (k >= count && !(distance[k] < distance[nearest[count - 1]])) continue;
      Index place = std::min(k, count - 1);
      for (; place > 0 && distance[k] < distance[nearest[place - 1]]; --place) {
        nearest[place] = nearest[place - 1];
      }
      nearest[place] = k;
    }
    double* squared = squared_.data() + at * pairs_of(neighbours);
    for (Index a = 0; a <= count; ++a) {
      const auto one = points.col(a < count ? nearest[a] : at);
      for (Index b = 0; b < a; ++b) *squared++ = (one - points.col(nearest[b])).squaredNorm();
    }
  }
}

std::vector<double> NeighbourProcess::kernel(double length) const {
  std::vector<double> values(squared_.size());
  const double scale = -1 / (2 * length * length);
  std::transform(squared_.begin(), squared_.end(), values.begin(),
                 [&](double squared) { return std::exp(scale * squared); });
  return values;
}

NeighbourProcess::Evidence NeighbourProcess::evidence(const Vector& y,
                                                      const std::vector<double>& kernel,
                                                      double rho) const {
  const Index n = y.size();
  Evidence result{0, 0, Vector(n)};
  // The rows of the Cholesky factor of the neighbours' covariance and the row's own, last.
  double factor[neighbours + 1][neighbours + 1];
  double whitened[neighbours + 1];
  for (Index at = 0; at < n; ++at) {
    const Index count = std::min(at, neighbours);
    const Index* const nearest = nearest_.data() + at * neighbours;
    const double* covariance = kernel.data() + at * pairs_of(neighbours);
    for (Index a = 0; a <= count; ++a) {
      const Index row = order_[static_cast<std::size_t>(a < count ? nearest[a] : at)];
      double left = y[row], variance = 1 + rho;
      for (Index b = 0; b < a; ++b) {
        double product = rho * *covariance++;
        for (Index c = 0; c < b; ++c) product -= factor[a][c] * factor[b][c];
        factor[a][b] = product / factor[b][b];
        variance -= factor[a][b] * factor[a][b];
        left -= factor[a][b] * whitened[b];
      }
      factor[a][a] = std::sqrt(variance);
      whitened[a] = left / factor[a][a];
      if (a < count) continue;
      result.standardised[row] = whitened[a];
      result.log_det += std::log(variance);
    }
  }
  result.unexplained = result.standardised.squaredNorm() / static_cast<double>(n);
  return result;
}

std::vector<Index> spread_order(const std::vector<Index>& ranked) {
  std::vector<Index> order;
  std::size_t size = 1;
  while (size < ranked.size()) size *= 2;
  // The places 0, 1, ... with their binary digits reversed (van der Corput 1935).
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t reversed = 0;
    for (std::size_t bit = 1, rest = k; bit < size; bit *= 2, rest /= 2) {
      reversed = 2 * reversed + rest % 2;
    }
    if (reversed < ranked.size()) order.push_back(ranked[reversed]);
  }
  return order;
}

}  // namespace daggnn
