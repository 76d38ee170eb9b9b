// Levels: the cross-entropy of one-hot rows, -sum_r sum_k x_k log softmax(logits)_k.
#pragma once

#include "likelihood/likelihood.h"

namespace daggnn {

// Probabilities below this count as this in log-likelihoods.
constexpr double least_probability = 1e-300;

// Softmax over `levels` logits, one every `stride` values; returns log sum_k exp(logit_k).
double softmax(Index levels, Index stride, const double* logits, double* probabilities);

// The level that a uniform number from [0, 1) draws by the probabilities, one every `stride`
// values.
Index draw_level(Index levels, Index stride, const double* probabilities, double uniform);

const Likelihood& categorical_likelihood();

}  // namespace daggnn
