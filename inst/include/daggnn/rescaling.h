// A function f of single numbers, rescaled to the spread of what it is given: scaled = factor *
// out, out = f(in), with as much spread as in.
//
// Spread is the variance around each column's own mean, summed over the columns: what a child's
// bias adds is not spread.
#pragma once

#include <cmath>

#include "kernels.h"
#include "types.h"

namespace daggnn {

struct Rescaling {
  static constexpr double tiny = 1e-6;  // per element; keeps the factor at 1 where nothing varies

  double factor = 1, in_square = 0, out_square = 0;
  Vector in_mean, out_mean;  // of each column, out before it is scaled
  Vector in_part, out_part;  // of the squares, for each column

  static double square(const Matrix& X) { return (X.rowwise() - X.colwise().mean()).squaredNorm(); }

  void reset(Index columns) {
    factor = 1;
    for (Vector* each : {&in_mean, &out_mean, &in_part, &out_part}) each->resize(columns);
  }

  // Columns may come in any order and from any thread.
  void look_at(Index column, Index n, const double* in, const double* out,
               const Kernels* kernels = fastest_kernels()) {
    look_at(n, in, in_mean[column], in_part[column], kernels);
    look_at(n, out, out_mean[column], out_part[column], kernels);
  }
  // Once all columns have been looked at.
  void set_factor(Index n) {
    const double floor = tiny * static_cast<double>(n * in_part.size());
    in_square = in_part.sum() + floor;
    out_square = out_part.sum() + floor;
    factor = std::sqrt(in_square / out_square);
  }

  // dscaled becomes dout, and din += the part of `in` through the factor (where din is not null).
  // along: the sum of dscaled o scaled over all columns.
  void backward(Index column, Index n, double along, const double* in, const double* scaled,
                double* dscaled, double* din, const Kernels* kernels = fastest_kernels()) const {
    const double through_out = along / (factor * out_square), through_in = along / in_square;
    const double mean = factor * out_mean[column], middle = in_mean[column];
    if (kernels != nullptr) {
      kernels->rescale_backward(n, factor, through_out, mean, scaled, dscaled, through_in, middle,
                                in, din);
      return;
    }
    for (Index r = 0; r < n; ++r) {
      dscaled[r] = factor * dscaled[r] - through_out * (scaled[r] - mean);
    }
    for (Index r = 0; din != nullptr && r < n; ++r) din[r] += through_in * (in[r] - middle);
  }

 private:
  static void look_at(Index n, const double* x, double& mean, double& square,
                      const Kernels* kernels) {
    if (kernels != nullptr) {
      kernels->moments(n, x, &mean, &square);
      return;
    }
    const Eigen::Map<const Vector> column(x, n);
    mean = column.mean();
    square = (column.array() - mean).square().sum();
  }
};

}  // namespace daggnn
