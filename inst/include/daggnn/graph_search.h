// Hill climbing over DAGs by the mechanism's own penalised likelihood, with g and phi held fixed.
//
// Each variable j has the mean phi(F_S w + b), S the features of its parents. Every child keeps
// what its sum of squares would be with one parent more or one less, from one Gauss-Newton step
// (exact where phi is the identity), so that the best of all additions, removals and reversals is
// found at no cost, and only the one or two children that a move changes are fitted anew.
//
//   F   n x P  features, Y  n x P  what they are to explain, in the same columns
//   RSS_j      the sum of squared residuals of variable j
//   score      equal noise:    -(n C / 2) log sum_j RSS_j - price * numbers in A
//              learned noise:  -(n / 2) sum_j width_j log RSS_j - price * numbers in A
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "executor.h"
#include "graph.h"
#include "scalar_network.h"
#include "types.h"

namespace daggnn {

struct SearchProblem {
  Matrix F, Y;
  std::vector<Index> first, width;  // the columns of each variable
  ScalarNetwork phi{0};
  Vector phi_weights;
  bool equal_noise = true;
  double price = 0;          // of each number in A, in units of the log-likelihood
  Matrix allowed, required;  // m x m

  Index m() const { return static_cast<Index>(first.size()); }
  Index n() const { return F.rows(); }
};

class GraphSearch {
 public:
  // start: m x m edges of a DAG; weights: P x P, where the regressions begin.
  GraphSearch(const SearchProblem& problem, const Matrix& start, const Matrix& weights,
              const Vector& bias, Executor& executor)
      : problem_(problem),
        executor_(executor),
        edges_(start),
        weights_(weights),
        bias_(bias),
        children_(static_cast<std::size_t>(problem.m())) {
    feature_square_ = problem.F.colwise().squaredNorm();
    std::vector<Index> all;
    for (Index j = 0; j < problem.m(); ++j) all.push_back(j);
    refit(all);
  }

  const Matrix& edges() const { return edges_; }
  const Matrix& weights() const { return weights_; }
  const Vector& bias() const { return bias_; }
  double score() const { return score_of(total(), log_total(), numbers()); }
  double rss(Index j) const { return children_[j].rss; }

  // Moves until none helps; returns how many were made.
  int climb(int most_moves = std::numeric_limits<int>::max()) {
    int moves = 0;
    Matrix refused = Matrix::Zero(problem_.m(), problem_.m());
    while (moves < most_moves) {
      const Move move = best_move(refused);
      if (move.change == Change::none) break;
      if (make(move)) {
        ++moves;
        refused.setZero();
      } else {
        refused(move.from, move.to) += 1;
      }
    }
    return moves;
  }

  // What each edge gains, or would gain, in log-likelihood, in units of its price: m x m. Edges
  // that are there are worth more than 1, others less or they would close a cycle.
  Matrix worth() const {
    Matrix result = Matrix::Zero(problem_.m(), problem_.m());
    const double here = score_of(total(), log_total(), 0);
    for (Index j = 0; j < problem_.m(); ++j) {
      for (Index i = 0; i < problem_.m(); ++i) {
        if (i == j) continue;
        const double gain = edges_(i, j) != 0 ? here - likelihood_with(j, children_[j].without[i])
                                              : likelihood_with(j, children_[j].with[i]) - here;
        result(i, j) = gain / (problem_.price * block(i, j));
      }
    }
    return result;
  }

 private:
  enum class Change { none, add, remove, reverse };
  struct Move {
    Change change = Change::none;
    Index from = 0, to = 0;
    double gain = 0;
  };
  struct Child {
    double rss = 0;
    Vector with, without;  // rss with one parent more, or one less
  };

  static constexpr double smallest_gain = 1e-6;

  double total() const {
    double sum = 0;
    for (const Child& child : children_) sum += child.rss;
    return sum;
  }
  double log_total() const {
    double sum = 0;
    for (Index j = 0; j < problem_.m(); ++j) sum += log_rss(j, children_[j].rss);
    return sum;
  }
  double log_rss(Index j, double rss) const {
    return static_cast<double>(problem_.width[j]) * std::log(std::max(rss, 1e-300));
  }
  double numbers() const {
    double count = 0;
    for (Index j = 0; j < problem_.m(); ++j) {
      for (Index i = 0; i < problem_.m(); ++i) {
        if (edges_(i, j) != 0) count += block(i, j);
      }
    }
    return count;
  }
  double block(Index i, Index j) const {
    return static_cast<double>(problem_.width[i] * problem_.width[j]);
  }
  double score_of(double sum, double log_sum, double count) const {
    const double n = static_cast<double>(problem_.n());
    const double likelihood = problem_.equal_noise
                                  ? -n / 2 * static_cast<double>(problem_.F.cols()) * std::log(sum)
                                  : -n / 2 * log_sum;
    return likelihood - problem_.price * count;
  }
  double likelihood_with(Index j, double rss) const {
    const double now = children_[j].rss;
    return score_of(total() - now + rss, log_total() - log_rss(j, now) + log_rss(j, rss), 0);
  }
  double likelihood_with(Index j, double rss_j, Index i, double rss_i) const {
    const double now_j = children_[j].rss, now_i = children_[i].rss;
    return score_of(
        total() - now_j + rss_j - now_i + rss_i,
        log_total() - log_rss(j, now_j) + log_rss(j, rss_j) - log_rss(i, now_i) + log_rss(i, rss_i),
        0);
  }

  // refused(i, j): how many moves on this pair have turned out worse than they looked.
  Move best_move(const Matrix& refused) const {
    const Index m = problem_.m();
    const double here = score_of(total(), log_total(), 0);
    const Matrix paths = reachability();
    Move best;
    best.gain = smallest_gain;
    const auto consider = [&](Change change, Index i, Index j, double gain) {
      if (gain > best.gain && refused(i, j) == 0) best = {change, i, j, gain};
    };
    for (Index j = 0; j < m; ++j) {
      for (Index i = 0; i < m; ++i) {
        if (i == j) continue;
        const double price = problem_.price * block(i, j);
        if (edges_(i, j) == 0) {
          if (problem_.allowed(i, j) == 0 || paths(j, i) != 0) continue;
          consider(Change::add, i, j, likelihood_with(j, children_[j].with[i]) - here - price);
        } else if (problem_.required(i, j) == 0) {
          consider(Change::remove, i, j,
                   likelihood_with(j, children_[j].without[i]) - here + price);
          if (problem_.allowed(j, i) == 0 || other_path(i, j, paths)) continue;
          consider(Change::reverse, i, j,
                   likelihood_with(j, children_[j].without[i], i, children_[i].with[j]) - here);
        }
      }
    }
    return best;
  }

  // paths(i, j): there is a way from i to j.
  Matrix reachability() const {
    const Index m = problem_.m();
    Matrix paths = Matrix::Zero(m, m);
    const std::vector<Index> order = topological_order(edges_);
    for (auto child = order.rbegin(); child != order.rend(); ++child) {
      for (Index j = 0; j < m; ++j) {
        if (edges_(*child, j) == 0) continue;
        paths(*child, j) = 1;
        paths.row(*child) = paths.row(*child).cwiseMax(paths.row(j));
      }
    }
    return paths;
  }

  // Whether i reaches j by another way than the edge i -> j.
  bool other_path(Index i, Index j, const Matrix& paths) const {
    for (Index k = 0; k < problem_.m(); ++k) {
      if (k != j && edges_(i, k) != 0 && paths(k, j) != 0) return true;
    }
    return false;
  }

  // Tries the move, and takes it back unless it helps once the children are fitted.
  bool make(const Move& move) {
    const double before = score();
    const Matrix old_edges = edges_, old_weights = weights_;
    const Vector old_bias = bias_;
    std::vector<Index> changed = {move.to};
    edges_(move.from, move.to) = move.change == Change::add ? 1 : 0;
    if (move.change == Change::reverse) {
      edges_(move.to, move.from) = 1;
      changed.push_back(move.from);
    }
    std::vector<Child> old_children;
    for (const Index j : changed) old_children.push_back(children_[j]);
    refit(changed);
    if (score() > before + smallest_gain) return true;
    edges_ = old_edges;
    weights_ = old_weights;
    bias_ = old_bias;
    for (std::size_t k = 0; k < changed.size(); ++k) children_[changed[k]] = old_children[k];
    return false;
  }

  void refit(const std::vector<Index>& which) {
    executor_.run(static_cast<Index>(which.size()), [&](Index k) { fit_child(which[k]); });
  }

  // Least squares of variable j on its parents, and what it would be with one more or one less.
  void fit_child(Index j) {
    const Index m = problem_.m(), n = problem_.n();
    std::vector<Index> columns;  // the parents' features
    for (Index i = 0; i < m; ++i) {
      const Index first = problem_.first[i];
      for (Index k = 0; k < problem_.width[i]; ++k) {
        if (edges_(i, j) != 0) {
          columns.push_back(first + k);
        } else {
          weights_.row(first + k).segment(problem_.first[j], problem_.width[j]).setZero();
        }
      }
    }
    const Index p = static_cast<Index>(columns.size());
    Matrix design(n, p + 1);
    for (Index k = 0; k < p; ++k) design.col(k) = problem_.F.col(columns[k]);
    design.col(p).setOnes();

    Child& child = children_[j];
    child.rss = 0;
    child.with.setZero(m);
    child.without.setZero(m);
    for (Index q = problem_.first[j]; q < problem_.first[j] + problem_.width[j]; ++q) {
      Vector beta(p + 1);
      for (Index k = 0; k < p; ++k) beta[k] = weights_(columns[k], q);
      beta[p] = bias_[q];
      Regression at = regress(design, problem_.Y.col(q), beta);
      for (Index k = 0; k < p; ++k) weights_(columns[k], q) = at.beta[k];
      bias_[q] = at.beta[p];
      child.rss += at.rss;
      additions(j, at, child);
      removals(j, at, child);
    }
  }

  // A regression where Gauss-Newton has ended: J = D [F_S 1] with D = phi'(U) on the diagonal.
  struct Regression {
    Vector beta, residual, slope;
    Matrix J, inverse;  // inverse of J'J
    double rss;
  };

  Regression regress(const Matrix& design, const Vector& y, Vector beta) const {
    constexpr int most_steps = 8;
    constexpr double enough = 1e-7;  // relative fall of the sum of squares
    Regression at;
    at.beta = beta;
    evaluate(design, y, at);
    for (int step = 0; step < most_steps; ++step) {
      const double before = at.rss;
      const Vector direction = at.inverse * (at.J.transpose() * at.residual);
      Regression next;
      double length = 1;
      do {
        next.beta = at.beta + length * direction;
        evaluate(design, y, next);
        length /= 2;
      } while (next.rss > before && length > 0.05);
      if (next.rss > before) break;
      at = next;
      if (problem_.phi.identity() || before - at.rss < enough * before) break;
    }
    return at;
  }

  void evaluate(const Matrix& design, const Vector& y, Regression& at) const {
    if (problem_.phi.identity()) {
      at.residual = y - design * at.beta;
      at.slope = Vector::Ones(y.size());
      at.J = design;
    } else {
      Matrix mean, slope;
      problem_.phi.forward_slope(problem_.phi_weights.data(), design * at.beta, mean, slope);
      at.residual = y - mean;
      at.slope = slope;
      at.J = at.slope.asDiagonal() * design;
    }
    at.rss = at.residual.squaredNorm();
    Matrix square = at.J.transpose() * at.J;
    // Parents that say the same share the weight instead of dividing by zero.
    square.diagonal().array() += 1e-9 * square.diagonal().maxCoeff() + 1e-300;
    at.inverse = square.ldlt().solve(Matrix::Identity(square.rows(), square.cols()));
  }

  void additions(Index j, const Regression& at, Child& child) const {
    const bool flat = problem_.phi.identity();
    const Matrix DF = flat ? Matrix() : Matrix(at.slope.asDiagonal() * problem_.F);
    const Matrix& features = flat ? problem_.F : DF;
    const Matrix cross = at.J.transpose() * features;  // (p + 1) x P
    const Vector toward = features.transpose() * at.residual;
    const Matrix solved = at.inverse * cross;
    const Vector squares = flat ? feature_square_ : Vector(DF.colwise().squaredNorm());
    for (Index i = 0; i < problem_.m(); ++i) {
      child.with[i] += at.rss;
      if (i == j || edges_(i, j) != 0) continue;
      const Index first = problem_.first[i], width = problem_.width[i];
      Matrix left =
          features.middleCols(first, width).transpose() * features.middleCols(first, width) -
          cross.middleCols(first, width).transpose() * solved.middleCols(first, width);
      left.diagonal().array() += 1e-9 * squares.segment(first, width).maxCoeff() + 1e-300;
      const Vector t = toward.segment(first, width);
      child.with[i] -= t.dot(left.ldlt().solve(t));
    }
    child.with = child.with.cwiseMax(0);
  }

  void removals(Index j, const Regression& at, Child& child) const {
    Index k = 0;
    for (Index i = 0; i < problem_.m(); ++i) {
      child.without[i] += at.rss;
      if (edges_(i, j) == 0) continue;
      const Index width = problem_.width[i];
      const Vector beta = at.beta.segment(k, width);
      child.without[i] += beta.dot(at.inverse.block(k, k, width, width).ldlt().solve(beta));
      k += width;
    }
  }

  const SearchProblem& problem_;
  Executor& executor_;
  Matrix edges_, weights_;
  Vector bias_, feature_square_;
  std::vector<Child> children_;
};

}  // namespace daggnn
