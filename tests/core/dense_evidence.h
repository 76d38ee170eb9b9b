// The evidence of a regression the slow way: with the n x n covariance of the response.
#pragma once

#include <cmath>

#include "base/types.h"

// log N(y | 0, s^2 (I + tau L L' + S)) with s^2 maximised out, without the constant n/2 log(2 pi),
// where y has variance 1, and the flat prior of the p linear terms L is the limit of a large tau.
// What that limit adds, p/2 log(tau) + 1/2 log det(L'L), is replaced by BIC's p/2 log(n), or where
// `precise` by p/2 log(n / q), q the noise's share of the variance.
inline double dense_evidence(const daggnn::Vector& y, const daggnn::Matrix& linear,
                             const daggnn::Matrix& S, bool precise = false) {
  const double n = static_cast<double>(y.size()), p = static_cast<double>(linear.cols());
  const double tau = 1e6;
  daggnn::Matrix V = S + tau * linear * linear.transpose();
  V.diagonal().array() += 1;
  const Eigen::LLT<daggnn::Matrix> llt(V);
  const double log_det = 2 * llt.matrixLLT().diagonal().array().log().sum();
  const double flat =
      linear.cols() == 0
          ? 0
          : p * std::log(tau) + std::log((linear.transpose() * linear).determinant());
  const double q = y.dot(llt.solve(y)) / n;
  return -n / 2 * (std::log(q) + 1) - (log_det - flat) / 2 - p / 2 * std::log(precise ? n / q : n);
}
