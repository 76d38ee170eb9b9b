#include <daggnn/learn.h>

#include "expect.h"

using namespace daggnn;

namespace {

constexpr Index rows = 400, levels = 3;

// a -> b, and c on its own: b repeats a four times in five.
Matrix chain_and_stranger() {
  Matrix values(rows, 3);
  Random random(3);
  for (Index r = 0; r < rows; ++r) {
    values(r, 0) = static_cast<double>(random.below(levels));
    values(r, 1) =
        random.uniform() < 0.8 ? values(r, 0) : static_cast<double>(random.below(levels));
    values(r, 2) = static_cast<double>(random.below(levels));
  }
  return values;
}

struct Setting {
  Matrix values = chain_and_stranger();
  Samples samples{MatrixView(values.data(), values.rows(), values.cols()),
                  {Kind::discrete, Kind::discrete, Kind::discrete},
                  {levels, levels, levels}};
  Matrix allowed = Matrix::Ones(3, 3) - Matrix::Identity(3, 3), required = Matrix::Zero(3, 3);
  SerialExecutor executor;
  Observer observer;

  Learned learned(bool polished) {
    ModelOptions options;
    options.name = "mechanism";
    Control control;
    control.constraint = Constraint::logdet;
    control.penalty = Penalty::l1;
    control.penalty_weight = 0.05;
    control.first_epochs = 20;
    control.epochs = 10;
    control.eta = 4;
    return learn(options, samples, allowed, required, control, polished, executor, observer);
  }
};

}  // namespace

TEST(an_edge_has_the_price_of_its_free_parameters) {
  Setting setting;
  EXPECT_NEAR(bic_prices(setting.samples)(0, 2), 4 * std::log(400.0) / 800, 1e-15);
}

TEST(the_order_keeps_one_direction_of_each_pair) {
  Matrix S = Matrix::Zero(3, 3);
  S(0, 1) = 4;
  S(1, 0) = 1;
  S(2, 1) = 0.01;
  const Matrix edges = ordered_edges(S, Matrix::Zero(3, 3));
  EXPECT(edges(0, 1) == 1 && edges(1, 0) == 0 && edges(2, 1) == 1);
}

TEST(polished_weights_are_those_of_a_dag) {
  Setting setting;
  const Matrix A = setting.learned(true).weights;
  const Edges edges = acyclic_edges(A.cwiseAbs(), 0, Matrix::Zero(3, 3));
  EXPECT(edges.dropped.empty());
}

TEST(an_edge_that_does_not_pay_its_price_goes_and_one_that_does_grows) {
  Setting setting;
  const Matrix rough = setting.learned(false).weights, A = setting.learned(true).weights;
  EXPECT(A.row(2).maxCoeff() < polish_softness && A.col(2).maxCoeff() < polish_softness);
  EXPECT(std::max(A(0, 1), A(1, 0)) > 1.1 * std::max(rough(0, 1), rough(1, 0)));
}

TEST(a_required_edge_is_not_penalised) {
  Setting setting;
  const Matrix free = setting.learned(true).weights;
  setting.required(2, 0) = 1;
  setting.allowed(0, 2) = 0;
  const Matrix bound = setting.learned(true).weights;
  EXPECT(bound(2, 0) > free(2, 0));
}

TEST(the_trace_goes_on_through_the_polish) {
  Setting setting;
  const std::vector<Round> trace = setting.learned(true).fit.trace;
  const Polish usual;
  EXPECT(trace.size() > static_cast<std::size_t>(usual.stages * usual.steps));
  for (std::size_t k = 0; k < trace.size(); ++k) EXPECT(trace[k].round == static_cast<int>(k) + 1);
}
