// A function f of single numbers, normalised to the spread of its input: scaled = factor *
// out, out = f(in), with as much spread as in.
//
// Spread is the variance around each column's own mean, summed over the columns: what a child's
// bias adds is not spread.
#pragma once

#include "base/types.h"
#include "linalg/simd/kernels.h"

namespace daggnn {

struct Normalisation {
  static constexpr double tiny = 1e-6;  // per element; keeps the factor at 1 where nothing varies

  double factor = 1, in_square = 0, out_square = 0;
  Vector in_mean, out_mean;  // of each column, out before it is scaled
  Vector in_part, out_part;  // of the squares, for each column

  static double square(const Matrix& X) { return (X.rowwise() - X.colwise().mean()).squaredNorm(); }

  void reset(Index columns) {
    factor = 1;
    for (Vector* each : {&in_mean, &out_mean, &in_part, &out_part}) each->setZero(columns);
  }

  // Columns may come in any order and from any thread.
  void accumulate_moments(Index column, Index n, const double* in, const double* out,
                          const Kernels* kernels = fastest_kernels()) {
    accumulate_moments(n, in, in_mean[column], in_part[column], kernels);
    accumulate_moments(n, out, out_mean[column], out_part[column], kernels);
  }
  // Once the moments of all columns are there.
  void set_factor(Index n);

  // dscaled becomes dout, and din += the part of `in` through the factor (where din is not null).
  // inner_product: the sum of dscaled o scaled over all columns.
  void backward(Index column, Index n, double inner_product, const double* in, const double* scaled,
                double* dscaled, double* din, const Kernels* kernels = fastest_kernels()) const;

 private:
  static void accumulate_moments(Index n, const double* x, double& mean, double& square,
                                 const Kernels* kernels);
};

}  // namespace daggnn
