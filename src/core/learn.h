// From samples to weights, by the model that was asked for.
#pragma once

#include <functional>
#include <optional>

#include "learn/trainer.h"
#include "models/registry.h"

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
  Vector theta;    // normalisation folded in: for predict() and simulate()
  Vector standardisation;
  TrainerState state;  // at the end of the multiplier loop
};

// Told after each round what would be learned if training ended there.
using LearnedCallback = std::function<void(const Learned&)>;

// allowed, required: m x m, nonzero where an edge may and where it must be.
Learned learn(const ModelOptions& options, const Samples& samples, const Matrix& allowed,
              const Matrix& required, const Control& control, Executor& executor,
              Observer& observer, const Start& start = {}, const LearnedCallback& keep = {});

}  // namespace daggnn
