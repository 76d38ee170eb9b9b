// The inverse and the determinant of a matrix whose diagonal dominates its rows, as s I - S does
// for the log-determinant constraint: elimination needs no pivots there, so the work can be cut
// into halves and left to matrix products.
#pragma once

#include <cmath>
#include <vector>

#include "executor.h"
#include "gemm.h"
#include "types.h"

namespace daggnn {

class DominantInverse {
 public:
  // M (m x m) becomes its inverse; returns log det M.
  double operator()(Matrix& M, Executor& executor) {
    const Index m = M.rows();
    if (scratch_.size() < static_cast<std::size_t>(m * m)) {
      scratch_.resize(static_cast<std::size_t>(m * m));
    }
    return invert(m, M.data(), m, scratch_.data(), executor);
  }

 private:
  static constexpr Index small = 24;  // below, halves gain nothing

  // With halves [A B; C D], T = A^-1 B, U = C A^-1 and the Schur complement E = D - C T:
  //   M^-1 = [A^-1 + T E^-1 U, -T E^-1; -E^-1 U, E^-1],  det M = det A det E
  double invert(Index m, double* M, Index stride, double* scratch, Executor& executor) {
    if (m <= small) return eliminate(m, M, stride);
    const Index a = m / 2, d = m - a;
    double *const A = M, *const B = M + a * stride, *const C = M + a, *const D = B + a;
    double *const T = scratch, *const U = T + a * d, *const rest = U + a * d;
    double log_determinant = invert(a, A, stride, rest, executor);
    gemm(a, d, a, 1, {A, stride}, {B, stride}, 0, T, a, executor);
    gemm(d, a, a, 1, {C, stride}, {A, stride}, 0, U, d, executor);
    gemm(d, d, a, -1, {C, stride}, {T, a}, 1, D, stride, executor);
    log_determinant += invert(d, D, stride, rest, executor);
    gemm(d, a, d, -1, {D, stride}, {U, d}, 0, C, stride, executor);
    gemm(a, d, d, -1, {T, a}, {D, stride}, 0, B, stride, executor);
    gemm(a, a, d, -1, {T, a}, {C, stride}, 1, A, stride, executor);
    return log_determinant;
  }

  // Gauss and Jordan, in place.
  static double eliminate(Index m, double* M, Index stride) {
    double log_determinant = 0, factors[small];
    for (Index p = 0; p < m; ++p) {
      const double pivot = M[p + p * stride];
      log_determinant += std::log(pivot);
      for (Index i = 0; i < m; ++i) factors[i] = i == p ? 0 : M[i + p * stride];
      for (Index i = 0; i < m; ++i) M[i + p * stride] = i == p ? 1 : 0;
      for (Index j = 0; j < m; ++j) {
        double* const column = M + j * stride;
        const double top = column[p] /= pivot;
        for (Index i = 0; i < m; ++i) column[i] -= factors[i] * top;
      }
    }
    return log_determinant;
  }

  std::vector<double> scratch_;
};

}  // namespace daggnn
