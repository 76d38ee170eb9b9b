// The score of numeric children: log evidence of a sum of functions, one for each parent.
//
// A child's standardised values y are modelled as y = F w + noise, where the design matrix F has
// the features of its parents: linear ones (the standardised variable, the contrasts of a factor),
// whose coefficients have a flat prior and are charged log(n) / 2 each as in BIC, and smooth ones,
// the k-th of a variable with w_k ~ N(0, s^2 rho k^-2). With s^2 maximised out and w integrated
// out, with G = F'F / n and c = F'y / n,
//   -(n/2) log q - (1/2) log det(I + n rho D G_s D),   q = 1 - c' (G + P / n)^-1 c,
// where P = diag(0 for linear features, k^2 / rho for smooth ones), D = diag(1 / k), and G_s is the
// Schur complement of the linear features. rho comes from a grid; without smooth features (rho = 0)
// this is the Gaussian BIC, so that a straight line is the special case that costs less. Once G is
// known, nothing depends on n. Curves are held against the straight lines with the mean and the
// slopes integrated out as well (restricted likelihood; NumericScore::slope_charge): in few rows,
// curves would explain by chance what the lines leave.
#pragma once

#include <vector>

#include "scores/numeric_score.h"

namespace daggnn {

// Where the features of a variable stand among the columns of the design matrix.
struct FeatureBlock {
  Index first = 0;
  Index linear = 1;     // flat prior
  Index smooth = 0;     // from smooth to rough, after the linear ones
  Index responses = 1;  // the first linear ones are what it receives as a child; 0: not numeric
  double error = 0;     // variance of the measurement error in each linear feature (Fuller 1987)
};

struct AdditiveOptions {
  double edge_charge = 0;   // for each parent, beside the evidence
  double curve_charge = 0;  // for smooth features (rho > 0)
};

class AdditiveScore final : public NumericScore {
 public:
  // features: rows x P, standardised; gram: F'F / rows; both outlive the score. n: what the rows
  // count as.
  AdditiveScore(const Matrix& features, const Matrix& gram, double n,
                std::vector<FeatureBlock> blocks, AdditiveOptions options);

  Index variables() const override { return static_cast<Index>(blocks_.size()); }
  double effective_rows() const override { return n_; }
  Index responses(Index child) const override { return blocks_[child].responses; }
  Vector residuals(Index child, Index response, const Parents& parents,
                   std::size_t fit) const override;
  // The families share the factorisation of what they have in common.
  void additions(Index child, const Parents& parents, const Parents& candidates,
                 std::vector<double>& values) const override;
  void removals(Index child, const Parents& parents, std::vector<double>& values) const override;
  void grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
            const LeastGain& least) const override;
  std::unique_ptr<const PreparedFamily> prepare(Index child, const Parents& parents) const override;

  // The columns of the design matrix that a fit uses, and their coefficients.
  struct Regression {
    std::vector<Index> columns;
    Vector coefficients;
    double parameters;  // effective ones: the trace of the matrix that maps y to its fit
  };
  Regression regression(Index child, Index response, const Parents& parents, std::size_t fit) const;

 protected:
  // The linear fit, then one for each rho.
  std::vector<Fit> fits(Index child, Index response, const Parents& parents) const override;

 private:
  struct Design;
  struct Columns;
  class Sweep;
  class StraightFamily;
  Design design(Index column, const Parents& parents) const;
  // The features of the variables, linear ones first where rho > 0; without smooth ones else.
  Columns columns(const Parents& variables, double rho) const;
  // Straight lines alone: the child and all parents are single numbers without smooth features.
  bool straight(Index child) const { return single_ && blocks_[child].responses == 1; }
  double straight_charge(std::size_t parents) const;
  std::vector<double> smooth_removals(Index child, const Parents& parents) const;
  double straight_left(Index child, const Parents& parents) const;
  double own_product(Index variable) const;

  const Matrix& features_;
  const Matrix& gram_;
  double n_;
  std::vector<FeatureBlock> blocks_;
  AdditiveOptions options_;
  bool single_;  // each variable has one feature
};

}  // namespace daggnn
