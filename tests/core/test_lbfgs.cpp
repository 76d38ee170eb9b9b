#include "base/random.h"
#include "optim/lbfgs.h"

#include "expect.h"

using namespace daggnn;

namespace {

const double infinity = std::numeric_limits<double>::infinity();
const auto always = [] { return true; };

// 1 / 2 (x - a)' H (x - a)
struct Quadratic {
  Matrix H;
  Vector a;
  bool knows_curvature = true;

  double operator()(const Vector& x, Vector& df, Vector& curvature) const {
    df = H * (x - a);
    curvature = knows_curvature ? Vector(H.diagonal()) : Vector::Ones(x.size());
    return (x - a).dot(df) / 2;
  }
};

Quadratic random_quadratic(Index size, Random& random) {
  Quadratic f;
  Matrix B(size, size);
  f.a.resize(size);
  for (Index k = 0; k < B.size(); ++k) B(k) = random.normal();
  for (Index k = 0; k < size; ++k) f.a[k] = random.normal();
  f.H = B * B.transpose() + 0.1 * Matrix::Identity(size, size);
  return f;
}

double rosenbrock(const Vector& x, Vector& df, Vector& curvature) {
  const double u = 1 - x[0], v = x[1] - x[0] * x[0];
  df << -2 * u - 400 * x[0] * v, 200 * v;
  curvature.setOnes();
  return u * u + 100 * v * v;
}

LbfgsControl precise() {
  LbfgsControl control;
  control.gradient_tolerance = 1e-9;
  control.value_tolerance = 0;
  return control;
}

}  // namespace

TEST(a_quadratic_without_bounds_is_minimised) {
  Random random(1);
  for (Index size : {1, 2, 10, 40}) {
    for (bool knows : {true, false}) {
      Quadratic f = random_quadratic(size, random);
      f.knows_curvature = knows;
      Vector x = Vector::Zero(size);
      const Minimum minimum = minimise(f, Vector::Constant(size, -infinity), precise(), x, always);
      EXPECT(minimum.ended == Ended::gradient || minimum.ended == Ended::value);
      EXPECT_NEAR((x - f.a).cwiseAbs().maxCoeff(), 0, 1e-6);
    }
  }
}

// Where x is at its bound the slope may only push against it, elsewhere there is none.
TEST(bounds_hold_and_the_optimality_conditions_with_them) {
  Random random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const Quadratic f = random_quadratic(12, random);
    const Vector lower = Vector::Constant(12, -0.1);
    Vector x = Vector::Constant(12, 5.0), df(12), curvature(12);
    minimise(f, lower, precise(), x, always);
    f(x, df, curvature);
    for (Index k = 0; k < 12; ++k) {
      EXPECT(x[k] >= -0.1);
      if (x[k] > -0.1) {
        EXPECT_NEAR(df[k], 0, 1e-6);
      } else {
        EXPECT(df[k] >= 0);
      }
    }
  }
}

TEST(the_valley_of_rosenbrock_is_followed_to_its_end) {
  Vector x(2);
  x << -1.2, 1;
  minimise(rosenbrock, Vector::Constant(2, -infinity), precise(), x, always);
  EXPECT_NEAR(x[0], 1, 1e-6);
  EXPECT_NEAR(x[1], 1, 1e-6);
}

TEST(a_step_into_infinity_is_taken_back) {
  const auto f = [](const Vector& x, Vector& df, Vector& curvature) {
    curvature.setConstant(1e-6);
    df[0] = 1 - 1 / x[0];
    return x[0] <= 0 ? infinity : x[0] - std::log(x[0]);
  };
  Vector x = Vector::Constant(1, 5.0);
  minimise(f, Vector::Constant(1, -infinity), precise(), x, always);
  EXPECT_NEAR(x[0], 1, 1e-6);
}

TEST(a_search_that_is_stopped_never_ends_higher_than_it_began) {
  for (int allowed = 0; allowed < 20; ++allowed) {
    Vector x(2), df(2), curvature(2);
    x << -1.2, 1;
    const double before = rosenbrock(x, df, curvature);
    int calls = 0;
    const Minimum minimum = minimise(rosenbrock, Vector::Constant(2, -infinity), precise(), x,
                                     [&] { return calls++ < allowed; });
    EXPECT(minimum.ended == Ended::stopped);
    EXPECT(rosenbrock(x, df, curvature) <= before);
    EXPECT_NEAR(rosenbrock(x, df, curvature), minimum.f, 1e-12);
  }
}

TEST(nothing_to_move_is_a_minimum) {
  Vector x(0);
  const auto f = [](const Vector&, Vector&, Vector&) { return 3.0; };
  const Minimum minimum = minimise(f, Vector(0), LbfgsControl(), x, always);
  EXPECT(minimum.ended == Ended::gradient);
  EXPECT_NEAR(minimum.f, 3, 0);
}

TEST(a_start_that_is_not_finite_is_said) {
  Vector x = Vector::Zero(1);
  const auto f = [](const Vector&, Vector&, Vector&) { return infinity; };
  EXPECT(minimise(f, Vector::Zero(1), LbfgsControl(), x, always).ended == Ended::no_descent);
}

TEST(senseless_controls_are_refused) {
  LbfgsControl control;
  control.memory = 0;
  EXPECT_THROWS(control.check());
  control = LbfgsControl();
  control.flatter = 1e-5;
  EXPECT_THROWS(control.check());
}
