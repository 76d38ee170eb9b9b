// What the scores of numeric children share: a regression of the standardised child on its parents,
// judged by log evidence. A kind of regression offers several fits that differ in their
// hyperparameters; which is best depends on the variance of the noise.
#pragma once

#include <limits>
#include <vector>

#include "base/types.h"
#include "scores/local_score.h"

namespace daggnn {

constexpr double not_applicable = -std::numeric_limits<double>::infinity();

// The noise of the children: a variance for each, or one for all of them in the units of the data.
struct NoiseVariances {
  Vector responses;   // the variance of each child's values; empty: each noise has its own variance
  double common = 1;  // else the variance of all noises
};

class NumericScore : public LocalScore {
 public:
  struct Fit {
    double unexplained;  // share of the child's variance
    double charge;       // for complexity, to be taken off the log-likelihood
  };
  struct Choice {
    double score = not_applicable;
    std::size_t fit = 0;
    double unexplained = 1;
  };

  double value(Index child, const Parents& parents) const final;
  // The best fit of a response of the child, and the residuals that it leaves.
  Choice choose(Index child, Index response, const Parents& parents) const;
  virtual Vector residuals(Index child, Index response, const Parents& parents,
                           std::size_t fit) const = 0;
  virtual Index responses(Index child) const = 0;  // 0: not numeric
  virtual double effective_rows() const = 0;

  void set_noise(const NoiseVariances& noise) { noise_ = noise; }
  const NoiseVariances& noise() const { return noise_; }
  // The share of each child's variance that comes from rounding, and so cannot be explained: a
  // density would have no bound where a child takes few values.
  void set_rounding(const Vector& shares) { rounding_ = shares; }

 protected:
  // No fit where this kind of regression has no meaning for the family.
  virtual std::vector<Fit> fits(Index child, Index response, const Parents& parents) const = 0;
  // Without constants that are the same for all families of the child.
  double log_likelihood(Index child, double unexplained) const;
  // What a family with this log-likelihood leaves unexplained.
  double unexplained_at(Index child, double log_likelihood) const;
  // Curves beside linear terms that alone leave `straight` unexplained are compared by the integral
  // over the mean and so many slopes, with a flat prior, on both sides: the variance of the noise
  // is then known from the other rows only, or curves that pass through all rows would have no
  // bound.
  double slope_charge(Index child, Index slopes, double straight, double unexplained) const;

 private:
  double least_unexplained(Index child) const;

  NoiseVariances noise_;
  Vector rounding_;  // empty: none
};

}  // namespace daggnn
