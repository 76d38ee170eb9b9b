// The hot loops for the instruction sets that this machine may have, chosen when the program runs:
// one binary is fast on new machines and works on old ones. kernels_body.h has the loops
// themselves, and kernels.cpp compiles them.
//
// Only compilers with vector types and target attributes (GCC, Clang) have kernels; elsewhere, and
// as the reference that tests hold them against, gemm.h and perceptron.h have plain loops.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

#if defined(__GNUC__) || defined(__clang__)
#define DAGGNN_HAS_KERNELS 1
#else
#define DAGGNN_HAS_KERNELS 0
#endif

namespace daggnn {

// Rows that conditionals() takes at a time, whatever the vectors, and the most others of each.
constexpr Index conditional_rows = 8, most_others = 16;

// One set of kernels; kernels_body.h says what each of them does.
struct Kernels {
  const char* name;
  Index panel, columns;  // of a tile of a matrix product
  Index lanes;           // doubles in a vector

  void (*pack)(Index M, Index K, double scale, const double* a, Index a_row, Index a_column,
               double* packed);
  void (*product)(Index M, Index N, Index K, const double* a, Index a_panel, Index a_step,
                  const double* b, Index b_row, Index b_column, double* c, Index c_stride,
                  bool add);
  void (*mlp_forward)(Index in, Index hidden, Index out, const double* W1, const double* b1,
                      const double* W2, const double* b2, Index count, const double* x,
                      Index x_stride, double* y, Index y_stride, double* scratch);
  void (*mlp_backward)(Index in, Index hidden, Index out, const double* W1, const double* b1,
                       const double* W2, Index count, const double* x, Index x_stride,
                       const double* dy, Index dy_stride, double* dx, Index dx_stride, double* dW1,
                       double* db1, double* dW2, double* db2, double* scratch);

  void (*find_segments)(Index count, const double* x, const double* knots, Index size,
                        std::uint16_t* segment);
  void (*smooth_forward)(Index count, Index hidden, const double* weights, const double* x,
                         double* y, double* roots);
  void (*smooth_backward)(Index count, Index hidden, const double* weights, const double* x,
                          const double* roots, const double* dy, double* dx, double* dweights);
  void (*moments)(Index count, const double* x, double* mean, double* square);
  void (*rescale_backward)(Index count, double factor, double y_share, double y_mean,
                           const double* y, double* dy, double x_share, double x_mean,
                           const double* x, double* dx);
  void (*adam_step)(Index count, double* theta, const double* dtheta, double* mean, double* square,
                    double beta1, double beta2, double epsilon, double rate);
  void (*subtract_combination)(Index count, Index columns, const double* X, const double* w,
                               double* y);
  void (*conditionals)(Index count, const double* covariance, const double* values, double rho,
                       double* standardised, double* variances);

  // Values that pack() writes for an M x K matrix.
  Index packed_size(Index M, Index K) const { return (M + panel - 1) / panel * panel * K; }
  // Values of roots that smooth_forward() keeps.
  Index roots_size(Index count, Index hidden) const {
    return (count + lanes - 1) / lanes * lanes * hidden;
  }
  // Values of scratch that mlp_forward() and mlp_backward() need.
  Index mlp_scratch(Index in, Index hidden, Index out) const {
    const Index block = 48, units_at_once = 32;
    return (in + 1) * hidden + block * (in + 1 + out + 2 * units_at_once) +
           lanes * (hidden * (in + 1 + out) + out);
  }
};

// Every set that this machine can run, the fastest last.
std::vector<const Kernels*> kernel_sets();
// The set in use; null where there is none.
const Kernels* fastest_kernels();

}  // namespace daggnn
