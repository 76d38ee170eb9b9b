#include "optim/augmented_lagrangian.h"

namespace daggnn {

void Multipliers::update(double h, const LagrangianControl& control) {
  lambda += c * h;
  if (h > control.gamma * last_h) c *= control.eta;
  last_h = h;
  ++round;
}

bool Multipliers::finished(const LagrangianControl& control, Reason& reason) const {
  const bool feasible = last_h <= control.h_tolerance, over = c > control.c_max;
  reason = feasible ? Reason::converged : over ? Reason::c_max : Reason::max_rounds;
  return feasible || over || round > control.max_rounds;
}

}  // namespace daggnn
