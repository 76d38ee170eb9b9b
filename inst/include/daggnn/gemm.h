// The product of two dense matrices, shared by every model and by the constraint.
#pragma once

#include "executor.h"
#include "types.h"

namespace daggnn {

// A column-major matrix somewhere in memory, taken as it is or transposed.
struct Operand {
  const double* data;
  Index stride;  // from one column to the next, as stored
  bool transposed = false;
};

inline Operand transpose(const Operand& A) { return {A.data, A.stride, !A.transposed}; }

// C = scale * A B + keep * C, where A is M x K, B is K x N (after transposing), C is M x N.
inline void gemm(Index M, Index N, Index K, double scale, const Operand& A, const Operand& B,
                 double keep, double* C, Index stride, Executor&) {
  using Stride = Eigen::OuterStride<>;
  using View = Eigen::Map<const Matrix, 0, Stride>;
  Eigen::Map<Matrix, 0, Stride> product(C, M, N, Stride(stride));
  if (keep == 0) {
    product.setZero();
  } else if (keep != 1) {
    product *= keep;
  }
  const View a(A.data, A.transposed ? K : M, A.transposed ? M : K, Stride(A.stride));
  const View b(B.data, B.transposed ? N : K, B.transposed ? K : N, Stride(B.stride));
  if (A.transposed && B.transposed) {
    product.noalias() += scale * a.transpose() * b.transpose();
  } else if (A.transposed) {
    product.noalias() += scale * a.transpose() * b;
  } else if (B.transposed) {
    product.noalias() += scale * a * b.transpose();
  } else {
    product.noalias() += scale * a * b;
  }
}

}  // namespace daggnn
