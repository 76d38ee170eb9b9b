#include "optim/penalty.h"

#include <cmath>

namespace daggnn {

double penalty_forward_backward(Penalty penalty, double weight, Index count, const double* S,
                                const double* penalty_factors, double* dS) {
  if (penalty == Penalty::none || weight == 0) return 0;
  double total = 0;
  for (Index k = 0; k < count; ++k) {
    const double square = S[k];
    if (square < smallest_square) continue;
    const double size = std::sqrt(square), factor = weight * penalty_factors[k];
    if (penalty == Penalty::huber && size < huber_corner) {
      total += factor * square / (2 * huber_corner);
      dS[k] += factor / (2 * huber_corner);
    } else {
      total += factor * (penalty == Penalty::huber ? size - huber_corner / 2 : size);
      dS[k] += factor / (2 * size);
    }
  }
  return total;
}

}  // namespace daggnn
