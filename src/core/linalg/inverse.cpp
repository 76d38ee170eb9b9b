#include "linalg/inverse.h"

#include <cmath>

namespace daggnn {

double DominantInverse::operator()(Matrix& M, Executor& executor) {
  const Index m = M.rows();
  if (scratch_.size() < static_cast<std::size_t>(m * m)) {
    scratch_.resize(static_cast<std::size_t>(m * m));
  }
  return invert(m, M.data(), m, scratch_.data(), executor);
}

double DominantInverse::invert(Index m, double* M, Index stride, double* scratch,
                               Executor& executor) {
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

double DominantInverse::eliminate(Index m, double* M, Index stride) {
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

}  // namespace daggnn
