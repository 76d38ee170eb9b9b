#include "optim/penalty.h"

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

double penalise(Penalty penalty, double weight, const Matrix& S, const Matrix& penalty_factors,
                Matrix& dS) {
  return penalty_forward_backward(penalty, weight, S.size(), S.data(), penalty_factors.data(),
                                  dS.data());
}

double value(Penalty penalty, double weight, const Matrix& S, const Matrix& penalty_factors) {
  Matrix dS = Matrix::Zero(S.rows(), S.cols());
  return penalise(penalty, weight, S, penalty_factors, dS);
}

// Squares of strengths on both sides of Huber's corner.
Matrix some_squares() {
  Matrix A(3, 3);
  A << 0, 0.05, 2, 0.5, 0, 0.02, 0.09, 1, 0;
  return A.cwiseProduct(A);
}

const Matrix nothing = Matrix::Zero(3, 3), full = Matrix::Ones(3, 3);

}  // namespace

TEST(l1_is_the_sum_of_strengths) {
  EXPECT_NEAR(value(Penalty::l1, 2, some_squares(), full), 2 * some_squares().cwiseSqrt().sum(),
              1e-12);
}

TEST(huber_is_a_square_below_its_corner_and_a_line_above) {
  Matrix small = nothing, large = nothing;
  small(0, 1) = 0.05 * 0.05;
  large(0, 1) = 4;
  EXPECT_NEAR(value(Penalty::huber, 1, small, full), 0.05 * 0.05 / (2 * huber_corner), 1e-12);
  EXPECT_NEAR(value(Penalty::huber, 1, large, full), 2 - huber_corner / 2, 1e-12);
}

TEST(huber_is_continuous_at_its_corner) {
  Matrix below = nothing, above = nothing;
  below(1, 0) = std::pow(huber_corner * (1 - 1e-9), 2);
  above(1, 0) = std::pow(huber_corner * (1 + 1e-9), 2);
  EXPECT_NEAR(value(Penalty::huber, 1, below, full), value(Penalty::huber, 1, above, full), 1e-9);
}

TEST(no_penalty_and_no_weight_cost_nothing) {
  Matrix dS = Matrix::Zero(3, 3);
  EXPECT_NEAR(penalise(Penalty::none, 5, some_squares(), full, dS), 0, 0);
  EXPECT_NEAR(penalise(Penalty::l1, 0, some_squares(), full, dS), 0, 0);
  EXPECT_NEAR(dS.norm(), 0, 0);
}

TEST(each_edge_has_its_own_penalty_factor) {
  Matrix penalty_factors = full;
  penalty_factors(0, 2) = 0;
  penalty_factors(1, 0) = 3;
  for (Penalty penalty : {Penalty::l1, Penalty::huber}) {
    Matrix without = some_squares(), alone = nothing;
    without(0, 2) = 0;
    alone(1, 0) = some_squares()(1, 0);
    EXPECT_NEAR(value(penalty, 1, some_squares(), penalty_factors),
                value(penalty, 1, without, full) + 2 * value(penalty, 1, alone, full), 1e-12);
    Matrix dS = nothing;
    penalise(penalty, 1, some_squares(), penalty_factors, dS);
    EXPECT_NEAR(dS(0, 2), 0, 0);
  }
}

TEST(gradients_agree_with_finite_differences_and_accumulate) {
  const Matrix S = some_squares();
  for (Penalty penalty : {Penalty::l1, Penalty::huber}) {
    Matrix dS = Matrix::Constant(3, 3, 7);
    penalise(penalty, 0.3, S, full, dS);
    const Matrix slow = finite_differences<Matrix>(
        [&](const Matrix& point) { return value(penalty, 0.3, point.cwiseMax(0.0), full); }, S,
        1e-8);
    for (Index k = 0; k < S.size(); ++k) {
      if (S(k) > 0) EXPECT_NEAR(dS(k) - 7, slow(k), 1e-5 * std::max(1.0, slow(k)));
    }
  }
}
