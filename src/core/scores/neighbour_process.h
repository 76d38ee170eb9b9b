// A Gaussian process given nearest neighbours: the log evidence of a function of several variables
// that varies over short distances.
//
//   y = f(x) + noise,  f with covariance s^2 rho exp(-|a - b|^2 / (2 l^2)),  noise variance s^2
//
// The density of y is the product of each row's density given its k nearest neighbours among the
// rows before it (Vecchia 1988; Datta et al. 2016): a density for every l and rho, close to that of
// the whole process where only near rows tell of each other, and the cost is linear in the number
// of rows. With mean m_i and variance s^2 v_i of row i given its neighbours,
//   -(n/2) log q - (1/2) sum of log v_i,   q = (1/n) sum of (y_i - m_i)^2 / v_i.
#pragma once

#include <vector>

#include "base/types.h"
#include "linalg/simd/kernels.h"

namespace daggnn {

class NeighbourProcess {
 public:
  static constexpr Index neighbours = 15;  // of each row, at most
  // x: n x p, the coordinates in one scale; order: the rows, those first that are spread over the
  // data.
  NeighbourProcess(const Matrix& x, const std::vector<Index>& order);

  // Numbers of each place in the order and its neighbours, as conditionals() in kernels_body.h
  // takes them: blocks of places, which stand side by side.
  using Blocks = std::vector<double>;
  // exp(-|a - b|^2 / (2 l^2)) of all pairs that count.
  Blocks kernel(double length) const;
  // That of the length times, or divided by, the square root of 2.
  static void lengthen(Blocks& kernel);
  static void shorten(Blocks& kernel);
  // A response at the neighbours and at the place itself.
  Blocks response(const Vector& y) const;

  struct Evidence {
    double unexplained;   // q
    double log_det;       // the sum of log v_i
    Vector standardised;  // (y_i - m_i) / sqrt(v_i), by row
  };
  Evidence evidence(const Blocks& response, const Blocks& kernel, double rho,
                    const Kernels* kernels = fastest_kernels()) const;

 private:
  const std::vector<Index>& order_;
  Index blocks_;
  // Of each place: its neighbours as places; -1 where it has fewer.
  std::vector<Index> nearest_;
  // The squared distances of each place's neighbours among each other (below the diagonal) and to
  // the place itself, last. Neighbours that are not there are infinitely far.
  Blocks squared_;
};

// Rows so that the first ones, of any number, are spread evenly over the given ranking of all.
std::vector<Index> spread_order(const std::vector<Index>& ranked);

}  // namespace daggnn
