#include "learn.h"

namespace daggnn {

namespace {

TrainerState starting_state(const Model& model, const Start& start, const Control& control) {
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

Learned as_learned(const Model& model, const Fit& fit, const TrainerState& state) {
  Learned learned{fit, {}, model.fold_normalisation(fit.theta), model.standardisation(), state};
  model.weights(fit.theta, learned.weights);
  return learned;
}

}  // namespace

Learned learn(const ModelOptions& options, const Samples& samples, const Matrix& allowed,
              const Matrix& required, const Control& control, Executor& executor,
              Observer& observer, const Start& start, const LearnedCallback& keep) {
  const auto model = make_model(options, samples, allowed, executor);
  const Matrix penalised = (required.array() == 0).cast<double>();
  CheckpointCallback keep_state;
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
