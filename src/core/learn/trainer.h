// Training by the augmented Lagrangian method (optim/augmented_lagrangian.h): each round minimises
//
//   L_c(theta) = loss(theta) + penalty(A) + lambda h(A) + c / 2 h(A)^2
//
// by Adam on minibatches.
//
// The whole state at the end of an epoch is one TrainerState, and each epoch has a random stream of
// its own: training that resumes from a state takes the very same steps.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <vector>

#include "base/observer.h"
#include "base/random.h"
#include "constraint/acyclicity.h"
#include "models/model.h"
#include "optim/adam.h"
#include "optim/augmented_lagrangian.h"
#include "optim/penalty.h"

namespace daggnn {

struct Control : LagrangianControl {
  Constraint constraint = Constraint::polynomial;
  Penalty penalty = Penalty::none;
  double penalty_weight = 0;
  int first_epochs = 60;  // in the first round
  int epochs = 15;        // at most, in each later round
  // A round ends before its last epoch once L_c has not fallen for so many epochs; infinite: never.
  double patience = std::numeric_limits<double>::infinity();
  Index batch = 100;         // rows per step
  double graph_rate = 0.01;  // Adam's rate for A
  double rate = 0.003;       // and for the networks
  double threshold = 0.3;    // for the count of edges that progress shows
  std::uint64_t seed = 1;
};

// The state of training after an epoch: numbers and vectors only, to be stored and resumed.
struct TrainerState : Multipliers {
  Vector theta;
  Adam adam;
  double scale = 0;      // of the constraint, fixed for the round; 0: not yet
  int epoch = 0;         // epochs of the round that are done
  int total_epochs = 0;  // of all rounds: the random stream of the next epoch
  double epoch_loss = 0;
  double best = std::numeric_limits<double>::infinity();  // L_c in this round
  int stale = 0;                                          // epochs since
  double backoff = 1;  // divides the learning rates; grows with each rollback
  int rollbacks = 0;   // how often training diverged and went back to the last good epoch
  double seconds = 0;  // spent in this round
  std::vector<Round> trace;

  TrainerState(const Vector& theta_, const Control& control)
      : Multipliers(control), theta(theta_), adam(theta_.size()) {}
};

// Told of the state after each round, to store it.
using CheckpointCallback = std::function<void(const TrainerState&)>;

struct Fit {
  Vector theta;
  std::vector<Round> trace;
  Reason reason = Reason::max_rounds;
  TrainerState state;  // after the last whole epoch
};

// The objective of training: the loss of the model, the penalty and the constraint.
class Lagrangian {
 public:
  // penalty_factors: m x m, what each edge's penalty is multiplied by; 0: not penalised.
  Lagrangian(Model& model, const Control& control, const Matrix& penalty_factors)
      : model_(model),
        control_(control),
        penalty_factors_(penalty_factors),
        acyclicity_(control.constraint, model.executor()) {}

  double operator()(const Vector& theta, const Batch& batch, const Multipliers& multipliers,
                    Vector& dtheta);

  double constraint(const Vector& theta);

  // Fixes the scale of the constraint: 1, as in the paper, unless S needs more.
  void fix_scale(const Vector& theta) {
    model_.squared_weights(theta, S);
    fix_scale();
  }
  void set_scale(double scale) { acyclicity_.set_scale(scale); }
  double scale() const { return acyclicity_.scale(); }

  Matrix S;
  double loss = 0, h = 0;

 private:
  void fix_scale() { acyclicity_.set_scale(std::max(1.0, Acyclicity::room * spectral_bound(S))); }

  // dS = slope * dh / dS + d penalty / dS, from dS = dh / dS; returns the penalty.
  double add_penalty(double slope);

  Model& model_;
  const Control& control_;
  const Matrix& penalty_factors_;
  Acyclicity acyclicity_;
  Matrix dS_;
  Vector penalties_;  // of the edges into each variable
};

class Trainer {
 public:
  Trainer(Model& model, Index n, const Control& control, const Matrix& penalty_factors,
          Observer& observer, CheckpointCallback keep = {})
      : model_(model),
        control_(control),
        observer_(observer),
        keep_(std::move(keep)),
        objective_(model, control, penalty_factors),
        rows_(static_cast<std::size_t>(n)) {}

  Fit run(TrainerState state);

 private:
  using Clock = std::chrono::steady_clock;
  enum class Outcome { done, stopped, not_finite };
  static constexpr double backoff_growth = 3;
  static constexpr int most_rollbacks = 5;

  static Fit finished(const TrainerState& state, Reason reason) {
    return {state.theta, state.trace, reason, state};
  }

  // One pass over the rows, in an order of its own.
  Outcome epoch(TrainerState& state);

  bool round_over(const TrainerState& state) const {
    const int most = state.round == 1 ? control_.first_epochs : control_.epochs;
    return state.epoch >= most || state.stale >= control_.patience;
  }

  double end_round(TrainerState& state);

  void next_round(TrainerState& state, double h) const;

  // Shows the observer where training stands; true if it is to stop.
  bool report(const TrainerState& state, double loss, double h, bool ended);

  // The way of h down to its tolerance, on a scale of its logarithm.
  double fraction(const TrainerState& state) const;

  Model& model_;
  const Control& control_;
  Observer& observer_;
  CheckpointCallback keep_;
  Lagrangian objective_;
  std::vector<Index> rows_;
  Vector dtheta_;
  Reason stop_reason_ = Reason::interrupt, reason_ = Reason::max_rounds;
};

// penalty_factors: m x m, what each edge's penalty is multiplied by; 0: not penalised.
inline Fit train(Model& model, Index n, const Control& control, const Matrix& penalty_factors,
                 const TrainerState& state, Observer& observer, CheckpointCallback keep = {}) {
  return Trainer(model, n, control, penalty_factors, observer, std::move(keep)).run(state);
}

inline Fit train(Model& model, Index n, const Control& control, const Matrix& penalty_factors,
                 const Vector& theta, Observer& observer) {
  return train(model, n, control, penalty_factors, TrainerState(theta, control), observer);
}

}  // namespace daggnn
