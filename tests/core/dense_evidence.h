// The evidence of a regression the slow way: with the n x n covariance of the response.
#pragma once

#include <cmath>

#include "base/types.h"

struct DenseEvidence {
  double unexplained;  // q: the quadratic form of y, as a share of n
  double log_det;      // of the covariance without the flat directions
};

// y ~ N(0, s^2 (I + tau L L' + S)), where the flat prior of the linear terms L is the limit of a
// large tau; what that limit adds, p/2 log(tau) + 1/2 log det(L'L), is left out.
inline DenseEvidence dense_parts(const daggnn::Vector& y, const daggnn::Matrix& linear,
                                 const daggnn::Matrix& S) {
  const double p = static_cast<double>(linear.cols()), tau = 1e6;
  daggnn::Matrix V = S + tau * linear * linear.transpose();
  V.diagonal().array() += 1;
  const Eigen::LLT<daggnn::Matrix> llt(V);
  const double log_det = 2 * llt.matrixLLT().diagonal().array().log().sum();
  const double flat =
      linear.cols() == 0
          ? 0
          : p * std::log(tau) + std::log((linear.transpose() * linear).determinant());
  return {y.dot(llt.solve(y)) / static_cast<double>(y.size()), log_det - flat};
}

// The log of that density with s^2 maximised out, without the constant n/2 log(2 pi), where y has
// variance 1; p/2 log(n) stands for the flat directions as in BIC, or where `precise`
// p/2 log(n / q), q the noise's share of the variance.
inline double dense_evidence(const daggnn::Vector& y, const daggnn::Matrix& linear,
                             const daggnn::Matrix& S, bool precise = false) {
  const double n = static_cast<double>(y.size()), p = static_cast<double>(linear.cols());
  const auto [q, log_det] = dense_parts(y, linear, S);
  return -n / 2 * (std::log(q) + 1) - log_det / 2 - p / 2 * std::log(precise ? n / q : n);
}

// The same where the mean and the slopes are integrated out before s^2 is maximised, up to a
// constant that does not depend on S.
inline double restricted_evidence(const daggnn::Vector& y, const daggnn::Matrix& linear,
                                  const daggnn::Matrix& S) {
  const double n = static_cast<double>(y.size()), p = static_cast<double>(linear.cols());
  const auto [q, log_det] = dense_parts(y, linear, S);
  return -(n - 1 - p) / 2 * std::log(q) - log_det / 2;
}
