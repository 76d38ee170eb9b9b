// A smooth function of one number as a sum of cubic B-splines on equal intervals (P-splines, Eilers
// and Marx 1996). Four of them differ from zero at any place, so that products cost little however
// many there are. Outside the range the function is constant.
#pragma once

#include <array>

#include "base/types.h"

namespace daggnn {

class UniformSpline {
 public:
  UniformSpline() = default;
  UniformSpline(double low, double high, Index intervals)
      : low_(low), high_(high), intervals_(intervals) {}

  // The B-splines first, ..., first + 3 at u, and their derivatives with respect to u.
  struct Place {
    Index first;
    std::array<double, 4> value, slope;
  };
  Place at(double u) const;
  double evaluate(double u, const Vector& coefficients) const;

  Index size() const { return intervals_ + 3; }
  Index intervals() const { return intervals_; }
  double low() const { return low_; }
  double high() const { return high_; }

 private:
  double low_ = 0, high_ = 1;
  Index intervals_ = 1;
};

// D'D for the second differences D of neighbouring coefficients: 0 for a straight line.
Matrix second_differences(Index size);

}  // namespace daggnn
