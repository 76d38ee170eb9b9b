// Hill climbing over DAGs by the mechanism's own penalised likelihood, with g and phi held fixed.
//
// Each variable j has the mean phi(F_S w + b), S the features of its parents. Every child keeps
// what its sum of squares would be with one parent more or one less, from one Gauss-Newton step
// (exact where phi is the identity), so that the best of all additions, removals and reversals is
// found at no cost, and only the one or two children that a move changes are fitted anew.
//
//   F   n x P  features, Y  n x P  what they are to explain, in the same columns
//   RSS_j      the sum of squared residuals of variable j
//   E          what errors of measurement add to J'J, on its diagonal. Where the parents are seen
//              with error, least squares would shrink their weights and call in other variables to
//              make up for it; J'J - E in place of J'J, and RSS_j less what the errors add to it,
//              undo that (Fuller 1987, Measurement Error Models, section 2.2)
//   score      equal noise:    -(n C / 2) log sum_j RSS_j - price * numbers in A
//              learned noise:  -(n / 2) sum_j width_j log RSS_j - price * numbers in A
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "executor.h"
#include "gemm.h"
#include "graph.h"
#include "scalar_network.h"
#include "types.h"

namespace daggnn {

struct SearchProblem {
  Matrix F, Y;
  Vector F_error, Y_error;          // P: variances of the errors in each column
  std::vector<Index> first, width;  // the columns of each variable
  ScalarNetwork phi{0};
  Vector phi_weights;
  bool equal_noise = true;
  double log_units = 0;      // of Y, summed over its columns, by which data were divided
  double price = 0;          // of each number in A, in units of the log-likelihood
  Matrix allowed, required;  // m x m
  // Asked now and then, on the calling thread, whether to stop: of the loss and the edges so far.
  std::function<bool(double, Index)> stop;

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
        barred_(Matrix::Zero(problem.m(), problem.m())),
        children_(static_cast<std::size_t>(problem.m())) {
    std::vector<Index> all;
    for (Index j = 0; j < problem.m(); ++j) all.push_back(j);
    refit(all);
  }

  const Matrix& edges() const { return edges_; }
  const Matrix& weights() const { return weights_; }
  const Vector& bias() const { return bias_; }
  // In the units of the data: those of Y are not the same for each problem.
  double score() const {
    return score_of(total(), log_total(), numbers()) -
           static_cast<double>(problem_.n()) * problem_.log_units;
  }
  double rss(Index j) const { return children_[j].rss; }
  // Whether it was asked to stop: edges and weights are good, but more might have come.
  bool stopped() const { return stopped_; }

  // Moves until none helps, or until the moves that are left, each as good as the next one, would
  // not reach the score that is aimed at; returns how many were made.
  int climb(int most_moves = std::numeric_limits<int>::max(),
            double aim = -std::numeric_limits<double>::infinity()) {
    int moves = 0;
    Matrix refused = Matrix::Zero(problem_.m(), problem_.m());
    while (moves < most_moves && !stopped_) {
      const Move move = best_move(refused);
      if (move.change == Change::none || score() + (most_moves - moves) * move.gain < aim) break;
      if (make(move)) {
        ++moves;
        refused.setZero();
      } else {
        refused(move.from, move.to) += 1;
      }
    }
    return moves;
  }

  // Out of a local optimum: an edge the wrong way round comes with others that make up for it, so
  // that turning it alone is no gain. Each edge in turn is turned for good and the climb goes on
  // from there; what helps stays. Returns how many edges were turned so.
  int escape() {
    int turned = 0;
    for (bool helped = true; helped;) {
      helped = false;
      for (const Edge& edge : turnable()) {
        if (stopped_) return turned;
        if (!turn(edge)) continue;
        ++turned;
        helped = true;
        break;
      }
    }
    return turned;
  }

  // Edges that a climb let in and that are not worth their price now go. Returns how many.
  int prune() {
    int gone = 0;
    while (!stopped_) {
      Edge weakest{0, 0, 0};
      for (Index j = 0; j < problem_.m(); ++j) {
        for (Index i = 0; i < problem_.m(); ++i) {
          if (edges_(i, j) == 0 || problem_.required(i, j) != 0) continue;
          const double lacking = problem_.price * block(i, j) - children_[j].own_gain[i];
          if (lacking > weakest.strength) weakest = {i, j, lacking};
        }
      }
      if (weakest.strength == 0) break;
      edges_(weakest.from, weakest.to) = 0;
      refit({weakest.to});
      ++gone;
    }
    return gone;
  }

  // What each edge adds, or would add, to the likelihood of all and to that of its own child, the
  // smaller of the two in units of its price: m x m. Edges that are there are worth 1 or more,
  // others less or they would close a cycle.
  Matrix worth() const {
    Matrix result = Matrix::Zero(problem_.m(), problem_.m());
    const double here = score_of(total(), log_total(), 0);
    for (Index j = 0; j < problem_.m(); ++j) {
      for (Index i = 0; i < problem_.m(); ++i) {
        if (i == j) continue;
        const double gain = edges_(i, j) != 0 ? here - likelihood_with(j, children_[j].without[i])
                                              : likelihood_with(j, children_[j].with[i]) - here;
        result(i, j) = std::min(gain, children_[j].own_gain[i]) / (problem_.price * block(i, j));
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
    // What each edge to it adds, or would add, to its likelihood as seen; but no more than noise of
    // another variance in each row would let us believe.
    Vector own_gain;
  };

  static constexpr double smallest_gain = 1e-6;
  // However large the errors are said to be: the share of a child's sum of squares that is left,
  // the share of what a candidate adds to the other parents that is its own, and how much larger
  // the errors might be before J'J - E is not positive any more. Beyond that chance decides.
  static constexpr double least_left = 0.05, least_own = 0.25, margin = 0.25;
  static constexpr std::size_t most_turned = 40;  // edges that are tried
  static constexpr int most_turn_moves = 10;      // after each

  // Sums over the children, of rss and of log_rss(): as many moves ask for them as there are pairs.
  double total() const { return total_; }
  double log_total() const { return log_total_; }
  void sum_up() {
    total_ = log_total_ = 0;
    for (Index j = 0; j < problem_.m(); ++j) {
      total_ += children_[j].rss;
      log_total_ += log_rss(j, children_[j].rss);
    }
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

  // The edges that may be turned, those that lose the least first.
  std::vector<Edge> turnable() const {
    const double here = score_of(total(), log_total(), 0);
    const Matrix ways = descendants();
    std::vector<Edge> edges;
    for (Index j = 0; j < problem_.m(); ++j) {
      for (Index i = 0; i < problem_.m(); ++i) {
        if (edges_(i, j) == 0 || problem_.required(i, j) != 0 || problem_.allowed(j, i) == 0 ||
            other_path(i, j, ways)) {
          continue;
        }
        edges.push_back(
            {i, j, here - likelihood_with(j, children_[j].without[i], i, children_[i].with[j])});
      }
    }
    std::stable_sort(edges.begin(), edges.end(),
                     [](const Edge& a, const Edge& b) { return a.strength < b.strength; });
    if (edges.size() > most_turned) edges.resize(most_turned);
    return edges;
  }

  bool turn(const Edge& edge) {
    const double before = score();
    std::vector<Fitted> old;
    for (Index j = 0; j < problem_.m(); ++j) old.push_back(fitted(j));
    edges_(edge.from, edge.to) = 0;
    edges_(edge.to, edge.from) = 1;
    refit({edge.to, edge.from});
    barred_(edge.from, edge.to) = 1;
    climb(most_turn_moves, before);
    barred_(edge.from, edge.to) = 0;
    if (score() > before + smallest_gain) return true;
    for (Index j = 0; j < problem_.m(); ++j) restore(j, old[static_cast<std::size_t>(j)]);
    sum_up();
    return false;
  }

  // refused(i, j): how many moves on this pair have turned out worse than they looked.
  Move best_move(const Matrix& refused) const {
    const Index m = problem_.m();
    const double here = score_of(total(), log_total(), 0);
    const Matrix ways = descendants();
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
          if (barred(i, j) || ways(i, j) != 0 || children_[j].own_gain[i] < price) continue;
          consider(Change::add, i, j, likelihood_with(j, children_[j].with[i]) - here - price);
        } else if (problem_.required(i, j) == 0) {
          consider(Change::remove, i, j,
                   likelihood_with(j, children_[j].without[i]) - here + price);
          if (barred(j, i) || other_path(i, j, ways) || children_[i].own_gain[j] < price) continue;
          consider(Change::reverse, i, j,
                   likelihood_with(j, children_[j].without[i], i, children_[i].with[j]) - here);
        }
      }
    }
    return best;
  }

  bool barred(Index i, Index j) const { return problem_.allowed(i, j) == 0 || barred_(i, j) != 0; }

  // A column for each node: (j, i) is 1 where there is a way from i to j.
  Matrix descendants() const {
    const Index m = problem_.m();
    Matrix ways = Matrix::Zero(m, m);
    const std::vector<Index> order = topological_order(edges_);
    // A node's own ways are whole when its parents take them over.
    for (auto child = order.rbegin(); child != order.rend(); ++child) {
      for (Index i = 0; i < m; ++i) {
        if (edges_(i, *child) == 0) continue;
        ways.col(i) = ways.col(i).cwiseMax(ways.col(*child));
        ways(*child, i) = 1;
      }
    }
    return ways;
  }

  // Whether i reaches j by another way than the edge i -> j: over another parent of j.
  bool other_path(Index i, Index j, const Matrix& ways) const {
    for (Index k = 0; k < problem_.m(); ++k) {
      if (k != i && edges_(k, j) != 0 && ways(k, i) != 0) return true;
    }
    return false;
  }

  // Tries the move, and takes it back unless it helps once the children are fitted.
  bool make(const Move& move) {
    const double before = score();
    std::vector<Index> changed = {move.to};
    if (move.change == Change::reverse) changed.push_back(move.from);
    std::vector<Fitted> old;
    for (const Index j : changed) old.push_back(fitted(j));
    edges_(move.from, move.to) = move.change == Change::add ? 1 : 0;
    if (move.change == Change::reverse) edges_(move.to, move.from) = 1;
    refit(changed);
    if (score() > before + smallest_gain) return true;
    for (std::size_t k = 0; k < changed.size(); ++k) restore(changed[k], old[k]);
    sum_up();
    return false;
  }

  // All that a move changes of variable j as a child.
  struct Fitted {
    Vector edges, bias;
    Matrix weights;
    Child child;
  };
  Fitted fitted(Index j) const {
    const Index first = problem_.first[j], width = problem_.width[j];
    return {edges_.col(j), bias_.segment(first, width), weights_.middleCols(first, width),
            children_[j]};
  }
  void restore(Index j, const Fitted& old) {
    const Index first = problem_.first[j], width = problem_.width[j];
    edges_.col(j) = old.edges;
    bias_.segment(first, width) = old.bias;
    weights_.middleCols(first, width) = old.weights;
    children_[j] = old.child;
  }

  void refit(const std::vector<Index>& which) {
    // So few at a time that stop() is asked often.
    const Index count = static_cast<Index>(which.size()), some = 4 * executor_.threads();
    for (Index first = 0; first < count && !stopped_; first += some) {
      executor_.run(std::min(some, count - first), [&](Index k) { fit_child(which[first + k]); });
      sum_up();
      stopped_ = problem_.stop && problem_.stop(total() / (2 * static_cast<double>(problem_.n())),
                                                (edges_.array() != 0).count());
    }
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
    Equation equation{Matrix(n, p + 1), Vector::Zero(p + 1), {}, 0};
    for (Index k = 0; k < p; ++k) {
      equation.design.col(k) = problem_.F.col(columns[k]);
      equation.design_error[k] = problem_.F_error[columns[k]];
    }
    equation.design.col(p).setOnes();

    Child& child = children_[j];
    child.rss = 0;
    child.with.setZero(m);
    child.without.setZero(m);
    child.own_gain.setZero(m);
    for (Index q = problem_.first[j]; q < problem_.first[j] + problem_.width[j]; ++q) {
      Vector beta(p + 1);
      for (Index k = 0; k < p; ++k) beta[k] = weights_(columns[k], q);
      beta[p] = bias_[q];
      equation.y = problem_.Y.col(q);
      equation.y_error = problem_.Y_error[q];
      const Regression at = regress(equation, beta);
      for (Index k = 0; k < p; ++k) weights_(columns[k], q) = at.beta[k];
      bias_[q] = at.beta[p];
      child.rss += at.rss;
      additions(j, at, child);
      removals(j, at, child);
    }
  }

  // y = phi(design beta) + noise; the errors of design and y are variances.
  struct Equation {
    Matrix design;  // n x (p + 1): the parents' features, and 1
    Vector design_error;
    Vector y;
    double y_error;
  };

  // A regression where Gauss-Newton has ended: J = D design with D = phi'(U) on the diagonal.
  struct Regression {
    Vector beta, residual, slope;
    Matrix J, inverse;  // inverse of J'J - E
    Vector E;
    double rss;
  };

  Regression regress(const Equation& equation, const Vector& beta) const {
    constexpr int most_steps = 8;
    constexpr double enough = 1e-7;  // relative fall of the sum of squares
    Regression at;
    at.beta = beta;
    evaluate(equation, at);
    for (int step = 0; step < most_steps; ++step) {
      const double before = at.rss;
      const Vector direction =
          at.inverse * (at.J.transpose() * at.residual + at.E.cwiseProduct(at.beta));
      Regression next;
      double length = 1;
      do {
        next.beta = at.beta + length * direction;
        evaluate(equation, next);
        length /= 2;
      } while (next.rss > before && length > 0.05);
      if (next.rss > before) break;
      at = next;
      if (problem_.phi.identity() || before - at.rss < enough * before) break;
    }
    return at;
  }

  void evaluate(const Equation& equation, Regression& at) const {
    const Matrix& design = equation.design;
    if (problem_.phi.identity()) {
      at.residual = equation.y - design * at.beta;
      at.slope = Vector::Ones(design.rows());
      at.J = design;
    } else {
      Matrix mean, slope;
      problem_.phi.forward_slope(problem_.phi_weights.data(), design * at.beta, mean, slope);
      at.residual = equation.y - mean;
      at.slope = slope;
      at.J = at.slope.asDiagonal() * design;
    }
    Matrix square = at.J.transpose() * at.J;
    // Parents that say the same share the weight instead of dividing by zero.
    square.diagonal().array() += 1e-9 * square.diagonal().maxCoeff() + 1e-300;
    at.E = at.slope.squaredNorm() * equation.design_error;
    while (!corrected(square, (1 + margin) * at.E).ldlt().isPositive()) at.E /= 2;
    at.inverse =
        corrected(square, at.E).ldlt().solve(Matrix::Identity(square.rows(), square.rows()));
    const double seen = at.residual.squaredNorm();
    const double errors =
        at.E.dot(at.beta.cwiseAbs2()) + static_cast<double>(design.rows()) * equation.y_error;
    at.rss = std::max(seen - errors, least_left * seen);
  }

  static Matrix corrected(Matrix square, const Vector& E) {
    square.diagonal() -= E;
    return square;
  }

  void additions(Index j, const Regression& at, Child& child) const {
    const Index n = problem_.n(), P = problem_.F.cols(), p = at.J.cols();
    // D F is never written down: what meets it takes D over.
    Matrix DJ(n, p + 1), products(p + 1, P);
    DJ << at.J, at.residual;
    DJ = at.slope.asDiagonal() * DJ;
    SerialExecutor alone;  // other children keep the other threads busy
    gemm(p + 1, P, n, 1, {DJ.data(), n, true}, {problem_.F.data(), n}, 0, products.data(), p + 1,
         alone);
    const Matrix cross = products.topRows(p);  // J' D F
    const Vector toward = products.row(p);     // F' D residual
    const Matrix solved = at.inverse * cross;
    const Vector weight = at.slope.cwiseAbs2();
    const double through = weight.sum(), rows = static_cast<double>(n);
    const double seen = at.residual.squaredNorm();
    for (Index i = 0; i < problem_.m(); ++i) {
      child.with[i] += at.rss;
      if (i == j || edges_(i, j) != 0) continue;
      const Index first = problem_.first[i], width = problem_.width[i];
      Matrix left(width, width);  // F_i' D D F_i
      for (Index b = 0; b < width; ++b) {
        for (Index a = 0; a < width; ++a) {
          left(a, b) =
              weighted_product(weight, problem_.F.col(first + a), problem_.F.col(first + b));
        }
      }
      const double largest = left.diagonal().maxCoeff();
      left -= cross.middleCols(first, width).transpose() * solved.middleCols(first, width);
      left.diagonal().array() += 1e-9 * largest + 1e-300;
      // The candidate less what the parents say of it, as seen.
      const Matrix said = solved.middleCols(first, width);
      const Matrix seen_left = left + said.transpose() * at.E.asDiagonal() * said;
      const Vector errors = through * problem_.F_error.segment(first, width);
      left.diagonal() = (left.diagonal() - errors).cwiseMax(least_own * left.diagonal());
      const Vector t = toward.segment(first, width);
      child.with[i] -= t.dot(left.ldlt().solve(t));
      const double gain = rows / 2 * t.dot(seen_left.ldlt().solve(t)) / seen;
      // The dearer look is for what comes near its price.
      const double near = problem_.price * static_cast<double>(width) / 2;
      child.own_gain[i] += gain < near ? gain : std::min(gain, robust_addition(at, first, said, t));
    }
    child.with = child.with.cwiseMax(0);
  }

  // What features from `first` on gain, by the spread that their products with the residuals have
  // from row to row (White 1980): where the noise is not the same in all rows, a few of them can
  // make the likelihood rise by chance. said: the weights of what the parents say of the features.
  double robust_addition(const Regression& at, Index first, const Matrix& said,
                         const Vector& toward) const {
    Matrix own = at.slope.asDiagonal() * problem_.F.middleCols(first, said.cols()) - at.J * said;
    own = at.residual.asDiagonal() * own;
    return half_of_square(toward, own.transpose() * own);
  }

  // x' V^-1 x / 2
  static double half_of_square(const Vector& x, Matrix V) {
    V.diagonal().array() += 1e-9 * V.diagonal().maxCoeff() + 1e-300;
    return x.dot(V.ldlt().solve(x)) / 2;
  }

  template <class Column>
  static double weighted_product(const Vector& weight, const Column& a, const Column& b) {
    return (weight.array() * a.array() * b.array()).sum();
  }

  void removals(Index j, const Regression& at, Child& child) const {
    Index k = 0;
    const Matrix seen = at.inverse * (at.J.transpose() * at.J) * at.inverse;
    const Matrix scores = at.residual.asDiagonal() * at.J;
    const Matrix robust = at.inverse * (scores.transpose() * scores) * at.inverse;
    const double variance = at.residual.squaredNorm() / static_cast<double>(problem_.n());
    for (Index i = 0; i < problem_.m(); ++i) {
      child.without[i] += at.rss;
      if (edges_(i, j) == 0) continue;
      const Index width = problem_.width[i];
      const Vector beta = at.beta.segment(k, width);
      child.without[i] += beta.dot(at.inverse.block(k, k, width, width).ldlt().solve(beta));
      child.own_gain[i] += std::min(half_of_square(beta, variance * seen.block(k, k, width, width)),
                                    half_of_square(beta, robust.block(k, k, width, width)));
      k += width;
    }
  }

  const SearchProblem& problem_;
  Executor& executor_;
  Matrix edges_, weights_;
  Vector bias_;
  Matrix barred_;  // edges that may not come back while another is tried
  std::vector<Child> children_;
  double total_ = 0, log_total_ = 0;
  bool stopped_ = false;
};

}  // namespace daggnn
