// The inverse and the determinant of a matrix whose diagonal dominates its rows, as s I - S does
// for the log-determinant constraint: elimination needs no pivots there, so the work can be cut
// into halves and left to matrix products.
#pragma once

#include <vector>

#include "base/executor.h"
#include "base/types.h"
#include "linalg/gemm.h"

namespace daggnn {

class DominantInverse {
 public:
  // M (m x m) becomes its inverse; returns log det M.
  double operator()(Matrix& M, Executor& executor);

 private:
  static constexpr Index small = 24;  // below, halves gain nothing

  // With halves [A B; C D], T = A^-1 B, U = C A^-1 and the Schur complement E = D - C T:
  //   M^-1 = [A^-1 + T E^-1 U, -T E^-1; -E^-1 U, E^-1],  det M = det A det E
  double invert(Index m, double* M, Index stride, double* scratch, Executor& executor);

  // Gauss and Jordan, in place.
  static double eliminate(Index m, double* M, Index stride);

  std::vector<double> scratch_;
};

}  // namespace daggnn
