#include "search/fges.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "all_dags.h"
#include "base/random.h"
#include "expect.h"
#include "features/spline_basis.h"
#include "scores/additive_score.h"

using namespace daggnn;

namespace {

// The linear Gaussian BIC of pcalg, up to a constant: -n/2 log(residual variance) - weight *
// parents.
class LinearScore final : public LocalScore {
 public:
  LinearScore(const Matrix& values, double weight)
      : n_(static_cast<double>(values.rows())), weight_(weight) {
    const Matrix centred = values.rowwise() - values.colwise().mean();
    covariance_ = centred.transpose() * centred / n_;
  }
  Index variables() const override { return covariance_.rows(); }
  double value(Index child, const Parents& parents) const override {
    const Index p = static_cast<Index>(parents.size());
    Matrix among(p, p);
    Vector with(p);
    for (Index k = 0; k < p; ++k) {
      with(k) = covariance_(parents[k], child);
      for (Index l = 0; l < p; ++l) among(k, l) = covariance_(parents[k], parents[l]);
    }
    const double residual =
        covariance_(child, child) - (p > 0 ? with.dot(among.ldlt().solve(with)) : 0);
    return -n_ / 2 * std::log(residual) - weight_ * static_cast<double>(p);
  }

 private:
  double n_, weight_;
  Matrix covariance_;
};

// A number for each set of variables, from 0 to 1.
double number_of(const Nodes& set, std::uint64_t seed) {
  std::uint64_t stream = 1;
  for (const Index node : set) stream = stream * 64 + static_cast<std::uint64_t>(node) + 1;
  return Random(seed, stream).uniform();
}

// F(child and parents) - F(parents) of any F gives equivalent DAGs the same score: here with local
// optima everywhere, so that all operators are needed.
class RuggedScore final : public LocalScore {
 public:
  RuggedScore(Index m, std::uint64_t seed) : m_(m), seed_(seed) {}
  Index variables() const override { return m_; }
  double value(Index child, const Parents& parents) const override {
    return number_of(with_parent(parents, child), seed_) - number_of(parents, seed_);
  }

 private:
  Index m_;
  std::uint64_t seed_;
};

// Every family has a number of its own: directions matter, and nothing is equivalent.
class ArbitraryScore final : public LocalScore {
 public:
  ArbitraryScore(Index m, std::uint64_t seed) : m_(m), seed_(seed) {}
  Index variables() const override { return m_; }
  double value(Index child, const Parents& parents) const override {
    return number_of(parents, seed_ * 1000 + static_cast<std::uint64_t>(child));
  }

 private:
  Index m_;
  std::uint64_t seed_;
};

// n rows of a linear model on the DAG.
Matrix linear_data(const Pdag& dag, Index n, Random& random) {
  const Index m = dag.size();
  const std::vector<Index> order = *topological_order(dag);
  Matrix weights = Matrix::Zero(m, m), values(n, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      if (!dag.directed(i, j)) continue;
      weights(i, j) = (0.4 + random.uniform()) * (random.uniform() < 0.5 ? -1 : 1);
    }
  }
  for (const Index j : order) {
    for (Index row = 0; row < n; ++row) values(row, j) = random.normal();
    for (Index i = 0; i < m; ++i) {
      if (weights(i, j) != 0) values.col(j) += weights(i, j) * values.col(i);
    }
  }
  return values;
}

LinearScore bic(const Matrix& values) {
  return LinearScore(values, std::log(static_cast<double>(values.rows())) / 2);
}

double total(const LocalScore& score, const Pdag& dag) {
  double sum = 0;
  for (Index v = 0; v < dag.size(); ++v) sum += score.value(v, dag.parents(v));
  return sum;
}

bool is_cpdag(const Pdag& graph) {
  const auto dag = consistent_extension(graph);
  return dag && cpdag_of(*dag) == graph;
}

Matrix everything(Index m) { return Matrix::Ones(m, m) - Matrix::Identity(m, m); }

bool agrees(const Pdag& dag, const Matrix& allowed, const Matrix& required) {
  for (Index i = 0; i < dag.size(); ++i) {
    for (Index j = 0; j < dag.size(); ++j) {
      if (dag.directed(i, j) && allowed(i, j) == 0) return false;
      if (required(i, j) != 0 && !dag.directed(i, j)) return false;
    }
  }
  return true;
}

Index most_parents(const Pdag& dag) {
  std::size_t most = 0;
  for (Index v = 0; v < dag.size(); ++v) most = std::max(most, dag.parents(v).size());
  return static_cast<Index>(most);
}

// The slow twin of a step: the largest gain of all classes that have a DAG with one edge more, one
// edge less or one edge turned than a DAG of this class, among those with a DAG that agrees with
// the prior knowledge. Minus infinity where there is none.
double best_gain(const LocalScore& score, const Pdag& cpdag, Fges::Phase phase,
                 const Matrix& allowed, const Matrix& required, Index maxp) {
  const Index m = cpdag.size();
  const Pdag first = *consistent_extension(cpdag);
  double best = -std::numeric_limits<double>::infinity();
  std::map<Class, bool> known;
  for (const Pdag& dag : members_of(first)) {
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) {
        Pdag next = dag;
        if (i == j) continue;
        if (phase == Fges::Phase::forward) {
          if (dag.adjacent(i, j)) continue;
          next.direct(i, j);
        } else {
          if (!dag.directed(i, j)) continue;
          next.separate(i, j);
          if (phase == Fges::Phase::turning) next.direct(j, i);
        }
        if (!topological_order(next) || most_parents(next) > maxp) continue;
        if (class_of(next) == class_of(dag)) continue;
        const auto seen = known.find(class_of(next));
        bool admissible = false;
        if (seen != known.end()) {
          admissible = seen->second;
        } else {
          for (const Pdag& member : members_of(next)) {
            admissible = admissible || agrees(member, allowed, required);
          }
          known[class_of(next)] = admissible;
        }
        if (admissible) best = std::max(best, total(score, next) - total(score, dag));
      }
    }
  }
  return best;
}

// Takes steps of one phase after the other beside the slow twin; counts them.
void expect_best_steps(const LocalScore& score, const Pdag& start, const Matrix& allowed,
                       const Matrix& required, Index maxp, int (&steps)[3]) {
  SerialExecutor executor;
  Observer observer;
  FgesOptions options;
  options.maxp = maxp;
  const Fges::Phase phases[] = {Fges::Phase::forward, Fges::Phase::backward, Fges::Phase::turning};
  for (int k = 0; k < 3; ++k) {
    Fges search(score, allowed, required, options, executor);
    search.start_from(start);
    while (true) {
      const Pdag before = search.cpdag();
      const double best = best_gain(score, before, phases[k], allowed, required, maxp);
      if (!search.step(phases[k], observer)) {
        EXPECT(best < 1e-6);
        EXPECT(search.cpdag() == before);
        break;
      }
      EXPECT_NEAR(search.last_gain(), best, 1e-6);
      EXPECT(is_cpdag(search.cpdag()));
      const double gain = total(score, *consistent_extension(search.cpdag())) -
                          total(score, *consistent_extension(before));
      EXPECT_NEAR(search.last_gain(), gain, 1e-6);
      ++steps[k];
    }
  }
}

struct ThreadedExecutor final : Executor {
  int threads() const override { return 3; }
  void run(Index count, const std::function<void(Index)>& task) override {
    std::atomic<Index> next{0};
    std::vector<std::thread> workers;
    for (int k = 0; k < threads(); ++k) {
      workers.emplace_back([&] {
        for (Index each = next++; each < count; each = next++) task(each);
      });
    }
    for (std::thread& worker : workers) worker.join();
  }
};

// Asks to stop after some looks.
struct Impatient final : Observer {
  int patience;
  explicit Impatient(int looks) : patience(looks) {}
  Stop poll(const Progress&) override { return patience-- > 0 ? Stop::none : Stop::time_limit; }
};

FgesFit learn(const LocalScore& score, const FgesOptions& options = {}) {
  const Index m = score.variables();
  SerialExecutor executor;
  Observer observer;
  return Fges(score, everything(m), Matrix::Zero(m, m), options, executor).run(observer);
}

}  // namespace

TEST(from_every_class_the_best_step_is_taken_and_leads_to_a_cpdag) {
  int steps[3] = {0, 0, 0};
  for (Index m = 2; m <= 4; ++m) {
    std::uint64_t seed = 0;
    for (const auto& each : classes_of_dags(m)) {
      const RuggedScore score(m, ++seed);
      expect_best_steps(score, each.second[0], everything(m), Matrix::Zero(m, m), m, steps);
    }
  }
  EXPECT(steps[0] > 200 && steps[1] > 200 && steps[2] > 100);
}

TEST(larger_classes_have_the_best_step_too) {
  Random random(11);
  int steps[3] = {0, 0, 0};
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Index m = 5;
    const Pdag start = random_dag(m, 0.3 + 0.7 * random.uniform(), random);
    const Matrix none = Matrix::Zero(m, m);
    expect_best_steps(RuggedScore(m, seed), start, everything(m), none, m, steps);
    const Matrix values = linear_data(random_dag(m, 0.6, random), 30, random);
    const LinearScore score(values, 0.2 + 1.5 * random.uniform());
    expect_best_steps(score, start, everything(m), none, m, steps);
  }
  EXPECT(steps[0] > 80 && steps[1] > 80 && steps[2] > 40);
}

TEST(every_step_is_the_best_that_agrees_with_the_prior_knowledge) {
  Random random(13);
  int steps[3] = {0, 0, 0};
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const Index m = 4 + random.below(2);
    const Pdag start = random_dag(m, random.uniform(), random);
    // Required are some edges of the start, forbidden some of those that it does not have.
    Matrix allowed = everything(m), required = Matrix::Zero(m, m);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) {
        if (start.directed(i, j) && random.uniform() < 0.2) required(i, j) = 1;
        if (!start.directed(i, j) && random.uniform() < 0.3) allowed(i, j) = 0;
      }
    }
    allowed -= allowed.cwiseProduct(required.transpose());
    const Index maxp = std::max(most_parents(start), 1 + random.below(m));
    const LinearScore linear(linear_data(random_dag(m, 0.6, random), 40, random), 1);
    const RuggedScore rugged(m, seed);
    const LocalScore& score = seed % 2 == 0 ? static_cast<const LocalScore&>(linear) : rugged;
    expect_best_steps(score, start, allowed, required, maxp, steps);

    SerialExecutor executor;
    Observer observer;
    FgesOptions options;
    options.maxp = maxp;
    const FgesFit fit = Fges(score, allowed, required, options, executor).run(observer);
    EXPECT(agrees(fit.dag, allowed, required));
    EXPECT(cpdag_of(fit.dag) == fit.cpdag);
    EXPECT(most_parents(fit.dag) <= maxp);
    std::vector<Pdag> agreeing;
    for (const Pdag& member : members_of(fit.dag)) {
      if (agrees(member, allowed, required)) agreeing.push_back(member);
    }
    EXPECT(fit.restricted == union_of(agreeing));
  }
  EXPECT(steps[0] > 150 && steps[1] > 100 && steps[2] > 25);
}

TEST(with_many_rows_the_best_of_all_classes_is_found) {
  Random random(17);
  int found = 0;
  for (Index m = 2; m <= 4; ++m) {
    const auto classes = classes_of_dags(m);
    for (int trial = 0; trial < 100; ++trial) {
      const Pdag truth = random_dag(m, 0.5, random);
      const LinearScore score = bic(linear_data(truth, 20000, random));
      double best = -std::numeric_limits<double>::infinity();
      Pdag best_dag(m);
      for (const auto& each : classes) {
        if (total(score, each.second[0]) <= best) continue;
        best = total(score, each.second[0]);
        best_dag = each.second[0];
      }
      const FgesFit fit = learn(score);
      EXPECT(fit.score <= best + 1e-6);
      found += fit.cpdag == cpdag_of(best_dag);
    }
  }
  // The guarantee is for the limit: by chance a weak edge may lead to a class that is only better
  // than all classes beside it.
  EXPECT(found >= 298);
}

TEST(larger_networks_are_recovered_and_threads_change_nothing) {
  Random random(19);
  const Index m = 30;
  const Pdag truth = random_dag(m, 0.06, random);
  const LinearScore score = bic(linear_data(truth, 20000, random));
  const FgesFit fit = learn(score);
  EXPECT(fit.cpdag == cpdag_of(truth));
  EXPECT(fit.inserted >= truth.edges() && fit.stop == Stop::none);
  EXPECT(fit.inserted - fit.deleted == truth.edges());

  ThreadedExecutor executor;
  Observer observer;
  const FgesFit threaded =
      Fges(score, everything(m), Matrix::Zero(m, m), {}, executor).run(observer);
  EXPECT(threaded.dag == fit.dag && threaded.score == fit.score);
}

TEST(the_phases_can_be_chosen) {
  Random random(23);
  int turned = 0, repeated = 0;
  for (int trial = 0; trial < 30; ++trial) {
    const LinearScore score(linear_data(random_dag(7, 0.6, random), 50, random), 1.5);
    FgesOptions once, plain;
    once.iterate = false;
    plain.iterate = plain.turning = false;
    const FgesFit all = learn(score), single = learn(score, once), without = learn(score, plain);
    EXPECT(without.turned == 0);
    EXPECT(all.score >= single.score - 1e-9 && single.score >= without.score - 1e-9);
    turned += single.turned > 0;
    repeated += all.score > single.score + 1e-6;
  }
  EXPECT(turned > 0 && repeated > 0);
}

TEST(a_limit_on_the_parents_holds) {
  Random random(29);
  const Pdag truth = random_dag(10, 0.7, random);
  const LinearScore score = bic(linear_data(truth, 1000, random));
  for (Index maxp = 0; maxp <= 3; ++maxp) {
    FgesOptions options;
    options.maxp = maxp;
    const FgesFit fit = learn(score, options);
    EXPECT(most_parents(fit.dag) == maxp);
  }
}

TEST(a_search_that_is_stopped_returns_the_class_that_it_has) {
  Random random(31);
  const Index m = 12;
  const LinearScore score = bic(linear_data(random_dag(m, 0.4, random), 500, random));
  SerialExecutor executor;
  Index edges = -1;
  for (const int looks : {0, 5, 12}) {
    Impatient observer(looks);
    const FgesFit fit = Fges(score, everything(m), Matrix::Zero(m, m), {}, executor).run(observer);
    EXPECT(fit.stop == Stop::time_limit);
    EXPECT(is_cpdag(fit.cpdag) && cpdag_of(fit.dag) == fit.cpdag);
    EXPECT_NEAR(fit.score, total(score, fit.dag), 0);
    EXPECT(fit.cpdag.edges() > edges);
    edges = fit.cpdag.edges();
  }
}

TEST(with_a_score_that_is_not_equivalent_the_class_has_the_score_of_its_best_dag) {
  FgesOptions options;
  options.equivalent = false;
  int best_of_class = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Index m = 5;
    const ArbitraryScore score(m, seed);
    const FgesFit fit = learn(score, options);
    EXPECT(cpdag_of(fit.dag) == fit.cpdag);
    EXPECT_NEAR(fit.score, total(score, fit.dag), 0);
    double best = 0;
    for (const Pdag& member : members_of(fit.dag)) best = std::max(best, total(score, member));
    best_of_class += best <= fit.score;
    // No covered edge is left whose turn would raise the score.
    for (Index x = 0; x < m; ++x) {
      for (const Index y : fit.dag.adjacent(x)) {
        if (!fit.dag.directed(x, y)) continue;
        Pdag turned = fit.dag;
        turned.direct(y, x);
        const bool equivalent = topological_order(turned) && cpdag_of(turned) == fit.cpdag;
        if (equivalent) EXPECT(total(score, turned) <= fit.score + 1e-6);
      }
    }

    SerialExecutor executor;
    Observer observer;
    Fges search(score, everything(m), Matrix::Zero(m, m), options, executor);
    int steps = 0;
    while (search.step(Fges::Phase::forward, observer)) ++steps;
    while (search.step(Fges::Phase::turning, observer)) {
      EXPECT(search.last_gain() > 0);
      ++steps;
    }
    EXPECT(steps > 0);
  }
  EXPECT(best_of_class >= 20);
}

TEST(an_additive_score_directs_the_edges_that_the_class_leaves_open) {
  Random random(37);
  const Index n = 500, m = 3;
  Matrix values(n, m);
  for (Index row = 0; row < n; ++row) {
    values(row, 2) = random.normal();
    values(row, 0) = std::sin(2 * values(row, 2)) + 0.3 * random.normal();
    values(row, 1) = values(row, 0) * values(row, 0) + 0.3 * random.normal();
  }
  std::vector<FeatureBlock> blocks;
  Matrix features(n, 0);
  for (Index j = 0; j < m; ++j) {
    const Matrix own = SplineBasis(values.col(j), 8).evaluate(values.col(j));
    blocks.push_back({features.cols(), 1, own.cols() - 1, 1});
    features.conservativeResize(n, features.cols() + own.cols());
    features.rightCols(own.cols()) = own;
  }
  const Matrix gram = features.transpose() * features / static_cast<double>(n);
  const AdditiveScore score(features, gram, static_cast<double>(n), blocks, {2, 1});
  FgesOptions options;
  options.equivalent = false;
  const FgesFit fit = learn(score, options);
  EXPECT(fit.cpdag.undirected(0, 1) && fit.cpdag.undirected(0, 2) && !fit.cpdag.adjacent(1, 2));
  EXPECT(fit.dag.directed(2, 0) && fit.dag.directed(0, 1));
}
