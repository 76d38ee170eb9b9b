// Penalties on the absolute weight |A_ij| = sqrt(S_ij) of each edge.
//
//   S   S = A o A; dS accumulates weight * d penalty / dS
#pragma once

#include "base/enumeration.h"
#include "base/types.h"

namespace daggnn {

enum class Penalty { none, l1, huber };
constexpr Name<Penalty> penalty_names[] = {
    {"none", Penalty::none}, {"l1", Penalty::l1}, {"huber", Penalty::huber}};

// Where the Huber penalty turns from a square into a straight line.
constexpr double huber_corner = 0.1;
// |A| has no derivative at 0: below this square it counts as flat.
constexpr double smallest_square = 1e-16;

// Returns weight * sum_k penalty_factors_k p(|A_k|) over `count` edges.
double penalty_forward_backward(Penalty penalty, double weight, Index count, const double* S,
                                const double* penalty_factors, double* dS);

}  // namespace daggnn
