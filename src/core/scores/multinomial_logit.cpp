#include "scores/multinomial_logit.h"

#include <algorithm>
#include <cmath>

#include "likelihood/categorical.h"

namespace daggnn {

namespace {

// Keeps coefficients finite where the levels can be separated.
constexpr double ridge = 0.1;
constexpr double tolerance = 1e-6;
// Newton's method solves for all coefficients together; beyond so many of them, for those of one
// level at a time: with many levels, the second derivatives between two of them are small.
constexpr Index most_together = 400;
constexpr int most_steps = 25;

Matrix with_intercept(const Matrix& features) {
  Matrix X(features.rows(), features.cols() + 1);
  X << Vector::Ones(features.rows()), features;
  return X;
}

// logits: of all levels but the last, whose logit is 0.
Matrix probabilities_of(const Matrix& logits) {
  Matrix P = Matrix::Zero(logits.rows(), logits.cols() + 1);
  P.leftCols(logits.cols()) = logits;
  for (Index r = 0; r < P.rows(); ++r) softmax(P.cols(), P.rows(), &P(r, 0), &P(r, 0));
  return P;
}

double log_likelihood(const Matrix& P, const std::vector<Index>& codes) {
  double total = 0;
  for (Index r = 0; r < P.rows(); ++r)
    total += std::log(std::max(P(r, codes[r]), least_probability));
  return total;
}

}  // namespace

Matrix MultinomialLogit::probabilities(const Matrix& features) const {
  return probabilities_of(with_intercept(features) * coefficients);
}

MultinomialLogit fit_multinomial_logit(const Matrix& features, const std::vector<Index>& codes,
                                       Index levels) {
  const Matrix X = with_intercept(features);
  const Index p = X.cols(), classes = levels - 1, size = p * classes;
  MultinomialLogit fit;
  fit.coefficients = Matrix::Zero(p, classes);
  const auto objective = [&](const Matrix& coefficients, const Matrix& P) {
    return log_likelihood(P, codes) - ridge / 2 * coefficients.bottomRows(p - 1).squaredNorm();
  };
  Matrix P = probabilities_of(X * fit.coefficients);
  double now = objective(fit.coefficients, P);
  const bool together = size <= most_together;
  const auto newton_direction = [&](const Matrix& gradient) -> Matrix {
    Matrix H(together ? size : p, together ? size : p), direction(p, classes);
    for (Index a = 0; a < classes; ++a) {
      const Index first = together ? a * p : 0;
      for (Index b = together ? 0 : a; b <= a; ++b) {
        Vector weight = -P.col(a).cwiseProduct(P.col(b));
        if (a == b) weight += P.col(a);
        H.block(first, together ? b * p : 0, p, p).noalias() =
            X.transpose() * weight.asDiagonal() * X;
      }
      H.diagonal().segment(first + 1, p - 1).array() += ridge;
      H(first, first) += 1e-8;
      if (!together)
        direction.col(a) = H.selfadjointView<Eigen::Lower>().llt().solve(gradient.col(a));
    }
    if (!together) return direction;
    const Vector solved = H.selfadjointView<Eigen::Lower>().llt().solve(
        Eigen::Map<const Vector>(gradient.data(), size));
    return Eigen::Map<const Matrix>(solved.data(), p, classes);
  };
  for (int step = 0; step < most_steps; ++step) {
    Matrix residuals = -P.leftCols(classes);
    for (Index r = 0; r < X.rows(); ++r) {
      if (codes[r] < classes) residuals(r, codes[r]) += 1;
    }
    Matrix gradient = X.transpose() * residuals;
    gradient.bottomRows(p - 1) -= ridge * fit.coefficients.bottomRows(p - 1);
    const Matrix direction = newton_direction(gradient);
    const double decrement = direction.cwiseProduct(gradient).sum();
    double length = 1;
    for (; length > 1e-4; length /= 2) {
      const Matrix next = fit.coefficients + length * direction;
      const Matrix next_P = probabilities_of(X * next);
      const double value = objective(next, next_P);
      if (value > now) {
        fit.coefficients = next;
        P = next_P;
        now = value;
        break;
      }
    }
    if (!(decrement > tolerance) || !(length > 1e-4)) break;
  }
  fit.log_likelihood = log_likelihood(P, codes);
  return fit;
}

}  // namespace daggnn
