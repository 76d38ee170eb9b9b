#include "scores/additive_score.h"

#include "dense_evidence.h"
#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

constexpr double grid[] = {0.01, 0.1, 1, 10, 100};

std::vector<FeatureBlock> straight(std::vector<FeatureBlock> blocks) {
  for (FeatureBlock& block : blocks) block.smooth = 0;
  return blocks;
}

// A curve, a line, an interaction and noise.
Matrix curved_data(Index n, std::uint64_t seed) {
  Random random(seed);
  Matrix data = normal_matrix(n, 4, random);
  data.col(3) += (2 * data.col(0).array()).sin().matrix() + 0.5 * data.col(1);
  return data;
}

double dense_score(const NumericFeatures& features, Index child, const Parents& parents,
                   const AdditiveOptions& options) {
  const Index n = features.values.rows();
  const Vector y = features.values.col(features.blocks[child].first);
  Matrix linear(n, static_cast<Index>(parents.size())), S = Matrix::Zero(n, n);
  for (std::size_t k = 0; k < parents.size(); ++k) {
    const FeatureBlock& block = features.blocks[parents[k]];
    linear.col(static_cast<Index>(k)) = features.values.col(block.first);
    for (Index s = 0; s < block.smooth; ++s) {
      const auto f = features.values.col(block.first + 1 + s);
      S += f * f.transpose() / static_cast<double>((s + 2) * (s + 2));
    }
  }
  const double line = dense_evidence(y, linear, Matrix::Zero(n, n));
  const double restricted_line = restricted_evidence(y, linear, Matrix::Zero(n, n));
  double best = line;
  for (const double rho : grid) {
    const double gain = restricted_evidence(y, linear, rho * S) - restricted_line;
    best = std::max(best, line + gain - options.curve_charge);
  }
  return best - options.edge_charge * static_cast<double>(parents.size());
}

double sum_of_squares_left(const Matrix& data, Index child, const Parents& parents) {
  Matrix X = Matrix::Ones(data.rows(), static_cast<Index>(parents.size()) + 1);
  for (std::size_t k = 0; k < parents.size(); ++k) {
    X.col(static_cast<Index>(k) + 1) = data.col(parents[k]);
  }
  return (data.col(child) - X * X.householderQr().solve(data.col(child))).squaredNorm();
}

double variance(const Matrix& data, Index j) {
  return (data.col(j).array() - data.col(j).mean()).square().mean();
}

double total(const LocalScore& score, const Matrix& edges) {
  double sum = 0;
  for (Index j = 0; j < edges.cols(); ++j) {
    Parents parents;
    for (Index i = 0; i < edges.rows(); ++i) {
      if (edges(i, j) != 0) parents.push_back(i);
    }
    sum += score.value(j, parents);
  }
  return sum;
}

}  // namespace

TEST(additive_evidence_equals_that_of_the_dense_covariance) {
  const std::vector<Parents> sets = {{}, {0}, {1}, {0, 1}, {0, 1, 2}, {1, 2}};
  bool curved = false, straight_line = false;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const NumericFeatures features = numeric_features(curved_data(60, seed), 5);
    for (const AdditiveOptions& options : {AdditiveOptions{0, 0}, AdditiveOptions{1.3, 2.1}}) {
      const AdditiveScore score(features.values, features.gram, 60, features.blocks, options);
      for (const Parents& parents : sets) {
        EXPECT_NEAR(score.value(3, parents), dense_score(features, 3, parents, options), 1e-4);
        (score.choose(3, 0, parents).fit > 0 ? curved : straight_line) = true;
      }
    }
  }
  // Both kinds of fit were compared.
  EXPECT(curved);
  EXPECT(straight_line);
}

// One linear and one smooth feature: the mean is integrated out by hand and both coefficients on a
// grid, for the noise variance that maximises the integral.
TEST(the_evidence_of_one_curve_equals_numerical_integration) {
  Random random(4);
  Matrix data = normal_matrix(50, 2, random);
  data.col(1) = 0.5 * data.col(1) + 0.4 * data.col(0) + 0.6 * data.col(0).array().square().matrix();
  const NumericFeatures features = numeric_features(data, 2);
  const double n = 50;
  const AdditiveScore score(features.values, features.gram, n, features.blocks, {});
  const auto l = features.values.col(0), f = features.values.col(1), y = features.values.col(2);
  const double yy = y.dot(y), ly = l.dot(y), fy = f.dot(y), ll = l.dot(l), ff = f.dot(f),
               lf = l.dot(f);
  // The log of the integral of exp(-|y - a l - w f|^2 / (2 v)) N(w | 0, v rho / 4) over a and w,
  // with the constants of the normal density of y and of the integral over its mean; rho = 0: w =
  // 0.
  const auto log_integral = [&](double v, double rho) {
    const Index points = rho > 0 ? 241 : 1;
    const double step_a = 2.4 / 240, step_w = 2.4 / 240;
    double sum = 0;
    for (Index i = 0; i < 241; ++i) {
      const double a = ly / n + step_a * static_cast<double>(i - 120);
      for (Index k = 0; k < points; ++k) {
        const double w = points == 1 ? 0 : fy / n + step_w * static_cast<double>(k - 120);
        const double squares =
            yy - 2 * a * ly - 2 * w * fy + a * a * ll + w * w * ff + 2 * a * w * lf;
        const double prior =
            points == 1 ? 1 : std::exp(-2 * w * w / (v * rho)) / std::sqrt(M_PI * v * rho / 2);
        sum += std::exp(-squares / (2 * v)) * prior * step_a * (points == 1 ? 1 : step_w);
      }
    }
    return std::log(sum) - (n - 1) / 2 * std::log(v);
  };
  const auto evidence = [&](double rho) {
    double low = std::log(0.02), high = std::log(1.5);
    for (int step = 0; step < 25; ++step) {
      const double one = low + (high - low) * 0.382, other = low + (high - low) * 0.618;
      (log_integral(std::exp(one), rho) > log_integral(std::exp(other), rho) ? high : low) =
          log_integral(std::exp(one), rho) > log_integral(std::exp(other), rho) ? other : one;
    }
    return log_integral(std::exp((low + high) / 2), rho);
  };
  double best = evidence(0);
  const double line = best;
  for (const double rho : {1.0, 10.0, 100.0}) best = std::max(best, evidence(rho));
  std::vector<FeatureBlock> blocks = straight(features.blocks);
  const AdditiveScore linear(features.values, features.gram, n, blocks, {});
  EXPECT(score.choose(1, 0, {0}).fit >= 3);
  EXPECT(best > line + 5);
  EXPECT_NEAR(score.value(1, {0}) - linear.value(1, {0}), best - line, 1e-4);
}

// With as many rows as curves have numbers, these could pass through all rows.
TEST(curves_of_noise_gain_nothing_in_few_rows) {
  int curved = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Random random(seed);
    const Index n = 16;
    const NumericFeatures features = numeric_features(normal_matrix(n, 4, random), 8);
    const AdditiveScore score(features.values, features.gram, n, features.blocks, {0, 1.5});
    curved += score.choose(3, 0, {0, 1, 2}).fit > 0;
  }
  EXPECT(curved <= 8);  // 86 where the noise variance is taken at its maximum
}

TEST(the_linear_score_is_the_gaussian_bic) {
  const Index n = 80;
  const Matrix data = curved_data(n, 3) * 7.5;
  const NumericFeatures features = numeric_features(data, 4);
  const double charge = 0.7;
  const AdditiveScore score(features.values, features.gram, n, straight(features.blocks),
                            {charge, 5});
  for (const Parents& parents : std::vector<Parents>{{}, {0}, {0, 1}, {0, 1, 2}}) {
    const double p = static_cast<double>(parents.size());
    const double left = sum_of_squares_left(data, 3, parents) / static_cast<double>(n);
    const double bic =
        -40.0 * (std::log(left / variance(data, 3)) + 1) - p * (std::log(80.0) / 2 + charge);
    EXPECT_NEAR(score.value(3, parents), bic, 1e-5);
  }
}

TEST(equivalent_linear_networks_have_equal_scores) {
  Random random(8);
  int turned = 0;
  for (int set = 0; set < 20; ++set) {
    const Index m = 5;
    Matrix edges = random_edges(m, 0.5, random);
    const Matrix data = simulate(
        100, edges, 1, [](double x) { return 0.8 * x; }, random);
    const NumericFeatures features = numeric_features(data, 1);
    const AdditiveScore score(features.values, features.gram, 100, features.blocks, {2, 1});
    const double before = total(score, edges);
    // An edge i -> j where j has no other parents than i and i's own can be turned round.
    for (int trial = 0; trial < 60; ++trial) {
      const Index i = random.below(m), j = random.below(m);
      if (i == j || edges(i, j) == 0) continue;
      Vector others = edges.col(j);
      others[i] = 0;
      if (others != edges.col(i)) continue;
      edges(i, j) = 0;
      edges(j, i) = 1;
      ++turned;
      EXPECT_NEAR(total(score, edges), before, 1e-4);
    }
  }
  EXPECT(turned > 40);
}

TEST(a_collider_and_a_chain_have_different_linear_scores) {
  Random random(9);
  Matrix data = normal_matrix(200, 3, random);
  data.col(2) += data.col(0) + data.col(1);
  const NumericFeatures features = numeric_features(data, 1);
  const AdditiveScore score(features.values, features.gram, 200, features.blocks, {});
  const double collider = score.value(0, {}) + score.value(1, {}) + score.value(2, {0, 1});
  const double chain = score.value(0, {}) + score.value(2, {0}) + score.value(1, {2});
  EXPECT(collider > chain + 10);
}

TEST(the_scores_of_additions_are_those_of_the_families) {
  const Matrix data = curved_data(70, 5);
  NumericFeatures features = numeric_features(data, 5);
  for (const bool curves : {false, true}) {
    std::vector<FeatureBlock> blocks = curves ? features.blocks : straight(features.blocks);
    blocks[1].error = 0.05;
    const AdditiveScore score(features.values, features.gram, 70, blocks, {1.1, 0.9});
    for (const Parents& parents : std::vector<Parents>{{}, {1}, {0, 2}}) {
      Parents candidates;
      for (Index i = 0; i < 3; ++i) {
        if (!std::binary_search(parents.begin(), parents.end(), i)) candidates.push_back(i);
      }
      std::vector<double> values;
      score.additions(3, parents, candidates, values);
      EXPECT(values.size() == candidates.size());
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        EXPECT_NEAR(values[k], score.value(3, with_parent(parents, candidates[k])), 1e-7);
        EXPECT_NEAR(score.prepare(3, parents)->value_with(candidates[k]), values[k], 1e-7);
      }
      score.removals(3, parents, values);
      for (std::size_t k = 0; k < parents.size(); ++k) {
        EXPECT_NEAR(values[k], score.value(3, without_parent(parents, k)), 1e-9);
      }
    }
  }
}

TEST(many_parents_of_straight_lines_leave_what_their_normal_equations_leave) {
  Random random(13);
  const Index n = 200, m = 80;
  const Matrix data = normal_matrix(n, m, random);
  const NumericFeatures features = numeric_features(data, 1);
  const AdditiveScore score(features.values, features.gram, n, features.blocks, {});
  // Each number of parents around those that have memory of their own.
  for (const Index p : {1, 5, 23, 24, 25, 40, 64, 65}) {
    Parents parents;
    for (Index i = 1; i <= p; ++i) parents.push_back(i);
    const Matrix G = features.gram.block(1, 1, p, p);
    const Vector c = features.gram.col(0).segment(1, p);
    const double left = 1 - c.dot(G.ldlt().solve(c));
    EXPECT_NEAR(score.choose(0, 0, parents).unexplained, left, 1e-7);
    std::vector<double> values;
    score.additions(0, parents, {70}, values);
    EXPECT_NEAR(values[0], score.value(0, with_parent(parents, 70)), 1e-7);
    EXPECT_NEAR(score.prepare(0, parents)->value_with(70), values[0], 1e-7);
    score.removals(0, parents, values);
    EXPECT_NEAR(values[0], score.value(0, without_parent(parents, 0)), 1e-7);
  }
}

// With a noise variance for each variable, and with one for all.
void expect_growth_by_single_additions(bool common) {
  Random random(12);
  const Matrix edges = random_edges(8, 0.5, random);
  const Matrix data = simulate(
      100, edges, 1, [](double x) { return x; }, random);
  const NumericFeatures features = numeric_features(data, 1);
  AdditiveScore score(features.values, features.gram, 100, features.blocks, {1, 0});
  if (common) score.set_noise({features.variances, 1.2});
  std::size_t most = 0;
  for (Index child = 0; child < 8; ++child) {
    Parents candidates;
    for (Index i = 0; i < 8; ++i) {
      if (i != child) candidates.push_back(i);
    }
    const Parents first = child == 0 ? Parents{} : Parents{0};
    for (const Index maxp : {2, 8}) {
      Parents grown = first, expected = first;
      // A charge that is not the same for all.
      const auto least = [](std::size_t count, Index candidate) {
        return 0.3 * static_cast<double>(count) + 0.1 * static_cast<double>(candidate);
      };
      score.grow(child, grown, candidates, maxp, least);
      score.LocalScore::grow(child, expected, candidates, maxp, least);
      EXPECT(grown == expected);
      most = std::max(most, grown.size());
    }
  }
  EXPECT(most > 2);
}

TEST(parents_grow_as_they_do_by_single_additions) {
  expect_growth_by_single_additions(false);
  expect_growth_by_single_additions(true);
}

TEST(residuals_are_those_of_the_regression_and_leave_the_unexplained_share) {
  const Index n = 90;
  const NumericFeatures features = numeric_features(curved_data(n, 6), 6);
  const AdditiveScore score(features.values, features.gram, n, features.blocks, {});
  const Vector y = features.values.col(features.blocks[3].first);
  for (const Parents& parents : std::vector<Parents>{{}, {1}, {0}, {0, 1, 2}}) {
    const auto choice = score.choose(3, 0, parents);
    for (std::size_t fit : {std::size_t{0}, choice.fit}) {
      const Vector residuals = score.residuals(3, 0, parents, fit);
      const auto regression = score.regression(3, 0, parents, fit);
      EXPECT(regression.columns.size() == static_cast<std::size_t>(regression.coefficients.size()));
      Vector expected = y;
      for (std::size_t k = 0; k < regression.columns.size(); ++k) {
        expected -= regression.coefficients[static_cast<Index>(k)] *
                    features.values.col(regression.columns[k]);
      }
      EXPECT_NEAR((residuals - expected).cwiseAbs().maxCoeff(), 0, 1e-10);
      // Linear features are not penalised: nothing of them is left.
      for (const Index i : parents) {
        EXPECT_NEAR(features.values.col(features.blocks[i].first).dot(residuals) / n, 0, 1e-6);
      }
      if (fit == 0) {
        EXPECT_NEAR(residuals.squaredNorm() / n, y.dot(residuals) / n, 1e-6);
      }
      if (fit == choice.fit) EXPECT_NEAR(y.dot(residuals) / n, choice.unexplained, 1e-6);
    }
  }
  EXPECT(score.choose(3, 0, {0}).fit > 0);
}

TEST(with_a_common_noise_variance_the_score_is_the_normal_likelihood_with_that_variance) {
  const Index n = 80;
  Matrix data = curved_data(n, 7);
  data.col(0) *= 3;
  const NumericFeatures features = numeric_features(data, 1);
  AdditiveScore score(features.values, features.gram, n, features.blocks, {0.4, 0});
  const double common = 1.7;
  score.set_noise({features.variances, common});
  // Without constants: the log-density of standardised values.
  for (const Parents& parents : std::vector<Parents>{{}, {0}, {0, 1}}) {
    const double squares = sum_of_squares_left(data, 3, parents);
    const double p = static_cast<double>(parents.size());
    const double expected = -squares / (2 * common) - 40.0 * std::log(common / variance(data, 3)) -
                            p * (std::log(80.0) / 2 + 0.4);
    EXPECT_NEAR(score.value(3, parents), expected, 1e-5);
    std::vector<double> values;
    score.additions(3, parents, {2}, values);
    EXPECT_NEAR(values[0], score.value(3, with_parent(parents, 2)), 1e-7);
  }
  score.set_noise({});
  EXPECT_NEAR(score.value(3, {}), -40, 1e-9);
}

TEST(a_column_that_is_a_copy_of_another_has_a_finite_score) {
  Random random(3);
  Matrix data = normal_matrix(50, 3, random);
  data.col(1) = 2 * data.col(0);
  const NumericFeatures features = numeric_features(data, 4);
  const AdditiveScore score(features.values, features.gram, 50, features.blocks, {1, 1});
  EXPECT(std::isfinite(score.value(0, {1})));
  EXPECT(std::isfinite(score.value(2, {0, 1})));
  EXPECT(score.value(0, {1}) > score.value(0, {}) + 100);
  // The copy adds nothing.
  EXPECT(score.value(2, {0, 1}) < score.value(2, {0}));
}
