#include "base/random.h"
#include "constraint/acyclicity.h"

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

Matrix random_squares(Index m, double size, Random& random) {
  Matrix S(m, m);
  for (Index k = 0; k < S.size(); ++k) S(k) = size * random.uniform();
  S.diagonal().setZero();
  return S;
}

double value(Constraint constraint, const Matrix& S) {
  Matrix dS;
  return acyclicity(constraint, S, dS);
}

// 1 / m, or less where the row sums of S need more room.
double polynomial_alpha(const Matrix& S) {
  const double scale = std::max(1.0, Acyclicity::margin * spectral_bound(S));
  return 1 / (static_cast<double>(S.rows()) * scale);
}

// Slow twins, term by term.
double slow_polynomial(const Matrix& S) {
  const Index m = S.rows();
  const double alpha = polynomial_alpha(S);
  Matrix power = Matrix::Identity(m, m);
  for (Index k = 0; k < m; ++k) power *= Matrix::Identity(m, m) + alpha * S;
  return power.trace() - static_cast<double>(m);
}

double slow_exponential(const Matrix& S) {
  Matrix term = Matrix::Identity(S.rows(), S.rows());
  double h = 0;
  for (int k = 1; k < 200; ++k) {
    term = term * S / k;
    h += term.trace();
  }
  return h;
}

// -log det(I - S / s) is the sum of tr (S / s)^k / k.
double slow_logdet(const Matrix& S, double s) {
  Matrix power = Matrix::Identity(S.rows(), S.rows());
  double h = 0;
  for (int k = 1; k < 5000; ++k) {
    power = power * S / s;
    h += power.trace() / k;
  }
  return h;
}

}  // namespace

TEST(a_dag_has_h_zero) {
  Random random(1);
  for (const auto& [name, constraint] : constraint_names) {
    for (Index m : {1, 2, 5, 20}) {
      const Matrix S = random_squares(m, 2, random).triangularView<Eigen::StrictlyUpper>();
      EXPECT_NEAR(value(constraint, S), 0, 1e-10);
    }
  }
}

TEST(a_cycle_has_a_positive_h) {
  for (const auto& [name, constraint] : constraint_names) {
    for (Index m : {2, 3, 6}) {
      Matrix S = Matrix::Zero(m, m);
      for (Index i = 0; i < m; ++i) S(i, (i + 1) % m) = 0.9;
      EXPECT(value(constraint, S) > 1e-9);
    }
  }
}

TEST(the_polynomial_is_the_power_multiplied_out) {
  Random random(2);
  for (Index m : {1, 2, 3, 7, 8, 20, 33}) {
    for (double size : {0.05, 1.0, 10.0}) {
      const Matrix S = random_squares(m, size, random);
      EXPECT_NEAR(value(Constraint::polynomial, S), slow_polynomial(S), 1e-11);
    }
  }
}

// Gradient of tr P^m: m alpha (P^(m - 1))^T, with the power multiplied out.
TEST(the_gradient_of_the_polynomial_is_its_power) {
  Random random(8);
  for (Index m : {1, 2, 5, 17, 60, 130}) {
    for (double size : {0.001, 0.02, 1.0}) {
      const Matrix S = random_squares(m, size, random);
      const double alpha = polynomial_alpha(S);
      Matrix power = Matrix::Identity(m, m), dS;
      for (Index k = 1; k < m; ++k) power *= Matrix::Identity(m, m) + alpha * S;
      acyclicity(Constraint::polynomial, S, dS);
      const Matrix slow = alpha * static_cast<double>(m) * power.transpose();
      EXPECT_NEAR((dS - slow).cwiseAbs().maxCoeff(), 0, 1e-13);
    }
  }
}

// tr P^m - m, subtracted after the fact, would lose all digits here.
TEST(a_tiny_h_keeps_its_digits) {
  const Index m = 20;
  Matrix S = Matrix::Zero(m, m);
  S(0, 1) = S(1, 0) = 1e-9;
  const double pairs = static_cast<double>(m * (m - 1)) / 2;
  const double expected = pairs * 2 * 1e-18 / static_cast<double>(m * m);
  EXPECT_NEAR(value(Constraint::polynomial, S) / expected, 1, 1e-9);
  EXPECT_NEAR(value(Constraint::exponential, S) / 1e-18, 1, 1e-9);
}

TEST(what_is_kept_from_call_to_call_does_not_show) {
  Random random(9);
  SerialExecutor executor;
  for (const auto& [name, constraint] : constraint_names) {
    Acyclicity kept(constraint, executor);
    for (Index m : {7, 30, 4}) {
      for (double size : {0.01, 3.0}) {
        const Matrix S = random_squares(m, size, random);
        Matrix dS, fresh;
        EXPECT(kept(S, dS) == acyclicity(constraint, S, fresh));
        EXPECT(dS == fresh);
      }
    }
  }
}

TEST(the_polynomial_stays_finite_for_huge_weights) {
  Random random(3);
  const Matrix S = random_squares(60, 1e6, random);
  EXPECT(std::isfinite(value(Constraint::polynomial, S)));
  // Each of the m eigenvalues contributes at most e.
  EXPECT(value(Constraint::polynomial, S) <= 60 * std::exp(1.0));
}

TEST(the_exponential_is_its_series) {
  Random random(4);
  for (Index m : {2, 5, 12}) {
    const Matrix S = random_squares(m, 0.5, random);
    EXPECT_NEAR(value(Constraint::exponential, S), slow_exponential(S), 1e-8);
  }
}

TEST(the_log_determinant_is_its_series) {
  Random random(5);
  for (Index m : {2, 5, 12}) {
    const Matrix S = random_squares(m, 0.9 / static_cast<double>(m), random);
    EXPECT_NEAR(value(Constraint::logdet, S), slow_logdet(S, 1), 1e-9);
  }
}

TEST(gradients_agree_with_finite_differences) {
  Random random(6);
  for (const auto& [name, constraint] : constraint_names) {
    for (Index m : {2, 3, 6}) {
      // Row sums up to one, and well beyond, as those of ordinary weights are.
      for (double row_sum : {0.9, 2.0, 8.0}) {
        const Matrix S = random_squares(m, row_sum / static_cast<double>(m), random);
        SerialExecutor executor;
        Acyclicity h(constraint, executor);
        h.set_scale(std::max(1.0, Acyclicity::room * spectral_bound(S)));
        Matrix dS, ignored;
        h(S, dS);
        const Matrix slow =
            finite_differences<Matrix>([&](const Matrix& point) { return h(point, ignored); }, S);
        EXPECT_NEAR((dS - slow).cwiseAbs().maxCoeff() / dS.cwiseAbs().maxCoeff(), 0, 1e-7);
      }
    }
  }
}

// A cycle of two with S = s: h is (1 + s / (m scale))^m and so on, for the scale that was set.
TEST(the_scale_that_was_set_is_used_until_it_is_outgrown) {
  SerialExecutor executor;
  Matrix S = Matrix::Zero(2, 2), dS;
  S(0, 1) = S(1, 0) = 3;
  Acyclicity polynomial(Constraint::polynomial, executor);
  Acyclicity logdet(Constraint::logdet, executor);
  polynomial.set_scale(4);
  logdet.set_scale(4);
  EXPECT(polynomial.covers(S) && logdet.covers(S));
  EXPECT_NEAR(polynomial(S, dS), 2 * std::pow(3.0 / 8, 2), 1e-12);
  EXPECT_NEAR(logdet(S, dS), -std::log(1 - std::pow(3.0 / 4, 2)), 1e-12);
  S *= 2;
  EXPECT(!polynomial.covers(S) && !logdet.covers(S));
  EXPECT_NEAR(logdet(S, dS), -std::log(1 - std::pow(1 / Acyclicity::margin, 2)), 1e-12);
  // The exponential has no scale.
  EXPECT(Acyclicity(Constraint::exponential, executor).covers(S));
}

TEST(the_spectral_bound_is_one) {
  Random random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix S = random_squares(1 + random.below(8), 3, random);
    EXPECT(spectral_bound(S) + 1e-12 >= S.eigenvalues().cwiseAbs().maxCoeff());
  }
  EXPECT_NEAR(spectral_bound(Matrix(0, 0)), 0, 0);
}
