#include "optim/adam.h"

#include "expect.h"

using namespace daggnn;

TEST(the_first_step_is_the_rate_against_the_sign_of_the_gradient) {
  Vector theta = Vector::Zero(3), dtheta(3);
  dtheta << 5, -0.01, 300;
  Adam adam(3);
  adam.step(theta, dtheta, 1, 0.1, 0.02);
  EXPECT_NEAR(theta[0], -0.1, 1e-5);
  EXPECT_NEAR(theta[1], 0.02, 1e-5);
  EXPECT_NEAR(theta[2], -0.02, 1e-5);
}

// Kingma and Ba's algorithm 1 as it is printed, for one parameter.
TEST(steps_follow_the_published_algorithm) {
  const double rate = 0.05;
  double expected = 1, m = 0, v = 0;
  Vector theta = Vector::Ones(1), dtheta(1);
  Adam adam(1);
  for (int t = 1; t <= 50; ++t) {
    const double g = std::sin(t) + 0.3;
    m = 0.9 * m + 0.1 * g;
    v = 0.999 * v + 0.001 * g * g;
    const double m_hat = m / (1 - std::pow(0.9, t)), v_hat = v / (1 - std::pow(0.999, t));
    expected -= rate * m_hat / (std::sqrt(v_hat) + 1e-8);
    dtheta[0] = g;
    adam.step(theta, dtheta, 0, 1e9, rate);
    EXPECT_NEAR(theta[0], expected, 1e-6);
  }
}

TEST(a_quadratic_is_minimised) {
  Vector theta(2), target(2);
  theta << 3, -4;
  target << 1, 2;
  Adam adam(2);
  for (int k = 0; k < 4000; ++k) {
    const Vector dtheta = 2 * (theta - target);
    adam.step(theta, dtheta, 1, 0.01, 0.01);
  }
  EXPECT_NEAR((theta - target).norm(), 0, 1e-3);
}
