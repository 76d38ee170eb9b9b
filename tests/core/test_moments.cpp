#include "features/moments.h"

#include "data/tails.h"

#include <map>

#include "scores/set_local_score.h"
#include "scores/set_scores.h"
#include "small_data.h"
#include "structure.h"

#include "expect.h"

using namespace daggnn;

namespace {

Samples samples_of(const Matrix& values, Kind kind, const std::vector<Index>& widths) {
  return Samples(MatrixView(values.data(), values.rows(), values.cols()),
                 std::vector<Kind>(widths.size(), kind), widths);
}

// A curve, a line and noise, far from 0.
Matrix curved(Index n) {
  Random random(1);
  Matrix values = normal_matrix(n, 4, random);
  values.col(1) = (2 * values.col(0).array()).sin().matrix() + 0.3 * values.col(1);
  values.col(2) += values.col(3);
  values.array() += 1000;
  return values;
}

std::vector<SplineBasis> bases_of(const Matrix& values) {
  std::vector<SplineBasis> bases;
  for (Index j = 0; j < values.cols(); ++j) bases.emplace_back(values.col(j), 8);
  return bases;
}

Structure learn(const Matrix& products, const std::vector<SplineBasis>& bases,
                const Vector& tails = {}) {
  SerialExecutor executor;
  Observer observer;
  const Index m = static_cast<Index>(bases.size());
  std::vector<Index> sizes;
  Vector scales(m);
  for (Index j = 0; j < m; ++j) {
    sizes.push_back(bases[j].size());
    scales[j] = bases[j].scale();
  }
  Moments moments = standardised(products, sizes, scales);
  if (tails.size() > 0) moments.tails = tails;
  return learn_structure(moments, EdgeRules(m), {}, {}, executor, observer);
}

// Rows of a table, asked for as a database is.
struct Table final : JointCounts {
  const Matrix& values;
  mutable int asked = 0;
  explicit Table(const Matrix& values_) : values(values_) {}
  std::vector<double> count(const std::vector<Index>& variables) const override {
    ++asked;
    std::map<std::vector<double>, double> counts;
    for (Index r = 0; r < values.rows(); ++r) {
      std::vector<double> key;
      for (const Index j : variables) key.push_back(values(r, j));
      ++counts[key];
    }
    std::vector<double> result;
    for (const auto& each : counts) result.push_back(each.second);
    return result;
  }
};

}  // namespace

TEST(moments_of_chunks_give_the_network_of_all_rows) {
  SerialExecutor executor;
  Observer observer;
  const Matrix values = curved(1500);
  const std::vector<SplineBasis> bases = bases_of(values);
  const Matrix products = feature_products(bases, values.topRows(400), executor) +
                          feature_products(bases, values.bottomRows(1100), executor);
  StructureOptions options;
  options.density = NoiseDensity::normal;
  options.joint_rows = options.index_rows = 0;
  options.tail_charge = 0;  // the tails are not told
  const Structure by_rows = learn_structure(samples_of(values, Kind::continuous, {1, 1, 1, 1}),
                                            EdgeRules(4), options, {}, executor, observer);
  const Structure by_moments = learn(products, bases);
  EXPECT(by_moments.network.adjacency() == by_rows.network.adjacency());
  EXPECT(by_moments.effects == "additive");
  EXPECT_NEAR(by_moments.network.score, by_rows.network.score, 1e-6);
}

TEST(edges_of_moments_are_charged_for_the_tails_that_are_told) {
  SerialExecutor executor;
  Observer observer;
  Matrix values = curved(1500);
  values.col(3).array() += 5 * (values.col(3).array() - 1000).cube();
  values.col(2) += values.col(3);
  const std::vector<SplineBasis> bases = bases_of(values);
  Vector tails(4);
  for (Index j = 0; j < 4; ++j) {
    const Vector column = values.col(j);
    tails[j] = tail_weight(column, std::sqrt((column.array() - column.mean()).square().mean()));
  }
  EXPECT(tails[3] > 0.5);
  StructureOptions options;
  options.density = NoiseDensity::normal;
  options.joint_rows = options.index_rows = 0;
  const Structure by_rows = learn_structure(samples_of(values, Kind::continuous, {1, 1, 1, 1}),
                                            EdgeRules(4), options, {}, executor, observer);
  const Matrix products = feature_products(bases, values, executor);
  EXPECT_NEAR(learn(products, bases, tails).network.score, by_rows.network.score, 1e-5);
  EXPECT(learn(products, bases).network.score > by_rows.network.score + 0.5);
}

TEST(features_of_a_sample_need_not_be_standardised_on_all_rows) {
  SerialExecutor executor;
  const Matrix values = curved(1500);
  const std::vector<SplineBasis> bases = bases_of(values.topRows(300));
  const Structure found = learn(feature_products(bases, values, executor), bases);
  EXPECT(found.effects == "additive");
  EXPECT(found.network.adjacency()(0, 1) == 1);
  EXPECT(found.network.adjacency()(2, 3) + found.network.adjacency()(3, 2) == 1);
  EXPECT(found.network.adjacency().sum() == 2);
}

TEST(rows_that_stand_for_others_count_as_these) {
  SerialExecutor executor;
  Random random(2);
  const std::vector<Index> widths{2, 3, 2};
  Matrix distinct(5, 3), all(15, 3);
  std::vector<double> counts{1, 2, 3, 4, 5};
  Index at = 0;
  for (Index r = 0; r < 5; ++r) {
    for (Index j = 0; j < 3; ++j) {
      distinct(r, j) = static_cast<double>(random.below(widths[static_cast<std::size_t>(j)]));
    }
    for (Index k = 0; k <= r; ++k) all.row(at++) = distinct.row(r);
  }
  Samples few = samples_of(distinct, Kind::discrete, widths);
  few.counts = counts.data();
  few.total = 15;
  const auto table = std::make_shared<Table>(all);
  const Matrix none(0, 3);
  Samples elsewhere = samples_of(none, Kind::discrete, widths);
  elsewhere.elsewhere = table;
  elsewhere.total = 15;
  for (const Score kind : {Score::bic, Score::aic, Score::bde}) {
    const DiscreteScore by_rows(samples_of(all, Kind::discrete, widths), kind, 1, 2, executor);
    const DiscreteScore by_counts(few, kind, 1, 2, executor);
    const DiscreteScore by_asking(elsewhere, kind, 1, 2, executor);
    for (Index child = 0; child < 3; ++child) {
      for (const Parents& parents : {Parents{}, Parents{(child + 1) % 3}}) {
        const double expected = SetLocalScore(by_rows).value(child, parents);
        EXPECT_NEAR(SetLocalScore(by_counts).value(child, parents), expected, 1e-10);
        EXPECT_NEAR(SetLocalScore(by_asking).value(child, parents), expected, 1e-10);
      }
    }
  }
  // Three variables and three pairs, once for each kind of score.
  EXPECT(table->asked == 18);
}

TEST(covariances_give_the_gaussian_score_of_the_rows) {
  const Matrix values = curved(200);
  const GaussianScore by_rows(samples_of(values, Kind::continuous, {1, 1, 1, 1}), Score::bic);
  const Matrix centred = values.rowwise() - values.colwise().mean();
  const GaussianScore by_moments(centred.transpose() * centred / 200, 200, Score::bic);
  for (const Parents& parents : {Parents{}, Parents{3}, Parents{0, 3}}) {
    EXPECT_NEAR(SetLocalScore(by_moments).value(2, parents),
                SetLocalScore(by_rows).value(2, parents), 1e-8);
  }
}
