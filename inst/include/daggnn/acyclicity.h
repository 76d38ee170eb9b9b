// The acyclicity constraint h: zero exactly where the graph of S has no cycle.
//
//   S   m x m, S = A o A >= 0: the squared strength of each edge
//   h   the value; dS = dh / dS, m x m
//
// Three choices: the paper's polynomial, the matrix exponential of NOTEARS (Zheng et al. 2018), and
// the log-determinant of DAGMA (Bello et al. 2022).
#pragma once

#include <cmath>
#include <string>
#include <unsupported/Eigen/MatrixFunctions>

#include "types.h"

namespace daggnn {

enum class Constraint { polynomial, exponential, logdet };

// The largest row sum bounds the spectral radius of a nonnegative matrix (Perron and Frobenius).
inline double spectral_bound(const Matrix& S) {
  return S.size() == 0 ? 0 : S.rowwise().sum().maxCoeff();
}

// h = tr (I + alpha S)^m - m, by repeated squaring: O(m^3 log m).
// alpha = 1 / m as long as the spectral radius is at most 1, and less where it may be more, so that
// (1 + alpha |eigenvalue|)^m never exceeds e.
inline double polynomial_constraint(const Matrix& S, Matrix& dS) {
  const Index m = S.rows();
  const double alpha = 1.0 / (static_cast<double>(m) * std::max(1.0, spectral_bound(S)));
  const Matrix base = Matrix::Identity(m, m) + alpha * S;
  // power = base^(m - 1): the gradient needs it, and one more product gives the trace.
  Matrix power = Matrix::Identity(m, m), square = base;
  for (Index rest = m - 1; rest > 0; rest >>= 1) {
    if (rest & 1) power = power * square;
    if (rest > 1) square = square * square;
  }
  dS = alpha * static_cast<double>(m) * power.transpose();
  return power.cwiseProduct(base.transpose()).sum() - static_cast<double>(m);
}

// h = tr exp(S) - m.
inline double exponential_constraint(const Matrix& S, Matrix& dS) {
  const Matrix E = S.exp();
  dS = E.transpose();
  return E.trace() - static_cast<double>(S.rows());
}

// h = -log det(s I - S) + m log s, with s above the spectral radius of S.
inline double logdet_constraint(const Matrix& S, Matrix& dS) {
  const Index m = S.rows();
  const double s = std::max(1.0, 1.01 * spectral_bound(S));
  const Eigen::PartialPivLU<Matrix> lu(s * Matrix::Identity(m, m) - S);
  dS = lu.inverse().transpose();
  return -lu.matrixLU().diagonal().array().abs().log().sum() + static_cast<double>(m) * std::log(s);
}

inline double acyclicity(Constraint constraint, const Matrix& S, Matrix& dS) {
  switch (constraint) {
    case Constraint::polynomial:
      return polynomial_constraint(S, dS);
    case Constraint::exponential:
      return exponential_constraint(S, dS);
    case Constraint::logdet:
      return logdet_constraint(S, dS);
  }
  throw Error("unknown constraint");
}

}  // namespace daggnn
