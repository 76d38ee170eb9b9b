// What a numeric variable offers to its children: K smooth functions of it, from smooth to rough.
//
// Natural cubic splines with knots at quantiles, turned into functions that have mean 0 and
// variance 1 on the data, are uncorrelated there, and are ordered by roughness (the basis of
// Demmler and Reinsch 1975). The first is the standardised variable itself, so that a linear effect
// is the special case in which the other coefficients are zero. No unit of measurement enters.
#pragma once

#include <vector>

#include "base/numbers.h"
#include "base/types.h"

namespace daggnn {

class SplineBasis {
 public:
  // values: at least two distinct ones, none missing; at most `size` functions, fewer where there
  // are few distinct values.
  SplineBasis(const Vector& values, Index size);
  // As write() described it.
  explicit SplineBasis(NumberReader& reader);
  void write(NumberWriter& writer) const;

  Index size() const { return 1 + rough_.cols(); }
  double center() const { return center_; }
  double scale() const { return scale_; }
  // The basis of the linear function alone.
  SplineBasis linear() const;
  // One column for each function.
  Matrix evaluate(const Vector& values) const;

 private:
  Matrix natural(const Vector& z) const;  // the splines beyond the linear one, not yet orthonormal

  double center_, scale_;  // of the values
  std::vector<double> knots_;
  Matrix linear_part_;  // 2 x splines: intercept and slope on z that are taken off each spline
  Matrix rough_;        // splines x functions
};

}  // namespace daggnn
