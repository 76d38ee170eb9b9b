#include "base/random.h"
#include "linalg/inverse.h"

#include "expect.h"

using namespace daggnn;

namespace {

Matrix dominant(Index m, Random& random) {
  Matrix M(m, m);
  for (Index k = 0; k < M.size(); ++k) M(k) = -random.uniform();
  M.diagonal().setZero();
  M.diagonal() = 1.01 * M.rowwise().lpNorm<1>().array() + 0.1;
  return M;
}

}  // namespace

TEST(it_is_the_inverse_and_the_determinant) {
  Random random(1);
  SerialExecutor executor;
  DominantInverse inverse;
  for (Index m : {1, 2, 7, 24, 25, 60, 131}) {
    const Matrix M = dominant(m, random);
    Matrix result = M;
    const double log_determinant = inverse(result, executor);
    EXPECT_NEAR((result * M - Matrix::Identity(m, m)).cwiseAbs().maxCoeff(), 0, 1e-11);
    const Eigen::PartialPivLU<Matrix> lu(M);
    const double slow = lu.matrixLU().diagonal().array().abs().log().sum();
    EXPECT_NEAR(log_determinant, slow, 1e-11 * std::max(1.0, std::abs(slow)));
    EXPECT_NEAR((result - lu.inverse()).cwiseAbs().maxCoeff(), 0, 1e-11);
  }
}

TEST(an_empty_matrix_has_determinant_one) {
  SerialExecutor executor;
  DominantInverse inverse;
  Matrix nothing(0, 0);
  EXPECT_NEAR(inverse(nothing, executor), 0, 0);
}

TEST(not_a_number_comes_out_as_such) {
  Random random(2);
  SerialExecutor executor;
  DominantInverse inverse;
  Matrix M = dominant(40, random);
  M(3, 30) = std::nan("");
  EXPECT(std::isnan(inverse(M, executor)));
}
