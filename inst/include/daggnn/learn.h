// From samples to weights, by the model that was asked for.
#pragma once

#include <algorithm>

#include "models.h"
#include "polish.h"
#include "refinement.h"
#include "trainer.h"

namespace daggnn {

struct Learned {
  Fit fit;
  Matrix weights;  // A, m x m
  Vector theta;    // settled: for predict() and simulate()
  Vector units;
};

inline bool has_discrete(const Samples& samples) {
  return std::any_of(samples.variables.begin(), samples.variables.end(),
                     [](const Variable& variable) { return variable.kind == Kind::discrete; });
}

// allowed, required: m x m, nonzero where an edge may and where it must be.
inline Learned learn(const ModelOptions& options, const Samples& samples, const Matrix& allowed,
                     const Matrix& required, const Control& control, bool polished,
                     Executor& executor, Observer& observer) {
  auto model = make_model(options, samples, allowed, executor);
  Random random(control.seed);
  const Matrix prices = (required.array() == 0).cast<double>();
  Fit fit = train(*model, samples.n(), control, prices, model->initial(random), observer);
  const bool whole = fit.reason == Reason::converged || fit.reason == Reason::c_max ||
                     fit.reason == Reason::max_rounds;
  const bool polishes = polished && whole && options.name == "mechanism";
  if (polishes && !has_discrete(samples)) {
    Refiner refiner(samples, allowed, required, options.mechanism, control, executor, observer);
    fit.theta = refiner.refine(fit.theta).theta;
  } else if (polishes) {
    Matrix S;
    model->strengths(fit.theta, S);
    const Matrix edges = ordered_edges(S, required);
    auto ordered = std::make_unique<Mechanism>(samples, edges, options.mechanism, executor);
    fit.theta = ordered->restricted(fit.theta, edges);
    fit = polish(*ordered, samples, control, required, fit, Polish(), observer);
    model = std::move(ordered);
  }
  Learned learned{fit, {}, model->settled(fit.theta), model->units()};
  model->weights(fit.theta, learned.weights);
  return learned;
}

}  // namespace daggnn
