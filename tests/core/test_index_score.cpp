#include "scores/index_score.h"

#include "dense_evidence.h"
#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

constexpr double grid[] = {1e-3, 1e-2, 0.1, 1, 10, 100};

// The last of four columns is a wave of a weighted sum of the first two, and noise.
NumericFeatures waves(Index n, std::uint64_t seed) {
  Random random(seed);
  Matrix data = normal_matrix(n, 4, random);
  const Vector u = data.col(0) + 0.7 * data.col(1);
  data.col(3) = 0.3 * data.col(3) + (2 * u).array().sin().matrix() + 0.5 * u;
  return numeric_features(data, 1);
}

IndexScore score_of(const NumericFeatures& features, IndexOptions options = {}) {
  return IndexScore(features.coordinates, std::vector<bool>(features.coordinates.size(), true),
                    static_cast<double>(features.values.rows()), options);
}

Matrix columns_of(const NumericFeatures& features, const Parents& parents) {
  Matrix X(features.values.rows(), static_cast<Index>(parents.size()));
  for (std::size_t k = 0; k < parents.size(); ++k) {
    X.col(static_cast<Index>(k)) = features.coordinates[parents[k]];
  }
  return X;
}

}  // namespace

TEST(the_splines_sum_to_one_and_their_slopes_are_their_derivatives) {
  const UniformSpline spline(-1, 2, 5);
  for (const double u : {-0.99, -0.4, 0.05, 0.8, 1.3, 1.99}) {
    const UniformSpline::Place place = spline.at(u);
    double sum = 0;
    for (Index k = 0; k < 4; ++k) {
      sum += place.value[k];
      Vector one = Vector::Zero(spline.size());
      one[place.first + k] = 1;
      const double h = 1e-5;
      const double slope = (spline.evaluate(u + h, one) - spline.evaluate(u - h, one)) / (2 * h);
      EXPECT_NEAR(place.slope[k], slope, 1e-6);
    }
    EXPECT_NEAR(sum, 1, 1e-12);
  }
  Vector line(spline.size());
  for (Index k = 0; k < line.size(); ++k) line[k] = 3.0 * static_cast<double>(k);
  EXPECT_NEAR(line.dot(second_differences(line.size()) * line), 0, 1e-9);
  EXPECT(spline.evaluate(5, line) == spline.evaluate(2, line));
}

// With the directions that were found, the evidence is that of the dense covariance.
TEST(index_evidence_equals_that_of_the_dense_covariance) {
  const Index n = 120;
  IndexOptions options;
  options.index_charge = 0.7;
  options.intervals = 8;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const NumericFeatures features = waves(n, seed);
    const IndexScore score = score_of(features, options);
    for (const Parents& parents : std::vector<Parents>{{0}, {0, 1}}) {
      const Matrix X = columns_of(features, parents);
      const IndexScore::Regression found = score.regression(3, parents, 2);
      Matrix S = Matrix::Zero(n, n);
      for (const IndexScore::Term& term : found.terms) {
        Matrix B = Matrix::Zero(n, term.spline.size());
        for (Index r = 0; r < n; ++r) {
          const UniformSpline::Place place = term.spline.at(X.row(r).dot(term.direction));
          for (Index k = 0; k < 4; ++k) B(r, place.first + k) = place.value[k];
        }
        B.rowwise() -= B.colwise().mean().eval();
        Matrix P = second_differences(term.spline.size());
        P.diagonal().array() += 1e-3;
        S += B * P.llt().solve(B.transpose());
      }
      const double p = static_cast<double>(parents.size());
      const double directions = static_cast<double>(found.terms.size()) * (p - 1);
      double best = not_applicable;
      for (const double rho : grid) {
        // The charge for directions depends on the noise, as that for slopes does.
        const double slopes_only = dense_evidence(features.coordinates[3].col(0), X, rho * S, true);
        Matrix V = rho * S + 1e6 * X * X.transpose();
        V.diagonal().array() += 1;
        const Vector y = features.coordinates[3].col(0);
        const double q = y.dot(V.llt().solve(y)) / static_cast<double>(n);
        best = std::max(best, slopes_only - directions / 2 * std::log(static_cast<double>(n) / q));
      }
      EXPECT_NEAR(score.value(3, parents), best - 0.7, 1e-3);
    }
  }
}

TEST(the_direction_of_an_index_is_found) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const NumericFeatures features = waves(400, seed);
    const IndexScore score = score_of(features);
    const NumericScore::Choice choice = score.choose(3, 0, {0, 1});
    const IndexScore::Regression found = score.regression(3, {0, 1}, choice.fit);
    const Vector& w = found.terms.front().direction;
    EXPECT_NEAR(w[1] / w[0], 0.7, 0.08);
    EXPECT(choice.unexplained < 0.15);
    EXPECT(score.value(3, {0, 1}) > score.value(3, {0}) + 100);
    EXPECT(score.value(3, {0, 1}) > score.value(3, {0, 1, 2}));
  }
}

TEST(the_residuals_of_an_index_have_the_variance_that_its_regression_leaves) {
  const NumericFeatures features = waves(300, 7);
  const IndexScore score = score_of(features);
  const NumericScore::Choice choice = score.choose(3, 0, {0, 1});
  const Vector residuals = score.residuals(3, 0, {0, 1}, choice.fit);
  EXPECT_NEAR(residuals.mean(), 0, 1e-9);
  // The penalty is part of what is unexplained.
  EXPECT(residuals.squaredNorm() / 300 <= choice.unexplained);
  EXPECT(residuals.squaredNorm() / 300 > 0.8 * choice.unexplained);
}

TEST(few_rows_have_no_index_and_no_parents_have_none) {
  const NumericFeatures features = waves(30, 3);
  const IndexScore score = score_of(features);
  EXPECT(score.value(3, {}) == not_applicable);
  EXPECT(score.value(3, {0, 1}) == not_applicable);
  EXPECT(score.value(3, {0}) > not_applicable);
}
