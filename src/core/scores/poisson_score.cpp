#include "scores/poisson_score.h"

#include <algorithm>
#include <cmath>

#include "likelihood/poisson.h"
#include "scores/linear_design.h"

namespace daggnn {

namespace {

// Keeps coefficients finite where a level has no counts at all; too small to be seen otherwise.
constexpr double ridge = 1e-3;
constexpr int most_steps = 50;
constexpr double tolerance = 1e-9;
constexpr double shortest_step = 1e-6;

double log_likelihood(const Vector& log_rates, const Vector& rates, const Vector& counts) {
  return counts.dot(log_rates) - rates.sum();
}

}  // namespace

PoissonRegression fit_poisson_regression(const Matrix& features, const Vector& counts) {
  const Index rows = features.rows(), p = features.cols() + 1;
  Matrix X(rows, p);
  X << Vector::Ones(rows), features;
  PoissonRegression fit;
  fit.coefficients = Vector::Zero(p);
  fit.coefficients[0] = counts.mean();
  poisson_likelihood().outputs_of_expected(1, 1, fit.coefficients.data());
  const auto objective = [&](const Vector& w, const Vector& u, const Vector& rates) {
    return log_likelihood(u, rates, counts) - ridge / 2 * w.tail(p - 1).squaredNorm();
  };
  Vector u = X * fit.coefficients, rates = u.array().exp();
  double now = objective(fit.coefficients, u, rates);
  for (int step = 0; step < most_steps; ++step) {
    Vector gradient = X.transpose() * (counts - rates);
    gradient.tail(p - 1) -= ridge * fit.coefficients.tail(p - 1);
    Matrix H = X.transpose() * rates.asDiagonal() * X;
    H.diagonal().tail(p - 1).array() += ridge;
    const Vector direction = H.llt().solve(gradient);
    double length = 1;
    for (; length > shortest_step; length /= 2) {
      const Vector next = fit.coefficients + length * direction, next_u = X * next;
      const Vector next_rates = next_u.array().exp();
      const double value = objective(next, next_u, next_rates);
      if (!(value >= now)) continue;
      fit.coefficients = next;
      u = next_u;
      rates = next_rates;
      now = value;
      break;
    }
    if (!(direction.dot(gradient) > tolerance) || !(length > shortest_step)) break;
  }
  fit.log_likelihood = log_likelihood(u, rates, counts);
  for (Index r = 0; r < rows; ++r) fit.log_likelihood -= std::lgamma(counts[r] + 1);
  return fit;
}

Vector counts_of(const Samples& samples, const Variable& variable) {
  return samples.values.col(variable.first).unaryExpr([](double x) {
    return std::max(0.0, std::round(x));
  });
}

PoissonScore::PoissonScore(const Samples& samples, const Matrix& features,
                           const std::vector<FeatureBlock>& blocks)
    : features_(features),
      blocks_(blocks),
      n_(samples.effective_rows()),
      copies_(static_cast<double>(samples.copies)) {
  for (const Variable& variable : samples.variables) {
    const bool count = variable.distribution() == Distribution::poisson;
    counts_.push_back(count ? counts_of(samples, variable) : Vector());
  }
}

double PoissonScore::value(Index child, const Parents& parents) const {
  if (counts_[child].size() == 0) return not_applicable;
  const Matrix X = linear_design(features_, blocks_, parents);
  const double parameters = static_cast<double>(X.cols() + 1);
  return fit_poisson_regression(X, counts_[child]).log_likelihood / copies_ -
         parameters / 2 * std::log(n_);
}

}  // namespace daggnn
