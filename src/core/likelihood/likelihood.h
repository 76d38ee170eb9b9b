// What a variable receives: the distribution of its values given the outputs of a model.
//
// clang-format off
//   distribution   outputs                     expected                     file
//   normal         the mean of each component  the same                     normal.h
//   categorical    a logit for each level      the probability of each one  categorical.h
//   poisson        the log rate                the rate                     poisson.h
// clang-format on
#pragma once

#include <cmath>

#include "base/types.h"
#include "data/samples.h"

namespace daggnn {

// One variable over the rows of a batch; its components or levels are `stride` numbers apart.
struct Observations {
  Index rows, width, stride;
  const double* x;        // values, or indicators of levels
  const double* seen;     // 0 where a value is missing; null: all are there
  const double* outputs;  // of the model
  double share;           // weight of a row
  double* doutputs;       // written
  // log S of normal components, where it is learned; else null and S = 1.
  const double* log_spread = nullptr;
  double* dlog_spread = nullptr;  // written

  bool is_seen(Index r, Index k = 0) const { return seen == nullptr || seen[r + k * stride] != 0; }
};

// What a draw is made of: a number uniform on [0, 1) and a standard normal one.
struct NoiseDraw {
  double uniform, normal;
};

class Likelihood {
 public:
  virtual ~Likelihood() = default;

  // The negative log-likelihood without the constants that no output changes, and its gradient.
  virtual double loss_forward_backward(const Observations& of) const = 0;
  // Replaces the outputs of one row by what is expected, and the other way round.
  virtual void expect(Index width, Index stride, double* outputs) const = 0;
  virtual void outputs_of_expected(Index width, Index stride, double* expected) const = 0;
  // For variables with one column of values, in full and with unit spread.
  virtual double log_density(Index stride, const double* expected, double value) const = 0;
  virtual double draw(Index width, Index stride, const double* expected,
                      const NoiseDraw& from) const = 0;
};

// The registry of likelihoods.
const Likelihood& likelihood_of(Distribution distribution);

}  // namespace daggnn
