#include "learn/trainer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace daggnn {

double Lagrangian::operator()(const Vector& theta, const Batch& batch,
                              const Multipliers& multipliers, Vector& dtheta) {
  loss = model_.loss(theta, batch, dtheta);
  h = constraint(theta);
  const double penalty = add_penalty(multipliers.slope(h));
  model_.squared_weights_backward(theta, dS_, dtheta);
  return loss + penalty + multipliers.value(h);
}

double Lagrangian::constraint(const Vector& theta) {
  model_.squared_weights(theta, S);
  // Outgrown: the next steps are for a larger scale.
  if (!acyclicity_.covers(S)) fix_scale();
  return acyclicity_(S, dS_);
}

double Lagrangian::add_penalty(double slope) {
  constexpr double work = 8;  // of an edge, in simple operations
  const Index m = S.rows();
  penalties_.resize(m);
  for_each_block(model_.executor(), m, work * static_cast<double>(m), [&](Index first, Index some) {
    for (Index j = first; j < first + some; ++j) {
      dS_.col(j) *= slope;
      penalties_[j] =
          penalty_forward_backward(control_.penalty, control_.penalty_weight, m, S.col(j).data(),
                                   penalty_factors_.col(j).data(), dS_.col(j).data());
    }
  });
  return penalties_.sum();
}

Fit Trainer::run(TrainerState state) {
  while (!state.finished(control_, reason_)) {
    const TrainerState good = state;
    const Outcome outcome = epoch(state);
    if (outcome == Outcome::stopped) return {state.theta, good.trace, stop_reason_, good};
    if (outcome == Outcome::not_finite) {
      state = good;
      state.backoff *= backoff_growth;
      if (++state.rollbacks > most_rollbacks)
        return {good.theta, good.trace, Reason::not_finite, good};
      continue;
    }
    if (!round_over(state)) continue;
    const double h = end_round(state);
    const bool stop = report(state, state.epoch_loss, h, true);
    next_round(state, h);
    if (keep_) keep_(state);
    if (stop && !state.finished(control_, reason_)) return finished(state, stop_reason_);
  }
  return finished(state, reason_);
}

Trainer::Outcome Trainer::epoch(TrainerState& state) {
  const auto began = Clock::now();
  const Index n = static_cast<Index>(rows_.size()), batch = std::min(control_.batch, n);
  // As the constraint weighs more, its curvature asks for smaller steps.
  const double slower = state.backoff * std::max(1.0, std::log10(state.c));
  Random random(control_.seed, static_cast<std::uint64_t>(state.total_epochs));
  std::iota(rows_.begin(), rows_.end(), Index{0});
  random.shuffle(rows_);
  if (state.scale > 0) {
    objective_.set_scale(state.scale);
  } else {
    objective_.fix_scale(state.theta);
  }
  model_.impute(state.theta);
  dtheta_.resize(state.theta.size());
  double value = 0;
  state.epoch_loss = 0;
  for (Index first = 0; first < n; first += batch) {
    const Index count = std::min(batch, n - first);
    const double share = static_cast<double>(count) / static_cast<double>(n);
    value += share *
             objective_(state.theta, {rows_.data() + first, count, random.bits()}, state, dtheta_);
    if (!std::isfinite(value)) return Outcome::not_finite;
    state.epoch_loss += share * objective_.loss;
    state.adam.step(state.theta, dtheta_, model_.graph_parameters(), control_.graph_rate / slower,
                    control_.rate / slower, model_.executor());
    if (report(state, objective_.loss, objective_.h, false)) return Outcome::stopped;
  }
  if (!state.theta.allFinite()) return Outcome::not_finite;
  state.scale = objective_.scale();
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

double Trainer::end_round(TrainerState& state) {
  const double h = objective_.constraint(state.theta);
  state.trace.push_back(
      {state.round, state.epoch, h, state.c, state.lambda, state.epoch_loss, state.seconds});
  return h;
}

void Trainer::next_round(TrainerState& state, double h) const {
  state.update(h, control_);
  state.epoch = state.stale = 0;
  state.scale = state.seconds = 0;
  state.best = std::numeric_limits<double>::infinity();
}

bool Trainer::report(const TrainerState& state, double loss, double h, bool ended) {
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

double Trainer::fraction(const TrainerState& state) const {
  if (state.trace.empty() || control_.h_tolerance <= 0) return 0;
  const double first = state.trace.front().h, last = state.trace.back().h;
  if (!(first > control_.h_tolerance && last > 0)) return 0;
  const double way = std::log(first / last) / std::log(first / control_.h_tolerance);
  return std::min(1.0, std::max(0.0, way));
}

}  // namespace daggnn
