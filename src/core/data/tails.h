// How heavy the tails of a variable are: an edge between such variables is charged for it.
#pragma once

#include "base/types.h"

namespace daggnn {

// By how much the standard deviation exceeds what the quartiles of the values tell of a normal
// distribution, as a logarithm; 0 where it does not. The values may be a sample of those that the
// standard deviation is of.
double tail_weight(const Vector& values, double standard_deviation);

}  // namespace daggnn
