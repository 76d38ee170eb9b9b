// From samples to weights, by the model that was asked for.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "models.h"
#include "polish.h"
#include "refinement.h"
#include "scored_order.h"
#include "trainer.h"

namespace daggnn {

// Where training begins: where an earlier one stood, or with its parameters, or with weights of the
// graph, or (all empty) anew.
struct Start {
  std::optional<TrainerState> state;
  Vector theta;
  Matrix weights;  // A, m x m; only for models whose graph is a number for each edge
};

struct Learned {
  Fit fit;
  Matrix weights;  // A, m x m
  Vector theta;    // settled: for predict() and simulate()
  Vector units;
  TrainerState state;  // at the end of the multiplier loop: what comes after it is done again
  Matrix worth;        // of each edge, as refinement.h has it; empty where nothing was refined
};

// Told after each round what would be learned if training ended there.
using KeepLearned = std::function<void(const Learned&)>;

inline TrainerState starting_state(const Model& model, const Start& start, const Control& control) {
  Random random(control.seed);
  Vector theta = start.theta.size() > 0 ? start.theta : model.initial(random);
  if (start.weights.size() > 0) {
    if (model.graph_parameters() != start.weights.size()) {
      throw Error("this model cannot begin with a matrix of weights");
    }
    theta.head(start.weights.size()) =
        Eigen::Map<const Vector>(start.weights.data(), start.weights.size());
  }
  const TrainerState state = start.state ? *start.state : TrainerState(theta, control);
  if (state.theta.size() != model.parameters()) {
    throw Error("training cannot begin with the parameters of another model");
  }
  return state;
}

inline Learned as_learned(const Model& model, const Fit& fit, const TrainerState& state) {
  Learned learned{fit, {}, model.settled(fit.theta), model.units(), state, {}};
  model.weights(fit.theta, learned.weights);
  return learned;
}

inline bool has_discrete(const Samples& samples) {
  return std::any_of(samples.variables.begin(), samples.variables.end(),
                     [](const Variable& variable) { return variable.kind == Kind::discrete; });
}

// allowed, required: m x m, nonzero where an edge may and where it must be.
inline Learned learn(const ModelOptions& options, const Samples& samples, const Matrix& allowed,
                     const Matrix& required, const Control& control, bool polished,
                     Executor& executor, Observer& observer, const Start& start = {},
                     const KeepLearned& keep = {}) {
  auto model = make_model(options, samples, allowed, executor);
  const Matrix prices = (required.array() == 0).cast<double>();
  Keep keep_state;
  if (keep) {
    keep_state = [&](const TrainerState& state) {
      keep(as_learned(*model, {state.theta, state.trace, Reason::interrupt, state}, state));
    };
  }
  Fit fit = train(*model, samples.n(), control, prices, starting_state(*model, start, control),
                  observer, keep_state);
  const TrainerState state = fit.state;
  const bool whole = fit.reason == Reason::converged || fit.reason == Reason::c_max ||
                     fit.reason == Reason::max_rounds;
  const bool polishes = polished && whole && options.name == "mechanism";
  Matrix worth;
  if (polishes && !has_discrete(samples)) {
    Refiner refiner(samples, allowed, required, options.mechanism, control, executor, observer);
    const Refinement refined = refiner.refine(fit.theta);
    fit.theta = refined.theta;
    if (refined.reason != Reason::converged) fit.reason = refined.reason;
    worth = refined.worth;
  } else if (polishes) {
    Matrix S;
    model->strengths(fit.theta, S);
    Matrix edges = ordered_edges(S, required);
    if (has_scored_order(samples)) {
      const ScoredOrder scored(samples, S, allowed, required, executor);
      edges = edges_in_order(scored.improve(topological_order(edges), observer), allowed);
    }
    auto ordered = std::make_unique<Mechanism>(samples, edges, options.mechanism, executor);
    fit.theta = ordered->restricted(fit.theta, edges);
    fit = polish(*ordered, samples, control, required, fit, Polish(), observer);
    model = std::move(ordered);
  }
  Learned learned = as_learned(*model, fit, state);
  learned.worth = worth;
  return learned;
}

}  // namespace daggnn
