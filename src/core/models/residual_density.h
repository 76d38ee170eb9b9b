// The density of the noise of a numeric child, in units of its standard deviation: the standard
// normal one, or a mixture of normal densities that summarises a density estimate of the residuals.
//
// The estimate is made of the residuals or, where tails are heavy, of their inverse hyperbolic
// sines, as in density_score.h. Sorted, they fall into as many groups of equal size as there are
// components; a component has the mean of its group, and the larger of its standard deviation and
// the kernel's width. The mixture has mean 0 and variance 1.
#pragma once

#include "base/numbers.h"
#include "base/types.h"
#include "likelihood/likelihood.h"

namespace daggnn {

class ResidualDensity {
 public:
  ResidualDensity() = default;  // normal
  // Normal where the estimate's log-likelihood is not better by more than the charge.
  ResidualDensity(const Vector& residuals, double charge);
  explicit ResidualDensity(NumberReader& reader);
  void write(NumberWriter& writer) const;

  bool normal() const { return weight_.size() == 0; }
  // Effective number of them beside mean and variance: the sum over the residuals of the share that
  // each has in the estimate of its own density, less 1.
  double parameters() const;
  double log_density(double residual) const;
  double draw(const NoiseDraw& from) const;

 private:
  void standardise();
  double mixture(double t) const;

  Vector weight_, mean_, spread_;  // of the components, on the scale of the estimate
  bool tamed_ = false;
  double tame_mean_ = 0, tame_spread_ = 1;  // of the inverse hyperbolic sines
  double shift_ = 0, factor_ = 1;           // residual = (y - shift) / factor
};

}  // namespace daggnn
