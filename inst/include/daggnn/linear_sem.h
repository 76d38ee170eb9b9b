// The linear structural equation model x = A'x + z with unit noise: least squares.
#pragma once

#include "model.h"
#include "samples.h"

namespace daggnn {

//   theta  A, m x m, column-major; X batch x m; R = X - X A
class LinearSem final : public Model {
 public:
  LinearSem(const Samples& samples, const Matrix& allowed) : samples_(samples), allowed_(allowed) {}

  Index variables() const override { return samples_.m(); }
  Index parameters() const override { return samples_.m() * samples_.m(); }
  Index graph_parameters() const override { return parameters(); }
  Vector initial(Random&) const override { return Vector::Zero(parameters()); }

  double loss(const Vector& theta, const Batch& batch, Vector& dtheta) override {
    const Index m = variables();
    X_.resize(batch.count, m);
    for (Index r = 0; r < batch.count; ++r) X_.row(r) = samples_.values.row(batch.rows[r]);
    const Matrix A = Eigen::Map<const Matrix>(theta.data(), m, m).cwiseProduct(allowed_);
    const Matrix R = X_ - X_ * A;
    const double share = 1.0 / static_cast<double>(batch.count);
    Eigen::Map<Matrix>(dtheta.data(), m, m) = -share * (X_.transpose() * R).cwiseProduct(allowed_);
    return share / 2 * R.squaredNorm();
  }

  void strengths(const Vector& theta, Matrix& S) const override {
    const Index m = variables();
    S = Eigen::Map<const Matrix>(theta.data(), m, m).cwiseProduct(allowed_).cwiseAbs2();
  }

  void weights(const Vector& theta, Matrix& A) const override {
    A = Eigen::Map<const Matrix>(theta.data(), variables(), variables()).cwiseProduct(allowed_);
  }

  void strengths_backward(const Vector& theta, const Matrix& dS, Vector& dtheta) const override {
    const Index m = variables();
    Eigen::Map<Matrix>(dtheta.data(), m, m) +=
        2 * Eigen::Map<const Matrix>(theta.data(), m, m).cwiseProduct(allowed_).cwiseProduct(dS);
  }

 private:
  const Samples& samples_;
  const Matrix allowed_;  // 1 where an edge may be, else 0
  Matrix X_;
};

}  // namespace daggnn
