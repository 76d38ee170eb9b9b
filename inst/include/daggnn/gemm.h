// The product of two dense matrices, shared by every model and by the constraint.
#pragma once

#include <algorithm>
#include <vector>

#include "executor.h"
#include "kernels.h"
#include "types.h"

namespace daggnn {

// A column-major matrix somewhere in memory, taken as it is or transposed.
struct Operand {
  const double* data;
  Index stride;  // from one column to the next, as stored
  bool transposed = false;

  // Entry (i, k), after transposing, is at data[i * row_step() + k * column_step()].
  Index row_step() const { return transposed ? stride : 1; }
  Index column_step() const { return transposed ? 1 : stride; }
};

// Below this number of multiplications (some 10 microseconds) a second thread costs more than it
// gives.
constexpr double gemm_grain = 2e5;

// Up to so many columns, A is read where it stands, as long as its panels of rows are whole and it
// is neither transposed nor scaled: a copy would cost more than it gives.
constexpr Index gemm_shallow = 256;

// The plain product that tests hold the fast one against.
inline void plain_gemm(Index M, Index N, Index K, double scale, const Operand& A, const Operand& B,
                       double keep, double* C, Index stride) {
  for (Index j = 0; j < N; ++j) {
    for (Index i = 0; i < M; ++i) {
      double sum = 0;
      for (Index k = 0; k < K; ++k) {
        sum += A.data[i * A.row_step() + k * A.column_step()] *
               B.data[k * B.row_step() + j * B.column_step()];
      }
      double& c = C[i + j * stride];
      c = scale * sum + (keep == 0 ? 0 : keep * c);
    }
  }
}

// C = scale * A B + keep * C, where A is M x K, B is K x N (after transposing), C is M x N and has
// nothing in common with A and B. Each column comes out the same whatever threads share the work.
inline void gemm(Index M, Index N, Index K, double scale, const Operand& A, const Operand& B,
                 double keep, double* C, Index stride, Executor& executor,
                 const Kernels* kernels = fastest_kernels()) {
  if (kernels == nullptr) {
    plain_gemm(M, N, K, scale, A, B, keep, C, stride);
    return;
  }
  if (keep != 0 && keep != 1) {
    for (Index j = 0; j < N; ++j) {
      for (Index i = 0; i < M; ++i) C[i + j * stride] *= keep;
    }
  }
  // One copy of A for each thread that asks for products: kept, so that training allocates nothing.
  static thread_local std::vector<double> packed;
  const bool in_place = !A.transposed && scale == 1 && K <= gemm_shallow;
  const Index standing = in_place ? M - M % kernels->panel : 0, moved = M - standing;
  const Index size = kernels->packed_size(moved, K);
  if (static_cast<Index>(packed.size()) < size) packed.resize(static_cast<std::size_t>(size));
  double* const panels = packed.data();

  const bool alone =
      executor.threads() == 1 ||
      static_cast<double>(M) * static_cast<double>(N) * static_cast<double>(K) < gemm_grain;
  const auto pack = [&](Index first, Index rows) {
    kernels->pack(rows, K, scale, A.data + (standing + first) * A.row_step(), A.row_step(),
                  A.column_step(), panels + first * K);
  };
  const auto product = [&](Index first, Index columns) {
    const double* const b = B.data + first * B.column_step();
    double* const c = C + first * stride;
    kernels->product(standing, columns, K, A.data, kernels->panel, A.stride, b, B.row_step(),
                     B.column_step(), c, stride, keep != 0);
    kernels->product(moved, columns, K, panels, kernels->panel * K, kernels->panel, b, B.row_step(),
                     B.column_step(), c + standing, stride, keep != 0);
  };
  if (alone) {
    pack(0, moved);
    product(0, N);
    return;
  }
  // Many more tasks than threads: at m = 100 there are 13 units of columns, and four tasks of 4, 4,
  // 4 and 1 of them would keep one of two threads waiting for a third of the time.
  const Index tasks = 8 * executor.threads();
  const auto share = [&](Index total, Index unit) {
    const Index units = (total + unit - 1) / unit;
    return std::max<Index>(1, (units + tasks - 1) / tasks) * unit;
  };
  const Index rows = share(moved, kernels->panel), columns = share(N, kernels->columns);
  if (static_cast<double>(moved) * static_cast<double>(K) < gemm_grain) {
    pack(0, moved);
  } else {
    executor.run((moved + rows - 1) / rows,
                 [&](Index task) { pack(task * rows, std::min(rows, moved - task * rows)); });
  }
  executor.run((N + columns - 1) / columns,
               [&](Index task) { product(task * columns, std::min(columns, N - task * columns)); });
}

}  // namespace daggnn
