// From samples to weights, by the model that was asked for.
#pragma once

#include <functional>
#include <optional>

#include "models/registry.h"
#include "optim/trainer.h"

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
  TrainerState state;  // at the end of the multiplier loop
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
  Learned learned{fit, {}, model.settled(fit.theta), model.units(), state};
  model.weights(fit.theta, learned.weights);
  return learned;
}

// allowed, required: m x m, nonzero where an edge may and where it must be.
inline Learned learn(const ModelOptions& options, const Samples& samples, const Matrix& allowed,
                     const Matrix& required, const Control& control, Executor& executor,
                     Observer& observer, const Start& start = {}, const KeepLearned& keep = {}) {
  const auto model = make_model(options, samples, allowed, executor);
  const Matrix penalised = (required.array() == 0).cast<double>();
  Keep keep_state;
  if (keep) {
    keep_state = [&](const TrainerState& state) {
      keep(as_learned(*model, {state.theta, state.trace, Reason::interrupt, state}, state));
    };
  }
  const Fit fit = train(*model, samples.n(), control, penalised,
                        starting_state(*model, start, control), observer, keep_state);
  return as_learned(*model, fit, fit.state);
}

}  // namespace daggnn
