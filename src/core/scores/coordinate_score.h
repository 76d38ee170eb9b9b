// What scores share that look at the rows of the parents' linear features, their coordinates.
#pragma once

#include <utility>
#include <vector>

#include "scores/numeric_score.h"

namespace daggnn {

class CoordinateScore : public NumericScore {
 public:
  // coordinates: for each variable its standardised columns, n x d; they outlive the score.
  // numeric: whether a variable is a number; applicable to these. n: what the rows count as.
  CoordinateScore(const std::vector<Matrix>& coordinates, std::vector<bool> numeric, double n)
      : coordinates_(coordinates), numeric_(std::move(numeric)), n_(n) {}

  Index variables() const override { return static_cast<Index>(coordinates_.size()); }
  double effective_rows() const override { return n_; }
  Index responses(Index child) const override { return numeric_[child] ? 1 : 0; }

 protected:
  Index rows() const { return coordinates_.front().rows(); }
  // The parents' linear features side by side.
  Matrix linear_features(const Parents& parents) const;
  // All rows, by the rank of the sum of their coordinates, whatever the order of rows and columns.
  std::vector<Index> ranked_rows() const;
  // So many of them, spread over the data.
  static std::vector<Index> spread_rows(const std::vector<Index>& ranked, Index count);

  const std::vector<Matrix>& coordinates_;
  const std::vector<bool> numeric_;
  const double n_;
};

}  // namespace daggnn
