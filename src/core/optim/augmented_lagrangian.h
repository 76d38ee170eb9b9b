// The augmented Lagrangian method (paper, section 3.7), as every learner with a constraint h >= 0
// uses it: round by round minimise
//
//   L_c(theta) = f(theta) + lambda h(theta) + c / 2 h(theta)^2
//
// then lambda += c h, and c *= eta unless h fell below gamma times its previous value.
#pragma once

#include <limits>

#include "base/enumeration.h"
#include "base/types.h"

namespace daggnn {

struct LagrangianControl {
  int max_rounds = 100;
  double lambda = 0, c = 1;  // where the multiplier and the weight of the square begin
  double eta = 10, gamma = 0.25;
  double h_tolerance = 1e-8;
  double c_max = 1e20;
};

// One round as it ended; epochs are those of Adam, or iterations of L-BFGS.
struct Round {
  int round, epochs;
  double h, c, lambda, loss, seconds;
};

enum class Reason { converged, max_rounds, c_max, interrupt, time_limit, not_finite };
constexpr Name<Reason> reason_names[] = {
    {"converged", Reason::converged},   {"max_rounds", Reason::max_rounds},
    {"c_max", Reason::c_max},           {"interrupt", Reason::interrupt},
    {"time_limit", Reason::time_limit}, {"not_finite", Reason::not_finite}};

struct Multipliers {
  double lambda, c;
  double last_h = std::numeric_limits<double>::infinity();  // at the end of the previous round
  int round = 1;                                            // the round under way

  explicit Multipliers(const LagrangianControl& control) : lambda(control.lambda), c(control.c) {}

  // What the constraint adds to the objective, and its derivative by h.
  double value(double h) const { return lambda * h + c / 2 * h * h; }
  double slope(double h) const { return lambda + c * h; }

  // At the end of a round.
  void update(double h, const LagrangianControl& control);
  // Whether no round is left to do, and why.
  bool finished(const LagrangianControl& control, Reason& reason) const;
};

}  // namespace daggnn
