#include "base/random.h"
#include "linalg/combination.h"
#include "linalg/gemm.h"

#include "expect.h"

using namespace daggnn;

namespace {

Matrix random_matrix(Index rows, Index columns, Random& random) {
  Matrix A(rows, columns);
  for (Index k = 0; k < A.size(); ++k) A(k) = random.normal();
  return A;
}

// Runs its tasks backwards, as if another thread had been faster.
struct BackwardExecutor final : Executor {
  int threads() const override { return 3; }
  void run(Index count, const std::function<void(Index)>& task) override {
    for (Index k = count; k-- > 0;) task(k);
  }
};

}  // namespace

TEST(every_set_of_kernels_agrees_with_the_plain_product) {
  Random random(1);
  SerialExecutor executor;
  for (const Kernels* kernels : kernel_sets()) {
    for (Index M : {1, 5, 24, 100}) {
      for (Index N : {1, 7, 8, 39}) {
        for (Index K : {1, 10, 300}) {
          for (int how = 0; how < 4; ++how) {
            const bool left = how % 2 == 1, right = how / 2 == 1;
            const Matrix A = left ? random_matrix(K, M, random) : random_matrix(M, K, random);
            const Matrix B = right ? random_matrix(N, K, random) : random_matrix(K, N, random);
            const Operand a{A.data(), A.rows(), left}, b{B.data(), B.rows(), right};
            for (double keep : {0.0, 1.0, -0.5}) {
              for (double scale : {0.7, 1.0}) {
                Matrix slow = random_matrix(M, N, random), quick = slow;
                plain_gemm(M, N, K, scale, a, b, keep, slow.data(), M);
                gemm(M, N, K, scale, a, b, keep, quick.data(), M, executor, kernels);
                EXPECT_NEAR((slow - quick).cwiseAbs().maxCoeff(), 0, 1e-11);
              }
            }
          }
        }
      }
    }
  }
}

TEST(a_product_that_is_not_kept_ignores_what_was_there) {
  Random random(2);
  SerialExecutor executor;
  const Matrix A = random_matrix(9, 9, random);
  Matrix C = Matrix::Constant(9, 9, std::numeric_limits<double>::quiet_NaN());
  gemm(9, 9, 9, 1, {A.data(), 9}, {A.data(), 9}, 0, C.data(), 9, executor);
  EXPECT_NEAR((C - A * A).cwiseAbs().maxCoeff(), 0, 1e-13);
}

TEST(tasks_in_any_order_give_the_same_bits) {
  Random random(3);
  SerialExecutor serial;
  BackwardExecutor backward;
  for (Index m : {70, 300}) {
    const Matrix A = random_matrix(m, m, random);
    Matrix one(m, m), other(m, m);
    gemm(m, m, m, 1, {A.data(), m}, {A.data(), m, true}, 0, one.data(), m, serial);
    gemm(m, m, m, 1, {A.data(), m}, {A.data(), m, true}, 0, other.data(), m, backward);
    EXPECT(one == other);
  }
}

TEST(the_products_of_columns_are_symmetric_and_those_of_the_plain_product) {
  Random random(4);
  for (const Kernels* kernels : kernel_sets()) {
    for (Index P : {1, 30, 128, 300}) {
      const Index n = P == 30 ? 5000 : 37;
      const Matrix A = random_matrix(n, P, random);
      Matrix slow(P, P), quick(P, P), backwards(P, P);
      plain_gemm(P, P, n, 0.3, {A.data(), n, true}, {A.data(), n}, 0, slow.data(), P);
      SerialExecutor serial;
      gram(P, n, 0.3, A.data(), quick.data(), serial, kernels);
      EXPECT_NEAR((slow - quick).cwiseAbs().maxCoeff(), 0, 1e-10);
      EXPECT(quick == quick.transpose());
      BackwardExecutor backward;
      gram(P, n, 0.3, A.data(), backwards.data(), backward, kernels);
      EXPECT(quick == backwards);
    }
  }
}

TEST(a_combination_is_subtracted_by_every_set_of_kernels) {
  Random random(5);
  for (const Kernels* kernels : kernel_sets()) {
    for (Index count : {1, 7, 32, 75}) {
      for (Index columns : {0, 1, 20}) {
        const Matrix X = random_matrix(count, columns, random);
        const Vector w = random_matrix(columns, 1, random), y = random_matrix(count, 1, random);
        Vector quick = y;
        subtract_combination(count, columns, X.data(), w.data(), quick.data(), kernels);
        EXPECT_NEAR((quick - (y - X * w)).cwiseAbs().maxCoeff(), 0, 1e-12);
      }
    }
  }
}
