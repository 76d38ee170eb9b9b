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

namespace daggnn {

class NeighbourProcess {
 public:
  static constexpr Index neighbours = 15;  // of each row, at most
  // x: n x p, the coordinates in one scale; order: the rows, those first that are spread over the
  // data.
  NeighbourProcess(const Matrix& x, const std::vector<Index>& order);

  struct Evidence {
    double unexplained;   // q
    double log_det;       // the sum of log v_i
    Vector standardised;  // (y_i - m_i) / sqrt(v_i), by row
  };
  // kernel: of one length.
  Evidence evidence(const Vector& y, const std::vector<double>& kernel, double rho) const;
  // exp(-|a - b|^2 / (2 l^2)) of all pairs that count.
  std::vector<double> kernel(double length) const;

 private:
  const std::vector<Index>& order_;
  std::vector<Index> nearest_;  // places in the order: of each place, up to `neighbours`
  // Of each place: the squared distances among its neighbours (below the diagonal) and itself last.
  std::vector<double> squared_;
};

// Rows so that the first ones, of any number, are spread evenly over the given ranking of all.
std::vector<Index> spread_order(const std::vector<Index>& ranked);

}  // namespace daggnn
