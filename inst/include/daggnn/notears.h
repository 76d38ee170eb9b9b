// NOTEARS (Zheng, Aragam, Ravikumar and Xing 2018, <arXiv:1803.01422>): the linear baseline.
//
//   minimise  loss(A, b) + penalty sum_ij |A_ij|   subject to   h(A o A) = 0
//
//   A     m x m, A_ij is the weight of the edge i -> j, 0 where the edge is not allowed
//   b     m intercepts, where the loss has them
//   G     m x m, G = X'X / n of the centred data: all that least squares knows of them, so that no
//         step depends on n
//   S     m x m, S = A o A
//
// For a growing c the augmented Lagrangian
//
//   L_c(A, b) = loss + penalty sum |A| + lambda h + c / 2 h^2
//
// is minimised by L-BFGS, then lambda += c h, and c *= eta where h has not shrunk by gamma. |A| has
// no derivative at 0, so A is split into positive and negative parts with bounds at 0.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>
#include <vector>

#include "acyclicity.h"
#include "executor.h"
#include "gemm.h"
#include "lbfgs.h"
#include "observer.h"
#include "trainer.h"
#include "types.h"

namespace daggnn {

// How badly each variable is explained by the others.
class LinearLoss {
 public:
  virtual ~LinearLoss() = default;
  virtual Index variables() const = 0;
  virtual bool has_intercepts() const = 0;
  // The loss; writes dA (m x m) and, where there are intercepts, db.
  virtual double value(const Matrix& A, const Vector& b, Matrix& dA, Vector& db) const = 0;
  // An upper bound of d^2 loss / dA_ij^2 for each i.
  virtual const Vector& curvature() const = 0;
};

// 1 / 2 tr (I - A)' G (I - A), which is |X - X A|^2 / (2 n).
class LeastSquares final : public LinearLoss {
 public:
  explicit LeastSquares(const Matrix& G) : G_(G), curvature_(G.diagonal()) {}

  Index variables() const override { return G_.rows(); }
  bool has_intercepts() const override { return false; }
  const Vector& curvature() const override { return curvature_; }

  double value(const Matrix& A, const Vector&, Matrix& dA, Vector&) const override {
    const Index m = G_.rows();
    SerialExecutor executor;
    dA = G_;
    gemm(m, m, m, 1, {G_.data(), m}, {A.data(), m}, -1, dA.data(), m, executor);
    // tr (I - A)' G (I - A) = tr G - tr G A - tr A' (G - G A), and tr G A = tr A' G.
    return (G_.trace() + A.cwiseProduct(dA - G_).sum()) / 2;
  }

 private:
  Matrix G_;
  Vector curvature_;
};

// sum_r weight_r sum_j log(1 + exp(m_rj)) - x_rj m_rj with m = X A + b, for 0/1 data. Equal rows
// are one row with more weight. A missing x_rj (NaN) is not asked to be explained, and explains
// others as the mean of its column.
class Logistic final : public LinearLoss {
 public:
  // weights add up to 1.
  Logistic(const Matrix& X, const Vector& weights) : X_(X), weights_(weights) {
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

  Index variables() const override { return X_.cols(); }
  bool has_intercepts() const override { return true; }
  const Vector& curvature() const override { return curvature_; }

  double value(const Matrix& A, const Vector& b, Matrix& dA, Vector& db) const override {
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

 private:
  Matrix X_, seen_;
  Vector weights_, curvature_;
};

struct NotearsControl {
  Constraint constraint = Constraint::exponential;
  double penalty = 0;
  int max_rounds = 100;
  double lambda = 0, c = 1;  // where the multiplier and its weight begin
  double eta = 10, gamma = 0.25;
  double h_tolerance = 1e-8;
  double c_max = 1e16;
  double threshold = 0.3;  // for the count of edges that progress shows
  LbfgsControl lbfgs;
};

// The augmented Lagrangian as a function of one vector: the weights of the allowed edges (their
// positive, then their negative parts where there is a penalty), then the intercepts.
class NotearsObjective {
 public:
  double lambda, c;
  // Where the objective was last evaluated, and what it found there.
  Matrix A;
  Vector b;
  double loss = 0, h = 0;

  // allowed: m x m, nonzero where an edge may be; exempt: nonzero where an edge is not penalised.
  NotearsObjective(const LinearLoss& loss_of, const Matrix& allowed, const Matrix& exempt,
                   const NotearsControl& control)
      : lambda(control.lambda),
        c(control.c),
        A(Matrix::Zero(allowed.rows(), allowed.cols())),
        b(Vector::Zero(loss_of.has_intercepts() ? allowed.cols() : 0)),
        loss_of_(loss_of),
        constraint_(control.constraint),
        split_(control.penalty > 0),
        h_of_(control.constraint, executor_) {
    for (Index k = 0; k < allowed.size(); ++k) {
      if (allowed(k) == 0 || k / allowed.rows() == k % allowed.rows()) continue;
      edges_.push_back(k);
      penalties_.push_back(exempt(k) == 0 ? control.penalty : 0);
    }
  }

  Index edges() const { return static_cast<Index>(edges_.size()); }
  Index size() const { return (split_ ? 2 : 1) * edges() + b.size(); }

  Vector lower() const {
    const double infinity = std::numeric_limits<double>::infinity();
    Vector bounds = Vector::Constant(size(), -infinity);
    if (split_) bounds.head(2 * edges()).setZero();
    return bounds;
  }

  Vector pack(const Matrix& weights, const Vector& intercepts) const {
    Vector theta(size());
    for (Index k = 0; k < edges(); ++k) {
      const double weight = weights(edges_[k]);
      theta[k] = split_ ? std::max(weight, 0.0) : weight;
      if (split_) theta[edges() + k] = std::max(-weight, 0.0);
    }
    theta.tail(b.size()) = intercepts;
    return theta;
  }

  void unpack(const Vector& theta) {
    for (Index k = 0; k < edges(); ++k) {
      A(edges_[k]) = split_ ? theta[k] - theta[edges() + k] : theta[k];
    }
    b = theta.tail(b.size());
  }

  // The polynomial and the log-determinant scale S by a bound on its spectral radius, which moves
  // with S and has no derivative; a fixed scale for each round keeps value and gradient together.
  // Half as much again leaves room for A to grow in the round.
  void fix_scale() {
    if (constraint_ == Constraint::exponential) return;
    scale_ = 1.5 * std::max(1.0, spectral_bound(A.cwiseProduct(A)));
  }

  double operator()(const Vector& theta, Vector& dtheta, Vector& curvature) {
    unpack(theta);
    loss = loss_of_.value(A, b, dA_, db_);
    S_ = A.cwiseProduct(A) / scale_;
    h = h_of_(S_, dS_);
    dS_ *=
        2 / scale_;  // dS A is now dh / dA, and dS the diagonal of its derivative but for dS's own
    const double force = lambda + c * h;
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
    return loss + penalty + lambda * h + c / 2 * h * h;
  }

 private:
  const LinearLoss& loss_of_;
  Constraint constraint_;
  bool split_;
  SerialExecutor executor_;
  Acyclicity h_of_;
  double scale_ = 1;
  std::vector<Index> edges_;  // positions in A, column by column
  std::vector<double> penalties_;
  Matrix S_, dS_, dA_;
  Vector db_;
};

struct NotearsFit {
  Matrix A;
  Vector b;
  std::vector<Round> trace;
  Reason reason = Reason::max_rounds;
};

// Minimises from A and b, which need not be acyclic.
inline NotearsFit notears(const LinearLoss& loss_of, const Matrix& allowed, const Matrix& exempt,
                          const NotearsControl& control, const Matrix& A, const Vector& b,
                          Observer& observer) {
  using Clock = std::chrono::steady_clock;
  NotearsObjective objective(loss_of, allowed, exempt, control);
  const Vector lower = objective.lower();
  Vector theta = objective.pack(A, b), dtheta(theta.size()), curvature(theta.size());
  objective.unpack(theta);

  NotearsFit fit;
  double last_h = std::numeric_limits<double>::infinity();
  Progress progress;
  progress.edges = [&] {
    return static_cast<Index>((objective.A.array().abs() > control.threshold).count());
  };
  Stop stop = Stop::none;
  const auto look = [&](bool ended) {
    progress.loss = objective.loss;
    progress.h = objective.h;
    progress.c = objective.c;
    progress.ended = ended;
    stop = observer.poll(progress);
    return stop == Stop::none;
  };

  for (int round = 1; round <= control.max_rounds; ++round) {
    const auto began = Clock::now();
    progress.round = round;
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
    Round row{};
    row.round = round;
    row.epochs = minimum.iterations;
    row.h = objective.h;
    row.c = objective.c;
    row.lambda = objective.lambda;
    row.loss = objective.loss;
    row.seconds = seconds.count();
    fit.trace.push_back(row);
    if (stop == Stop::none) look(true);
    if (stop != Stop::none) {
      fit.reason = stop == Stop::interrupt ? Reason::interrupt : Reason::time_limit;
      return fit;
    }
    if (objective.h <= control.h_tolerance) {
      fit.reason = Reason::converged;
      return fit;
    }
    objective.lambda += objective.c * objective.h;
    if (objective.h > control.gamma * last_h) objective.c *= control.eta;
    last_h = objective.h;
    if (objective.c > control.c_max) {
      fit.reason = Reason::c_max;
      return fit;
    }
  }
  return fit;
}

}  // namespace daggnn
