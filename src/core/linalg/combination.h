// A vector less a combination of others.
#pragma once

#include "base/types.h"
#include "linalg/simd/kernels.h"

namespace daggnn {

// y -= X w, where X has `count` rows and so many columns below each other in memory.
inline void subtract_combination(Index count, Index columns, const double* X, const double* w,
                                 double* y, const Kernels* kernels = fastest_kernels()) {
  if (kernels != nullptr) {
    kernels->subtract_combination(count, columns, X, w, y);
    return;
  }
  for (Index k = 0; k < columns; ++k) {
    for (Index e = 0; e < count; ++e) y[e] -= X[e + k * count] * w[k];
  }
}

}  // namespace daggnn
