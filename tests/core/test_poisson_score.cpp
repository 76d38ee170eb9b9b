#include "scores/poisson_score.h"

#include <cmath>

#include "base/random.h"
#include "likelihood/poisson.h"
#include "mixed_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

struct CountData {
  MixedData data;
  Samples samples;
};

// A factor, a number, and a count of both.
CountData count_data(Index n, Index copies = 1) {
  Random random(5);
  Matrix values(n, 3);
  for (Index r = 0; r < n; ++r) {
    const double a = static_cast<double>(random.below(2)), x = random.normal();
    const double rate = std::exp(0.5 + 0.4 * x + 0.6 * a);
    values.row(r) << a, x, draw_count(rate, {random.uniform(), random.normal()});
  }
  static MixedData held;
  held = mixed_data(values.replicate(copies, 1), {2, 0, 0});
  held.blocks[2].responses = 0;
  Samples samples(MatrixView(held.values.data(), n * copies, 3), held.kinds, held.widths, {},
                  {Distribution::normal, Distribution::normal, Distribution::poisson});
  samples.copies = copies;
  return {held, samples};
}

// Of the fit; features: as it had them.
Vector rates(const PoissonRegression& fit, const Matrix& features) {
  const Index p = features.cols();
  return (fit.coefficients[0] + (features * fit.coefficients.tail(p)).array()).exp();
}

}  // namespace

TEST(without_parents_the_rate_is_the_mean) {
  const CountData of = count_data(80);
  const Vector counts = counts_of(of.samples, of.samples.variables[2]);
  double expected = -std::log(80.0) / 2;
  for (Index r = 0; r < 80; ++r) expected += poisson_log_density(counts.mean(), counts[r]);
  const PoissonScore score(of.samples, of.data.features, of.data.blocks);
  EXPECT_NEAR(score.value(2, {}), expected, 1e-8);
}

TEST(the_fit_is_the_maximum_of_the_likelihood) {
  const CountData of = count_data(120);
  const Vector counts = counts_of(of.samples, of.samples.variables[2]);
  const Matrix X = of.data.features.leftCols(2);
  const PoissonRegression fit = fit_poisson_regression(X, counts);
  const auto likelihood = [&](const PoissonRegression& at) {
    const Vector at_fit = rates(at, X);
    double sum = 0;
    for (Index r = 0; r < counts.size(); ++r) sum += poisson_log_density(at_fit[r], counts[r]);
    return sum;
  };
  EXPECT_NEAR(likelihood(fit), fit.log_likelihood, 1e-8);
  for (Index k = 0; k < 3; ++k) {
    for (const double step : {-0.01, 0.01}) {
      PoissonRegression other = fit;
      other.coefficients[k] += step;
      EXPECT(likelihood(other) < fit.log_likelihood);
    }
  }
}

TEST(coefficients_are_charged) {
  const CountData of = count_data(120);
  const Vector counts = counts_of(of.samples, of.samples.variables[2]);
  const PoissonScore score(of.samples, of.data.features, of.data.blocks);
  const Matrix X = of.data.features.leftCols(2);
  EXPECT_NEAR(score.value(2, {0, 1}),
              fit_poisson_regression(X, counts).log_likelihood - 3.0 / 2 * std::log(120.0), 1e-9);
}

TEST(only_counts_have_a_poisson_score) {
  const CountData of = count_data(50);
  const PoissonScore score(of.samples, of.data.features, of.data.blocks);
  EXPECT(score.value(0, {}) == not_applicable);
  EXPECT(score.value(1, {2}) == not_applicable);
}

TEST(copies_of_the_rows_count_as_one) {
  const double thrice = [] {
    const CountData of = count_data(60, 3);
    return PoissonScore(of.samples, of.data.features, of.data.blocks).value(2, {0, 1});
  }();
  const CountData of = count_data(60);
  const PoissonScore one(of.samples, of.data.features, of.data.blocks);
  EXPECT_NEAR(thrice, one.value(2, {0, 1}), 1e-5);
}

TEST(a_level_without_counts_has_a_finite_score) {
  Vector counts(40);
  Matrix X(40, 1);
  for (Index r = 0; r < 40; ++r) {
    X(r, 0) = r % 2 == 0 ? -1 : 1;
    counts[r] = r % 2 == 0 ? 0 : 3;
  }
  const PoissonRegression fit = fit_poisson_regression(X, counts);
  EXPECT(std::isfinite(fit.log_likelihood));
  EXPECT_NEAR(rates(fit, X)[1], 3, 1e-3);
  EXPECT(rates(fit, X)[0] < 1e-2);
}
