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
// Each round of the augmented Lagrangian method (optim/augmented_lagrangian.h) minimises
//
//   L_c(A, b) = loss + penalty sum |A| + lambda h + c / 2 h^2
//
// by L-BFGS. |A| has no derivative at 0, so A is split into positive and negative parts with bounds
// at 0.
#pragma once

#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "base/types.h"
#include "constraint/acyclicity.h"
#include "linalg/gemm.h"
#include "optim/augmented_lagrangian.h"
#include "optim/lbfgs.h"

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

  double value(const Matrix& A, const Vector&, Matrix& dA, Vector&) const override;

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
  Logistic(const Matrix& X, const Vector& weights);

  Index variables() const override { return X_.cols(); }
  bool has_intercepts() const override { return true; }
  const Vector& curvature() const override { return curvature_; }

  double value(const Matrix& A, const Vector& b, Matrix& dA, Vector& db) const override;

 private:
  Matrix X_, seen_;
  Vector weights_, curvature_;
};

struct NotearsControl : LagrangianControl {
  NotearsControl() { c_max = 1e16; }

  Constraint constraint = Constraint::exponential;
  double penalty = 0;
  double threshold = 0.3;  // for the count of edges that progress shows
  LbfgsControl lbfgs;
};

// The augmented Lagrangian as a function of one vector: the weights of the allowed edges (their
// positive, then their negative parts where there is a penalty), then the intercepts.
class NotearsObjective {
 public:
  Multipliers multipliers;
  // Where the objective was last evaluated, and what it found there.
  Matrix A;
  Vector b;
  double loss = 0, h = 0;

  // allowed: m x m, nonzero where an edge may be; exempt: nonzero where an edge is not penalised.
  NotearsObjective(const LinearLoss& loss_of, const Matrix& allowed, const Matrix& exempt,
                   const NotearsControl& control);

  Index edges() const { return static_cast<Index>(edges_.size()); }
  Index size() const { return (split_ ? 2 : 1) * edges() + b.size(); }

  Vector lower() const;

  Vector pack(const Matrix& weights, const Vector& intercepts) const;

  void unpack(const Vector& theta);

  // Fixes the scale of the constraint for a round, with room for A to grow from 0 too.
  void fix_scale() {
    h_of_.set_scale(Acyclicity::room * std::max(1.0, spectral_bound(A.cwiseProduct(A))));
  }

  double operator()(const Vector& theta, Vector& dtheta, Vector& curvature);

 private:
  const LinearLoss& loss_of_;
  bool split_;
  SerialExecutor executor_;
  Acyclicity h_of_;
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
NotearsFit notears(const LinearLoss& loss_of, const Matrix& allowed, const Matrix& exempt,
                   const NotearsControl& control, const Matrix& A, const Vector& b,
                   Observer& observer);

}  // namespace daggnn
