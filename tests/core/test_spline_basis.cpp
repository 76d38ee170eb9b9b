#include "features/spline_basis.h"

#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

// Normal, skewed, heavy-tailed and rounded values.
std::vector<Vector> columns() {
  Random random(5);
  const Vector z = normal_vector(400, random);
  return {z, z.array().exp(), z.array().cube(), (3 * z.array()).round()};
}

Vector even(double from, double to, Index count) { return Vector::LinSpaced(count, from, to); }

// The integral of the squared second derivative, by differences.
Vector roughness(const SplineBasis& basis, double from, double to) {
  const Index count = 4001;
  const double step = (to - from) / static_cast<double>(count - 1);
  const Matrix F = basis.evaluate(even(from, to, count));
  const Matrix second =
      (F.bottomRows(count - 2) - 2 * F.middleRows(1, count - 2) + F.topRows(count - 2)) /
      (step * step);
  return second.colwise().squaredNorm().transpose() * step;
}

}  // namespace

TEST(spline_functions_have_mean_0_and_variance_1_and_are_uncorrelated_on_the_data) {
  for (const Vector& values : columns()) {
    const SplineBasis basis(values, 8);
    // Functions that others explain up to rounding are left out, so skewed values have fewer.
    EXPECT(basis.size() >= 5 && basis.size() <= 8);
    const Matrix F = basis.evaluate(values);
    EXPECT(F.cols() == basis.size());
    EXPECT_NEAR(F.colwise().mean().cwiseAbs().maxCoeff(), 0, 1e-7);
    const Matrix G = F.transpose() * F / static_cast<double>(F.rows());
    EXPECT_NEAR((G - Matrix::Identity(F.cols(), F.cols())).cwiseAbs().maxCoeff(), 0, 1e-6);
  }
}

TEST(normal_values_have_as_many_functions_as_were_asked_for) {
  EXPECT(SplineBasis(columns().front(), 8).size() == 8);
}

TEST(the_first_spline_function_is_the_standardised_variable) {
  for (const Vector& values : columns()) {
    const SplineBasis basis(values, 8);
    const double mean = values.mean();
    const double spread = std::sqrt((values.array() - mean).square().mean());
    EXPECT_NEAR(basis.center(), mean, 1e-12);
    EXPECT_NEAR(basis.scale(), spread, 1e-12);
    const Vector standardised = (values.array() - mean) / spread;
    EXPECT_NEAR((basis.evaluate(values).col(0) - standardised).cwiseAbs().maxCoeff(), 0, 1e-12);
  }
}

TEST(spline_functions_are_ordered_from_smooth_to_rough) {
  for (const Vector& values : columns()) {
    const SplineBasis basis(values, 8);
    const Vector rough = roughness(basis, values.minCoeff(), values.maxCoeff());
    EXPECT_NEAR(rough[0], 0, 1e-6 * rough[1]);
    for (Index k = 0; k + 1 < rough.size(); ++k) EXPECT(rough[k + 1] > 1.05 * rough[k]);
  }
}

TEST(a_smaller_basis_is_smoother_but_has_the_same_linear_function) {
  Random random(2);
  const Vector values = normal_vector(200, random);
  for (Index size = 1; size <= 10; ++size) {
    const SplineBasis basis(values, size);
    EXPECT(basis.size() == size);
    EXPECT(basis.evaluate(values).cols() == size);
  }
}

TEST(spline_functions_are_straight_beyond_the_outer_quantiles_and_bent_between) {
  Random random(7);
  const Vector values = normal_vector(1000, random);
  std::vector<double> sorted(values.data(), values.data() + values.size());
  std::sort(sorted.begin(), sorted.end());
  const SplineBasis basis(values, 8);
  const auto bend = [&](double from, double to) {
    const Matrix F = basis.evaluate(even(from, to, 3));
    return (F.row(0) - 2 * F.row(1) + F.row(2)).rightCols(7).cwiseAbs().eval();
  };
  const double low = sorted[10], high = sorted[989];
  EXPECT_NEAR(bend(low - 5, low).maxCoeff(), 0, 1e-8);
  EXPECT_NEAR(bend(high, high + 5).maxCoeff(), 0, 1e-8);
  EXPECT(bend(low, high).maxCoeff() > 0.1);
  EXPECT(bend(high - 0.5, high + 0.5).maxCoeff() > 1e-3);
}

TEST(units_and_origins_do_not_change_the_spline_functions) {
  for (const Vector& values : columns()) {
    const Matrix F = SplineBasis(values, 8).evaluate(values);
    const Vector doubled = values * 1024;
    EXPECT((SplineBasis(doubled, 8).evaluate(doubled).array() == F.array()).all());
    const Vector moved = 3.7 * values.array() + 12.3;
    EXPECT_NEAR((SplineBasis(moved, 8).evaluate(moved) - F).cwiseAbs().maxCoeff(), 0, 1e-5);
  }
}

TEST(few_distinct_values_give_few_functions_that_tell_the_values_apart) {
  for (Index distinct = 2; distinct <= 6; ++distinct) {
    Vector values(120);
    for (Index r = 0; r < values.size(); ++r) {
      values[r] = static_cast<double>((r % distinct) * (r % distinct));
    }
    const SplineBasis basis(values, 8);
    EXPECT(basis.size() == distinct - 1);
    const Matrix F = basis.evaluate(values);
    const Matrix G = F.transpose() * F / 120.0;
    EXPECT_NEAR((G - Matrix::Identity(distinct - 1, distinct - 1)).cwiseAbs().maxCoeff(), 0, 1e-6);
    // Any function of the values is a sum of these and a constant.
    for (Index level = 0; level < distinct; ++level) {
      Vector indicator(120);
      for (Index r = 0; r < 120; ++r) indicator[r] = r % distinct == level;
      indicator.array() -= indicator.mean();
      EXPECT_NEAR((indicator - F * (F.transpose() * indicator) / 120.0).norm(), 0, 1e-5);
    }
  }
}

TEST(a_variable_that_does_not_vary_has_no_basis) {
  EXPECT_THROWS(SplineBasis(Vector::Constant(10, 3), 8));
}
