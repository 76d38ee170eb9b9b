#include "scores/neighbour_process.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daggnn {

namespace {

constexpr Index neighbours = NeighbourProcess::neighbours;
static_assert(neighbours <= most_others, "conditionals() has room for all neighbours");
// Places of a block; distances of each place and its neighbours; values at these.
constexpr Index places = conditional_rows, pairs = neighbours * (neighbours + 1) / 2;
constexpr Index values = neighbours + 1;

// Covariances below its exponential do not count.
constexpr double least_exponent = -100;

// Where the first number of a place stands, of so many for each.
constexpr Index first_of(Index place, Index count) {
  return place / places * places * count + place % places;
}

// What conditionals() in kernels_body.h does, for one place, as the reference.
void plain_conditional(const double* covariance, const double* response, double rho,
                       double* standardised, double* variances) {
  double factor[values][values], whitened[values];
  for (Index a = 0; a <= neighbours; ++a) {
    double residual = response[a * places], variance = 1 + rho;
    for (Index b = 0; b < a; ++b, covariance += places) {
      double product = rho * *covariance;
      for (Index c = 0; c < b; ++c) product -= factor[a][c] * factor[b][c];
      factor[a][b] = product / factor[b][b];
      variance -= factor[a][b] * factor[a][b];
      residual -= factor[a][b] * whitened[b];
    }
    factor[a][a] = std::sqrt(variance);
    whitened[a] = residual / factor[a][a];
    *standardised = whitened[a];
    *variances = variance;
  }
}

}  // namespace

NeighbourProcess::NeighbourProcess(const Matrix& x, const std::vector<Index>& order)
    : order_(order), blocks_((x.rows() + places - 1) / places) {
  const Index n = x.rows(), p = x.cols();
  // A column for each place.
  Matrix points(p, n);
  for (Index at = 0; at < n; ++at) points.col(at) = x.row(order[static_cast<std::size_t>(at)]);
  const Vector norms = points.colwise().squaredNorm();
  nearest_.assign(static_cast<std::size_t>(blocks_ * places * neighbours), -1);
  squared_.assign(static_cast<std::size_t>(blocks_ * places * pairs),
                  std::numeric_limits<double>::infinity());
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
    double* squared = squared_.data() + first_of(at, pairs);
    for (Index a = 0; a <= neighbours; ++a) {
      const bool known = a < count || a == neighbours;
      for (Index b = 0; b < a; ++b, squared += places) {
        if (!known || b >= count) continue;
        const Index one = a < neighbours ? nearest[a] : at;
        *squared = (points.col(one) - points.col(nearest[b])).squaredNorm();
      }
    }
  }
}

NeighbourProcess::Blocks NeighbourProcess::kernel(double length) const {
  Blocks covariance(squared_.size());
  const auto size = static_cast<Index>(squared_.size());
  const Vector exponent = Eigen::Map<const Vector>(squared_.data(), size) / (-2 * length * length);
  // Eigen's exp() would make a tiny number of minus infinity.
  Eigen::Map<Vector>(covariance.data(), size) =
      (exponent.array() < least_exponent).select(0, exponent.array().exp());
  return covariance;
}

void NeighbourProcess::lengthen(Blocks& kernel) {
  Eigen::Map<Eigen::ArrayXd> values(kernel.data(), static_cast<Index>(kernel.size()));
  values = values.sqrt();
}

void NeighbourProcess::shorten(Blocks& kernel) {
  Eigen::Map<Eigen::ArrayXd> values(kernel.data(), static_cast<Index>(kernel.size()));
  values = values.square();
}

NeighbourProcess::Blocks NeighbourProcess::response(const Vector& y) const {
  Blocks response(static_cast<std::size_t>(blocks_ * places * values), 0);
  for (Index at = 0; at < y.size(); ++at) {
    double* to = response.data() + first_of(at, values);
    for (Index a = 0; a < neighbours; ++a, to += places) {
      const Index other = nearest_[static_cast<std::size_t>(at * neighbours + a)];
      if (other >= 0) *to = y[order_[static_cast<std::size_t>(other)]];
    }
    *to = y[order_[static_cast<std::size_t>(at)]];
  }
  return response;
}

NeighbourProcess::Evidence NeighbourProcess::evidence(const Blocks& response, const Blocks& kernel,
                                                      double rho, const Kernels* kernels) const {
  const Index n = static_cast<Index>(order_.size());
  Evidence result{0, 0, Vector(n)};
  double standardised[places], variances[places];
  for (Index block = 0; block < blocks_; ++block) {
    const double* const covariance = kernel.data() + block * places * pairs;
    const double* const y = response.data() + block * places * values;
    const Index count = std::min(places, n - block * places);
    if (kernels != nullptr) {
      kernels->conditionals(neighbours, covariance, y, rho, standardised, variances);
    } else {
      for (Index r = 0; r < count; ++r) {
        plain_conditional(covariance + r, y + r, rho, standardised + r, variances + r);
      }
    }
    for (Index r = 0; r < count; ++r) {
      const Index at = block * places + r;
      result.standardised[order_[static_cast<std::size_t>(at)]] = standardised[r];
      result.log_det += std::log(variances[r]);
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
