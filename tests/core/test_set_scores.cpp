#include "base/random.h"
#include "scores/set_scores.h"

#include <map>

#include "expect.h"

using namespace daggnn;

namespace {

Joint joint_of(const SetScore& score, const std::vector<Index>& set) {
  if (set.empty()) return score.empty();
  const auto walker = score.walker();
  for (std::size_t k = 0; k + 1 < set.size(); ++k) walker->push(set[k]);
  return walker->joint(set.back());
}

double score_of(const SetScore& score, Index i, const std::vector<Index>& parents) {
  std::vector<Index> both = parents;
  both.push_back(i);
  return score.value(i, parents.data(), static_cast<Index>(parents.size()), joint_of(score, both),
                     joint_of(score, parents));
}

const std::vector<Index> levels{2, 3, 4};

Matrix discrete_values(Index n) {
  Random random(11);
  Matrix values(n, 3);
  for (Index row = 0; row < n; ++row) {
    for (Index j = 0; j < 3; ++j) values(row, j) = static_cast<double>(random.below(levels[j]));
  }
  return values;
}

// counts[configuration of the parents][level of the child]
std::map<std::vector<double>, std::map<double, double>> tables(const Matrix& values, Index i,
                                                               const std::vector<Index>& parents) {
  std::map<std::vector<double>, std::map<double, double>> counts;
  for (Index row = 0; row < values.rows(); ++row) {
    std::vector<double> cell;
    for (const Index p : parents) cell.push_back(values(row, p));
    ++counts[cell][values(row, i)];
  }
  return counts;
}

}  // namespace

TEST(discrete_scores_are_their_definitions) {
  const Index n = 60;
  const Matrix values = discrete_values(n);
  const Samples samples(MatrixView(values.data(), n, 3), std::vector<Kind>(3, Kind::discrete),
                        levels);
  SerialExecutor executor;
  const double iss = 2.5;
  const DiscreteScore bic(samples, Score::bic, iss, 2, executor);
  const DiscreteScore aic(samples, Score::aic, iss, 2, executor);
  const DiscreteScore bde(samples, Score::bde, iss, 2, executor);
  for (const auto& parents : std::vector<std::vector<Index>>{{}, {0}, {1}, {0, 1}}) {
    const Index i = 2;
    double configurations = 1;
    for (const Index p : parents) configurations *= static_cast<double>(levels[p]);
    const double parameters = 3 * configurations;
    const double a_cell = iss / (4 * configurations), a_row = iss / configurations;
    double likelihood = 0, marginal = 0;
    for (const auto& row : tables(values, i, parents)) {
      double sum = 0;
      for (const auto& cell : row.second) sum += cell.second;
      marginal += std::lgamma(a_row) - std::lgamma(a_row + sum);
      for (const auto& cell : row.second) {
        likelihood += cell.second * std::log(cell.second / sum);
        marginal += std::lgamma(a_cell + cell.second) - std::lgamma(a_cell);
      }
    }
    EXPECT_NEAR(score_of(bic, i, parents), likelihood - parameters * std::log(60.0) / 2, 1e-10);
    EXPECT_NEAR(score_of(aic, i, parents), likelihood - parameters, 1e-10);
    EXPECT_NEAR(score_of(bde, i, parents), marginal, 1e-10);
  }
}

TEST(bounds_are_never_below_the_score) {
  const Index n = 60;
  const Matrix values = discrete_values(n);
  const Samples samples(MatrixView(values.data(), n, 3), std::vector<Kind>(3, Kind::discrete),
                        levels);
  SerialExecutor executor;
  for (const Score kind : {Score::bic, Score::aic, Score::bde}) {
    const DiscreteScore score(samples, kind, 1, 2, executor);
    for (Index i = 0; i < 3; ++i) {
      const Index p = (i + 1) % 3, q = (i + 2) % 3;
      const std::vector<Index> P{std::min(p, q), std::max(p, q)};
      for (const Index rest : P) {
        const double bound = score.bound(i, P.data(), 2, joint_of(score, {rest}),
                                         joint_of(score, {rest, i}), joint_of(score, P));
        EXPECT(bound >= score_of(score, i, P) - 1e-9);
      }
    }
  }
}

TEST(gaussian_scores_are_those_of_least_squares) {
  const Index n = 40;
  Random random(5);
  Matrix values(n, 3);
  for (Index row = 0; row < n; ++row) {
    values(row, 0) = random.normal();
    values(row, 1) = 100 + 2 * values(row, 0) + random.normal();
    values(row, 2) = values(row, 1) - values(row, 0) + 0.5 * random.normal();
  }
  const Samples samples(MatrixView(values.data(), n, 3), std::vector<Kind>(3, Kind::continuous),
                        {1, 1, 1});
  const GaussianScore score(samples, Score::bic);
  Matrix design(n, 3);
  design << Vector::Ones(n), values.col(0), values.col(1);
  const Vector fit = design * design.colPivHouseholderQr().solve(values.col(2));
  const double rss = (values.col(2) - fit).squaredNorm(), variance = rss / (n - 3);
  const double likelihood = -0.5 * n * std::log(2 * M_PI * variance) - 0.5 * rss / variance;
  EXPECT_NEAR(score_of(score, 2, {0, 1}), likelihood - 4 * std::log(40.0) / 2, 1e-8);
}

TEST(a_linear_function_of_others_has_no_gaussian_score) {
  Matrix values = Matrix::Random(20, 3);
  values.col(2) = values.col(0) - 2 * values.col(1);
  const Samples samples(MatrixView(values.data(), 20, 3), std::vector<Kind>(3, Kind::continuous),
                        {1, 1, 1});
  const GaussianScore score(samples, Score::bic);
  EXPECT(score_of(score, 2, {0, 1}) == no_score);
  EXPECT(std::isfinite(score_of(score, 2, {0})));
}
