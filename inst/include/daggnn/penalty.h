// Penalties on the strength |A_ij| = sqrt(S_ij) of each edge.
//
//   S   S = A o A; dS accumulates weight * d penalty / dS
#pragma once

#include <cmath>

#include "types.h"

namespace daggnn {

enum class Penalty { none, l1, huber };

// Where the Huber penalty turns from a square into a straight line.
constexpr double huber_corner = 0.1;
// |A| has no derivative at 0: below this square it counts as flat.
constexpr double smallest_square = 1e-16;

// Returns weight * sum_k prices_k p(|A_k|) over `count` edges.
inline double penalty_forward_backward(Penalty penalty, double weight, Index count, const double* S,
                                       const double* prices, double* dS) {
  if (penalty == Penalty::none || weight == 0) return 0;
  double total = 0;
  for (Index k = 0; k < count; ++k) {
    const double square = S[k];
    if (square < smallest_square) continue;
    const double size = std::sqrt(square), price = weight * prices[k];
    if (penalty == Penalty::huber && size < huber_corner) {
      total += price * square / (2 * huber_corner);
      dS[k] += price / (2 * huber_corner);
    } else {
      total += price * (penalty == Penalty::huber ? size - huber_corner / 2 : size);
      dS[k] += price / (2 * size);
    }
  }
  return total;
}

}  // namespace daggnn
