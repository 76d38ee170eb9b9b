#include <daggnn/graph_search.h>
#include <daggnn/random.h>

#include <cmath>

#include "expect.h"

using namespace daggnn;

namespace {

constexpr Index n = 800, m = 4;

// 0 -> 1 -> 2 <- 0, and 3 on its own; noise of variance 1.
SearchProblem linear_problem() {
  Random random(4);
  SearchProblem problem;
  problem.F.resize(n, m);
  for (Index r = 0; r < n; ++r) {
    const double a = random.normal(), b = 1.2 * a + random.normal();
    problem.F.row(r) << a, b, a - 0.9 * b + random.normal(), random.normal();
  }
  problem.Y = problem.F;
  problem.F_error = problem.Y_error = Vector::Zero(m);
  problem.first = {0, 1, 2, 3};
  problem.width = {1, 1, 1, 1};
  problem.price = 10;
  problem.allowed = Matrix::Ones(m, m);
  problem.required = Matrix::Zero(m, m);
  return problem;
}

Matrix truth() {
  Matrix edges = Matrix::Zero(m, m);
  edges(0, 1) = edges(1, 2) = edges(0, 2) = 1;
  return edges;
}

GraphSearch search_from(const SearchProblem& problem, const Matrix& start, Executor& executor) {
  return GraphSearch(problem, start, Matrix::Zero(m, m), Vector::Zero(m), executor);
}

// 1, and the parents of j.
Matrix design_of(const SearchProblem& problem, const Matrix& edges, Index j) {
  Matrix design(n, 1 + static_cast<Index>(edges.col(j).sum()));
  design.col(0).setOnes();
  for (Index i = 0, k = 1; i < m; ++i) {
    if (edges(i, j) != 0) design.col(k++) = problem.F.col(i);
  }
  return design;
}

Vector left_of(const Vector& y, const Matrix& design) {
  return y - design * design.colPivHouseholderQr().solve(y);
}

double least_squares(const SearchProblem& problem, const Matrix& edges, Index j) {
  return left_of(problem.Y.col(j), design_of(problem, edges, j)).squaredNorm();
}

// Half of White's statistic of the edge i -> j beside the other parents, with the residuals as they
// are with the edge or without it.
double white(const SearchProblem& problem, Matrix edges, Index i, Index j, bool with_edge) {
  edges(i, j) = 0;
  const Matrix others = design_of(problem, edges, j);
  const Vector own = left_of(problem.F.col(i), others), y = left_of(problem.Y.col(j), others);
  const double toward = own.dot(y), slope = toward / own.squaredNorm();
  const Vector residual = with_edge ? Vector(y - slope * own) : y;
  return toward * toward / (2 * own.cwiseProduct(residual).squaredNorm());
}

}  // namespace

TEST(each_child_has_the_closed_least_squares) {
  const SearchProblem problem = linear_problem();
  SerialExecutor executor;
  const GraphSearch search = search_from(problem, truth(), executor);
  for (Index j = 0; j < m; ++j) {
    EXPECT_NEAR(search.rss(j), least_squares(problem, truth(), j), 1e-4);
  }
}

TEST(what_an_edge_is_worth_is_what_it_gains_over_its_price) {
  for (const bool equal : {true, false}) {
    SearchProblem problem = linear_problem();
    problem.equal_noise = equal;
    SerialExecutor executor;
    Matrix without = truth();
    without(0, 2) = 0;
    const GraphSearch with_edge = search_from(problem, truth(), executor);
    const GraphSearch without_edge = search_from(problem, without, executor);
    // Each score has paid for its edges.
    const double gain = with_edge.score() - without_edge.score() + problem.price;
    EXPECT(gain > 10);
    // To its own child, an edge is worth a share of what is unexplained as it is.
    const double drop = without_edge.rss(2) - with_edge.rss(2);
    for (const GraphSearch* search : {&with_edge, &without_edge}) {
      const double own = std::min(n / 2.0 * drop / search->rss(2),
                                  white(problem, truth(), 0, 2, search == &with_edge));
      EXPECT_NEAR(search->worth()(0, 2) * problem.price, std::min(gain, own), 1e-3);
    }
    EXPECT_NEAR(with_edge.worth().diagonal().norm(), 0, 0);
  }
}

TEST(the_graph_is_found_from_nothing_and_from_the_wrong_way_round) {
  const SearchProblem problem = linear_problem();
  SerialExecutor executor;
  for (const Matrix& start : {Matrix(Matrix::Zero(m, m)), Matrix(truth().transpose())}) {
    GraphSearch search = search_from(problem, start, executor);
    const double before = search.score();
    EXPECT(search.climb() > 0);
    EXPECT(search.score() > before);
    EXPECT_NEAR((search.edges() - truth()).norm(), 0, 0);
    EXPECT_NEAR(search.weights()(0, 1), 1.2, 0.1);
  }
}

TEST(required_edges_stay_and_forbidden_ones_stay_out) {
  SearchProblem problem = linear_problem();
  problem.required(3, 0) = 1;
  problem.allowed(0, 1) = problem.allowed(0, 2) = 0;
  SerialExecutor executor;
  Matrix start = Matrix::Zero(m, m);
  start(3, 0) = 1;
  GraphSearch search = search_from(problem, start, executor);
  search.climb();
  EXPECT(search.edges()(3, 0) == 1);
  EXPECT(search.edges()(0, 1) == 0 && search.edges()(0, 2) == 0);
}

TEST(phi_is_seen_through) {
  SearchProblem problem = linear_problem();
  problem.phi = ScalarNetwork(3);
  problem.phi_weights.resize(problem.phi.parameters());
  problem.phi.initialise(problem.phi_weights.data(), {-3, -1, 0, 1, 3});
  problem.phi_weights.segment(1, 3) << 0.5, -1, 0.5;
  Matrix mean, U = problem.F.col(0) * 1.5;
  problem.phi.forward(problem.phi_weights.data(), U, mean);
  Random random(9);
  for (Index r = 0; r < n; ++r) problem.Y(r, 1) = problem.F(r, 1) = mean(r) + random.normal();
  SerialExecutor executor;
  Matrix edges = Matrix::Zero(m, m);
  edges(0, 1) = 1;
  const GraphSearch search = search_from(problem, edges, executor);
  EXPECT_NEAR(search.weights()(0, 1), 1.5, 0.25);
  EXPECT_NEAR(search.rss(1) / n, 1, 0.15);
}

namespace {

// A linear model on a random DAG whose order is that of the columns; noise of variance 1.
SearchProblem random_problem(std::uint64_t seed, Index variables) {
  Random random(seed);
  SearchProblem problem;
  Matrix A = Matrix::Zero(variables, variables);
  for (Index j = 0; j < variables; ++j) {
    for (Index i = 0; i < j; ++i) {
      if (random.uniform() < 0.4) A(i, j) = random.uniform() < 0.5 ? 1.2 : -0.8;
    }
    problem.first.push_back(j);
    problem.width.push_back(1);
  }
  problem.F.resize(n, variables);
  for (Index r = 0; r < n; ++r) {
    for (Index j = 0; j < variables; ++j) {
      problem.F(r, j) = random.normal() + problem.F.row(r).head(j).dot(A.col(j).head(j));
    }
  }
  problem.Y = problem.F;
  problem.F_error = problem.Y_error = Vector::Zero(variables);
  problem.price = 10;
  problem.allowed = Matrix::Ones(variables, variables);
  problem.required = Matrix::Zero(variables, variables);
  return problem;
}

// Every edge against the order.
Matrix backwards(Index variables) {
  Matrix edges = Matrix::Zero(variables, variables);
  for (Index j = 0; j < variables; ++j) {
    for (Index i = 0; i < j; ++i) edges(j, i) = 1;
  }
  return edges;
}

}  // namespace

TEST(turning_an_edge_for_good_leads_out_of_local_optima) {
  constexpr Index variables = 8;
  SerialExecutor executor;
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SearchProblem problem = random_problem(seed, variables);
    problem.allowed(0, 7) = 0;
    GraphSearch search(problem, backwards(variables), Matrix::Zero(variables, variables),
                       Vector::Zero(variables), executor);
    search.climb();
    const double stuck = search.score();
    const bool turned = search.escape() > 0;
    EXPECT(turned ? search.score() > stuck : search.score() == stuck);
    EXPECT(topological_order(search.edges()).size() == variables);
    EXPECT(search.edges()(0, 7) == 0);
    better += turned ? 1 : 0;
  }
  EXPECT(better > 0);
}

TEST(edges_below_their_price_are_pruned_unless_they_are_required) {
  SearchProblem problem = linear_problem();
  problem.required(3, 1) = 1;
  SerialExecutor executor;
  Matrix start = truth();
  start(3, 0) = start(3, 1) = 1;
  GraphSearch search = search_from(problem, start, executor);
  EXPECT(search.prune() == 1);
  start(3, 0) = 0;
  EXPECT_NEAR((search.edges() - start).norm(), 0, 0);
}

TEST(what_errors_of_measurement_shrink_is_put_right) {
  // 0 -> 1 -> 2, each seen with error: least squares would have 0 -> 2 as well.
  constexpr double error = 2;
  Random random(6);
  SearchProblem problem = linear_problem();
  for (Index r = 0; r < n; ++r) {
    const double a = 2 * random.normal(), b = 1.5 * a + 2 * random.normal();
    problem.F.row(r) << a, b, b + 2 * random.normal(), 2 * random.normal();
    for (Index j = 0; j < m; ++j) problem.F(r, j) += std::sqrt(error) * random.normal();
  }
  problem.Y = problem.F;
  Matrix chain = Matrix::Zero(m, m);
  chain(0, 1) = chain(1, 2) = 1;
  SerialExecutor executor;
  GraphSearch naive = search_from(problem, chain, executor);
  naive.climb();
  EXPECT(naive.edges()(0, 2) == 1);

  problem.F_error = problem.Y_error = Vector::Constant(m, error);
  GraphSearch search = search_from(problem, chain, executor);
  search.climb();
  EXPECT_NEAR((search.edges() - chain).norm(), 0, 0);
  EXPECT_NEAR(search.weights()(0, 1), 1.5, 0.1);
  EXPECT_NEAR(search.rss(1) / n, 4, 0.5);
}

TEST(noise_that_differs_from_row_to_row_lets_in_no_edge_by_chance) {
  // 3 says how large the noise of 2 is, and nothing else of it; 0 -> 1 is there.
  int likely = 0, found = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    SearchProblem problem = linear_problem();
    for (Index r = 0; r < n; ++r) {
      const double a = random.normal(), d = random.normal();
      problem.F.row(r) << a, 0.5 * a + random.normal(), d * d * random.normal(), d;
    }
    problem.Y = problem.F;
    problem.price = 5;
    problem.equal_noise = false;
    Matrix edge = Matrix::Zero(m, m);
    edge(3, 2) = 1;
    const double without = least_squares(problem, Matrix::Zero(m, m), 2);
    likely += n / 2.0 * std::log(without / least_squares(problem, edge, 2)) > problem.price;
    SerialExecutor executor;
    GraphSearch search = search_from(problem, Matrix::Zero(m, m), executor);
    search.climb();
    found += search.edges()(3, 2) != 0 || search.edges()(2, 3) != 0;
    EXPECT(search.edges()(0, 1) + search.edges()(1, 0) == 1);
  }
  EXPECT(likely >= 8);
  EXPECT(found <= 1);
}

TEST(errors_larger_than_the_data_do_not_break_the_search) {
  SearchProblem problem = linear_problem();
  problem.F_error = problem.Y_error = Vector::Constant(m, 100);
  SerialExecutor executor;
  GraphSearch search = search_from(problem, Matrix::Zero(m, m), executor);
  search.climb();
  search.prune();
  EXPECT(topological_order(search.edges()).size() == m);
  EXPECT(search.weights().allFinite() && search.rss(2) > 0);
}

TEST(it_stops_when_asked_with_what_it_has) {
  SearchProblem problem = linear_problem();
  SerialExecutor executor;
  int asked = 0;
  problem.stop = [&](double loss, Index) {
    EXPECT(loss > 0);
    return ++asked == 2;
  };
  GraphSearch search = search_from(problem, Matrix::Zero(m, m), executor);
  EXPECT(!search.stopped());
  EXPECT(search.climb() == 1);
  EXPECT(search.stopped());
  EXPECT_NEAR(search.edges().sum(), 1, 0);
}
