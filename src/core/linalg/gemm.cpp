#include "linalg/gemm.h"

namespace daggnn {

void plain_gemm(Index M, Index N, Index K, double scale, const Operand& A, const Operand& B,
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

void LeftFactor::set(Index M, Index K, double scale, const Operand& A, Executor& executor,
                     const Kernels* kernels) {
  M_ = M;
  K_ = K;
  scale_ = scale;
  A_ = A;
  kernels_ = kernels;
  if (kernels == nullptr) return;
  const Index panel = kernels->panel;
  const bool in_place = !A.transposed && scale == 1 && K <= gemm_shallow;
  standing_ = in_place ? M - M % panel : 0;
  const Index moved = M - standing_, size = kernels->packed_size(moved, K);
  if (static_cast<Index>(packed_.size()) < size) packed_.resize(static_cast<std::size_t>(size));
  for_each_block(executor, (moved + panel - 1) / panel, static_cast<double>(panel * K),
                 [&](Index first, Index some) {
                   const Index top = first * panel, rows = std::min(some * panel, moved - top);
                   kernels->pack(rows, K, scale, A.data + (standing_ + top) * A.row_step(),
                                 A.row_step(), A.column_step(), packed_.data() + top * K);
                 });
}

void LeftFactor::times(Index rows, const Operand& B, Index first, Index columns, bool add,
                       double* C, Index stride) const {
  const double* const b = B.data + first * B.column_step();
  double* const c = C + first * stride;
  if (kernels_ == nullptr) {
    plain_gemm(rows, columns, K_, scale_, A_, {b, B.stride, B.transposed}, add ? 1 : 0, c, stride);
    return;
  }
  const Index standing = std::min(rows, standing_);
  kernels_->product(standing, columns, K_, A_.data, kernels_->panel, A_.stride, b, B.row_step(),
                    B.column_step(), c, stride, add);
  kernels_->product(rows - standing, columns, K_, packed_.data(), kernels_->panel * K_,
                    kernels_->panel, b, B.row_step(), B.column_step(), c + standing, stride, add);
}

void gemm(Index M, Index N, Index K, double scale, const Operand& A, const Operand& B, double keep,
          double* C, Index stride, Executor& executor, const Kernels* kernels) {
  if (keep != 0 && keep != 1) {
    for (Index j = 0; j < N; ++j) {
      for (Index i = 0; i < M; ++i) C[i + j * stride] *= keep;
    }
  }
  // One for each thread that asks for products: kept, so that training allocates nothing. It is
  // never destroyed: a thread of a pool may outlive this library, and would then call a destructor
  // that is no longer there.
  static thread_local LeftFactor* const left = new LeftFactor;
  const LeftFactor& factor = *left;
  left->set(M, K, scale, A, executor, kernels);
  factor.for_each_columns(N, 1, executor, [&](Index first, Index columns) {
    factor.times(B, first, columns, keep != 0, C, stride);
  });
}

void gram(Index P, Index n, double scale, const double* A, double* C, Executor& executor,
          const Kernels* kernels) {
  constexpr Index block = 128;       // columns of a task
  constexpr Index most_rows = 2048;  // of A at a time: panels of so many stay in the cache
  const Index tasks = (P + block - 1) / block;
  LeftFactor left;
  for (Index row = 0; row < n; row += most_rows) {
    const double* const part = A + row;
    left.set(P, std::min(most_rows, n - row), scale, {part, n, true}, executor, kernels);
    // The last columns have the most rows: they come first, so that threads end together.
    executor.run(tasks, [&](Index task) {
      const Index first = (tasks - 1 - task) * block, columns = std::min(block, P - first);
      left.times(first + columns, {part, n}, first, columns, row > 0, C, P);
    });
  }
  executor.run(tasks, [&](Index task) {
    const Index first = task * block, end = std::min(P, first + block);
    for (Index j = first; j < end; ++j) {
      for (Index i = j + 1; i < P; ++i) C[i + j * P] = C[j + i * P];
    }
  });
}

}  // namespace daggnn
