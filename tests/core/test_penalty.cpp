#include <daggnn/penalty.h>

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

double value(Penalty penalty, double weight, const Matrix& S, const Matrix& exempt) {
  Matrix dS = Matrix::Zero(S.rows(), S.cols());
  return penalty_forward_backward(penalty, weight, S, exempt, dS);
}

// Squares of strengths on both sides of Huber's corner.
Matrix some_squares() {
  Matrix A(3, 3);
  A << 0, 0.05, 2, 0.5, 0, 0.02, 0.09, 1, 0;
  return A.cwiseProduct(A);
}

const Matrix nothing = Matrix::Zero(3, 3);

}  // namespace

TEST(l1_is_the_sum_of_strengths) {
  EXPECT_NEAR(value(Penalty::l1, 2, some_squares(), nothing), 2 * some_squares().cwiseSqrt().sum(),
              1e-12);
}

TEST(huber_is_a_square_below_its_corner_and_a_line_above) {
  Matrix small = nothing, large = nothing;
  small(0, 1) = 0.05 * 0.05;
  large(0, 1) = 4;
  EXPECT_NEAR(value(Penalty::huber, 1, small, nothing), 0.05 * 0.05 / (2 * huber_corner), 1e-12);
  EXPECT_NEAR(value(Penalty::huber, 1, large, nothing), 2 - huber_corner / 2, 1e-12);
}

TEST(huber_is_continuous_at_its_corner) {
  Matrix below = nothing, above = nothing;
  below(1, 0) = std::pow(huber_corner * (1 - 1e-9), 2);
  above(1, 0) = std::pow(huber_corner * (1 + 1e-9), 2);
  EXPECT_NEAR(value(Penalty::huber, 1, below, nothing), value(Penalty::huber, 1, above, nothing),
              1e-9);
}

TEST(no_penalty_and_no_weight_cost_nothing) {
  Matrix dS = Matrix::Zero(3, 3);
  EXPECT_NEAR(penalty_forward_backward(Penalty::none, 5, some_squares(), nothing, dS), 0, 0);
  EXPECT_NEAR(penalty_forward_backward(Penalty::l1, 0, some_squares(), nothing, dS), 0, 0);
  EXPECT_NEAR(dS.norm(), 0, 0);
}

TEST(an_exempt_edge_is_free) {
  Matrix exempt = nothing;
  exempt(0, 2) = 1;
  for (Penalty penalty : {Penalty::l1, Penalty::huber}) {
    Matrix without = some_squares();
    without(0, 2) = 0;
    EXPECT_NEAR(value(penalty, 1, some_squares(), exempt), value(penalty, 1, without, nothing),
                1e-12);
    Matrix dS = nothing;
    penalty_forward_backward(penalty, 1, some_squares(), exempt, dS);
    EXPECT_NEAR(dS(0, 2), 0, 0);
  }
}

TEST(gradients_agree_with_finite_differences_and_accumulate) {
  const Matrix S = some_squares();
  for (Penalty penalty : {Penalty::l1, Penalty::huber}) {
    Matrix dS = Matrix::Constant(3, 3, 7);
    penalty_forward_backward(penalty, 0.3, S, nothing, dS);
    const Matrix slow = finite_differences<Matrix>(
        [&](const Matrix& point) { return value(penalty, 0.3, point.cwiseMax(0.0), nothing); }, S,
        1e-8);
    for (Index k = 0; k < S.size(); ++k) {
      if (S(k) > 0) EXPECT_NEAR(dS(k) - 7, slow(k), 1e-5 * std::max(1.0, slow(k)));
    }
  }
}
