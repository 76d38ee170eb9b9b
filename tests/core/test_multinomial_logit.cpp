#include "scores/multinomial_logit.h"

#include "finite_differences.h"
#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

// Levels from logits that depend on two features.
std::vector<Index> draw_codes(const Matrix& X, Index levels, Random& random) {
  std::vector<Index> codes;
  for (Index r = 0; r < X.rows(); ++r) {
    Index best = 0;
    double most = -1e300;
    for (Index level = 0; level < levels; ++level) {
      // The largest of logits with Gumbel noise.
      const double logit = static_cast<double>(level) * (X(r, 0) - 0.5 * X(r, 1)) -
                           std::log(-std::log(random.uniform() + 1e-300));
      if (logit > most) {
        most = logit;
        best = level;
      }
    }
    codes.push_back(best);
  }
  return codes;
}

// The penalised log-likelihood by its definition.
double objective(const Matrix& B, const Matrix& X, const std::vector<Index>& codes) {
  double sum = -0.05 * B.bottomRows(X.cols()).squaredNorm();
  for (Index r = 0; r < X.rows(); ++r) {
    std::vector<double> weight(static_cast<std::size_t>(B.cols()) + 1, 1);
    double all = 1;
    for (Index k = 0; k < B.cols(); ++k) {
      weight[static_cast<std::size_t>(k)] =
          std::exp(B(0, k) + X.row(r).dot(B.col(k).tail(X.cols())));
      all += weight[static_cast<std::size_t>(k)];
    }
    sum += std::log(weight[static_cast<std::size_t>(codes[static_cast<std::size_t>(r)])] / all);
  }
  return sum;
}

}  // namespace

TEST(the_slopes_of_the_logit_vanish_at_its_optimum) {
  Random random(1);
  for (const Index levels : {2, 3, 4}) {
    const Matrix X = normal_matrix(150, 3, random);
    const std::vector<Index> codes = draw_codes(X, levels, random);
    const MultinomialLogit fit = fit_multinomial_logit(X, codes, levels);
    EXPECT(fit.coefficients.rows() == 4 && fit.coefficients.cols() == levels - 1);
    const Matrix slopes = finite_differences<Matrix>(
        [&](const Matrix& B) { return objective(B, X, codes); }, fit.coefficients);
    EXPECT_NEAR(slopes.cwiseAbs().maxCoeff(), 0, 1e-2);
    // Away from the optimum they do not.
    const Matrix away = finite_differences<Matrix>(
        [&](const Matrix& B) { return objective(B, X, codes); }, fit.coefficients.array() + 0.05);
    EXPECT(away.cwiseAbs().maxCoeff() > 0.1);
  }
}

TEST(the_likelihood_of_the_logit_equals_that_of_slow_gradient_ascent) {
  Random random(2);
  const Matrix X = normal_matrix(80, 2, random);
  const std::vector<Index> codes = draw_codes(X, 3, random);
  const MultinomialLogit fit = fit_multinomial_logit(X, codes, 3);
  Matrix B = Matrix::Zero(3, 2);
  for (int step = 0; step < 600; ++step) {
    B += 0.02 *
         finite_differences<Matrix>([&](const Matrix& at) { return objective(at, X, codes); }, B);
  }
  EXPECT_NEAR((fit.coefficients - B).cwiseAbs().maxCoeff(), 0, 1e-3);
  const double likelihood = objective(B, X, codes) + 0.05 * B.bottomRows(2).squaredNorm();
  EXPECT_NEAR(fit.log_likelihood, likelihood, 1e-3);
}

TEST(probabilities_are_those_of_the_coefficients_and_sum_to_1) {
  Random random(3);
  const Matrix X = normal_matrix(60, 2, random);
  const std::vector<Index> codes = draw_codes(X, 3, random);
  const MultinomialLogit fit = fit_multinomial_logit(X, codes, 3);
  const Matrix P = fit.probabilities(X);
  double likelihood = 0;
  for (Index r = 0; r < 60; ++r) {
    EXPECT_NEAR(P.row(r).sum(), 1, 1e-12);
    likelihood += std::log(P(r, codes[static_cast<std::size_t>(r)]));
  }
  EXPECT_NEAR(likelihood, fit.log_likelihood, 1e-9);
}

TEST(without_features_the_logit_gives_the_shares_of_the_levels) {
  const std::vector<Index> codes = {0, 0, 0, 1, 2, 2, 0, 1, 0, 2};
  const MultinomialLogit fit = fit_multinomial_logit(Matrix(10, 0), codes, 3);
  const Matrix P = fit.probabilities(Matrix(1, 0));
  EXPECT_NEAR(P(0, 0), 0.5, 1e-4);
  EXPECT_NEAR(P(0, 1), 0.2, 1e-4);
  EXPECT_NEAR(P(0, 2), 0.3, 1e-4);
}

TEST(levels_that_can_be_separated_have_finite_coefficients) {
  Matrix X(40, 1);
  std::vector<Index> codes;
  for (Index r = 0; r < 40; ++r) {
    X(r, 0) = r < 20 ? -1 : 1;
    codes.push_back(r < 20);
  }
  const MultinomialLogit fit = fit_multinomial_logit(X, codes, 2);
  EXPECT(fit.coefficients.allFinite());
  EXPECT(fit.coefficients.cwiseAbs().maxCoeff() < 20);
  EXPECT(fit.log_likelihood > -3);
}

TEST(a_logit_of_many_levels_comes_near_its_optimum) {
  Random random(4);
  const Index n = 800, levels = 140;
  const Matrix X = normal_matrix(n, 3, random);
  std::vector<Index> codes = draw_codes(X, 7, random);
  for (Index& code : codes) code = code * 20 + random.below(20);
  // X'(Y - P), which vanishes at the optimum but for the ridge; at the frequencies of the levels it
  // is what the features have to tell.
  const auto steepest = [&](const Matrix& P, const Matrix& coefficients) {
    Matrix left = -P;
    for (Index r = 0; r < n; ++r) left(r, codes[static_cast<std::size_t>(r)]) += 1;
    const Matrix slopes = X.transpose() * left.leftCols(levels - 1) - 0.1 * coefficients;
    return slopes.cwiseAbs().maxCoeff();
  };
  const MultinomialLogit alone = fit_multinomial_logit(Matrix(n, 0), codes, levels);
  const MultinomialLogit fit = fit_multinomial_logit(X, codes, levels);
  const double before = steepest(alone.probabilities(Matrix(n, 0)), Matrix::Zero(3, levels - 1));
  EXPECT(before > 5);
  EXPECT(steepest(fit.probabilities(X), fit.coefficients.bottomRows(3)) < before / 10);
  EXPECT(fit.log_likelihood > alone.log_likelihood + 200);
}
