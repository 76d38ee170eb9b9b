// The product of two dense matrices, shared by every model and by the constraint.
#pragma once

#include <algorithm>
#include <vector>

#include "base/executor.h"
#include "base/types.h"
#include "linalg/simd/kernels.h"

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

// Below this number of multiplications (some 2 microseconds) a second thread costs more than it
// gives.
constexpr double gemm_grain = 1e5;

// Up to so many columns, A is read where it stands, as long as its panels of rows are whole and it
// is neither transposed nor scaled: a copy would cost more than it gives.
constexpr Index gemm_shallow = 256;

// The plain product that tests hold the fast one against.
void plain_gemm(Index M, Index N, Index K, double scale, const Operand& A, const Operand& B,
                double keep, double* C, Index stride);

// A matrix that others are multiplied with from the right, some columns at a time and on any
// thread.
class LeftFactor {
 public:
  // scale * A, M x K after transposing. It may be read where it stands: it must not change before
  // the products are done.
  void set(Index M, Index K, double scale, const Operand& A, Executor& executor,
           const Kernels* kernels = fastest_kernels());

  // C = A B, or C += A B, for `columns` columns of B and C from `first` on; of A and C only so many
  // rows.
  void times(const Operand& B, Index first, Index columns, bool add, double* C,
             Index stride) const {
    times(M_, B, first, columns, add, C, stride);
  }
  void times(Index rows, const Operand& B, Index first, Index columns, bool add, double* C,
             Index stride) const;

  // body(first, columns) for all of N columns, `products` products with each, on several threads.
  template <class Body>
  void for_each_columns(Index N, Index products, Executor& executor, const Body& body) const {
    const double work = static_cast<double>(M_) * static_cast<double>(N) * static_cast<double>(K_) *
                        static_cast<double>(products);
    if (executor.threads() == 1 || work < gemm_grain) {
      body(Index{0}, N);
      return;
    }
    // Equal shares, some for each thread, of about as many columns as the kernels have in a tile,
    // or of whole tiles.
    const Index threads = executor.threads(), tile = kernels_ == nullptr ? 1 : kernels_->columns;
    const Index tasks = threads * std::min<Index>(8, (N + threads * tile - 1) / (threads * tile));
    const Index unit = N > 2 * tile * tasks ? tile : 1, units = (N + unit - 1) / unit;
    const auto start = [&](Index task) { return std::min(N, task * units / tasks * unit); };
    executor.run(tasks, [&](Index task) {
      if (start(task) < start(task + 1)) body(start(task), start(task + 1) - start(task));
    });
  }

 private:
  Index M_ = 0, K_ = 0;
  double scale_ = 1;
  Operand A_{nullptr, 0};
  const Kernels* kernels_ = nullptr;
  Index standing_ = 0;          // rows that are read where they stand
  std::vector<double> packed_;  // the others
};

// C = scale * A B + keep * C, where A is M x K, B is K x N (after transposing), C is M x N and has
// nothing in common with A and B. Each column comes out the same whatever threads share the work.
void gemm(Index M, Index N, Index K, double scale, const Operand& A, const Operand& B, double keep,
          double* C, Index stride, Executor& executor, const Kernels* kernels = fastest_kernels());

// C = scale * A' A for A with n rows and C with P rows and columns: one half is computed, the other
// is its mirror image.
void gram(Index P, Index n, double scale, const double* A, double* C, Executor& executor,
          const Kernels* kernels = fastest_kernels());

}  // namespace daggnn
