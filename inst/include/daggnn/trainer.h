// The augmented Lagrangian method (paper, section 3.7): minimise, for a growing c,
//
//   L_c(theta) = loss(theta) + penalty(A) + lambda h(A) + c / 2 h(A)^2
//
// by Adam on minibatches, then lambda += c h, and c *= eta where h has not shrunk by gamma.
//
// All that training knows at the end of an epoch is in one TrainerState, and each epoch draws from
// a random stream of its own: training that goes on from a state takes the very same steps.
#pragma once

#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <vector>

#include "acyclicity.h"
#include "adam.h"
#include "model.h"
#include "observer.h"
#include "penalty.h"
#include "random.h"

namespace daggnn {

struct Control {
  Constraint constraint = Constraint::polynomial;
  Penalty penalty = Penalty::none;
  double penalty_weight = 0;
  int first_epochs = 60;  // in the first round
  int epochs = 15;        // at most, in each later round
  // A round ends before its last epoch once L_c has not fallen for so many epochs; infinite: never.
  double patience = std::numeric_limits<double>::infinity();
  int max_rounds = 100;
  Index batch = 100;         // rows per step
  double graph_rate = 0.01;  // Adam's rate for A
  double rate = 0.003;       // and for the networks
  double lambda = 0, c = 1;  // where the multiplier and its weight begin
  double eta = 10, gamma = 0.25;
  double h_tolerance = 1e-8;
  double c_max = 1e20;
  double threshold = 0.3;  // for the count of edges that progress shows
  std::uint64_t seed = 1;
};

struct Round {
  int round, epochs;
  double h, c, lambda, loss, seconds;
};

enum class Reason { converged, max_rounds, c_max, interrupt, time_limit, not_finite };

// Where training stands after an epoch: numbers and vectors only, to be stored and gone on from.
struct TrainerState {
  Vector theta;
  Adam adam;
  double lambda, c;
  double last_h = std::numeric_limits<double>::infinity();  // after the previous round
  int round = 1;                                            // which is under way, from 1
  int epoch = 0;                                            // epochs of it that are done
  int total_epochs = 0;  // of all rounds: the random stream of the next epoch
  double epoch_loss = 0;
  double best = std::numeric_limits<double>::infinity();  // L_c in this round
  int stale = 0;                                          // epochs since
  double caution = 1;  // divides the rates: grows each time that numbers got out of hand
  int returns = 0;     // how often they did
  double seconds = 0;  // spent in this round
  std::vector<Round> trace;

  TrainerState(const Vector& theta_, const Control& control)
      : theta(theta_), adam(theta_.size()), lambda(control.lambda), c(control.c) {}
};

// Told of the state after each round, to store it.
using Keep = std::function<void(const TrainerState&)>;

struct Fit {
  Vector theta;
  std::vector<Round> trace;
  Reason reason = Reason::max_rounds;
  TrainerState state;  // after the last whole epoch
};

// The trainer's own view of what it minimises: the model, plus what keeps A sparse and acyclic.
class Lagrangian {
 public:
  // prices: m x m, what each edge's penalty is multiplied by; 0: not penalised.
  Lagrangian(Model& model, const Control& control, const Matrix& prices)
      : model_(model),
        control_(control),
        prices_(prices),
        acyclicity_(control.constraint, model.executor()) {}

  double lambda = 0, c = 1;

  double operator()(const Vector& theta, const Batch& batch, Vector& dtheta) {
    loss = model_.loss(theta, batch, dtheta);
    model_.strengths(theta, S);
    h = acyclicity_(S, dS_);
    const double penalty = weigh(lambda + c * h);
    model_.strengths_backward(theta, dS_, dtheta);
    return loss + penalty + lambda * h + c / 2 * h * h;
  }

  double constraint(const Vector& theta) {
    model_.strengths(theta, S);
    return acyclicity_(S, dS_);
  }

  Matrix S;
  double loss = 0, h = 0;

 private:
  // dS from that of h, with its slope, to that of the penalty as well, which is returned.
  double weigh(double slope) {
    constexpr double work = 8;  // of an edge, in simple operations
    const Index m = S.rows();
    penalties_.resize(m);
    for_each_block(
        model_.executor(), m, work * static_cast<double>(m), [&](Index first, Index some) {
          for (Index j = first; j < first + some; ++j) {
            dS_.col(j) *= slope;
            penalties_[j] =
                penalty_forward_backward(control_.penalty, control_.penalty_weight, m,
                                         S.col(j).data(), prices_.col(j).data(), dS_.col(j).data());
          }
        });
    return penalties_.sum();
  }

  Model& model_;
  const Control& control_;
  const Matrix& prices_;
  Acyclicity acyclicity_;
  Matrix dS_;
  Vector penalties_;  // of the edges into each variable
};

class Trainer {
 public:
  Trainer(Model& model, Index n, const Control& control, const Matrix& prices, Observer& observer,
          Keep keep = {})
      : model_(model),
        control_(control),
        observer_(observer),
        keep_(std::move(keep)),
        objective_(model, control, prices),
        rows_(static_cast<std::size_t>(n)) {}

  Fit run(TrainerState state) {
    while (!over(state)) {
      const TrainerState good = state;
      const Outcome outcome = epoch(state);
      if (outcome == Outcome::stopped) return {state.theta, good.trace, stop_reason_, good};
      if (outcome == Outcome::not_finite) {
        state = good;
        state.caution *= caution_growth;
        if (++state.returns > most_returns)
          return {good.theta, good.trace, Reason::not_finite, good};
        continue;
      }
      if (!round_over(state)) continue;
      const double h = end_round(state);
      const bool stop = look(state, state.epoch_loss, h, true);
      next_round(state, h);
      if (keep_) keep_(state);
      if (stop && !over(state)) return finished(state, stop_reason_);
    }
    return finished(state, reason_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  enum class Outcome { done, stopped, not_finite };
  static constexpr double caution_growth = 3;
  static constexpr int most_returns = 5;

  static Fit finished(const TrainerState& state, Reason reason) {
    return {state.theta, state.trace, reason, state};
  }

  // Whether training has ended, and why; a state that was stored may be one at the end.
  bool over(const TrainerState& state) {
    const bool feasible = !state.trace.empty() && state.trace.back().h <= control_.h_tolerance;
    reason_ = feasible                   ? Reason::converged
              : state.c > control_.c_max ? Reason::c_max
                                         : Reason::max_rounds;
    return feasible || state.c > control_.c_max || state.round > control_.max_rounds;
  }

  // One pass over the rows, in an order of its own.
  Outcome epoch(TrainerState& state) {
    const auto began = Clock::now();
    const Index n = static_cast<Index>(rows_.size()), batch = std::min(control_.batch, n);
    // As the constraint weighs more, its curvature asks for smaller steps.
    const double slower = state.caution * std::max(1.0, std::log10(state.c));
    Random random(control_.seed, static_cast<std::uint64_t>(state.total_epochs));
    std::iota(rows_.begin(), rows_.end(), Index{0});
    random.shuffle(rows_);
    objective_.lambda = state.lambda;
    objective_.c = state.c;
    model_.impute(state.theta);
    dtheta_.resize(state.theta.size());
    double value = 0;
    state.epoch_loss = 0;
    for (Index first = 0; first < n; first += batch) {
      const Index count = std::min(batch, n - first);
      const double share = static_cast<double>(count) / static_cast<double>(n);
      value +=
          share * objective_(state.theta, {rows_.data() + first, count, random.bits()}, dtheta_);
      if (!std::isfinite(value)) return Outcome::not_finite;
      state.epoch_loss += share * objective_.loss;
      state.adam.step(state.theta, dtheta_, model_.graph_parameters(), control_.graph_rate / slower,
                      control_.rate / slower, model_.executor());
      if (look(state, objective_.loss, objective_.h, false)) return Outcome::stopped;
    }
    if (!state.theta.allFinite()) return Outcome::not_finite;
    ++state.epoch;
    ++state.total_epochs;
    state.seconds += std::chrono::duration<double>(Clock::now() - began).count();
    if (value < state.best) {
      state.best = value;
      state.stale = 0;
    } else {
      ++state.stale;
    }
    return Outcome::done;
  }

  bool round_over(const TrainerState& state) const {
    const int most = state.round == 1 ? control_.first_epochs : control_.epochs;
    return state.epoch >= most || state.stale >= control_.patience;
  }

  double end_round(TrainerState& state) {
    const double h = objective_.constraint(state.theta);
    state.trace.push_back(
        {state.round, state.epoch, h, state.c, state.lambda, state.epoch_loss, state.seconds});
    return h;
  }

  void next_round(TrainerState& state, double h) const {
    state.lambda += state.c * h;
    if (h > control_.gamma * state.last_h) state.c *= control_.eta;
    state.last_h = h;
    ++state.round;
    state.epoch = state.stale = 0;
    state.seconds = 0;
    state.best = std::numeric_limits<double>::infinity();
  }

  // Shows the observer where training stands; true if it is to stop.
  bool look(const TrainerState& state, double loss, double h, bool ended) {
    const auto edges = [this] {
      const double square = control_.threshold * control_.threshold;
      return static_cast<Index>((objective_.S.array() > square).count());
    };
    const int epoch = state.epoch + (ended ? 0 : 1);
    const Stop stop =
        observer_.poll({state.round, epoch, loss, h, state.c, edges, fraction(state), ended});
    stop_reason_ = stop == Stop::time_limit ? Reason::time_limit : Reason::interrupt;
    return stop != Stop::none;
  }

  // The way of h down to its tolerance, on a scale of its logarithm.
  double fraction(const TrainerState& state) const {
    if (state.trace.empty() || control_.h_tolerance <= 0) return 0;
    const double first = state.trace.front().h, last = state.trace.back().h;
    if (!(first > control_.h_tolerance && last > 0)) return 0;
    const double way = std::log(first / last) / std::log(first / control_.h_tolerance);
    return std::min(1.0, std::max(0.0, way));
  }

  Model& model_;
  const Control& control_;
  Observer& observer_;
  Keep keep_;
  Lagrangian objective_;
  std::vector<Index> rows_;
  Vector dtheta_;
  Reason stop_reason_ = Reason::interrupt, reason_ = Reason::max_rounds;
};

// prices: m x m, what each edge's penalty is multiplied by; 0: not penalised.
inline Fit train(Model& model, Index n, const Control& control, const Matrix& prices,
                 const TrainerState& state, Observer& observer, Keep keep = {}) {
  return Trainer(model, n, control, prices, observer, std::move(keep)).run(state);
}

inline Fit train(Model& model, Index n, const Control& control, const Matrix& prices,
                 const Vector& theta, Observer& observer) {
  return train(model, n, control, prices, TrainerState(theta, control), observer);
}

}  // namespace daggnn
