// Cuts from the networks of a few nodes (local cuts: Applegate, Bixby, Chvatal and Cook 2001). What
// a fractional solution says about the nodes C alone,
//   y(i, Q) = sum over the sets J of i with J & C = Q of x(i, J),
// must be a mixture of networks of C, or below one. Where it is not, some inequality
//   sum of a(i, Q) y(i, Q) <= t,   a >= 0,
// holds for all networks of C and not for y. It is found by column generation on
//   minimise sum of lambda(D)  subject to  sum of lambda(D) D >= y,  lambda >= 0,
// over the networks D of C: the optimum is above 1 if there is such an inequality, and the dual
// prices are its coefficients. The network whose dual prices sum to most comes from dynamic
// programming over the subsets of C, and so does t, so that a cut is valid however the column
// generation went.
#pragma once

#include <vector>

#include "base/types.h"
#include "search/parent_sets.h"

namespace daggnn {

// Numbers a(i, Q), i and Q from a few nodes, Q as bits.
class LocalWeights {
 public:
  explicit LocalWeights(Index nodes) : nodes_(nodes), weights_(nodes << nodes, 0.0) {}
  Index nodes() const { return nodes_; }
  double& at(Index i, Index Q) { return weights_[(i << nodes_) + Q]; }
  double at(Index i, Index Q) const { return weights_[(i << nodes_) + Q]; }

 private:
  Index nodes_;
  std::vector<double> weights_;
};

// The network of a few nodes with the largest sum of weights; nodes may be held to one set.
class LocalOracle {
 public:
  explicit LocalOracle(Index nodes)
      : nodes_(nodes),
        best_(nodes << nodes),
        choice_(nodes << nodes),
        sum_(Index{1} << nodes),
        sink_(Index{1} << nodes) {}

  // choice: for each node its set in the best network.
  double maximise(const LocalWeights& a, std::vector<Index>& choice);

  // The best of the networks in which `child` has exactly the set Q; a as in the last maximise(),
  // or changed for nodes that were taken again.
  double maximise_with(const LocalWeights& a, Index child, Index Q);

  // best(i, T): the largest weight of i among the subsets of T.
  void take_node(const LocalWeights& a, Index i);

 private:
  double run();

  Index nodes_;
  std::vector<double> best_;
  std::vector<Index> choice_;
  std::vector<double> sum_;
  std::vector<Index> sink_;
};

class LocalCutFinder {
 public:
  // y: of the nodes of C; a cut is found where y is outside by more than `least`.
  bool find(const LocalWeights& y, double least, LocalWeights& a, double& right_side);

 private:
  static constexpr double zero = 1e-7;
  static constexpr Index most_pivots = 400;
  // Coefficients are multiples of this, so that sums of them are exact.
  static constexpr double grain = 1.0 / (1 << 20);

  struct Row {
    Index i, Q;
    double y;
  };

  // Dual prices of the covering problem; false where y is no more than `least` outside.
  bool generate(LocalOracle& oracle, double least, LocalWeights& a);

  // Rounds the coefficients down, finds t, and gives every other set the largest coefficient that
  // keeps the inequality valid.
  void lift(LocalOracle& oracle, const LocalWeights& y, LocalWeights& a, double& right_side);

  std::vector<Row> rows_;
};

}  // namespace daggnn
