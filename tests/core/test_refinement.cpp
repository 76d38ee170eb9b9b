#include <daggnn/refinement.h>

#include <cmath>

#include "expect.h"

using namespace daggnn;

namespace {

constexpr Index n = 1500;

// x = A' cos(x + 1) + z along 0 -> 1 -> 2 <- 0.
Matrix cosines() {
  Random random(21);
  Matrix values(n, 3);
  for (Index r = 0; r < n; ++r) {
    values(r, 0) = random.normal();
    values(r, 1) = 2 * std::cos(values(r, 0) + 1) + random.normal();
    values(r, 2) = -1.5 * std::cos(values(r, 1) + 1) + std::cos(values(r, 0) + 1) + random.normal();
  }
  return values;
}

Control short_training() {
  Control control;
  control.constraint = Constraint::logdet;
  control.first_epochs = 60;
  control.epochs = 10;
  return control;
}

Refinement refined(const Matrix& values, const Matrix& allowed, const Matrix& required,
                   Noise noise) {
  const Samples samples(MatrixView(values.data(), n, 3), {3, Kind::continuous}, {1, 1, 1});
  SerialExecutor executor;
  Observer observer;
  Random random(1);
  const MechanismOptions options{8, 4, noise};
  Mechanism model(samples, allowed, options, executor);
  const Control control = short_training();
  const Fit fit = train(model, n, control, required, model.initial(random), observer);
  return Refiner(samples, allowed, required, options, control, executor, observer)
      .refine(fit.theta);
}

}  // namespace

TEST(a_nonlinear_graph_is_found_whatever_the_units) {
  Matrix truth = Matrix::Zero(3, 3);
  truth(0, 1) = truth(1, 2) = truth(0, 2) = 1;
  const Matrix any = Matrix::Ones(3, 3), none = Matrix::Zero(3, 3);
  Matrix values = cosines();
  EXPECT_NEAR((refined(values, any, none, Noise::equal).edges - truth).norm(), 0, 0);
  values.col(0) *= 1000;
  values.col(2) /= 50;
  EXPECT_NEAR((refined(values, any, none, Noise::learned).edges - truth).norm(), 0, 0);
}

// Six causes of one effect, in six units. Beginning with the effect needs all 21 edges, and no
// single change of them helps.
TEST(a_start_in_the_wrong_order_does_not_matter_where_the_noise_is_learned) {
  constexpr Index m = 7;
  Random random(4);
  Matrix values(n, m);
  for (Index r = 0; r < n; ++r) {
    for (Index j = 0; j < m; ++j) values(r, j) = random.normal();
    values(r, m - 1) += values.row(r).head(m - 1).sum();
  }
  for (Index j = 0; j < m; ++j) values.col(j) *= std::pow(3.0, static_cast<double>(j - 3));
  const Samples samples(MatrixView(values.data(), n, m), std::vector<Kind>(m, Kind::continuous),
                        std::vector<Index>(m, 1));
  SerialExecutor executor;
  Observer observer;
  const Matrix any = Matrix::Ones(m, m), none = Matrix::Zero(m, m);
  const MechanismOptions options{4, 4, Noise::learned};
  const Mechanism model(samples, any, options, executor);
  Vector theta = model.initial(random);
  Eigen::Map<Matrix>(theta.data(), m, m) =
      Matrix::Ones(m, m).triangularView<Eigen::StrictlyLower>();
  Matrix truth = none;
  truth.col(m - 1).head(m - 1).setOnes();
  const Refinement result =
      Refiner(samples, any, none, options, short_training(), executor, observer).refine(theta);
  EXPECT_NEAR((result.edges - truth).norm(), 0, 0);
}

// The same rows and regressions in other units.
TEST(scores_do_not_depend_on_the_units_of_a_problem) {
  const Matrix values = cosines(), none = Matrix::Zero(3, 3);
  const Samples samples(MatrixView(values.data(), n, 3), {3, Kind::continuous}, {1, 1, 1});
  SerialExecutor executor;
  const Mechanism model(samples, Matrix::Ones(3, 3), {0, 0, Noise::learned}, executor);
  Random random(1);
  Vector theta = model.initial(random);
  const auto score = [&] {
    SearchProblem problem;
    model.lay_open(theta, n, problem);
    problem.price = 5;
    problem.allowed = Matrix::Ones(3, 3);
    problem.required = none;
    GraphSearch search(problem, none, none, Vector::Zero(3), executor);
    search.climb();
    return search.score();
  };
  const double before = score();
  theta.segment(3 * 3 + 3, 3) << 0.7, -0.2, 1.1;  // the logarithms of the noise, behind A and bias
  EXPECT_NEAR(score(), before, 1e-6);
}

TEST(the_lists_hold) {
  Matrix allowed = Matrix::Ones(3, 3), required = Matrix::Zero(3, 3);
  allowed(0, 1) = 0;
  required(2, 0) = 1;
  const Refinement result = refined(cosines(), allowed, required, Noise::equal);
  EXPECT(result.edges(0, 1) == 0);
  EXPECT(result.edges(2, 0) == 1);
  EXPECT(topological_order(result.edges).size() == 3);
}

TEST(an_edge_pays_more_among_more_variables_and_rows) {
  EXPECT(edge_price(1000, 20) > edge_price(1000, 10));
  EXPECT(edge_price(2000, 10) > edge_price(1000, 10));
}

TEST(it_stops_when_the_observer_asks) {
  struct Impatient final : Observer {
    int left;
    explicit Impatient(int polls) : left(polls) {}
    Stop poll(const Progress&) override { return left-- > 0 ? Stop::none : Stop::interrupt; }
  };
  const Matrix values = cosines(), any = Matrix::Ones(3, 3), none = Matrix::Zero(3, 3);
  const Samples samples(MatrixView(values.data(), n, 3), {3, Kind::continuous}, {1, 1, 1});
  SerialExecutor executor;
  const MechanismOptions options{4, 4, Noise::equal};
  Random random(1);
  const Vector theta = Mechanism(samples, any, options, executor).initial(random);
  for (const int polls : {0, 1, 2, 5}) {
    Impatient observer(polls);
    const Refinement result =
        Refiner(samples, any, none, options, short_training(), executor, observer).refine(theta);
    EXPECT(result.reason == Reason::interrupt);
    EXPECT(result.theta.allFinite());
    EXPECT(topological_order(result.edges).size() == 3);
  }
}
