#include "search/local_cuts.h"

#include <algorithm>
#include <cmath>

namespace daggnn {

double LocalOracle::maximise(const LocalWeights& a, std::vector<Index>& choice) {
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

double LocalOracle::maximise_with(const LocalWeights& a, Index child, Index Q) {
  for (Index T = 0; T < (Index{1} << nodes_); ++T) {
    best_[(child << nodes_) + T] = (Q & ~T) == 0 ? a.at(child, Q) : no_score;
  }
  const double sum = run();
  take_node(a, child);
  return sum;
}

void LocalOracle::take_node(const LocalWeights& a, Index i) {
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

double LocalOracle::run() {
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

bool LocalCutFinder::find(const LocalWeights& y, double least, LocalWeights& a,
                          double& right_side) {
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

bool LocalCutFinder::generate(LocalOracle& oracle, double least, LocalWeights& a) {
  const Index size = static_cast<Index>(rows_.size());
  // The basis begins with the networks of one non-empty set each.
  Matrix inverse = Matrix::Identity(size, size);
  Vector cost = Vector::Ones(size), value(size);
  for (Index r = 0; r < size; ++r) value(r) = rows_[r].y;
  std::vector<Index> choice;
  Vector column(size);
  for (Index pivot = 0; pivot < most_pivots; ++pivot) {
    const Vector dual = inverse.transpose() * cost;
    Index lowest;
    double entering_cost;
    if (dual.minCoeff(&lowest) < -zero) {
      // A surplus: cover more of this row than is asked for.
      column.setZero();
      column(lowest) = -1;
      entering_cost = 0;
    } else {
      for (Index r = 0; r < size; ++r) a.at(rows_[r].i, rows_[r].Q) = std::max(dual(r), 0.0);
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

void LocalCutFinder::lift(LocalOracle& oracle, const LocalWeights& y, LocalWeights& a,
                          double& right_side) {
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

}  // namespace daggnn
