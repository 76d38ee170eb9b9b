#include "models/imputation.h"

#include <limits>

#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// x0 -> x1 -> x2 with slopes 1 and -1; a share of the cells is missing completely at random.
Matrix linear_chain(Index n, Random& random) {
  Matrix data = normal_matrix(n, 3, random);
  data.col(1) += data.col(0);
  data.col(2) -= data.col(1);
  return data;
}

Matrix with_holes(Matrix data, double share, Random& random) {
  for (Index k = 0; k < data.size(); ++k) {
    if (random.uniform() < share) data(k) = missing;
  }
  return data;
}

Samples numbers(const Matrix& data) {
  return Samples(MatrixView(data.data(), data.rows(), data.cols()),
                 std::vector<Kind>(static_cast<std::size_t>(data.cols()), Kind::continuous),
                 std::vector<Index>(static_cast<std::size_t>(data.cols()), 1));
}

Matrix covariance(Matrix data) {
  data.rowwise() -= data.colwise().mean().eval();
  return data.transpose() * data / static_cast<double>(data.rows());
}

const std::vector<Parents> chain = {{}, {0}, {1}};

}  // namespace

TEST(observed_values_stay_and_missing_ones_are_filled_in_every_copy) {
  Random random(1);
  const Matrix data = with_holes(linear_chain(100, random), 0.3, random);
  const Samples samples = numbers(data);
  EXPECT(has_missing(samples));
  Imputation imputation(samples, 4, 1);
  for (int round = 0; round < 2; ++round) {
    const Samples completed = imputation.completed();
    EXPECT(completed.n() == 400);
    EXPECT(completed.copies == 4);
    EXPECT(completed.effective_rows() == 100);
    EXPECT(!has_missing(completed));
    bool same = true;
    for (Index r = 0; r < 400; ++r) {
      for (Index j = 0; j < 3; ++j) {
        const double known = data(r % 100, j);
        same = same && (std::isnan(known) || completed.values(r, j) == known);
      }
    }
    EXPECT(same);
    imputation.draw(chain, 2);
  }
}

TEST(complete_data_have_nothing_missing) {
  Random random(2);
  const Matrix data = linear_chain(20, random);
  EXPECT(!has_missing(numbers(data)));
}

TEST(draws_differ_between_copies_and_seeds_and_are_repeated_by_the_same_seed) {
  Random random(3);
  const Matrix data = with_holes(linear_chain(200, random), 0.3, random);
  const Samples samples = numbers(data);
  const auto drawn = [&](std::uint64_t seed) {
    Imputation imputation(samples, 3, seed);
    imputation.draw({}, 2);
    return Matrix(imputation.completed().values);
  };
  const Matrix first = drawn(1), again = drawn(1), other = drawn(2);
  EXPECT((first.array() == again.array()).all());
  Index holes = 0, between_copies = 0, between_seeds = 0;
  for (Index r = 0; r < 200; ++r) {
    for (Index j = 0; j < 3; ++j) {
      if (!std::isnan(data(r, j))) continue;
      ++holes;
      between_copies += first(r, j) != first(200 + r, j);
      between_seeds += first(r, j) != other(r, j);
    }
  }
  EXPECT(holes > 100);
  EXPECT(between_copies > 0.9 * static_cast<double>(holes));
  EXPECT(between_seeds > 0.9 * static_cast<double>(holes));
}

TEST(completed_linear_data_have_the_moments_of_the_model) {
  Random random(4);
  const Index n = 2000;
  const Matrix full = linear_chain(n, random);
  const Matrix data = with_holes(full, 0.3, random);
  const Samples samples = numbers(data);
  const Matrix wanted = covariance(full);
  for (const bool network : {false, true}) {
    Imputation imputation(samples, 3, 1);
    // Values of other rows alone would weaken the correlations.
    const double before = covariance(imputation.completed().values)(0, 1);
    EXPECT(before < 0.7 * wanted(0, 1));
    imputation.draw({}, 3);
    if (network) imputation.draw(chain, 5);
    const Matrix completed = imputation.completed().values;
    EXPECT_NEAR((covariance(completed) - wanted).cwiseAbs().maxCoeff(), 0, 0.15);
    EXPECT_NEAR((completed.colwise().mean() - full.colwise().mean()).cwiseAbs().maxCoeff(), 0, 0.1);
  }
}

TEST(draws_of_curved_data_follow_the_curve) {
  Random random(5);
  const Index n = 600;
  Matrix data = normal_matrix(n, 2, random);
  data.col(1) = 0.2 * data.col(1) + data.col(0).array().square().matrix();
  const Matrix full = data;
  for (Index r = 0; r < n; r += 3) data(r, 1) = missing;
  const Samples samples = numbers(data);
  Imputation imputation(samples, 1, 1);
  imputation.draw({{}, {0}}, 2);
  const Matrix completed = imputation.completed().values;
  const double left = (completed.col(1) - full.col(1)).squaredNorm() / (n / 3);
  const double spread = covariance(full)(1, 1);
  EXPECT(left < 0.3 * spread);
  // A draw, not an expectation: the noise is there twice.
  EXPECT(left > 1.2 * 0.04);
}

TEST(drawn_levels_follow_the_probabilities_given_the_other_variables) {
  Random random(6);
  const Index n = 1500;
  Matrix data(n, 2);
  for (Index r = 0; r < n; ++r) {
    data(r, 0) = static_cast<double>(random.below(3));
    data(r, 1) = random.uniform() < 0.8 ? data(r, 0) : static_cast<double>(random.below(3));
    if (random.uniform() < 0.3) data(r, 1) = missing;
  }
  const Samples samples(MatrixView(data.data(), n, 2), {Kind::discrete, Kind::discrete}, {3, 3});
  Imputation imputation(samples, 2, 1);
  imputation.draw({{}, {0}}, 2);
  const Matrix completed = imputation.completed().values;
  double holes = 0, equal = 0;
  for (Index r = 0; r < 2 * n; ++r) {
    const double level = completed(r, 1);
    EXPECT(level == 0 || level == 1 || level == 2);
    if (!std::isnan(data(r % n, 1))) continue;
    ++holes;
    equal += level == completed(r, 0);
  }
  // 0.8 + 0.2 / 3
  EXPECT_NEAR(equal / holes, 0.867, 0.04);
}

TEST(before_there_is_a_network_a_number_follows_all_that_it_depends_on) {
  Random random(7);
  const Index n = 1000, m = 6;
  Matrix data = normal_matrix(n, m, random);
  data.col(5) = 0.5 * data.col(5) + data.leftCols(5).rowwise().sum();
  const Matrix full = data;
  for (Index r = 0; r < n; r += 3) data(r, 5) = missing;
  const Samples samples = numbers(data);
  Imputation imputation(samples, 1, 1);
  imputation.draw({}, 1);
  const Matrix completed = imputation.completed().values;
  // The noise is there twice; each variable that is left out would leave 1 more.
  const double left = (completed.col(5) - full.col(5)).squaredNorm() / (n / 3 + 1);
  EXPECT_NEAR(left, 0.5, 0.2);
}

TEST(missing_counts_are_drawn_as_counts) {
  Random random(12);
  Matrix data = normal_matrix(300, 2, random);
  data.col(1) = data.col(0).array().exp().round();  // near 0 for many rows
  for (Index r = 0; r < 300; r += 3) data(r, 1) = missing;
  const Samples samples(MatrixView(data.data(), 300, 2), {Kind::continuous, Kind::continuous},
                        {1, 1}, {}, {Distribution::normal, Distribution::poisson});
  Imputation imputation(samples, 2, 1);
  imputation.draw({{}, {0}}, 3);
  const auto drawn = imputation.completed().values.col(1).array();
  EXPECT((drawn >= 0).all());
  EXPECT((drawn == drawn.round()).all());
}
