#include "scores/density_score.h"

#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

double density_gain(const Vector& values) { return choose_density(values).gain; }

Vector centred(Vector values) {
  values.array() -= values.mean();
  return values;
}

Vector uniform(Index n, Random& random) {
  Vector values(n);
  for (Index r = 0; r < n; ++r) values[r] = random.uniform();
  return centred(values);
}

Vector exponential(Index n, Random& random) {
  Vector values(n);
  for (Index r = 0; r < n; ++r) values[r] = -std::log(1 - random.uniform());
  return centred(values);
}

// Student's t with 3 degrees of freedom.
Vector heavy(Index n, Random& random) {
  Vector values(n);
  for (Index r = 0; r < n; ++r) {
    const double a = random.normal(), b = random.normal(), c = random.normal();
    values[r] = random.normal() / std::sqrt((a * a + b * b + c * c) / 3);
  }
  return centred(values);
}

}  // namespace

TEST(normal_values_seldom_gain_from_an_estimated_density) {
  Random random(1);
  for (const Index n : {50, 300, 1000}) {
    double sum = 0;
    int gained = 0;
    for (int sample = 0; sample < 100; ++sample) {
      const double gain = density_gain(centred(normal_vector(n, random)));
      sum += gain;
      gained += gain > 2;  // the default charge
    }
    EXPECT(sum / 100 < 0);
    EXPECT(gained <= 5);
  }
}

// What is lost stands for the charge of flexibility: a worse estimate would hide other densities.
TEST(the_estimate_of_a_normal_density_loses_little) {
  for (const auto& [rows, least] : {std::pair<Index, double>{100, -3.4}, {400, -6.0}}) {
    Random random(14);
    double total = 0;
    for (int set = 0; set < 200; ++set) {
      Vector values = normal_vector(rows, random);
      values.array() -= values.mean();
      total += choose_density(values).gain;
    }
    EXPECT(total / 200 > least);
    EXPECT(total < 0);
  }
}

TEST(the_gain_from_the_density_of_other_noises_is_positive_and_grows_with_the_rows) {
  Random random(2);
  for (const auto& draw : {uniform, exponential, heavy}) {
    double before = 0;
    for (const Index n : {300, 1200, 4800}) {
      const double gain = density_gain(draw(n, random));
      EXPECT(gain > 2 * before + 5);
      before = gain;
    }
  }
}

TEST(the_gain_is_near_the_distance_of_the_density_from_the_normal_one) {
  // The divergence of the uniform distribution from the normal one of its variance is
  // log(2 pi e / 12) / 2 for each value; that of the exponential one log(2 pi / e) / 2.
  Random random(3);
  const double n = 5000;
  const double of_uniform = std::log(2 * M_PI * std::exp(1.0) / 12) / 2;
  EXPECT_NEAR(density_gain(uniform(5000, random)) / n, of_uniform, 0.2 * of_uniform);
  const double of_exponential = std::log(2 * M_PI / std::exp(1.0)) / 2;
  EXPECT_NEAR(density_gain(exponential(5000, random)) / n, of_exponential, 0.2 * of_exponential);
}

TEST(units_and_signs_do_not_change_the_gain) {
  Random random(4);
  for (const auto& draw : {uniform, exponential, heavy}) {
    const Vector values = draw(500, random);
    const double gain = density_gain(values);
    EXPECT(density_gain(values * 64) == gain);
    EXPECT_NEAR(density_gain(values * 3.3), gain, 1e-6);
    EXPECT_NEAR(density_gain(-values), gain, 1e-6);
    EXPECT_NEAR(density_gain(values.reverse()), gain, 1e-6);
  }
}

TEST(values_without_spread_gain_nothing) {
  EXPECT(density_gain(Vector::Zero(100)) == 0);
  EXPECT(density_gain(Vector::Constant(100, 1e-9)) == 0);
}

TEST(the_density_score_adds_what_the_density_gains_beyond_its_charge) {
  Random random(5);
  Matrix data(400, 3);
  data.col(0) = uniform(400, random);
  data.col(1) = 2 * data.col(0) + uniform(400, random);
  data.col(2) = normal_vector(400, random);
  const NumericFeatures features = numeric_features(data, 5);
  const AdditiveScore score(features.values, features.gram, 400, features.blocks, {1, 1});
  for (const double charge : {0.0, 2.0, 1e9}) {
    const DensityScore density({&score}, {true, true, true}, charge, 0);
    for (Index child = 0; child < 3; ++child) {
      for (const Parents& parents : std::vector<Parents>{{}, {(child + 1) % 3}}) {
        const auto choice = score.choose(child, 0, parents);
        const double gain = density_gain(score.residuals(child, 0, parents, choice.fit));
        EXPECT_NEAR(density.value(child, parents), choice.score + std::max(0.0, gain - charge),
                    1e-9);
      }
    }
  }
}

TEST(variables_whose_values_repeat_have_no_density_beside_the_normal_one) {
  Random random(7);
  Matrix data(300, 2);
  for (Index k = 0; k < data.size(); ++k) data(k) = random.uniform();
  EXPECT(seldom_repeats(data.col(0)));
  EXPECT(!seldom_repeats((10 * data.col(0).array()).round()));
  const NumericFeatures features = numeric_features(data, 1);
  const AdditiveScore score(features.values, features.gram, 300, features.blocks, {1, 1});
  const DensityScore density({&score}, {true, false}, 0, 0);
  EXPECT(density.value(0, {}) > score.value(0, {}) + 5);
  EXPECT(density.value(1, {}) == score.value(1, {}));
}

TEST(uniform_noise_tells_the_direction_of_a_linear_effect) {
  Random random(6);
  int right = 0;
  for (int set = 0; set < 20; ++set) {
    Matrix data(400, 2);
    data.col(0) = uniform(400, random);
    data.col(1) = data.col(0) + uniform(400, random);
    const NumericFeatures features = numeric_features(data, 1);
    const AdditiveScore score(features.values, features.gram, 400, features.blocks, {1, 1});
    const DensityScore density({&score}, {true, true}, 2, 0);
    right +=
        density.value(0, {}) + density.value(1, {0}) > density.value(1, {}) + density.value(0, {1});
  }
  EXPECT(right >= 19);
}
