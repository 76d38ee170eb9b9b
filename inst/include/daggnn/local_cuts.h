// Cuts from the networks of a few nodes (local cuts: Applegate, Bixby, Chvatal and Cook 2001). What
// a fractional solution says about the nodes C alone,
//   y(i, Q) = sum over the sets J of i with J & C = Q of x(i, J),
// must be a mixture of networks of C, or below one. Where it is not, some inequality
//   sum of a(i, Q) y(i, Q) <= t,   a >= 0,
// holds for all networks of C and not for y. It is found by column generation on
//   minimise sum of lambda(D)  subject to  sum of lambda(D) D >= y,  lambda >= 0,
// over the networks D of C: the optimum is above 1 if there is such an inequality, and the dual
// prices are its coefficients. The network that prices want most comes from dynamic programming
// over the subsets of C, and so does t, so that a cut is valid however the column generation went.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parent_sets.h"
#include "types.h"

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
  double maximise(const LocalWeights& a, std::vector<Index>& choice) {
    for (Index i = 0; i < nodes_; ++i) take_node(a, i);
    const double sum = run();
    choice.assign(nodes_, 0);
    for (Index S = (Index{1} << nodes_) - 1; S != 0;) {
      const Index i = sink_[S];
      S &= ~(Index{1} << i);
      choice[i] = choice_[(i << nodes_) + S];
    }
    return sum;
  }

  // The best of the networks in which `child` has exactly the set Q; a as in the last maximise(),
  // or changed for nodes that were taken again.
  double maximise_with(const LocalWeights& a, Index child, Index Q) {
    for (Index T = 0; T < (Index{1} << nodes_); ++T) {
      best_[(child << nodes_) + T] = (Q & ~T) == 0 ? a.at(child, Q) : no_score;
    }
    const double sum = run();
    take_node(a, child);
    return sum;
  }

  // best(i, T): the largest weight of i among the subsets of T.
  void take_node(const LocalWeights& a, Index i) {
    double* best = best_.data() + (i << nodes_);
    Index* choice = choice_.data() + (i << nodes_);
    for (Index T = 0; T < (Index{1} << nodes_); ++T) {
      best[T] = a.at(i, T);
      choice[T] = T;
      for (Index rest = T; rest != 0; rest &= rest - 1) {
        const Index smaller = T & ~(rest & -rest);
        if (best[smaller] >= best[T]) {
          best[T] = best[smaller];
          choice[T] = choice[smaller];
        }
      }
    }
  }

 private:
  double run() {
    sum_[0] = 0;
    for (Index S = 1; S < (Index{1} << nodes_); ++S) {
      sum_[S] = no_score;
      for (Index i = 0; i < nodes_; ++i) {
        const Index bit = Index{1} << i;
        if ((S & bit) == 0) continue;
        const double sum = sum_[S ^ bit] + best_[(i << nodes_) + (S ^ bit)];
        if (sum > sum_[S]) {
          sum_[S] = sum;
          sink_[S] = i;
        }
      }
    }
    return sum_.back();
  }

  Index nodes_;
  std::vector<double> best_;
  std::vector<Index> choice_;
  std::vector<double> sum_;
  std::vector<Index> sink_;
};

class LocalCutFinder {
 public:
  // y: of the nodes of C; a cut is found where y is outside by more than `least`.
  bool find(const LocalWeights& y, double least, LocalWeights& a, double& right_side) {
    const Index nodes = y.nodes();
    rows_.clear();
    for (Index i = 0; i < nodes; ++i) {
      for (Index Q = 1; Q < (Index{1} << nodes); ++Q) {
        if (y.at(i, Q) > zero) rows_.push_back({i, Q, y.at(i, Q)});
      }
    }
    if (rows_.size() < 2) return false;
    LocalOracle oracle(nodes);
    if (!generate(oracle, least, a)) return false;
    lift(oracle, y, a, right_side);
    double left = 0;
    for (const Row& row : rows_) left += a.at(row.i, row.Q) * row.y;
    return left > right_side * (1 + least);
  }

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
  bool generate(LocalOracle& oracle, double least, LocalWeights& a) {
    const Index size = static_cast<Index>(rows_.size());
    // The basis begins with the networks of one non-empty set each.
    Matrix inverse = Matrix::Identity(size, size);
    Vector cost = Vector::Ones(size), value(size);
    for (Index r = 0; r < size; ++r) value(r) = rows_[r].y;
    std::vector<Index> choice;
    Vector column(size);
    for (Index pivot = 0; pivot < most_pivots; ++pivot) {
      const Vector price = inverse.transpose() * cost;
      Index lowest;
      double entering_cost;
      if (price.minCoeff(&lowest) < -zero) {
        // A surplus: cover more of this row than is asked for.
        column.setZero();
        column(lowest) = -1;
        entering_cost = 0;
      } else {
        for (Index r = 0; r < size; ++r) a.at(rows_[r].i, rows_[r].Q) = std::max(price(r), 0.0);
        const double most = oracle.maximise(a, choice);
        if (most <= 1 + zero) return cost.dot(value) > 1 + least;
        if (cost.dot(value) <= 1 + least) return false;
        for (Index r = 0; r < size; ++r) column(r) = choice[rows_[r].i] == rows_[r].Q ? 1 : 0;
        entering_cost = 1;
      }
      const Vector direction = inverse * column;
      Index leaving = -1;
      for (Index r = 0; r < size; ++r) {
        if (direction(r) > zero &&
            (leaving < 0 || value(r) * direction(leaving) < value(leaving) * direction(r))) {
          leaving = r;
        }
      }
      if (leaving < 0) return false;
      const double step = value(leaving) / direction(leaving);
      value -= step * direction;
      value(leaving) = step;
      cost(leaving) = entering_cost;
      const Eigen::RowVectorXd scaled = inverse.row(leaving) / direction(leaving);
      inverse -= direction * scaled;
      inverse.row(leaving) = scaled;
    }
    return false;
  }

  // Rounds the coefficients down, finds t, and gives every other set the largest coefficient that
  // keeps the inequality valid.
  void lift(LocalOracle& oracle, const LocalWeights& y, LocalWeights& a, double& right_side) {
    for (const Row& row : rows_) {
      double& weight = a.at(row.i, row.Q);
      weight = std::floor(weight / grain) * grain;
    }
    std::vector<Index> choice;
    right_side = oracle.maximise(a, choice);
    const Index all = (Index{1} << y.nodes()) - 1;
    for (Index i = 0; i < y.nodes(); ++i) {
      for (Index Q = 1; Q <= all; ++Q) {
        if ((Q >> i & 1) != 0 || y.at(i, Q) > zero) continue;
        a.at(i, Q) = 0;
        const double room = right_side - oracle.maximise_with(a, i, Q);
        if (room > 0) {
          a.at(i, Q) = room;
          oracle.take_node(a, i);
        }
      }
    }
  }

  std::vector<Row> rows_;
};

}  // namespace daggnn
