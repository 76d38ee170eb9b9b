// The augmented Lagrangian method (paper, section 3.7): minimise, for a growing c,
//
//   L_c(theta) = loss(theta) + penalty(A) + lambda h(A) + c / 2 h(A)^2
//
// by Adam on minibatches, then lambda += c h, and c *= eta where h has not shrunk by gamma.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>
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

struct Fit {
  Vector theta;
  std::vector<Round> trace;
  Reason reason = Reason::max_rounds;
};

// The trainer's own view of what it minimises: the model, plus what keeps A sparse and acyclic.
class Lagrangian {
 public:
  Lagrangian(Model& model, const Control& control, const Matrix& exempt)
      : model_(model), control_(control), exempt_(exempt) {}

  double lambda = 0, c = 1;

  double operator()(const Vector& theta, const Batch& batch, Vector& dtheta) {
    loss = model_.loss(theta, batch, dtheta);
    model_.strengths(theta, S);
    h = acyclicity(control_.constraint, S, dS_);
    dS_ *= lambda + c * h;
    const double penalty =
        penalty_forward_backward(control_.penalty, control_.penalty_weight, S, exempt_, dS_);
    model_.strengths_backward(theta, dS_, dtheta);
    return loss + penalty + lambda * h + c / 2 * h * h;
  }

  double constraint(const Vector& theta) {
    model_.strengths(theta, S);
    return acyclicity(control_.constraint, S, dS_);
  }

  Matrix S;
  double loss = 0, h = 0;

 private:
  Model& model_;
  const Control& control_;
  const Matrix& exempt_;
  Matrix dS_;
};

// exempt: m x m, nonzero where an edge is not penalised.
inline Fit train(Model& model, Index n, const Control& control, const Matrix& exempt, Vector theta,
                 Observer& observer) {
  using Clock = std::chrono::steady_clock;
  Random random(control.seed);
  std::vector<Index> rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Index batch = std::min(control.batch, n);

  Lagrangian objective(model, control, exempt);
  objective.lambda = control.lambda;
  objective.c = control.c;
  Adam adam(theta.size());
  Vector dtheta(theta.size());
  Fit fit;
  fit.theta = theta;
  double last_h = std::numeric_limits<double>::infinity();

  for (int round = 1; round <= control.max_rounds; ++round) {
    const auto began = Clock::now();
    const int epochs = round == 1 ? control.first_epochs : control.epochs;
    const double slower = std::max(1.0, std::log10(objective.c));
    double epoch_loss = 0;
    for (int epoch = 1; epoch <= epochs; ++epoch) {
      random.shuffle(rows);
      epoch_loss = 0;
      for (Index first = 0; first < n; first += batch) {
        const Index count = std::min(batch, n - first);
        const double value = objective(theta, {rows.data() + first, count, random.bits()}, dtheta);
        if (!std::isfinite(value)) {
          fit.reason = Reason::not_finite;
          return fit;
        }
        epoch_loss += objective.loss * static_cast<double>(count) / static_cast<double>(n);
        adam.step(theta, dtheta, model.graph_parameters(), control.graph_rate / slower,
                  control.rate / slower);
        const Stop stop =
            observer.poll({round, epoch, objective.loss, objective.h, objective.c, 0, 0, false});
        if (stop != Stop::none) {
          fit.reason = stop == Stop::interrupt ? Reason::interrupt : Reason::time_limit;
          fit.theta = theta;
          return fit;
        }
      }
    }
    const double h = objective.constraint(theta);
    const std::chrono::duration<double> seconds = Clock::now() - began;
    fit.theta = theta;
    fit.trace.push_back(
        {round, epochs, h, objective.c, objective.lambda, epoch_loss, seconds.count()});
    const Stop stop = observer.poll({round, epochs, epoch_loss, h, objective.c, 0, 0, true});
    if (h <= control.h_tolerance) {
      fit.reason = Reason::converged;
      return fit;
    }
    if (stop != Stop::none) {
      fit.reason = stop == Stop::interrupt ? Reason::interrupt : Reason::time_limit;
      return fit;
    }
    objective.lambda += objective.c * h;
    if (h > control.gamma * last_h) objective.c *= control.eta;
    last_h = h;
    if (objective.c > control.c_max) {
      fit.reason = Reason::c_max;
      return fit;
    }
  }
  return fit;
}

}  // namespace daggnn
