// After the multiplier loop: the order that it found stays, and with it the constraint is void.
//
// Among the edges that agree with the order the mechanism is trained once more, and each edge is
// made to pay what BIC asks for it. The price of an edge is df log(n) / (2n) per row if it is there
// at all; a penalty price / (A_ij + softness) * A_ij, with A_ij from the stage before, comes close
// to that (reweighted L1: Candes, Wakin and Boyd 2008, <doi:10.1007/s00041-008-9045-x>).
#pragma once

#include <cmath>

#include "graph.h"
#include "mechanism.h"
#include "trainer.h"

namespace daggnn {

// What is left of an edge below this strength did not pay its price.
constexpr double polish_softness = 0.1;

struct Polish {
  int stages = 4;   // the prices are renewed between them
  int steps = 3;    // of a stage: the rates are divided by 1, ..., steps
  int epochs = 10;  // of each step
};

// All edges that agree with the order that the strengths of S give.
inline Matrix ordered_edges(const Matrix& S, const Matrix& required) {
  Matrix edges = Matrix::Zero(S.rows(), S.cols());
  for (const Edge& edge : acyclic_edges(S.cwiseSqrt(), 0, required).kept) {
    edges(edge.from, edge.to) = 1;
  }
  return edges;
}

// The price of each edge i -> j by BIC: half a log(n) for each of its free parameters, per row.
inline Matrix bic_prices(const Samples& samples) {
  const auto free = [](const Variable& variable) {
    return static_cast<double>(variable.kind == Kind::discrete ? variable.width - 1
                                                               : variable.width);
  };
  const double n = static_cast<double>(samples.n());
  Matrix prices(samples.m(), samples.m());
  for (Index j = 0; j < samples.m(); ++j) {
    for (Index i = 0; i < samples.m(); ++i) {
      prices(i, j) =
          free(samples.variables[i]) * free(samples.variables[j]) * std::log(n) / (2 * n);
    }
  }
  return prices;
}

// model: a mechanism that has no other edges than those of a DAG. fit: what the loop gave; goes on
// with it. required: m x m, nonzero where an edge is not penalised.
inline Fit polish(Mechanism& model, const Samples& samples, const Control& control,
                  const Matrix& required, const Fit& fit, const Polish& polish,
                  Observer& observer) {
  const Matrix optional = (required.array() == 0).cast<double>();
  const Matrix full_prices = bic_prices(samples).cwiseProduct(optional);
  Matrix prices = optional * control.penalty_weight, S;
  Control stage = control;
  stage.penalty = Penalty::l1;
  stage.penalty_weight = 1;
  stage.first_epochs = stage.epochs = polish.epochs;
  stage.h_tolerance = -1;  // h is 0 from the start: a round is as long as it is
  stage.max_rounds = 1;
  Fit result = fit;
  for (int k = 0; k < polish.stages; ++k) {
    for (int step = 1; step <= polish.steps; ++step) {
      TrainerState state(result.theta, stage);
      state.caution = step;
      state.total_epochs = result.state.total_epochs;
      const Fit next = train(model, samples.n(), stage, prices, state, observer);
      result.theta = next.theta;
      result.state.total_epochs = next.state.total_epochs;
      for (Round round : next.trace) {
        round.round = result.trace.empty() ? 1 : result.trace.back().round + 1;
        round.h = round.c = round.lambda = 0;  // no constraint, and no cycle
        result.trace.push_back(round);
      }
      if (next.reason != Reason::max_rounds) {
        result.reason = next.reason;
        return result;
      }
    }
    model.strengths(result.theta, S);
    prices = full_prices.cwiseQuotient((S.cwiseSqrt().array() + polish_softness).matrix());
  }
  return result;
}

}  // namespace daggnn
