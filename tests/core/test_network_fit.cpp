#include <daggnn/network_fit.h>
#include <daggnn/random.h>

#include <cmath>
#include <vector>

#include "expect.h"

using namespace daggnn;

namespace {

Vector begin(const ScalarNetwork& f, const Vector& x) {
  std::vector<double> typical(x.data(), x.data() + x.size());
  std::sort(typical.begin(), typical.end());
  Vector weights(f.parameters());
  f.initialise(weights.data(), typical);
  return weights;
}

}  // namespace

TEST(the_jacobian_agrees_with_the_gradient) {
  const ScalarNetwork f(4);
  Random random(1);
  Vector x(7), ones = Vector::Ones(7);
  for (Index k = 0; k < 7; ++k) x[k] = random.normal();
  Vector weights = begin(f, x);
  for (Index k = 0; k < weights.size(); ++k) weights[k] += 0.3 * random.normal();
  Matrix J, ignored = Matrix::Zero(7, 1);
  f.jacobian(weights.data(), x, J);
  Vector dweights = Vector::Zero(f.parameters());
  f.backward(weights.data(), x, ones, ignored, dweights.data());
  EXPECT_NEAR((J.colwise().sum().transpose() - dweights).norm(), 0, 1e-12);
}

TEST(a_curve_is_fitted_down_to_its_noise) {
  const ScalarNetwork f(12);
  Random random(2);
  const Index n = 3000;
  Vector x(n), y(n);
  for (Index k = 0; k < n; ++k) {
    x[k] = 3 * random.normal();
    y[k] = 2 * std::sin(x[k]) + x[k] + 0.1 * random.normal();
  }
  Vector weights = begin(f, x);
  const double before = (y - x).squaredNorm();
  const double after = fit_network(f, x, y, 100, weights);
  EXPECT(before / n > 1.5);
  EXPECT(after / n < 0.05);
}

TEST(rounding_in_the_data_stays_rounding_in_the_fit) {
  const ScalarNetwork f(16);
  Random random(3);
  const Index n = 500;
  Vector x(n), y(n), nearly(n);
  for (Index k = 0; k < n; ++k) {
    x[k] = random.normal();
    y[k] = x[k] + random.normal();
    nearly[k] = x[k] * (1 + 4e-16 * random.normal());
  }
  // Units that do nothing yet: the case that leaves most of the weights undetermined.
  Vector weights = begin(f, x), others = weights;
  fit_network(f, x, y, 10, weights);
  fit_network(f, nearly, y, 10, others);
  EXPECT_NEAR((weights - others).cwiseAbs().maxCoeff(), 0, 1e-9);
}

TEST(the_identity_has_nothing_to_fit) {
  Vector x(2), y(2), none(0);
  x << 1, 2;
  y << 1, 4;
  EXPECT_NEAR(fit_network(ScalarNetwork(0), x, y, 10, none), 4, 1e-15);
}
