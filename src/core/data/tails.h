// What single values of a variable tell of its density: how heavy its tails are, and how finely it
// was measured.
#pragma once

#include "base/types.h"

namespace daggnn {

// By how much the standard deviation exceeds what the quartiles of the values tell of a normal
// distribution, as a logarithm; 0 where it does not. The values may be a sample of those that the
// standard deviation is of.
double tail_weight(const Vector& values, double standard_deviation);

// The share of the values' variance that comes from rounding, where the smallest distance between
// different values is the unit: h^2 / 12 for the unit h (Sheppard 1898). Next to nothing for
// continuous values, a third for as many zeros as ones.
double rounding_share(const Vector& values);

}  // namespace daggnn
