#include "models/network_fit.h"

#include <cmath>
#include <limits>

#include "likelihood/poisson.h"

#include "expect.h"

using namespace daggnn;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
SerialExecutor serial;

// Owns what Samples only views.
struct Data {
  Matrix values;
  std::vector<Kind> kinds;
  std::vector<Index> widths;

  Samples samples() const {
    return Samples(MatrixView(values.data(), values.rows(), values.cols()), kinds, widths);
  }
};

Data numbers(Matrix values) {
  const std::size_t m = static_cast<std::size_t>(values.cols());
  return {std::move(values), std::vector<Kind>(m, Kind::continuous), std::vector<Index>(m, 1)};
}

FamilyOptions with_effects(Effects effects) {
  FamilyOptions options;
  options.structure.effects = effects;
  return options;
}

Families fit(const Data& data, const std::vector<Parents>& parents, const FamilyOptions& options) {
  const Samples samples = data.samples();
  return Families(FamilyData(samples, options), parents, serial);
}

Matrix normal_matrix(Index rows, Index columns, Random& random) {
  Matrix X(rows, columns);
  for (Index k = 0; k < X.size(); ++k) X(k) = random.normal();
  return X;
}

// a -> b, both -> c, in units of their own.
Data linear_data(Index n, Random& random) {
  Matrix X = normal_matrix(n, 3, random);
  X.col(0) = 100 + 5 * X.col(0).array();
  X.col(1) = 0.3 * X.col(0).array() + X.col(1).array();
  X.col(2) = 2 - 0.5 * X.col(0).array() + 4 * X.col(1).array() + 3 * X.col(2).array();
  return numbers(X);
}

const std::vector<Parents> chain = {{}, {0}, {0, 1}};

// A factor, a number that depends on it, a number and a factor that depend on both, and a vector.
Data mixed_data(Index n, Random& random) {
  Data data{Matrix(n, 6),
            {Kind::discrete, Kind::continuous, Kind::continuous, Kind::discrete, Kind::continuous},
            {3, 1, 1, 2, 2}};
  for (Index r = 0; r < n; ++r) {
    const double level = static_cast<double>(random.below(3)), x = level + random.normal();
    const double slope = level == 1 ? -2 : 1;
    data.values.row(r) << level, x, slope * x + (level + 0.2) * random.normal(),
        static_cast<double>(random.uniform() < 1 / (1 + std::exp(-x - level))), x + random.normal(),
        random.normal() - x;
  }
  return data;
}

const std::vector<Parents> mixed_parents = {{}, {0}, {0, 1}, {0, 1}, {1}};

double log_normal(double x, double mean, double sd) {
  return -0.5 * std::pow((x - mean) / sd, 2) - std::log(sd) - 0.9189385332046727;
}

// [i, j] for i -> j, 0 without an edge.
struct EffectMatrices {
  Matrix shares, weights;
  EffectMatrices(const std::vector<EdgeEffect>& effects, Index m)
      : shares(Matrix::Zero(m, m)), weights(Matrix::Zero(m, m)) {
    for (const EdgeEffect& effect : effects) {
      shares(effect.from, effect.to) = effect.share;
      weights(effect.from, effect.to) = effect.weight;
    }
  }
};

}  // namespace

TEST(a_linear_family_is_least_squares) {
  Random random(1);
  const Data data = linear_data(200, random);
  const Families families = fit(data, chain, with_effects(Effects::linear));
  Matrix X(200, 3);
  X << Vector::Ones(200), data.values.leftCols(2);
  const Vector y = data.values.col(2);
  const Vector slow = X.colPivHouseholderQr().solve(y);
  EXPECT_NEAR((families.predict(data.values).col(2) - X * slow).cwiseAbs().maxCoeff(), 0, 1e-5);
  EXPECT_NEAR(families.parameters()[2], 4, 0);

  const Samples samples = data.samples();
  const FamilyData family_data(samples, with_effects(Effects::linear));
  const EffectMatrices effects(edge_effects(family_data, families, serial), 3);
  EXPECT_NEAR(effects.weights(0, 2), slow[1], 1e-6);
  EXPECT_NEAR(effects.weights(1, 2), slow[2], 1e-6);
  const auto sd = [&](Index k) {
    return std::sqrt((data.values.col(k).array() - data.values.col(k).mean()).square().mean());
  };
  EXPECT_NEAR(effects.shares(0, 2), slow[1] * sd(0) / sd(2), 1e-7);
  EXPECT(effects.shares(2, 0) == 0 && effects.shares(2, 1) == 0);
}

TEST(the_log_likelihood_of_a_linear_family_is_that_of_a_normal_density) {
  Random random(2);
  const Data data = linear_data(150, random);
  const Families families = fit(data, chain, with_effects(Effects::linear));
  const Matrix expected = families.predict(data.values);
  const Matrix found = families.log_likelihood(data.values);
  for (Index j = 0; j < 3; ++j) {
    const Vector left = data.values.col(j) - expected.col(j);
    const double sd = std::sqrt(left.squaredNorm() / static_cast<double>(150 - j - 1));
    for (const Index r : {0, 70, 149}) {
      EXPECT_NEAR(found(r, j), log_normal(left[r], 0, sd), 1e-6);
    }
  }
}

TEST(a_curve_is_recovered_where_it_pays) {
  Random random(3);
  Matrix X = normal_matrix(1000, 2, random);
  X.col(1) = X.col(0).array().sin() * 2 + 0.3 * X.col(1).array();
  const Data data = numbers(X);
  const Families curved = fit(data, {{}, {0}}, with_effects(Effects::additive));
  Matrix grid(5, 2);
  grid << -1.5, 0, -0.7, 0, 0, 0, 0.7, 0, 1.5, 0;
  const Matrix expected = curved.predict(grid);
  for (Index r = 0; r < 5; ++r) EXPECT_NEAR(expected(r, 1), 2 * std::sin(grid(r, 0)), 0.12);
  EXPECT(curved.parameters()[1] > 4 && curved.parameters()[1] < 11);

  // A straight line keeps its two coefficients and the variance.
  X.col(1) = X.col(0) + normal_matrix(1000, 1, random);
  EXPECT_NEAR(fit(numbers(X), {{}, {0}}, with_effects(Effects::additive)).parameters()[1], 3, 0);
}

TEST(joint_families_know_interactions) {
  Random random(4);
  Matrix X = normal_matrix(400, 3, random);
  X.col(2) = X.col(0).array() * X.col(1).array() * 2 + 0.3 * X.col(2).array();
  const Data data = numbers(X);
  const auto unexplained = [&](Effects effects) {
    const Matrix expected = fit(data, {{}, {}, {0, 1}}, with_effects(effects)).predict(X);
    return (X.col(2) - expected.col(2)).squaredNorm() / X.col(2).squaredNorm();
  };
  EXPECT(unexplained(Effects::additive) > 0.8);
  EXPECT(unexplained(Effects::joint) < 0.1);
  // Both parents are needed, and neither has a slope.
  const Samples samples = data.samples();
  const FamilyData family_data(samples, with_effects(Effects::joint));
  const Families families(family_data, {{}, {}, {0, 1}}, serial);
  const EffectMatrices effects(edge_effects(family_data, families, serial), 3);
  EXPECT(effects.shares(0, 2) > 0.9 && effects.shares(1, 2) > 0.9);
}

TEST(tables_are_counts) {
  const Data data{(Matrix(6, 2) << 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 0).finished(),
                  {Kind::discrete, Kind::discrete},
                  {3, 2}};
  FamilyOptions options;
  options.smoothing = 0;
  Matrix rows(3, 2);
  rows << 0, 0, 1, 0, 2, 0;
  const Matrix counted = fit(data, {{}, {0}}, options).predict(rows);
  EXPECT_NEAR(counted(0, 0), 0.5, 1e-15);
  EXPECT_NEAR(counted(0, 2), 0, 0);
  EXPECT_NEAR(counted(0, 3), 2.0 / 3, 1e-15);
  EXPECT_NEAR(counted(1, 3), 1.0 / 3, 1e-15);
  // The third level never occurred: the marginal.
  EXPECT_NEAR(counted(2, 3), 0.5, 1e-15);

  options.smoothing = 2;
  const Families smooth = fit(data, {{}, {0}}, options);
  // Two more rows, of which (3 + 2 / 3) / 8 have this level of the parent.
  const double imagined = 2 * (3 + 2.0 / 3) / 8;
  const double smoothed = (2 + imagined * 0.5) / (3 + imagined);
  EXPECT_NEAR(smooth.predict(rows)(0, 3), smoothed, 1e-15);
  EXPECT_NEAR(smooth.parameters()[0], 2, 0);
  EXPECT_NEAR(smooth.parameters()[1], 3, 0);
  EXPECT_NEAR(smooth.log_likelihood(rows)(0, 1), std::log(smoothed), 1e-14);
}

TEST(equivalent_discrete_networks_have_the_same_distribution_with_smoothing) {
  Random random(31);
  Matrix X(40, 3);
  for (Index r = 0; r < 40; ++r) {
    for (Index k = 0; k < 3; ++k) X(r, k) = static_cast<double>(random.below(k + 2));
  }
  const Data data{X, {Kind::discrete, Kind::discrete, Kind::discrete}, {2, 3, 4}};
  const auto joint = [&](const std::vector<Parents>& parents) -> Vector {
    return fit(data, parents, {}).log_likelihood(X).rowwise().sum();
  };
  const Vector chain = joint({{}, {0}, {1}});
  EXPECT_NEAR((chain - joint({{1}, {2}, {}})).cwiseAbs().maxCoeff(), 0, 1e-12);
  EXPECT_NEAR((chain - joint({{1}, {}, {1}})).cwiseAbs().maxCoeff(), 0, 1e-12);
  EXPECT((chain - joint({{}, {0, 2}, {}})).cwiseAbs().maxCoeff() > 0.01);
}

TEST(a_discrete_child_of_a_number_has_the_penalised_logit) {
  Random random(5);
  Matrix X(300, 2);
  for (Index r = 0; r < 300; ++r) {
    X(r, 0) = 10 + 2 * random.normal();
    X(r, 1) = static_cast<double>(random.uniform() < 1 / (1 + std::exp(10 - X(r, 0))));
  }
  const Data data{X, {Kind::continuous, Kind::discrete}, {1, 2}};
  const Matrix found = fit(data, {{}, {0}}, {}).predict(X);
  // The slow twin: gradient ascent with the same ridge of 0.1 on the slope.
  const double center = X.col(0).mean();
  const double scale = std::sqrt((X.col(0).array() - center).square().mean());
  const Vector z = (X.col(0).array() - center) / scale;
  double intercept = 0, slope = 0;
  for (int step = 0; step < 20000; ++step) {
    const Vector p = 1 / (1 + (-intercept - slope * z.array()).exp());
    intercept += 0.01 * (X.col(1) - p).sum();
    slope += 0.01 * (z.dot(X.col(1) - p) - 0.1 * slope);
  }
  for (const Index r : {0, 100, 299}) {
    EXPECT_NEAR(found(r, 2), 1 / (1 + std::exp(-intercept - slope * z[r])), 1e-4);
    EXPECT_NEAR(found(r, 1) + found(r, 2), 1, 1e-12);
  }
}

TEST(a_count_has_a_log_linear_rate_also_after_being_written_and_read) {
  Random random(16);
  Matrix values(400, 2);
  for (Index r = 0; r < values.rows(); ++r) {
    const double x = 10 + 2 * random.normal(), rate = std::exp(0.3 * x - 2);
    values.row(r) << x, draw_count(rate, {random.uniform(), random.normal()});
  }
  const Samples samples(MatrixView(values.data(), values.rows(), 2),
                        {Kind::continuous, Kind::continuous}, {1, 1}, {},
                        {Distribution::normal, Distribution::poisson});
  const FamilyData data(samples, {});
  const Families families(data, {{}, {0}}, serial);
  // Newton's method to the end: the score equations of a Poisson regression.
  const Vector rates = families.predict(values).col(1), left = values.col(1) - rates;
  EXPECT_NEAR(left.sum(), 0, 1e-4);
  EXPECT_NEAR(left.dot(values.col(0)), 0, 1e-1);
  const EffectMatrices effects(edge_effects(data, families, serial), 2);
  EXPECT_NEAR(std::log(rates[0] / rates[1]), effects.weights(0, 1) * (values(0, 0) - values(1, 0)),
              1e-9);
  EXPECT_NEAR(effects.weights(0, 1), 0.3, 0.05);
  EXPECT((Families(families.numbers()).predict(values).col(1) - rates).cwiseAbs().maxCoeff() == 0);
}

TEST(numbers_have_a_regression_for_each_configuration_where_it_pays) {
  Random random(6);
  const Data data = mixed_data(2000, random);
  const Families families = fit(data, mixed_parents, {});
  Matrix rows = data.values.topRows(3);
  rows.col(0) << 0, 1, 2;
  rows.col(1).setConstant(1.5);
  const Matrix expected = families.predict(rows);
  EXPECT_NEAR(expected(0, 4), 1.5, 0.1);
  EXPECT_NEAR(expected(1, 4), -3, 0.2);
  EXPECT_NEAR(expected(2, 4), 1.5, 0.3);
  // Noise has the spread of its configuration.
  rows.col(2) = expected.col(4);
  const Matrix densities = families.log_likelihood(rows);
  EXPECT_NEAR(densities(0, 2), log_normal(0, 0, 0.2), 0.1);
  EXPECT_NEAR(densities(2, 2), log_normal(0, 0, 2.2), 0.1);
}

TEST(a_missing_parent_is_replaced_by_its_own_prediction) {
  Random random(7);
  const Data data = linear_data(300, random);
  const Families families = fit(data, chain, with_effects(Effects::linear));
  Matrix rows(2, 3);
  rows << 103, missing, missing, missing, missing, missing;
  Matrix filled = rows;
  filled(1, 0) = data.values.col(0).mean();
  filled.col(1) = families.predict(filled).col(1);
  const Matrix expected = families.predict(rows), slow = families.predict(filled);
  EXPECT_NEAR((expected - slow).cwiseAbs().maxCoeff(), 0, 1e-9);

  // A level that is not known counts by its probabilities.
  const Data mixed = mixed_data(500, random);
  const Families both = fit(mixed, mixed_parents, {});
  Matrix row = mixed.values.topRows(1).replicate(4, 1);
  row(0, 0) = missing;
  row.col(0).tail(3) << 0, 1, 2;
  const Matrix out = both.predict(row);
  EXPECT_NEAR(out.row(0).segment(0, 3).sum(), 1, 1e-12);
  EXPECT_NEAR(out(0, 4), out.row(0).segment(0, 3).dot(out.col(4).tail(3)), 1e-9);
}

TEST(the_density_of_a_child_whose_parent_is_missing_is_its_marginal_one) {
  Random random(8);
  Matrix X = normal_matrix(5000, 2, random);
  X.col(1) = 2 * X.col(0) + X.col(1);
  const Families families = fit(numbers(X), {{}, {0}}, with_effects(Effects::linear));
  Matrix rows(3, 2);
  rows << missing, 0, missing, 2, missing, -3;
  const Matrix found = families.log_likelihood(rows);
  for (Index r = 0; r < 3; ++r) {
    EXPECT_NEAR(found(r, 1), log_normal(rows(r, 1), 0, std::sqrt(5.0)), 0.04);
    EXPECT_NEAR(found(r, 0), 0, 1e-14);
  }
  // The order of rows does not matter.
  const Matrix turned = families.log_likelihood(rows.colwise().reverse());
  EXPECT_NEAR((turned.colwise().reverse() - found).cwiseAbs().maxCoeff(), 0, 0);
}

TEST(observed_children_of_a_missing_value_depend_on_each_other) {
  Random random(32);
  Matrix X = normal_matrix(5000, 3, random);
  X.col(1) += X.col(0);
  X.col(2) += X.col(0);
  const Families fork = fit(numbers(X), {{}, {0}, {0}}, with_effects(Effects::linear));
  Matrix rows(3, 3);
  rows << missing, 1, 1, missing, 2, -1, missing, -1.5, 0;
  const Matrix found = fork.log_likelihood(rows);
  for (Index r = 0; r < 3; ++r) {
    // Normal with variances 2 and covariance 1.
    const double y = rows(r, 1), z = rows(r, 2);
    EXPECT_NEAR(found(r, 2), log_normal(z, y / 2, std::sqrt(1.5)), 0.1);
  }

  // Of levels, in any direction.
  Matrix codes(2000, 4);
  for (Index r = 0; r < 2000; ++r) {
    codes(r, 0) = static_cast<double>(random.below(2));
    for (Index k = 1; k < 4; ++k) {
      codes(r, k) = random.uniform() < 0.9 ? codes(r, 0) : 1 - codes(r, 0);
    }
  }
  const Data data{codes, std::vector<Kind>(4, Kind::discrete), {2, 2, 2, 2}};
  Matrix some(2, 4);
  some << missing, 0, 0, 1, missing, 1, 1, 1;
  const auto joint = [&](const std::vector<Parents>& parents) -> Vector {
    return fit(data, parents, {}).log_likelihood(some).rowwise().sum();
  };
  const Vector down = joint({{}, {0}, {0}, {0}}), up = joint({{1}, {}, {0}, {0}});
  EXPECT_NEAR((down - up).cwiseAbs().maxCoeff(), 0, 0.1);
  EXPECT_NEAR(down[1], std::log(0.5 * (0.9 * 0.9 * 0.9 + 0.1 * 0.1 * 0.1)), 0.1);
}

TEST(families_are_the_same_after_being_written_and_read) {
  Random random(9);
  Data data = mixed_data(400, random);
  for (Index r = 0; r < 400; ++r) data.values(r, 4) += std::pow(random.normal(), 3);
  for (const Effects effects : {Effects::linear, Effects::additive, Effects::joint}) {
    FamilyOptions options = with_effects(effects);
    options.structure.density = NoiseDensity::estimated;
    const Families before = fit(data, {{}, {0}, {0, 1}, {0, 1}, {1, 2}}, options);
    const std::vector<double> saved = before.numbers();
    const Families after(saved);
    Matrix rows = data.values.topRows(20);
    rows(3, 1) = rows(4, 0) = missing;
    EXPECT_NEAR((before.predict(rows) - after.predict(rows)).cwiseAbs().maxCoeff(), 0, 0);
    EXPECT_NEAR((before.log_likelihood(rows) - after.log_likelihood(rows)).cwiseAbs().maxCoeff(), 0,
                0);
    Random one(1), two(1);
    const Matrix edges = Matrix::Ones(5, 5);
    EXPECT_NEAR(
        (before.simulate(9, edges, one) - after.simulate(9, edges, two)).cwiseAbs().maxCoeff(), 0,
        0);
    EXPECT((before.parameters() - after.parameters()).norm() == 0);
  }
}

TEST(damaged_numbers_are_an_error) {
  Random random(10);
  const Data data = mixed_data(100, random);
  const std::vector<double> saved = fit(data, mixed_parents, {}).numbers();
  EXPECT_THROWS(Families(std::vector<double>()));
  EXPECT_THROWS(Families(std::vector<double>(saved.begin(), saved.end() - 1)));
  std::vector<double> longer = saved;
  longer.push_back(0);
  EXPECT_THROWS(Families(longer));
  // Whatever number is changed, reading ends with an error or with families that can be used.
  for (std::size_t k = 0; k < saved.size(); ++k) {
    for (const double wrong : {-1.0, 2.0, 1e6, missing}) {
      std::vector<double> changed = saved;
      changed[k] = wrong;
      try {
        const Families families(changed);
        if (families.columns() == data.values.cols()) families.predict(data.values.topRows(2));
      } catch (const Error&) {
      }
    }
  }
  EXPECT(true);
}

TEST(drawn_rows_have_the_moments_of_the_data) {
  Random random(11);
  const Data data = linear_data(2000, random);
  const Families families = fit(data, chain, with_effects(Effects::linear));
  const Matrix drawn = families.simulate(20000, Matrix::Ones(3, 3), random);
  const auto covariance = [](const Matrix& X) -> Matrix {
    const Matrix centred = X.rowwise() - X.colwise().mean();
    return centred.transpose() * centred / static_cast<double>(X.rows());
  };
  const Matrix was = covariance(data.values), is = covariance(drawn);
  for (Index j = 0; j < 3; ++j) {
    EXPECT_NEAR(drawn.col(j).mean(), data.values.col(j).mean(), 0.05 * std::sqrt(was(j, j)));
    for (Index i = 0; i < 3; ++i) {
      EXPECT_NEAR(is(i, j), was(i, j), 0.04 * std::sqrt(was(i, i) * was(j, j)));
    }
  }
  // An edge that is taken away makes its ends independent.
  Matrix edges = Matrix::Ones(3, 3);
  edges(0, 1) = 0;
  const Matrix apart = covariance(families.simulate(20000, edges, random));
  EXPECT_NEAR(apart(0, 1) / std::sqrt(apart(0, 0) * apart(1, 1)), 0, 0.03);
}

TEST(drawn_levels_have_the_frequencies_of_the_data) {
  Random random(12);
  const Data data = mixed_data(3000, random);
  const Matrix drawn = fit(data, mixed_parents, {}).simulate(20000, Matrix::Ones(5, 5), random);
  for (const double level : {0.0, 1.0}) {
    const double was = (data.values.col(3).array() == level).cast<double>().mean();
    EXPECT_NEAR((drawn.col(3).array() == level).cast<double>().mean(), was, 0.02);
  }
  EXPECT_NEAR(drawn.col(4).mean(), data.values.col(4).mean(), 0.08);
}

TEST(noise_that_is_not_normal_is_drawn_as_it_is) {
  Random random(13);
  for (const bool heavy : {false, true}) {
    Vector noise(3000);
    for (Index r = 0; r < 3000; ++r) {
      const double z = random.normal();
      noise[r] = heavy ? z / std::sqrt(0.05 + random.uniform()) : -std::log(random.uniform()) - 1;
    }
    noise = (noise.array() - noise.mean()).eval();
    noise /= std::sqrt(noise.squaredNorm() / 3000);
    const ResidualDensity density(noise, 2);
    EXPECT(!density.normal());
    Vector drawn(100000);
    for (Index r = 0; r < drawn.size(); ++r) {
      drawn[r] = density.draw({random.uniform(), random.normal()});
    }
    EXPECT_NEAR(drawn.mean(), 0, 0.02);
    EXPECT_NEAR(drawn.squaredNorm() / 1e5, 1, 0.06);
    const double skewness = drawn.array().cube().mean(), was = noise.array().cube().mean();
    EXPECT_NEAR(skewness, was, heavy ? 1 : 0.4);
    // It is a density, and better than the normal one.
    double integral = 0, gain = 0;
    for (double x = -60; x < 60; x += 0.002) integral += 0.002 * std::exp(density.log_density(x));
    EXPECT_NEAR(integral, 1, 0.01);
    for (Index r = 0; r < 3000; ++r) {
      gain += density.log_density(noise[r]) - log_normal(noise[r], 0, 1);
    }
    EXPECT(gain > 100);
    EXPECT(density.parameters() > 2 && density.parameters() < 100);
  }
  Vector normal(3000);
  for (Index r = 0; r < 3000; ++r) normal[r] = random.normal();
  EXPECT(ResidualDensity(normal.array() - normal.mean(), 2).normal());
}

TEST(units_change_nothing_but_the_units) {
  Random random(14);
  Matrix X = normal_matrix(500, 2, random);
  X.col(1) = X.col(0).array().square() + 0.5 * X.col(1).array();
  Matrix Y = X;
  Y.col(0) = 7 + 1e-3 * X.col(0).array();
  Y.col(1) = 1e5 * X.col(1).array();
  const Families one = fit(numbers(X), {{}, {0}}, {}), two = fit(numbers(Y), {{}, {0}}, {});
  const Matrix left = one.predict(X), right = two.predict(Y);
  EXPECT_NEAR((left.col(1) - right.col(1) / 1e5).cwiseAbs().maxCoeff(), 0, 1e-6);
  EXPECT_NEAR(one.log_likelihood(X).col(1).sum(),
              two.log_likelihood(Y).col(1).sum() + 500 * std::log(1e5), 1e-4);
}

TEST(a_constant_has_a_density) {
  Matrix X = Matrix::Constant(20, 2, 3);
  for (Index r = 0; r < 20; ++r) X(r, 0) = static_cast<double>(r);
  const Families families = fit(numbers(X), {{1}, {}}, {});
  EXPECT(families.log_likelihood(X).allFinite());
  EXPECT_NEAR(families.predict(X)(0, 1), 3, 1e-12);
  EXPECT_NEAR(families.predict(X)(0, 0), 9.5, 1e-9);
}

TEST(coefficients_of_incomplete_data_are_near_those_of_complete_ones) {
  Random random(31);
  Data data = linear_data(2000, random);
  for (Index k = 0; k < data.values.size(); ++k) {
    if (random.uniform() < 0.3) data.values(k) = missing;
  }
  const NetworkFit found =
      fit_families(data.samples(), chain, with_effects(Effects::linear), true, serial);
  const EffectMatrices effects(found.effects, 3);
  // Values of other rows in place of the missing ones would halve the slopes.
  EXPECT_NEAR(effects.weights(0, 1), 0.3, 0.03);
  EXPECT_NEAR(effects.weights(1, 2), 4, 0.4);
}
