// Slow, obvious derivatives, to hold hand-written ones against.
#pragma once

#include "base/types.h"

#include <functional>

// The gradient of f at x by central differences, entry by entry; x may be a matrix or a vector.
template <class Point>
Point finite_differences(const std::function<double(const Point&)>& f, Point x,
                         double step = 1e-5) {
  Point dx = Point::Zero(x.rows(), x.cols());
  for (daggnn::Index k = 0; k < x.size(); ++k) {
    const double here = x(k);
    x(k) = here + step;
    const double above = f(x);
    x(k) = here - step;
    const double below = f(x);
    x(k) = here;
    dx(k) = (above - below) / (2 * step);
  }
  return dx;
}
