// The score of numeric children whose parents interact: log evidence of one function of all of
// them, by the better of two approximations.
//
// y = linear terms + f(parents) + noise, where f is a Gaussian process with a squared-exponential
// kernel k(a, b) = exp(-|a - b|^2 / (2 l^2)) on the standardised parents and prior variance
// s^2 rho, in the approximation of Nystroem: f lies in the span of k(., c) for q rows c, the
// centres. With K = k(rows, centres), Q = k(centres, centres) and the linear terms (flat prior,
// log(n) / 2 each) projected out of K and y,
//   -(n/2) log q - (1/2) [log det(K'K + Q / rho) - log det(Q / rho)],
//   q = (y'y - y'K (K'K + Q / rho)^-1 K'y) / n.
// The kernel is a product over parents, so that one factor for each variable and length scale is
// computed once.
//
// Few centres do not reach all rows where there are many parents and the function varies over short
// distances: there, rows tell of their nearest neighbours (neighbour_process.h).
#pragma once

#include <vector>

#include "base/types.h"
#include "scores/coordinate_score.h"
#include "scores/family_table.h"

namespace daggnn {

struct JointOptions {
  double joint_charge = 0;  // for the choice of l and rho
  Index centres = 100;
  bool neighbours = true;  // whether nearest neighbours are tried beside the centres
  std::vector<double> lengths = {0.4, 0.8, 1.5, 3.0, 6.0};
};

class JointScore final : public CoordinateScore {
 public:
  // Applicable with two parents or more.
  JointScore(const std::vector<Matrix>& coordinates, std::vector<bool> numeric, double n,
             JointOptions options);

  Vector residuals(Index child, Index response, const Parents& parents,
                   std::size_t fit) const override;

  // fit = linear terms * slopes + (kernel with the centres - kernel_means) * kernel
  struct Regression {
    double length;
    std::vector<Index> centres;  // rows
    Vector slopes, kernel, kernel_means;
    double parameters;  // effective ones: the trace of the matrix that maps y to its fit
  };
  // Of a fit by nearest neighbours: by centres, with the same rho and the next length.
  Regression regression(Index child, const Parents& parents, std::size_t fit) const;

 protected:
  // Those that a climb over length scales and rho came by; remembered, since they take
  // milliseconds.
  std::vector<Fit> fits(Index child, Index response, const Parents& parents) const override;

 private:
  struct Design;
  Design design(Index child, const Parents& parents, std::size_t length) const;
  struct Hyperparameters {
    std::size_t length;  // as a number in the grid of lengths
    double rho;
    double neighbour_length;  // of a fit by nearest neighbours, else 0
  };
  struct Found {
    std::vector<Fit> fits;
    std::vector<Hyperparameters> at;  // of each
  };
  Found climb(Index child, const Parents& parents) const;
  void climb_neighbours(Index child, const Parents& parents, Found& found) const;
  Found known(Index child, const Parents& parents) const;
  // What the linear features leave of the child.
  Vector linear_residuals(const Matrix& X, Index child) const;
  Regression solve(const Design& of, const Hyperparameters& at) const;

  const JointOptions options_;
  std::vector<Index> centres_;               // rows
  std::vector<Index> spread_;                // all rows, in the order of the nearest neighbours
  std::vector<std::vector<Matrix>> factor_;  // [length][variable]: n x q
  mutable FamilyTable<Found> known_;
};

}  // namespace daggnn
