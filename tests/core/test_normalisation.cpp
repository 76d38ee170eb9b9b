#include "base/random.h"
#include "nn/normalisation.h"

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

Matrix random_matrix(Index rows, Index columns, Random& random) {
  Matrix X(rows, columns);
  for (Index k = 0; k < X.size(); ++k) X(k) = 3 + random.normal();
  return X;
}

Normalisation normalisation_of(const Matrix& in, const Matrix& out, const Kernels* kernels) {
  Normalisation result;
  result.reset(in.cols());
  for (Index c = 0; c < in.cols(); ++c) {
    result.accumulate_moments(c, in.rows(), in.col(c).data(), out.col(c).data(), kernels);
  }
  result.set_factor(in.rows());
  return result;
}

}  // namespace

TEST(what_is_rescaled_has_the_spread_of_what_went_in) {
  Random random(1);
  const Matrix in = random_matrix(50, 3, random), out = 7 * random_matrix(50, 3, random);
  const double factor = normalisation_of(in, out, nullptr).factor;
  EXPECT_NEAR(Normalisation::square(factor * out) / Normalisation::square(in), 1, 1e-6);
  EXPECT_NEAR(normalisation_of(Matrix::Ones(5, 2), Matrix::Ones(5, 2), nullptr).factor, 1, 0);
}

TEST(every_set_of_kernels_agrees_with_the_plain_loops) {
  Random random(2);
  for (const Kernels* kernels : kernel_sets()) {
    for (const Index n : {1, 7, 8, 100, 103}) {
      const Matrix in = random_matrix(n, 2, random), out = random_matrix(n, 2, random);
      const Normalisation plain = normalisation_of(in, out, nullptr);
      const Normalisation quick = normalisation_of(in, out, kernels);
      EXPECT_NEAR((plain.in_mean - quick.in_mean).norm(), 0, 1e-13);
      EXPECT_NEAR((plain.out_part - quick.out_part).norm(), 0, 1e-11);
      const Matrix scaled = plain.factor * out, slopes = random_matrix(n, 2, random);
      Matrix slow = slopes, fast = slopes, slow_in = slopes, fast_in = slopes;
      for (Index c = 0; c < 2; ++c) {
        const double *const x = in.col(c).data(), *const y = scaled.col(c).data();
        plain.backward(c, n, 0.7, x, y, slow.col(c).data(), slow_in.col(c).data(), nullptr);
        plain.backward(c, n, 0.7, x, y, fast.col(c).data(), fast_in.col(c).data(), kernels);
      }
      EXPECT_NEAR((slow - fast).norm(), 0, 1e-12);
      EXPECT_NEAR((slow_in - fast_in).norm(), 0, 1e-12);
      plain.backward(0, n, 0.7, in.data(), scaled.data(), fast.data(), nullptr, kernels);
    }
  }
}

TEST(gradients_agree_with_finite_differences) {
  Random random(3);
  const Matrix in = random_matrix(6, 2, random), out = random_matrix(6, 2, random);
  const Matrix slopes = random_matrix(6, 2, random);
  const auto value = [&](const Matrix& from, const Matrix& to) {
    return normalisation_of(from, to, nullptr).factor * to.cwiseProduct(slopes).sum();
  };
  const Normalisation normalisation = normalisation_of(in, out, nullptr);
  const Matrix scaled = normalisation.factor * out;
  Matrix dout = slopes, din = Matrix::Zero(6, 2);
  for (Index c = 0; c < 2; ++c) {
    normalisation.backward(c, 6, slopes.cwiseProduct(scaled).sum(), in.col(c).data(),
                           scaled.col(c).data(), dout.col(c).data(), din.col(c).data());
  }
  const Matrix slow_out =
      finite_differences<Matrix>([&](const Matrix& x) { return value(in, x); }, out, 1e-6);
  const Matrix slow_in =
      finite_differences<Matrix>([&](const Matrix& x) { return value(x, out); }, in, 1e-6);
  EXPECT_NEAR((dout - slow_out).norm(), 0, 1e-6);
  EXPECT_NEAR((din - slow_in).norm(), 0, 1e-6);
}
