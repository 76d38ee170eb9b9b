#include "scores/neighbour_process.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "dense_evidence.h"
#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

std::vector<Index> rows_in_order(Index n) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

double covariance(const Matrix& x, Index a, Index b, double length, double rho) {
  return rho * std::exp(-(x.row(a) - x.row(b)).squaredNorm() / (2 * length * length));
}

// The mean and the variance of y[row] given the values of other rows, the slow way.
std::pair<double, double> given(const Matrix& x, const Vector& y, Index row,
                                const std::vector<Index>& others, double length, double rho) {
  const Index k = static_cast<Index>(others.size());
  Matrix V(k, k);
  Vector c(k), known(k);
  for (Index a = 0; a < k; ++a) {
    for (Index b = 0; b < k; ++b) {
      V(a, b) = covariance(x, others[a], others[b], length, rho) + (a == b ? 1 : 0);
    }
    c[a] = covariance(x, row, others[a], length, rho);
    known[a] = y[others[a]];
  }
  if (k == 0) return {0, 1 + rho};
  const Vector weights = V.ldlt().solve(c);
  return {weights.dot(known), 1 + rho - weights.dot(c)};
}

}  // namespace

TEST(with_few_rows_it_is_the_whole_gaussian_process) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const Index n = 15;
    const Matrix x = normal_matrix(n, 3, random);
    const Vector y = normal_vector(n, random);
    const std::vector<Index> order = rows_in_order(n);
    const NeighbourProcess process(x, order);
    for (const double length : {0.5, 2.0}) {
      for (const double rho : {0.3, 10.0}) {
        Matrix S(n, n);
        for (Index a = 0; a < n; ++a) {
          for (Index b = 0; b < n; ++b) S(a, b) = covariance(x, a, b, length, rho);
        }
        const auto found = process.evidence(process.response(y), process.kernel(length), rho);
        const double value =
            -static_cast<double>(n) / 2 * (std::log(found.unexplained) + 1) - found.log_det / 2;
        EXPECT_NEAR(value, dense_evidence(y, Matrix(n, 0), S), 1e-8);
      }
    }
  }
}

TEST(each_row_is_judged_by_its_nearest_rows_among_those_before_it) {
  Random random(6);
  const Index n = 60;
  const Matrix x = normal_matrix(n, 4, random);
  const Vector y = normal_vector(n, random);
  std::vector<Index> order = rows_in_order(n);
  random.shuffle(order);
  const NeighbourProcess process(x, order);
  const auto found = process.evidence(process.response(y), process.kernel(1.2), 3);
  double log_det = 0;
  for (std::size_t at = 0; at < order.size(); ++at) {
    std::vector<Index> before(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(at));
    std::stable_sort(before.begin(), before.end(), [&](Index a, Index b) {
      return (x.row(a) - x.row(order[at])).norm() < (x.row(b) - x.row(order[at])).norm();
    });
    if (before.size() > NeighbourProcess::neighbours) before.resize(NeighbourProcess::neighbours);
    const auto [mean, variance] = given(x, y, order[at], before, 1.2, 3);
    EXPECT_NEAR(found.standardised[order[at]], (y[order[at]] - mean) / std::sqrt(variance), 1e-8);
    log_det += std::log(variance);
  }
  EXPECT_NEAR(found.log_det, log_det, 1e-8);
}

TEST(every_instruction_set_gives_the_plain_evidence) {
  Random random(8);
  for (const Index n : {1, 15, 16, 61}) {
    const Matrix x = normal_matrix(n, 3, random);
    const std::vector<Index> order = rows_in_order(n);
    const NeighbourProcess process(x, order);
    const auto response = process.response(normal_vector(n, random));
    const auto kernel = process.kernel(0.7);
    const auto plain = process.evidence(response, kernel, 5, nullptr);
    for (const Kernels* kernels : kernel_sets()) {
      const auto fast = process.evidence(response, kernel, 5, kernels);
      EXPECT_NEAR(fast.log_det, plain.log_det, 1e-10);
      EXPECT((fast.standardised - plain.standardised).norm() < 1e-10);
    }
  }
}

TEST(a_kernel_changes_its_length_by_the_square_root_of_two) {
  Random random(9);
  const Matrix x = normal_matrix(40, 3, random);
  const std::vector<Index> order = rows_in_order(40);
  const NeighbourProcess process(x, order);
  auto kernel = process.kernel(0.8);
  const auto same = [&](double length) {
    const auto wanted = process.kernel(length);
    double most = 0;
    for (std::size_t k = 0; k < kernel.size(); ++k) {
      most = std::max(most, std::abs(kernel[k] - wanted[k]));
    }
    return most < 1e-12;
  };
  NeighbourProcess::lengthen(kernel);
  EXPECT(same(0.8 * std::sqrt(2.0)));
  NeighbourProcess::shorten(kernel);
  NeighbourProcess::shorten(kernel);
  EXPECT(same(0.8 / std::sqrt(2.0)));
}

// The evidence is the likelihood ratio of noise explained by a function and noise alone: noise
// alone must seldom prefer the function.
TEST(noise_seldom_looks_like_a_function) {
  Random random(7);
  int preferred = 0;
  for (int set = 0; set < 100; ++set) {
    const Index n = 80;
    const Matrix x = normal_matrix(n, 5, random);
    Vector y = normal_vector(n, random);
    y /= std::sqrt(y.squaredNorm() / static_cast<double>(n));
    const std::vector<Index> order = rows_in_order(n);
    const NeighbourProcess process(x, order);
    const auto found = process.evidence(process.response(y), process.kernel(1), 1);
    preferred += -static_cast<double>(n) / 2 * std::log(found.unexplained) - found.log_det / 2 > 1;
  }
  EXPECT(preferred <= 10);
}

TEST(a_spread_order_has_all_rows_and_begins_with_evenly_spread_ones) {
  for (const Index n : {1, 2, 7, 64, 100}) {
    const std::vector<Index> order = spread_order(rows_in_order(n));
    EXPECT(std::set<Index>(order.begin(), order.end()).size() == static_cast<std::size_t>(n));
    EXPECT(order.size() == static_cast<std::size_t>(n));
    if (n < 64) continue;
    std::vector<Index> first(order.begin(), order.begin() + 8);
    std::sort(first.begin(), first.end());
    for (std::size_t k = 1; k < first.size(); ++k) {
      EXPECT(first[k] - first[k - 1] <= n / 4);
    }
  }
}
