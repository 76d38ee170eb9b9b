#include "structure/starting_orders.h"

#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

Features features_of_numbers(const Matrix& data) {
  Features features;
  const Index m = data.cols();
  const Matrix centred = data.rowwise() - data.colwise().mean();
  const Matrix covariance = centred.transpose() * centred / static_cast<double>(data.rows());
  features.variances = covariance.diagonal();
  const Vector inverse = features.variances.cwiseSqrt().cwiseInverse();
  features.gram = inverse.asDiagonal() * covariance * inverse.asDiagonal();
  for (Index j = 0; j < m; ++j) features.blocks.push_back({j, 1, 0, 1});
  return features;
}

}  // namespace

// The slow twin: a regression of each variable on those before it, at each step.
TEST(the_next_variable_has_the_least_variance_given_those_before_it) {
  Random random(1);
  SerialExecutor executor;
  // Many enough that variables leave the matrix in between.
  const Index m = 150, n = 400;
  Matrix data = normal_matrix(n, m, random);
  for (Index j = 1; j < m; ++j) data.col(j) += 0.6 * data.col(random.below(j));
  const std::vector<Index> order =
      order_by_conditional_variance(features_of_numbers(data), executor);
  Matrix left = data.rowwise() - data.colwise().mean();
  std::vector<char> placed(static_cast<std::size_t>(m), 0);
  EXPECT(static_cast<Index>(order.size()) == m);
  for (const Index next : order) {
    EXPECT(placed[next] == 0);
    for (Index j = 0; j < m; ++j) {
      if (placed[j] == 0) {
        EXPECT(left.col(next).squaredNorm() <= left.col(j).squaredNorm() * (1 + 1e-9));
      }
    }
    placed[next] = 1;
    const Vector direction = left.col(next).normalized();
    left -= (direction * (direction.transpose() * left)).eval();
  }
}
