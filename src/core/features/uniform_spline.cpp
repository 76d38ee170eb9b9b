#include "features/uniform_spline.h"

#include <algorithm>

namespace daggnn {

UniformSpline::Place UniformSpline::at(double u) const {
  const double step = (high_ - low_) / static_cast<double>(intervals_);
  const double place = (std::min(std::max(u, low_), high_) - low_) / step;
  const Index first = std::min(static_cast<Index>(place), intervals_ - 1);
  const double t = place - static_cast<double>(first), s = 1 - t;
  Place result;
  result.first = first;
  result.value = {s * s * s / 6, (4 - 6 * t * t + 3 * t * t * t) / 6,
                  (4 - 6 * s * s + 3 * s * s * s) / 6, t * t * t / 6};
  if (u < low_ || u > high_) {
    result.slope = {0, 0, 0, 0};
  } else {
    result.slope = {-s * s / 2 / step, (3 * t * t - 4 * t) / 2 / step,
                    -(3 * s * s - 4 * s) / 2 / step, t * t / 2 / step};
  }
  return result;
}

double UniformSpline::evaluate(double u, const Vector& coefficients) const {
  const Place place = at(u);
  double sum = 0;
  for (Index k = 0; k < 4; ++k) {
    sum += place.value[static_cast<std::size_t>(k)] * coefficients[place.first + k];
  }
  return sum;
}

Matrix second_differences(Index size) {
  Matrix D = Matrix::Zero(std::max<Index>(size - 2, 0), size);
  for (Index k = 0; k < D.rows(); ++k) D.row(k).segment(k, 3) << 1, -2, 1;
  return D.transpose() * D;
}

}  // namespace daggnn
