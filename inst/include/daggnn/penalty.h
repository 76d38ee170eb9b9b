// Penalties on the strength |A_ij| = sqrt(S_ij) of each edge.
//
//   S   m x m, S = A o A; dS accumulates weight * d penalty / dS
#pragma once

#include <cmath>

#include "types.h"

namespace daggnn {

enum class Penalty { none, l1, huber };

// Where the Huber penalty turns from a square into a straight line.
constexpr double huber_corner = 0.1;
// |A| has no derivative at 0: below this square it counts as flat.
constexpr double smallest_square = 1e-16;

// Returns weight * sum_ij prices_ij p(|A_ij|).
inline double penalty_forward_backward(Penalty penalty, double weight, const Matrix& S,
                                       const Matrix& prices, Matrix& dS) {
  if (penalty == Penalty::none || weight == 0) return 0;
  double total = 0;
  for (Index k = 0; k < S.size(); ++k) {
    const double square = S(k);
    if (square < smallest_square) continue;
    const double size = std::sqrt(square), price = weight * prices(k);
    if (penalty == Penalty::huber && size < huber_corner) {
      total += price * square / (2 * huber_corner);
      dS(k) += price / (2 * huber_corner);
    } else {
      total += price * (penalty == Penalty::huber ? size - huber_corner / 2 : size);
      dS(k) += price / (2 * size);
    }
  }
  return total;
}

}  // namespace daggnn
