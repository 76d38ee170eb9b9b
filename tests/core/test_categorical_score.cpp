#include "scores/categorical_score.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.h"
#include "mixed_data.h"
#include "scores/multinomial_logit.h"
#include "scores/set_local_score.h"

#include "expect.h"

using namespace daggnn;

namespace {

MixedData discrete_data(Index n) {
  Random random(1);
  Matrix values(n, 3);
  for (Index r = 0; r < n; ++r) {
    const Index a = random.below(2), b = random.below(3);
    values.row(r) << static_cast<double>(a), static_cast<double>(b),
        static_cast<double>(random.uniform() < 0.7 ? (a + b) % 4 : random.below(4));
  }
  return mixed_data(values, {2, 3, 4});
}

// bnlearn's BIC: sum of N log(N / N of the configuration), less log(n) / 2 for each probability.
double bic(const Matrix& values, Index child, const Parents& parents,
           const std::vector<Index>& levels) {
  std::map<std::vector<double>, std::map<double, double>> counts;
  double parameters = static_cast<double>(levels[child] - 1);
  for (const Index i : parents) parameters *= static_cast<double>(levels[i]);
  for (Index r = 0; r < values.rows(); ++r) {
    std::vector<double> cell;
    for (const Index i : parents) cell.push_back(values(r, i));
    ++counts[cell][values(r, child)];
  }
  double sum = -parameters / 2 * std::log(static_cast<double>(values.rows()));
  for (const auto& cell : counts) {
    double all = 0;
    for (const auto& each : cell.second) all += each.second;
    for (const auto& each : cell.second) sum += each.second * std::log(each.second / all);
  }
  return sum;
}

}  // namespace

TEST(tables_have_the_bic_of_bnlearn) {
  const MixedData data = discrete_data(120);
  const Samples samples = data.samples();
  const CategoricalScore score(samples, data.features, data.blocks);
  SerialExecutor executor;
  const DiscreteScore counts(samples, Score::bic, 1, 0, executor);
  const SetLocalScore sets(counts);
  for (Index child = 0; child < 3; ++child) {
    const Index one = child == 0 ? 1 : 0, two = child == 2 ? 1 : 2;
    for (const Parents& parents : std::vector<Parents>{{}, {one}, {two}, {one, two}}) {
      const double expected = bic(data.values, child, parents, {2, 3, 4});
      EXPECT_NEAR(score.value(child, parents), expected, 1e-9);
      EXPECT_NEAR(sets.value(child, parents), expected, 1e-9);
    }
  }
}

TEST(additions_to_parent_sets_are_scored_as_their_families) {
  const MixedData data = discrete_data(120);
  const Samples samples = data.samples();
  SerialExecutor executor;
  const DiscreteScore counts(samples, Score::bic, 1, 0, executor);
  const SetLocalScore sets(counts);
  std::vector<double> values;
  sets.additions(2, {}, {0, 1}, values);
  EXPECT_NEAR(values[0], bic(data.values, 2, {0}, {2, 3, 4}), 1e-9);
  EXPECT_NEAR(values[1], bic(data.values, 2, {1}, {2, 3, 4}), 1e-9);
  sets.additions(0, {1}, {2}, values);
  EXPECT_NEAR(values[0], bic(data.values, 0, {1, 2}, {2, 3, 4}), 1e-9);
  sets.additions(0, {2}, {1}, values);
  EXPECT_NEAR(values[0], bic(data.values, 0, {1, 2}, {2, 3, 4}), 1e-9);
}

TEST(a_discrete_child_of_numbers_has_the_bic_of_a_logit) {
  const MixedData data = small_mixed_data(150, 2);
  const CategoricalScore score(data.samples(), data.features, data.blocks);
  std::vector<Index> codes, counts(3, 0);
  for (Index r = 0; r < 150; ++r) codes.push_back(static_cast<Index>(data.values(r, 1)));
  // The most frequent level is the one whose logit is 0.
  for (const Index code : codes) ++counts[code];
  const Index most = std::max_element(counts.begin(), counts.end()) - counts.begin();
  for (Index& code : codes) code = (code + 2 - most + 3) % 3;
  // Level b of {a, x}: the contrast of a, the number x, and an intercept for each of two levels.
  Matrix X(150, 2);
  X << data.features.col(data.blocks[0].first), data.features.col(data.blocks[2].first);
  const double likelihood = fit_multinomial_logit(X, codes, 3).log_likelihood;
  EXPECT_NEAR(score.value(1, {0, 2}), likelihood - 6.0 / 2 * std::log(150.0), 1e-9);
  const double both =
      fit_multinomial_logit((Matrix(150, 2) << data.features.col(data.blocks[2].first),
                             data.features.col(data.blocks[3].first))
                                .finished(),
                            codes, 3)
          .log_likelihood;
  EXPECT_NEAR(score.value(1, {2, 3}), both - 6.0 / 2 * std::log(150.0), 1e-9);
}

TEST(labels_of_levels_do_not_change_the_score_of_a_logit) {
  MixedData data = small_mixed_data(150, 2);
  const double given =
      CategoricalScore(data.samples(), data.features, data.blocks).value(1, {0, 2});
  for (int turn = 0; turn < 2; ++turn) {
    for (Index r = 0; r < 150; ++r) data.values(r, 1) = std::fmod(data.values(r, 1) + 1, 3);
    const CategoricalScore score(data.samples(), data.features, data.blocks);
    EXPECT_NEAR(score.value(1, {0, 2}), given, 1e-9);
  }
}

TEST(slopes_that_cannot_pay_are_charged_without_a_fit) {
  // With a level for each row, a logit of three numbers would have 3 x 299 slopes.
  Random random(5);
  const Index n = 300;
  Matrix values(n, 4);
  for (Index r = 0; r < n; ++r) {
    values.row(r) << static_cast<double>(r), random.normal(), random.normal(), random.normal();
  }
  const MixedData data = mixed_data(values, {n, 0, 0, 0});
  const CategoricalScore score(data.samples(), data.features, data.blocks);
  const double slopes = 3.0 * static_cast<double>(n - 1);
  EXPECT_NEAR(score.value(0, {1, 2, 3}),
              score.value(0, {}) - slopes / 2 * std::log(static_cast<double>(n)), 1e-6);
}

TEST(numbers_have_no_categorical_score) {
  const MixedData data = small_mixed_data(50, 3);
  const CategoricalScore score(data.samples(), data.features, data.blocks);
  EXPECT(score.value(2, {}) == not_applicable);
  EXPECT(score.value(2, {0}) == not_applicable);
}

TEST(copies_of_the_rows_count_as_one) {
  const MixedData data = discrete_data(60);
  const MixedData thrice = mixed_data(data.values.replicate(3, 1), {2, 3, 4});
  Samples copies = thrice.samples();
  copies.copies = 3;
  const CategoricalScore one(data.samples(), data.features, data.blocks);
  const CategoricalScore three(copies, thrice.features, thrice.blocks);
  EXPECT_NEAR(three.value(2, {0, 1}), one.value(2, {0, 1}), 1e-9);
}
