// The score of numeric children that depend on their parents by indices: log evidence of ridge
// functions (projection pursuit, Friedman and Stuetzle 1981; with one term and no more than slopes
// along its direction, the single-index model).
//
//   y = X beta + s_1(X w_1) + ... + s_K(X w_K) + noise
//
// X has the parents' linear features (flat prior, log(n / q) / 2 each), a direction w_k has one
// free number less than there are features (charged the same), and s_k are cubic B-splines on equal
// intervals with c_k ~ N(0, s^2 rho P^-1), P the products of second differences. With beta
// projected out of B, the B-splines of all terms, and y,
//   -(n/2) log q - (1/2) [log det(B'B + P / rho) - log det(P / rho)],
//   q = (y'y - y'B (B'B + P / rho)^-1 B'y) / n.
// Directions come from Gauss-Newton steps that raise this score, from the direction of the linear
// fit and from the principal Hessian directions of its residuals (Li 1992).
#pragma once

#include <utility>
#include <vector>

#include "base/types.h"
#include "features/uniform_spline.h"
#include "scores/coordinate_score.h"
#include "scores/family_table.h"

namespace daggnn {

struct IndexOptions {
  double index_charge = 0;  // for the choice of the directions and of rho
  Index intervals = 32;     // of the splines, which may run through several waves
  Index terms = 3;          // at most
};

class IndexScore final : public CoordinateScore {
 public:
  // Applicable with one parent or more.
  IndexScore(const std::vector<Matrix>& coordinates, std::vector<bool> numeric, double n,
             IndexOptions options);

  Vector residuals(Index child, Index response, const Parents& parents,
                   std::size_t fit) const override;

  // fit = X * slopes + sum over terms of spline(X * direction) - constant
  struct Term {
    Vector direction;
    UniformSpline spline;
    Vector coefficients;
  };
  struct Regression {
    Vector slopes;
    std::vector<Term> terms;
    double constant;
    double parameters;  // effective ones: the trace of the matrix that maps y to its fit
  };
  Regression regression(Index child, const Parents& parents, std::size_t fit) const;

 protected:
  // One for each rho, with the directions that were found; remembered.
  std::vector<Fit> fits(Index child, Index response, const Parents& parents) const override;

 private:
  struct Data;
  struct Design;
  struct Newton;
  struct Place;
  struct Climb;
  struct Found {
    std::vector<Fit> fits;
    Matrix directions;  // a column for each term
  };
  // few: rows, or empty for all.
  Data data(Index child, const Parents& parents, const std::vector<Index>& few) const;
  Design design(const Data& data, const Matrix& directions) const;
  // llt: of the penalised products at this rho.
  Fit fit_at(const Data& data, const Design& design, const Eigen::LLT<Matrix>& llt,
             double rho) const;
  double own_score(const Fit& fit) const;  // with a noise variance of its own
  Place place(const Data& data, const Design& design, std::size_t rho) const;
  void improve_rho(const Data& data, const Design& design, Place& best) const;
  Regression solve(const Data& data, const Design& design, const Eigen::LLT<Matrix>& llt) const;
  static Vector residuals_of(const Data& data, const Regression& solved);
  Newton newton(const Data& data, const Design& design, const Eigen::LLT<Matrix>& llt) const;
  Climb climb(const Data& data, Climb from, int steps) const;
  Found search(Index child, const Parents& parents) const;
  Found known(Index child, const Parents& parents) const;

  const IndexOptions options_;
  Matrix penalty_;  // P of one term
  double penalty_log_det_;
  std::vector<Index> few_;  // rows on which starts are tried, where there are many
  mutable FamilyTable<Found> known_;
};

}  // namespace daggnn
