#include "models/notears.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace daggnn {

double LeastSquares::value(const Matrix& A, const Vector&, Matrix& dA, Vector&) const {
  const Index m = G_.rows();
  SerialExecutor executor;
  dA = G_;
  gemm(m, m, m, 1, {G_.data(), m}, {A.data(), m}, -1, dA.data(), m, executor);
  // tr (I - A)' G (I - A) = tr G - tr G A - tr A' (G - G A), and tr G A = tr A' G.
  return (G_.trace() + A.cwiseProduct(dA - G_).sum()) / 2;
}

Logistic::Logistic(const Matrix& X, const Vector& weights) : X_(X), weights_(weights) {
  seen_ = (X_.array() == X_.array()).cast<double>();
  for (Index j = 0; j < X_.cols(); ++j) {
    double sum = 0, mass = 0;
    for (Index r = 0; r < X_.rows(); ++r) {
      if (seen_(r, j) == 0) continue;
      sum += weights_[r] * X_(r, j);
      mass += weights_[r];
    }
    for (Index r = 0; r < X_.rows(); ++r) {
      if (seen_(r, j) == 0) X_(r, j) = sum / mass;
    }
  }
  // p (1 - p) is at most 1 / 4.
  curvature_ = (X_.array().square().colwise() * weights_.array()).colwise().sum() / 4;
}

double Logistic::value(const Matrix& A, const Vector& b, Matrix& dA, Vector& db) const {
  Matrix M = X_ * A;
  M.rowwise() += b.transpose();
  double total = 0;
  for (Index j = 0; j < M.cols(); ++j) {
    for (Index r = 0; r < M.rows(); ++r) {
      const double logit = M(r, j), weight = weights_[r] * seen_(r, j);
      const double small = std::exp(-std::abs(logit));
      total += weight * (std::max(logit, 0.0) + std::log1p(small) - X_(r, j) * logit);
      const double probability = (logit >= 0 ? 1 : small) / (1 + small);
      M(r, j) = weight * (probability - X_(r, j));  // from here on dM
    }
  }
  dA.noalias() = X_.transpose() * M;
  db = M.colwise().sum();
  return total;
}

NotearsObjective::NotearsObjective(const LinearLoss& loss_of, const Matrix& allowed,
                                   const Matrix& exempt, const NotearsControl& control)
    : multipliers(control),
      A(Matrix::Zero(allowed.rows(), allowed.cols())),
      b(Vector::Zero(loss_of.has_intercepts() ? allowed.cols() : 0)),
      loss_of_(loss_of),
      split_(control.penalty > 0),
      h_of_(control.constraint, executor_) {
  for (Index k = 0; k < allowed.size(); ++k) {
    if (allowed(k) == 0 || k / allowed.rows() == k % allowed.rows()) continue;
    edges_.push_back(k);
    penalties_.push_back(exempt(k) == 0 ? control.penalty : 0);
  }
}

Vector NotearsObjective::lower() const {
  const double infinity = std::numeric_limits<double>::infinity();
  Vector bounds = Vector::Constant(size(), -infinity);
  if (split_) bounds.head(2 * edges()).setZero();
  return bounds;
}

Vector NotearsObjective::pack(const Matrix& weights, const Vector& intercepts) const {
  Vector theta(size());
  for (Index k = 0; k < edges(); ++k) {
    const double weight = weights(edges_[k]);
    theta[k] = split_ ? std::max(weight, 0.0) : weight;
    if (split_) theta[edges() + k] = std::max(-weight, 0.0);
  }
  theta.tail(b.size()) = intercepts;
  return theta;
}

void NotearsObjective::unpack(const Vector& theta) {
  for (Index k = 0; k < edges(); ++k) {
    A(edges_[k]) = split_ ? theta[k] - theta[edges() + k] : theta[k];
  }
  b = theta.tail(b.size());
}

double NotearsObjective::operator()(const Vector& theta, Vector& dtheta, Vector& curvature) {
  unpack(theta);
  loss = loss_of_.value(A, b, dA_, db_);
  S_ = A.cwiseProduct(A);
  h = h_of_(S_, dS_);
  dS_ *= 2;  // dS A is now dh / dA, and dS the diagonal of its derivative but for dS's own
  const double force = multipliers.slope(h);
  double penalty = 0;
  for (Index k = 0; k < edges(); ++k) {
    const Index edge = edges_[k];
    const double slope = dA_(edge) + force * dS_(edge) * A(edge);
    const double bend = loss_of_.curvature()[edge % A.rows()] + force * dS_(edge);
    dtheta[k] = slope + penalties_[k];
    curvature[k] = bend;
    if (!split_) continue;
    dtheta[edges() + k] = -slope + penalties_[k];
    curvature[edges() + k] = bend;
    penalty += penalties_[k] * (theta[k] + theta[edges() + k]);
  }
  if (b.size() > 0) {
    dtheta.tail(b.size()) = db_;
    curvature.tail(b.size()).setConstant(0.25);
  }
  return loss + penalty + multipliers.value(h);
}

NotearsFit notears(const LinearLoss& loss_of, const Matrix& allowed, const Matrix& exempt,
                   const NotearsControl& control, const Matrix& A, const Vector& b,
                   Observer& observer) {
  using Clock = std::chrono::steady_clock;
  NotearsObjective objective(loss_of, allowed, exempt, control);
  const Vector lower = objective.lower();
  Vector theta = objective.pack(A, b), dtheta(theta.size()), curvature(theta.size());
  objective.unpack(theta);

  NotearsFit fit;
  Progress progress;
  progress.edges = [&] {
    return static_cast<Index>((objective.A.array().abs() > control.threshold).count());
  };
  Stop stop = Stop::none;
  const auto look = [&](bool ended) {
    progress.loss = objective.loss;
    progress.h = objective.h;
    progress.c = objective.multipliers.c;
    progress.ended = ended;
    stop = observer.poll(progress);
    return stop == Stop::none;
  };

  while (!objective.multipliers.finished(control, fit.reason)) {
    const auto began = Clock::now();
    progress.round = objective.multipliers.round;
    progress.epoch = 0;
    objective.fix_scale();
    const Minimum minimum = minimise(objective, lower, control.lbfgs, theta, [&] {
      ++progress.epoch;
      return look(false);
    });
    objective(theta, dtheta, curvature);  // leaves A, b, loss and h at theta
    fit.A = objective.A;
    fit.b = objective.b;
    if (!std::isfinite(minimum.f)) {
      fit.reason = Reason::not_finite;
      return fit;
    }

    // h falls about as steadily as its logarithm.
    progress.fraction = std::log(std::min(objective.h, 1.0)) / std::log(control.h_tolerance);
    const std::chrono::duration<double> seconds = Clock::now() - began;
    fit.trace.push_back({progress.round, minimum.iterations, objective.h, objective.multipliers.c,
                         objective.multipliers.lambda, objective.loss, seconds.count()});
    if (stop == Stop::none) look(true);
    if (stop != Stop::none) {
      fit.reason = stop == Stop::interrupt ? Reason::interrupt : Reason::time_limit;
      return fit;
    }
    objective.multipliers.update(objective.h, control);
  }
  return fit;
}

}  // namespace daggnn
