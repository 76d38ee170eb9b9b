// Counts: Poisson with rate exp(output), sum_r rate - x log rate.
#pragma once

#include "likelihood/likelihood.h"

namespace daggnn {

// The rate of an output u: exp(u), and beyond this output its tangent, so that untrained networks
// cannot overflow. d: d rate / d u.
constexpr double largest_exponent = 15;
double poisson_rate(double u);
double poisson_rate_backward(double u);

// log Poisson(x | rate) = x log rate - rate - log x!
double poisson_log_density(double rate, double x);

// A count, by inversion where the rate is small, else by the Cornish-Fisher expansion of a normal
// number, whose error is of the order 1 / rate.
double draw_count(double rate, const NoiseDraw& from);

const Likelihood& poisson_likelihood();

}  // namespace daggnn
