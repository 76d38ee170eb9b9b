#include "base/random.h"
#include "nn/scalar_network.h"

#include <vector>

#include "expect.h"

using namespace daggnn;

namespace {

// More elements than one block holds.
constexpr Index rows = 100, columns = 6;

Matrix some_numbers(std::uint64_t seed) {
  Random random(seed);
  Matrix X(rows, columns);
  for (Index k = 0; k < X.size(); ++k) X(k) = 2 * random.normal();
  return X;
}

std::vector<double> some_weights(const ScalarNetwork& f) {
  std::vector<double> weights(static_cast<std::size_t>(f.parameters()));
  f.initialise(weights.data(), {-4, -1, 0, 0.5, 1, 3});
  Random random(2);
  for (double& weight : weights) weight += 0.5 * random.normal();
  return weights;
}

}  // namespace

TEST(it_begins_as_the_identity) {
  const ScalarNetwork f(5);
  std::vector<double> weights(static_cast<std::size_t>(f.parameters()));
  f.initialise(weights.data(), {-1, 0, 2});
  EXPECT_NEAR(f(weights.data(), 0.7), 0.7, 1e-15);
}

TEST(matrix_slope_and_number_agree) {
  const ScalarNetwork f(5);
  const std::vector<double> weights = some_weights(f);
  const Matrix X = some_numbers(1);
  Matrix Y, same, slope;
  f.forward(weights.data(), X, Y);
  f.forward_slope(weights.data(), X, same, slope);
  EXPECT_NEAR((Y - same).norm(), 0, 0);
  constexpr double step = 1e-5;
  for (Index k = 0; k < X.size(); k += 37) {
    EXPECT_NEAR(Y(k), f(weights.data(), X(k)), 1e-12);
    const double rise = f(weights.data(), X(k) + step) - f(weights.data(), X(k) - step);
    EXPECT_NEAR(slope(k), rise / (2 * step), 1e-6);
  }
}

TEST(the_gradient_is_right) {
  for (const Index hidden : {0, 1, 5}) {
    const ScalarNetwork f(hidden);
    std::vector<double> weights = some_weights(f);
    Matrix X = some_numbers(1), Y;
    const Matrix dY = some_numbers(3);
    Matrix dX = Matrix::Zero(rows, columns);
    std::vector<double> dweights(weights.size(), 0.0);
    f.backward(weights.data(), X, dY, dX, dweights.data());
    constexpr double step = 1e-5;
    const auto value = [&] {
      f.forward(weights.data(), X, Y);
      return Y.cwiseProduct(dY).sum();
    };
    const auto slope = [&](double& number) {
      const double at = number;
      number = at + step;
      const double above = value();
      number = at - step;
      const double below = value();
      number = at;
      return (above - below) / (2 * step);
    };
    for (std::size_t k = 0; k < weights.size(); ++k) {
      EXPECT_NEAR(slope(weights[k]), dweights[k], 1e-4);
    }
    for (Index k = 0; k < X.size(); k += 41) EXPECT_NEAR(slope(X(k)), dX(k), 1e-6);
  }
}

TEST(scaling_the_weights_scales_the_function) {
  const ScalarNetwork f(4);
  std::vector<double> weights = some_weights(f);
  const double before = f(weights.data(), 1.3);
  f.scale(weights.data(), 2.5);
  EXPECT_NEAR(f(weights.data(), 1.3), 2.5 * before, 1e-12);
}

TEST(every_set_of_kernels_agrees_with_the_plain_loops) {
  for (const Index hidden : {1, 5, 16}) {
    const ScalarNetwork f(hidden);
    std::vector<double> weights = some_weights(f);
    Matrix X = some_numbers(1);
    X(3) = 1e200;
    X(4) = -1e60;
    const Matrix dY = some_numbers(3);
    Matrix Y, dX = Matrix::Ones(rows, columns);
    Vector dweights = Vector::Ones(f.parameters());
    Matrix small = X;
    small(3) = small(4) = 1;
    f.forward(weights.data(), small, Y, nullptr);
    f.backward(weights.data(), small, dY, dX, dweights.data(), nullptr);
    for (const Kernels* kernels : kernel_sets()) {
      Matrix other, dother = Matrix::Ones(rows, columns);
      Vector dothers = Vector::Ones(f.parameters());
      f.forward(weights.data(), small, other, kernels);
      f.backward(weights.data(), small, dY, dother, dothers.data(), kernels);
      EXPECT_NEAR((other - Y).cwiseAbs().maxCoeff(), 0, 1e-12);
      EXPECT_NEAR((dother - dX).cwiseAbs().maxCoeff(), 0, 1e-12);
      EXPECT_NEAR((dothers - dweights).cwiseAbs().maxCoeff(), 0, 1e-10);
      // What forward() keeps saves work and changes nothing, wherever the values begin and end.
      for (const Index count : {X.size() - 1, Index{13}}) {
        Vector roots(f.roots_size(count, kernels)), once = Vector::Zero(f.parameters()),
                                                    twice = once;
        Matrix kept = Matrix::Zero(count, 1), anew = kept;
        f.forward(weights.data(), count, small.data() + 1, other.data() + 1, roots.data(), kernels);
        f.backward(weights.data(), count, small.data() + 1, roots.data(), dY.data() + 1,
                   kept.data(), once.data(), kernels);
        f.backward(weights.data(), count, small.data() + 1, nullptr, dY.data() + 1, anew.data(),
                   twice.data(), kernels);
        EXPECT_NEAR((kept - anew).norm(), 0, 0);
        EXPECT_NEAR((once - twice).norm(), 0, 0);
      }
      // Far out each unit has reached its end.
      f.forward(weights.data(), X, other, kernels);
      EXPECT_NEAR(other(3) / (weights[0] * 1e200), 1, 1e-12);
      EXPECT_NEAR(other(4) / (weights[0] * -1e60), 1, 1e-12);
      Matrix broken = small;
      broken(5) = std::numeric_limits<double>::quiet_NaN();
      f.forward(weights.data(), broken, other, kernels);
      EXPECT(std::isnan(other(5)));
      EXPECT(std::isfinite(other(6)));
    }
  }
}
