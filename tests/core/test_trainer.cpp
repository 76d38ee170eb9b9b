#include "learn/trainer.h"
#include "models/mechanism.h"
#include "models/vae.h"

#include <limits>
#include <numeric>

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

// x1 -> x2 -> x3, x1 -> x3, all linear with unit noise.
Matrix chain(Index n) {
  Random random(5);
  Matrix values(n, 3);
  for (Index r = 0; r < n; ++r) {
    values(r, 0) = random.normal();
    values(r, 1) = 1.5 * values(r, 0) + random.normal();
    values(r, 2) = -values(r, 1) + 0.8 * values(r, 0) + random.normal();
  }
  return values;
}

struct Setting {
  Matrix values = chain(1000);
  Samples samples{MatrixView(values.data(), 1000, 3), {3, Kind::continuous}, {1, 1, 1}};
  SerialExecutor executor;
  Mechanism model{samples, Matrix::Ones(3, 3), {0, 0, Noise::equal}, executor};
  Matrix penalty_factors = Matrix::Zero(3, 3);
  Random random{1};
  Observer observer;

  Fit fit(const Control& control) {
    return train(model, 1000, control, penalty_factors, model.initial(random), observer);
  }
};

// The loss turns into NaN at chosen calls.
class Fragile final : public Model {
 public:
  int breaks_from = 0, breaks_to = 0, calls = 0;

  Index variables() const override { return 1; }
  Index parameters() const override { return 1; }
  Index graph_parameters() const override { return 1; }
  Vector initial(Random&) const override { return Vector::Constant(1, 2); }
  double loss(const Vector& theta, const Batch&, Vector& dtheta) override {
    ++calls;
    dtheta = theta;
    if (calls >= breaks_from && calls < breaks_to) return std::numeric_limits<double>::quiet_NaN();
    return theta.squaredNorm() / 2;
  }
  void squared_weights(const Vector&, Matrix& S) const override { S = Matrix::Zero(1, 1); }
  void squared_weights_backward(const Vector&, const Matrix&, Vector&) const override {}
  Matrix predict(const Vector&, const Samples&) const override { return {}; }
  Matrix simulate(const Vector&, const Matrix&, Index, Random&) const override { return {}; }
};

struct StopAfter final : Observer {
  int polls;
  explicit StopAfter(int polls_) : polls(polls_) {}
  Stop poll(const Progress&) override { return --polls > 0 ? Stop::none : Stop::interrupt; }
};

}  // namespace

TEST(the_linear_variant_finds_the_least_squares_of_the_right_order) {
  Setting setting;
  Control control;
  control.eta = 4;
  const Fit fit = setting.fit(control);
  Matrix A;
  setting.model.weights(fit.theta, A);
  const Matrix centred = setting.values.rowwise() - setting.values.colwise().mean();
  const Vector last = centred.leftCols(2).colPivHouseholderQr().solve(centred.col(2));
  const double middle = centred.col(0).dot(centred.col(1)) / centred.col(0).squaredNorm();
  EXPECT(fit.reason == Reason::converged);
  EXPECT_NEAR(A(0, 1), middle, 0.05);
  EXPECT_NEAR(A(0, 2), last[0], 0.05);
  EXPECT_NEAR(A(1, 2), last[1], 0.05);
  EXPECT_NEAR(std::abs(A(1, 0)) + std::abs(A(2, 0)) + std::abs(A(2, 1)), 0, 0.05);
}

// Squared weights with row sums far beyond 1, where the constraint's scale matters.
TEST(the_gradient_of_the_whole_objective_agrees_with_finite_differences) {
  Setting setting;
  Vae model(setting.samples, Matrix::Ones(3, 3), {Architecture::linear}, setting.executor);
  std::vector<Index> rows(50);
  std::iota(rows.begin(), rows.end(), Index{0});
  const Batch batch{rows.data(), 50, 7};
  const Matrix factors = Matrix::Ones(3, 3);
  for (const auto& [name, constraint] : constraint_names) {
    for (double size : {0.4, 2.0}) {
      Control control;
      control.constraint = constraint;
      control.penalty = Penalty::huber;
      control.penalty_weight = 0.2;
      control.lambda = 0.7;
      control.c = 3;
      Lagrangian objective(model, control, factors);
      Vector theta = model.initial(setting.random), dtheta(theta.size());
      for (Index k = 0; k < theta.size(); ++k) theta[k] += size * (0.5 + setting.random.uniform());
      objective.fix_scale(theta);
      objective(theta, batch, Multipliers(control), dtheta);
      EXPECT((size == 2) == (spectral_bound(objective.S) > 3));
      Vector ignored(theta.size());
      const Vector slow = finite_differences<Vector>(
          [&](const Vector& point) {
            return objective(point, batch, Multipliers(control), ignored);
          },
          theta);
      EXPECT_NEAR((dtheta - slow).cwiseAbs().maxCoeff() / slow.cwiseAbs().maxCoeff(), 0, 1e-6);
    }
  }
}

TEST(the_scale_of_the_constraint_is_fixed_within_a_round_and_grows_where_it_must) {
  Setting setting;
  Control control;
  Lagrangian objective(setting.model, control, setting.penalty_factors);
  Vector theta = setting.model.initial(setting.random);
  objective.fix_scale(theta);
  EXPECT(objective.scale() == 1);
  theta.setConstant(1.5);
  objective.constraint(theta);
  const double grown = objective.scale();
  EXPECT_NEAR(grown, Acyclicity::room * spectral_bound(objective.S), 1e-12);
  theta.setConstant(1.4);
  objective.constraint(theta);
  EXPECT(objective.scale() == grown);
}

TEST(c_grows_and_lambda_follows_as_in_the_paper) {
  Setting setting;
  Control control;
  control.first_epochs = control.epochs = 2;
  control.max_rounds = 6;
  const Fit fit = setting.fit(control);
  EXPECT(fit.trace.size() > 2);
  double last_h = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k + 1 < fit.trace.size(); ++k) {
    const Round &now = fit.trace[k], &next = fit.trace[k + 1];
    EXPECT(now.epochs == 2);
    EXPECT_NEAR(next.lambda, now.lambda + now.c * now.h, 1e-12);
    EXPECT_NEAR(next.c, now.h > 0.25 * last_h ? 10 * now.c : now.c, 0);
    last_h = now.h;
  }
}

TEST(going_on_from_a_state_takes_the_same_steps) {
  Setting setting;
  Control whole, part;
  whole.first_epochs = part.first_epochs = 4;
  whole.epochs = part.epochs = 3;
  whole.max_rounds = 5;
  part.max_rounds = 2;
  const Fit once = setting.fit(whole);
  const Fit half = setting.fit(part);
  const Fit rest =
      train(setting.model, 1000, whole, setting.penalty_factors, half.state, setting.observer);
  EXPECT_NEAR((once.theta - rest.theta).norm(), 0, 0);
  EXPECT(once.trace.size() == rest.trace.size());
}

TEST(going_on_after_an_interrupt_takes_the_same_steps) {
  Setting setting;
  Control control;
  control.first_epochs = 4;
  control.epochs = 3;
  control.max_rounds = 3;
  StopAfter early(37);
  const Fit once = setting.fit(control);
  const Fit cut = train(setting.model, 1000, control, setting.penalty_factors,
                        setting.model.initial(setting.random), early);
  EXPECT(cut.reason == Reason::interrupt);
  EXPECT(cut.state.total_epochs == 3);
  const Fit rest =
      train(setting.model, 1000, control, setting.penalty_factors, cut.state, setting.observer);
  EXPECT_NEAR((once.theta - rest.theta).norm(), 0, 0);
}

TEST(an_interrupt_at_the_end_of_a_round_does_not_repeat_it) {
  Setting setting;
  Control control;
  control.first_epochs = 4;
  control.epochs = 3;
  control.max_rounds = 3;
  StopAfter end_of_round(4 * 10 + 1);  // polls: one for each of ten batches, one for the round
  const Fit once = setting.fit(control);
  const Fit cut = train(setting.model, 1000, control, setting.penalty_factors,
                        setting.model.initial(setting.random), end_of_round);
  EXPECT(cut.reason == Reason::interrupt);
  EXPECT(cut.trace.size() == 1 && cut.state.round == 2);
  const Fit rest =
      train(setting.model, 1000, control, setting.penalty_factors, cut.state, setting.observer);
  EXPECT_NEAR((once.theta - rest.theta).norm(), 0, 0);
}

TEST(each_round_is_kept_and_leads_to_the_same_end) {
  Setting setting;
  Control control;
  control.first_epochs = control.epochs = 2;
  control.max_rounds = 4;
  std::vector<TrainerState> kept;
  const TrainerState start(setting.model.initial(setting.random), control);
  const Fit once =
      train(setting.model, 1000, control, setting.penalty_factors, start, setting.observer,
            [&](const TrainerState& state) { kept.push_back(state); });
  EXPECT(kept.size() == 4);
  for (const TrainerState& state : kept) {
    const Fit rest =
        train(setting.model, 1000, control, setting.penalty_factors, state, setting.observer);
    EXPECT_NEAR((once.theta - rest.theta).norm(), 0, 0);
    EXPECT(rest.reason == once.reason);
  }
}

TEST(training_that_had_converged_is_left_as_it_is) {
  Setting setting;
  Control control;
  control.eta = 4;
  const Fit once = setting.fit(control);
  EXPECT(once.reason == Reason::converged);
  const Fit again =
      train(setting.model, 1000, control, setting.penalty_factors, once.state, setting.observer);
  EXPECT(again.reason == Reason::converged);
  EXPECT(again.trace.size() == once.trace.size());
  EXPECT_NEAR((once.theta - again.theta).norm(), 0, 0);
}

TEST(numbers_out_of_hand_return_to_the_last_good_state) {
  Fragile model;
  Observer observer;
  Random random(1);
  Control control;
  control.first_epochs = 10;
  model.breaks_from = 5;
  model.breaks_to = 7;
  const Matrix penalty_factors = Matrix::Zero(1, 1);
  const Fit fit = train(model, 100, control, penalty_factors, model.initial(random), observer);
  EXPECT(fit.reason == Reason::converged);
  EXPECT(fit.state.rollbacks == 2);
  EXPECT_NEAR(fit.state.backoff, 9, 0);
  EXPECT(model.calls == 12);
  EXPECT(fit.theta.allFinite());
}

TEST(after_several_returns_the_last_good_result_comes_back) {
  Fragile model;
  Observer observer;
  Random random(1);
  Control control;
  model.breaks_from = 5;
  model.breaks_to = std::numeric_limits<int>::max();
  const Matrix penalty_factors = Matrix::Zero(1, 1);
  const Fit fit = train(model, 100, control, penalty_factors, model.initial(random), observer);
  EXPECT(fit.reason == Reason::not_finite);
  EXPECT(fit.state.epoch == 4);
  EXPECT(fit.theta.allFinite() && fit.theta[0] < 2);
}

TEST(patience_ends_a_round_early_and_infinite_patience_never) {
  Setting setting;
  Control control;
  control.first_epochs = 100;
  control.max_rounds = 1;
  EXPECT(setting.fit(control).trace[0].epochs == 100);
  control.patience = 2;
  EXPECT(setting.fit(control).trace[0].epochs < 100);
}
