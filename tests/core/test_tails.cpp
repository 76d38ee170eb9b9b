#include "data/tails.h"

#include "scores/additive_score.h"
#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

double variance(const Vector& values) { return (values.array() - values.mean()).square().mean(); }

Vector rounded(const Vector& values, double unit) { return (values.array() / unit).round() * unit; }

}  // namespace

// The slow twin: the error that rounding made.
TEST(the_share_of_rounding_is_the_variance_of_its_error) {
  Random random(1);
  const Vector exact = normal_vector(20000, random);
  for (const double unit : {0.05, 0.2, 0.5, 1.0}) {
    const Vector seen = rounded(exact, unit);
    const double error = (seen - exact).squaredNorm() / 20000 / variance(seen);
    EXPECT_NEAR(rounding_share(seen) / error, 1, 0.05);
  }
}

TEST(values_that_were_not_rounded_have_no_share_of_rounding) {
  Random random(2);
  EXPECT(rounding_share(normal_vector(1000, random)) < 1e-8);
}

TEST(units_origins_and_errors_of_arithmetic_do_not_change_the_share_of_rounding) {
  Random random(3);
  const Vector seen = rounded(normal_vector(500, random), 0.1);
  const double share = rounding_share(seen);
  EXPECT_NEAR(rounding_share(1000 * seen.array() + 7) / share, 1, 1e-9);
  Vector disturbed = seen;
  for (Index r = 0; r < disturbed.size(); ++r) disturbed[r] += 1e-12 * random.normal();
  EXPECT_NEAR(rounding_share(disturbed) / share, 1, 1e-6);
  // Six digits are precision, not errors of arithmetic.
  const Vector fine = rounded(normal_vector(100000, random), 1e-5);
  EXPECT_NEAR(rounding_share(fine) / (1e-10 / 12 / variance(fine)), 1, 1e-6);
}

TEST(a_number_of_two_values_is_rounded_as_far_as_can_be) {
  Vector halves = Vector::Zero(10);
  halves.head(5).setOnes();
  EXPECT_NEAR(rounding_share(halves), 1.0 / 3, 1e-12);
  EXPECT(rounding_share(Vector::Ones(10)) == 0);
}

TEST(normal_values_have_next_to_no_weight_of_tails_whatever_their_unit) {
  Random random(4);
  const Vector values = normal_vector(20000, random);
  const double spread = std::sqrt(variance(values));
  EXPECT(tail_weight(values, spread) < 0.03);
  // Twice the standard deviation that the quartiles tell of is a weight of log 2.
  EXPECT_NEAR(tail_weight(values, 2 * spread), std::log(2.0), 0.03);
  EXPECT_NEAR(tail_weight(5 * values, 10 * spread), std::log(2.0), 0.03);
}

TEST(no_parent_explains_what_was_rounded_away) {
  Random random(3);
  const Index n = 100;
  Matrix data = normal_matrix(n, 2, random);
  data.col(1) = rounded(data.col(0), 0.5);
  data.col(0) = 2 * data.col(1);
  const NumericFeatures features = numeric_features(data, 1);
  AdditiveScore score(features.values, features.gram, n, features.blocks, {});
  const double exact = score.value(1, {0});
  const double share = rounding_share(data.col(1));
  score.set_rounding(Vector::Constant(2, share));
  const double half = static_cast<double>(n) / 2;
  EXPECT_NEAR(score.value(1, {0}), -half * (std::log(share) + 1) - std::log(n) / 2, 1e-9);
  EXPECT(exact > score.value(1, {0}) + half);
}
