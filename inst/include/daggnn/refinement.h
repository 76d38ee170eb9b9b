// From the weights that training leaves to a DAG: what the constraint only approaches, made exact.
//
// The multiplier method ends close to a DAG, but its weights are still bent by the constraint, and
// some edges point the wrong way. For a DAG the mechanism's likelihood is exact, so that graphs can
// be compared by it. In turns, until no edge changes:
//   search   hill climbing over DAGs by penalised likelihood, g and phi fixed (graph_search.h), and
//            phi anew by least squares; in the end of each pass, a way out of local optima
//   polish   a short training of everything on that DAG alone: the constraint is then void
//
// Where the noise of each variable has a variance of its own, graphs with the edges of an order
// that is wrong explain the data nearly as well as the true one, and the way out of them is long.
// There all this is done from no edge at all too, and the better of the two graphs stays.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph_search.h"
#include "mechanism.h"
#include "network_fit.h"
#include "trainer.h"

namespace daggnn {

// An edge must explain this share of what its child's other parents leave unexplained. With many
// rows, chance asks for less; what an edge gains below it comes from g and phi not being quite
// right.
constexpr double least_share = 0.01;

// The price of a number in A, in units of the log-likelihood: the extended BIC of Foygel and Drton
// (2010) with gamma = 1, since plain BIC would let in a few of the m^2 edges by chance; and the
// least share.
inline double edge_price(Index rows, Index m) {
  const double n = static_cast<double>(rows);
  return std::log(n) / 2 + 2 * std::log(static_cast<double>(m)) + least_share * n / 2;
}

struct Refinement {
  Vector theta;  // settled, without the blocks of edges that are not in the DAG
  Matrix edges;  // m x m, 1 for an edge
  Matrix worth;  // m x m: what each edge gains, or would gain, in units of its price
  double score = -std::numeric_limits<double>::infinity();  // penalised log-likelihood
  int moves = 0;                                            // edges added, removed or reversed
  // Or interrupt or time_limit, where the observer asked to stop.
  Reason reason = Reason::converged;
};

class Refiner {
 public:
  // allowed, required: m x m, nonzero where an edge may and where it must be.
  Refiner(const Samples& samples, const Matrix& allowed, const Matrix& required,
          const MechanismOptions& options, const Control& control, Executor& executor,
          Observer& observer)
      : samples_(samples),
        allowed_(allowed),
        required_(required),
        options_(options),
        control_(control),
        executor_(executor),
        observer_(observer) {}

  Refinement refine(const Vector& trained) {
    const Mechanism model(samples_, allowed_, options_, executor_);
    Matrix A;
    model.weights(trained, A);
    Refinement best = refine_from(model, trained, edges_above(A.cwiseAbs()));
    if (options_.noise == Noise::equal || best.reason != Reason::converged) return best;
    Random random(control_.seed);
    const Refinement anew = refine_from(model, model.initial(random), required_);
    if (anew.reason == Reason::converged && anew.score > best.score) return anew;
    best.reason = anew.reason;
    return best;
  }

 private:
  // Weak edges of the start are for the search to judge.
  static constexpr double start_threshold = 0.1;
  static constexpr int most_passes = 4;
  static constexpr int turns = 3;                // of the search and of phi, in each pass
  static constexpr Index search_rows = 10000;    // beyond these, more rows change no edge
  static constexpr Index fitting_values = 8000;  // some 300 for each parameter of phi
  static constexpr int fitting_steps = 10;
  static constexpr Index polish_steps = 500;
  static constexpr double polish_graph_rate = 0.003, polish_rate = 0.002;

  Refinement refine_from(const Mechanism& model, const Vector& theta, const Matrix& edges) {
    Refinement result;
    result.edges = edges;
    result.theta = model.settled(theta);
    if (stopped(result)) return result;
    for (int pass = 0; pass < most_passes; ++pass) {
      int moves = 0;
      for (int turn = 1; turn <= turns && result.reason == Reason::converged; ++turn) {
        moves += search(model, turn == turns, result);
      }
      result.moves += moves;
      if (result.reason != Reason::converged) break;
      if ((pass > 0 && moves == 0) || pass + 1 == most_passes) break;
      if (!polish(pass, result)) break;
    }
    result.theta = model.settled(result.theta);
    return result;
  }

  Matrix edges_above(const Matrix& strengths) const {
    Matrix edges = Matrix::Zero(strengths.rows(), strengths.cols());
    for (const Edge& edge : acyclic_edges(strengths, start_threshold, required_).kept) {
      edges(edge.from, edge.to) = 1;
    }
    return edges;
  }

  // Asks the observer; if it wants to stop, the result says why.
  bool stopped(Refinement& result) {
    progress_.round = 1;
    progress_.fraction = 1;  // of the constraint's way down
    const Stop stop = observer_.poll(progress_);
    if (stop == Stop::interrupt) result.reason = Reason::interrupt;
    if (stop == Stop::time_limit) result.reason = Reason::time_limit;
    return stop != Stop::none;
  }

  int search(const Mechanism& model, bool escape, Refinement& result) {
    SearchProblem problem;
    model.lay_open(result.theta, search_rows, problem);
    if (stopped(result)) return 0;
    problem.price = edge_price(problem.n(), problem.m());
    problem.allowed = allowed_;
    problem.required = required_;
    problem.stop = [&](double loss, Index edges) {
      progress_.loss = loss;
      progress_.edges = [edges] { return edges; };
      return stopped(result);
    };
    const Vector theta = model.restricted(result.theta, result.edges);
    GraphSearch search(problem, result.edges, model.blocks(theta), model.bias(theta), executor_);
    int moves = search.climb();
    if (escape) moves += search.escape();
    moves += search.prune();
    result.edges = search.edges();
    result.theta = model.with_graph(theta, search.weights(), search.bias());
    if (search.stopped()) return moves;
    result.worth = search.worth();
    result.score = search.score();
    if (!problem.phi.identity()) fit_outputs(model, problem, result);
    return moves;
  }

  // phi anew, by least squares of all values together on what the parents say.
  void fit_outputs(const Mechanism& model, const SearchProblem& problem, Refinement& result) const {
    const Index rows = problem.n(), P = problem.F.cols();
    const Matrix B = model.blocks(result.theta);
    Matrix U(rows, P);
    gemm(rows, P, P, 1, {problem.F.data(), rows}, {B.data(), P}, 0, U.data(), rows, executor_);
    U.rowwise() += model.bias(result.theta).transpose();
    const Index step = std::max<Index>(1, U.size() / fitting_values);
    const Eigen::Map<const Vector, 0, Eigen::InnerStride<>> x(U.data(), U.size() / step,
                                                              Eigen::InnerStride<>(step));
    const Eigen::Map<const Vector, 0, Eigen::InnerStride<>> y(problem.Y.data(), U.size() / step,
                                                              Eigen::InnerStride<>(step));
    Vector weights = problem.phi_weights;
    fit_network(problem.phi, x, y, fitting_steps, weights);
    result.theta = model.with_outputs(result.theta, weights, U);
  }

  // False if it did not come to its end.
  bool polish(int pass, Refinement& result) const {
    Mechanism model(samples_, result.edges, options_, executor_);
    Control control = control_;
    const Index n = samples_.n(), batch = std::min(control.batch, n);
    control.first_epochs = static_cast<int>(std::max<Index>(1, polish_steps * batch / n));
    control.graph_rate = polish_graph_rate;
    control.rate = polish_rate;
    control.penalty = Penalty::none;
    control.lambda = 0;
    control.c = 1;
    control.seed = control_.seed + 1 + static_cast<std::uint64_t>(pass);
    const Matrix prices = Matrix::Zero(samples_.m(), samples_.m());
    const Fit fit = train(model, n, control, prices, result.theta, observer_);
    result.theta = model.settled(fit.theta);
    if (fit.reason == Reason::interrupt || fit.reason == Reason::time_limit) {
      result.reason = fit.reason;
    }
    return fit.reason == Reason::converged;
  }

  const Samples& samples_;
  const Matrix allowed_, required_;
  const MechanismOptions options_;
  const Control control_;
  Executor& executor_;
  Observer& observer_;
  Progress progress_;  // what the observer was shown last
};

}  // namespace daggnn
