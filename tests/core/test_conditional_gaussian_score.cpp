#include "scores/conditional_gaussian_score.h"

#include <map>

#include "mixed_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

// Least squares for each configuration of the discrete parents, whose variances borrow two rows of
// the pooled one; the score by its definition.
double by_hand(const MixedData& data, Index child, const Parents& discrete,
               const Parents& numbers) {
  const Index n = data.values.rows(), p = static_cast<Index>(numbers.size()) + 1;
  std::map<std::vector<double>, std::vector<Index>> rows;
  for (Index r = 0; r < n; ++r) {
    std::vector<double> cell;
    for (const Index i : discrete) cell.push_back(data.values(r, i));
    rows[cell].push_back(r);
  }
  std::vector<double> left, count;
  double pooled = 0;
  for (const auto& group : rows) {
    Matrix X = Matrix::Ones(static_cast<Index>(group.second.size()), p);
    Vector y(X.rows());
    for (Index r = 0; r < X.rows(); ++r) {
      const Index row = group.second[static_cast<std::size_t>(r)];
      for (Index k = 1; k < p; ++k) {
        X(r, k) = data.features(row, data.blocks[numbers[static_cast<std::size_t>(k - 1)]].first);
      }
      y[r] = data.features(row, data.blocks[child].first);
    }
    left.push_back((y - X * X.householderQr().solve(y)).squaredNorm());
    count.push_back(static_cast<double>(X.rows()));
    pooled += left.back() / static_cast<double>(n);
  }
  const double parameters = static_cast<double>(static_cast<Index>(rows.size()) * (p + 1) - 2);
  double score = -parameters / 2 * std::log(static_cast<double>(n));
  for (std::size_t g = 0; g < left.size(); ++g) {
    const double variance = (left[g] + 2 * pooled) / (count[g] + 2);
    score -= (count[g] * std::log(variance) + left[g] / variance) / 2;
  }
  return score;
}

}  // namespace

TEST(conditional_gaussian_scores_are_least_squares_in_each_configuration) {
  const MixedData data = small_mixed_data(160, 4);
  const ConditionalGaussianScore score(data.samples(), data.features, data.blocks);
  EXPECT_NEAR(score.value(2, {0}), by_hand(data, 2, {0}, {}), 1e-4);
  EXPECT_NEAR(score.value(3, {1}), by_hand(data, 3, {1}, {}), 1e-4);
  EXPECT_NEAR(score.value(3, {1, 2}), by_hand(data, 3, {1}, {2}), 1e-4);
  EXPECT_NEAR(score.value(3, {0, 1, 2}), by_hand(data, 3, {0, 1}, {2}), 1e-4);
}

TEST(slopes_that_differ_between_levels_score_higher_than_one_slope) {
  const MixedData data = small_mixed_data(200, 5);
  const ConditionalGaussianScore by_level(data.samples(), data.features, data.blocks);
  const AdditiveScore pooled(data.features, data.gram, 200, data.blocks, {1, 1});
  EXPECT(by_level.value(3, {1, 2}) > pooled.value(3, {1, 2}) + 50);
}

TEST(conditional_gaussian_scores_need_a_number_with_a_discrete_parent_and_enough_rows) {
  const MixedData data = small_mixed_data(160, 6);
  const ConditionalGaussianScore score(data.samples(), data.features, data.blocks);
  EXPECT(score.value(3, {}) == not_applicable);
  EXPECT(score.value(3, {2}) == not_applicable);
  EXPECT(score.value(0, {1}) == not_applicable);
  const MixedData few = small_mixed_data(12, 6);
  const ConditionalGaussianScore scarce(few.samples(), few.features, few.blocks);
  EXPECT(scarce.value(3, {0, 1, 2}) == not_applicable);
}
