#include "scores/joint_score.h"

#include "dense_evidence.h"
#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

constexpr double grid[] = {0.1, 1, 10, 100, 1e3, 1e4};

// The last column is a product of the first two, and noise.
NumericFeatures interacting(Index n, std::uint64_t seed) {
  Random random(seed);
  Matrix data = normal_matrix(n, 4, random);
  data.col(3) = 0.3 * data.col(3) + data.col(0).cwiseProduct(data.col(1));
  return numeric_features(data, 1);
}

Matrix coordinates_of(const NumericFeatures& features, const Parents& parents) {
  Matrix X(features.values.rows(), static_cast<Index>(parents.size()));
  for (std::size_t k = 0; k < parents.size(); ++k) {
    X.col(static_cast<Index>(k)) = features.values.col(features.blocks[parents[k]].first);
  }
  return X;
}

Matrix kernel(const Matrix& X, double length) {
  Matrix K(X.rows(), X.rows());
  for (Index a = 0; a < X.rows(); ++a) {
    for (Index b = 0; b < X.rows(); ++b) {
      K(a, b) = std::exp(-(X.row(a) - X.row(b)).squaredNorm() / (2 * length * length));
    }
  }
  return K;
}

Matrix centred(Matrix K) {
  K.rowwise() -= K.colwise().mean().eval();
  return K;
}

JointScore score_of(const NumericFeatures& features, const JointOptions& options) {
  return JointScore(features.coordinates, std::vector<bool>(features.coordinates.size(), true),
                    static_cast<double>(features.values.rows()), options);
}

JointOptions all_rows(Index n, double length) {
  JointOptions options;
  options.joint_charge = 0.7;
  options.neighbours = false;
  options.centres = n;
  options.lengths = {length};
  return options;
}

}  // namespace

TEST(joint_evidence_equals_that_of_the_dense_covariance) {
  const Index n = 40;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const NumericFeatures features = interacting(n, seed);
    const Vector y = features.values.col(3);
    for (const double length : {0.8, 1.5, 3.0}) {
      const JointOptions options = all_rows(n, length);
      const JointScore score = score_of(features, options);
      for (const Parents& parents : std::vector<Parents>{{0, 1}, {0, 2}, {0, 1, 2}}) {
        const Matrix X = coordinates_of(features, parents);
        Matrix Q = kernel(X, length);
        const Matrix K = centred(Q);
        Q.diagonal().array() += 1e-6;
        const Matrix S = K * Q.llt().solve(K.transpose());
        double best = not_applicable;
        for (const double rho : grid) best = std::max(best, dense_evidence(y, X, rho * S, true));
        // The kernel of nearby rows is nearly singular: rounding counts.
        EXPECT_NEAR(score.value(3, parents), best - 0.7, 1e-2);
      }
    }
  }
}

TEST(with_every_row_as_a_centre_joint_evidence_is_that_of_the_gaussian_process) {
  const Index n = 40;
  const NumericFeatures features = interacting(n, 4);
  const JointScore score = score_of(features, all_rows(n, 1.5));
  const Matrix X = coordinates_of(features, {0, 1});
  const Matrix K = kernel(X, 1.5);
  const Matrix S = centred(centred(K).transpose());
  double best = not_applicable;
  for (const double rho : grid) {
    best = std::max(best, dense_evidence(features.values.col(3), X, rho * S, true));
  }
  EXPECT_NEAR(score.value(3, {0, 1}), best - 0.7, 0.05);
}

TEST(an_interaction_is_worth_more_jointly_than_as_a_sum_of_curves) {
  const NumericFeatures features = interacting(200, 5);
  Random random(5);
  Matrix data = normal_matrix(200, 4, random);
  data.col(3) = 0.3 * data.col(3) + data.col(0).cwiseProduct(data.col(1));
  const NumericFeatures curves = numeric_features(data, 6);
  const AdditiveScore additive(curves.values, curves.gram, 200, curves.blocks, {1, 1});
  JointOptions options;
  const JointScore joint = score_of(features, options);
  EXPECT(joint.value(3, {0, 1}) > additive.value(3, {0, 1}) + 50);
  EXPECT(joint.value(3, {0, 1}) > joint.value(3, {0, 2}) + 50);
}

TEST(a_climb_over_length_scales_is_no_worse_than_its_start_nor_better_than_all) {
  const Index n = 60;
  const NumericFeatures features = interacting(n, 6);
  JointOptions options = all_rows(n, 1);
  double start = not_applicable, most = not_applicable;
  for (const double length : JointOptions().lengths) {
    options.lengths = {length};
    const double value = score_of(features, options).value(3, {0, 1});
    most = std::max(most, value);
    if (length == 1.5) start = value;
  }
  options.lengths = JointOptions().lengths;
  const double climbed = score_of(features, options).value(3, {0, 1});
  EXPECT(climbed >= start);
  EXPECT(climbed <= most + 1e-9);
}

TEST(joint_residuals_leave_the_unexplained_share) {
  const Index n = 80;
  const NumericFeatures features = interacting(n, 7);
  JointOptions options;
  options.centres = 25;
  const JointScore score = score_of(features, options);
  for (const Parents& parents : std::vector<Parents>{{0, 1}, {0, 1, 2}}) {
    const auto choice = score.choose(3, 0, parents);
    const Vector residuals = score.residuals(3, 0, parents, choice.fit);
    EXPECT_NEAR(features.values.col(3).dot(residuals) / n, choice.unexplained, 1e-6);
    for (const Index i : parents) {
      EXPECT_NEAR(features.values.col(i).dot(residuals) / n, 0, 1e-6);
    }
    EXPECT(choice.unexplained < 0.5);
  }
}

TEST(remembered_joint_fits_equal_fresh_ones_on_any_thread) {
  const NumericFeatures features = interacting(60, 8);
  JointOptions options;
  options.centres = 20;
  const std::vector<Parents> sets = {{0, 1}, {0, 2}, {1, 2}, {0, 1, 2}};
  const JointScore shared = score_of(features, options);
  std::vector<double> found(40);
  PoolExecutor threads(3);
  threads.run(40, [&](Index k) {
    found[static_cast<std::size_t>(k)] = shared.value(3, sets[static_cast<std::size_t>(k % 4)]);
  });
  for (std::size_t k = 0; k < 40; ++k) {
    const JointScore fresh = score_of(features, options);
    EXPECT(found[k] == fresh.value(3, sets[k % 4]));
  }
}

TEST(joint_effects_are_for_numeric_children_of_two_parents_or_more) {
  const NumericFeatures features = interacting(40, 9);
  const JointScore score(features.coordinates, {true, false, true, true}, 40, JointOptions());
  EXPECT(score.value(3, {}) == not_applicable);
  EXPECT(score.value(3, {0}) == not_applicable);
  EXPECT(score.value(1, {0, 2}) == not_applicable);
  EXPECT(std::isfinite(score.value(3, {0, 1})));
}
