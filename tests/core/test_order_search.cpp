#include "search/order_search.h"

#include "gain_matrix.h"
#include "mixed_data.h"
#include "scores/best_score.h"
#include "scores/categorical_score.h"
#include "scores/conditional_gaussian_score.h"
#include "scores/density_score.h"
#include "scores/joint_score.h"
#include "scores/memo_score.h"
#include "scores/set_local_score.h"

#include "expect.h"

using namespace daggnn;

namespace {

Parents members(Index mask, Index m) {
  Parents parents;
  for (Index i = 0; i < m; ++i) {
    if ((mask >> i & 1) != 0) parents.push_back(i);
  }
  return parents;
}

Matrix everywhere(Index m) { return Matrix::Ones(m, m) - Matrix::Identity(m, m); }

// The best score of all networks: every order of the variables, and every set of parents among
// those before, so that every DAG is seen at least once.
double best_of_all(const LocalScore& score, const EdgeRules& rules, Index maxp) {
  const Index m = score.variables();
  // best[child][before]: of the sets of parents among `before`.
  std::vector<std::vector<double>> best(static_cast<std::size_t>(m));
  for (Index child = 0; child < m; ++child) {
    for (Index before = 0; before < Index{1} << m; ++before) {
      double most = not_applicable;
      if ((before >> child & 1) == 0) {
        const Parents parents = members(before, m);
        bool fits = static_cast<Index>(parents.size()) <= maxp;
        for (const Index i : parents) fits = fits && rules.allowed(i, child);
        for (Index i = 0; i < m; ++i) {
          fits = fits && (!rules.required(i, child) || (before >> i & 1) != 0);
        }
        if (fits) most = score.value(child, parents);
        for (const Index i : parents) {
          most = std::max(most, best[child][before & ~(Index{1} << i)]);
        }
      }
      best[child].push_back(most);
    }
  }
  std::vector<Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), Index{0});
  double most = not_applicable;
  do {
    double total = 0;
    Index before = 0;
    for (const Index child : order) {
      total += best[child][before];
      before |= Index{1} << child;
    }
    most = std::max(most, total);
  } while (std::next_permutation(order.begin(), order.end()));
  return most;
}

// Parents help or harm on their own, and two of them together less or, seldom, more.
class RandomScore final : public LocalScore {
 public:
  RandomScore(Index m, std::uint64_t seed) : m_(m) {
    Random random(seed);
    for (Index child = 0; child < m; ++child) {
      Vector alone(m);
      Matrix together(m, m);
      for (Index i = 0; i < m; ++i) alone[i] = 3 * random.uniform() - 1;
      for (Index i = 0; i < m * m; ++i) together(i) = random.uniform() - 0.7;
      values_.emplace_back();
      for (Index mask = 0; mask < Index{1} << m; ++mask) {
        double sum = -10;
        const Parents parents = members(mask, m);
        for (const Index i : parents) {
          sum += alone[i];
          for (const Index j : parents) sum += i < j ? together(i, j) : 0;
        }
        values_.back().push_back(sum);
      }
    }
  }
  Index variables() const override { return m_; }
  double value(Index child, const Parents& parents) const override {
    Index mask = 0;
    for (const Index i : parents) mask |= Index{1} << i;
    return values_[child][mask];
  }

 private:
  Index m_;
  std::vector<std::vector<double>> values_;
};

bool is_consistent(const LocalScore& score, const Network& network) {
  double total = 0;
  std::vector<bool> before(network.order.size(), false);
  for (const Index child : network.order) {
    for (const Index i : network.parents[child]) {
      if (!before[i]) return false;
    }
    before[child] = true;
    total += network.scores[child];
    if (std::abs(score.value(child, network.parents[child]) - network.scores[child]) > 1e-6) {
      return false;
    }
  }
  return std::abs(total - network.score) < 1e-6;
}

struct Comparison {
  int sets = 0, best = 0, best_with_few_restarts = 0;
};

// Whether the search finds the best of all networks, with many restarts and with those by default.
void compare(const LocalScore& score, Comparison& comparison) {
  const Index m = score.variables();
  SerialExecutor executor;
  Observer observer;
  const MemoScore memo(score);
  const double best = best_of_all(memo, EdgeRules(m), m);
  ++comparison.sets;
  for (const bool many : {false, true}) {
    SearchOptions options;
    if (many) options.restarts = 50;
    OrderSearch search(memo, EdgeRules(m), options, executor);
    const Network network = search.run({}, observer);
    EXPECT(search.stopped() == Stop::none);
    EXPECT(is_consistent(memo, network));
    EXPECT(network.score <= best + 1e-6);
    const bool found = network.score > best - 1e-5;
    (many ? comparison.best : comparison.best_with_few_restarts) += found;
  }
}

// All of up to four variables, nearly all of five.
void expect_nearly_all(const Comparison& comparison, Index m) {
  if (comparison.best < comparison.sets) {
    std::cout << "m = " << m << ": " << comparison.best << " of " << comparison.sets << "\n";
  }
  EXPECT(comparison.best * 100 >= (m <= 4 ? 100 : 95) * comparison.sets);
  if (comparison.best_with_few_restarts * 100 < 90 * comparison.sets) {
    std::cout << "m = " << m << ": " << comparison.best_with_few_restarts << " of "
              << comparison.sets << " by default\n";
  }
  EXPECT(comparison.best_with_few_restarts * 100 >= 90 * comparison.sets);
}

MixedData random_discrete_data(Index n, Index m, Random& random) {
  const Matrix edges = random_edges(m, 0.5, random);
  Matrix values = simulate(
      n, edges, 1, [](double x) { return x; }, random);
  std::vector<Index> levels;
  for (Index j = 0; j < m; ++j) {
    levels.push_back(2 + random.below(2));
    for (Index r = 0; r < n; ++r) {
      values(r, j) = (values(r, j) > -0.3) + (levels.back() == 3 && values(r, j) > 0.6);
    }
  }
  return mixed_data(values, levels);
}

}  // namespace

TEST(the_search_finds_the_best_network_of_random_scores) {
  for (Index m = 3; m <= 5; ++m) {
    Comparison comparison;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) compare(RandomScore(m, seed), comparison);
    // Two parents of which neither helps alone are not found: parents are added one at a time.
    EXPECT(comparison.best >= (m == 3 ? 100 : 96));
  }
}

TEST(the_search_finds_the_best_network_of_linear_data) {
  Random random(1);
  for (Index m = 3; m <= 5; ++m) {
    Comparison comparison;
    for (int set = 0; set < 100; ++set) {
      const Matrix edges = random_edges(m, 0.6, random);
      const Matrix data = simulate(
          80, edges, 1, [](double x) { return 0.6 * x; }, random);
      const NumericFeatures features = numeric_features(data, 1);
      compare(AdditiveScore(features.values, features.gram, 80, features.blocks,
                            {1.5 * std::log(m), 1}),
              comparison);
    }
    expect_nearly_all(comparison, m);
  }
}

TEST(the_search_finds_the_best_network_of_curved_data) {
  Random random(2);
  for (Index m = 3; m <= 5; ++m) {
    Comparison comparison;
    for (int set = 0; set < 100; ++set) {
      const Matrix edges = random_edges(m, 0.6, random);
      const Matrix data = simulate(
          80, edges, 0.7, [](double x) { return std::sin(2 * x); }, random);
      const NumericFeatures features = numeric_features(data, 5);
      compare(AdditiveScore(features.values, features.gram, 80, features.blocks,
                            {1.5 * std::log(m), std::log(m)}),
              comparison);
    }
    expect_nearly_all(comparison, m);
  }
}

TEST(the_search_finds_the_best_network_of_discrete_data) {
  Random random(3);
  SerialExecutor executor;
  for (Index m = 3; m <= 5; ++m) {
    Comparison comparison;
    for (int set = 0; set < 100; ++set) {
      const MixedData data = random_discrete_data(150, m, random);
      const Samples samples = data.samples();
      const DiscreteScore counts(samples, Score::bic, 1, 0, executor);
      compare(SetLocalScore(counts), comparison);
    }
    expect_nearly_all(comparison, m);
  }
}

TEST(the_search_finds_the_best_network_of_mixed_data) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const MixedData data = small_mixed_data(80, seed);
    const Samples samples = data.samples();
    const AdditiveScore additive(data.features, data.gram, 80, data.blocks, {2, 1});
    const CategoricalScore categorical(samples, data.features, data.blocks);
    const ConditionalGaussianScore by_level(samples, data.features, data.blocks);
    compare(BestScore({&additive, &categorical, &by_level}), comparison);
  }
  expect_nearly_all(comparison, 4);
}

// Parents that interact and have effects of their own.
TEST(the_search_finds_the_best_network_of_interacting_data) {
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Random random(seed);
    Matrix data = normal_matrix(50, 4, random);
    data.col(2) =
        0.5 * data.col(2) + data.col(0) + data.col(1) + data.col(0).cwiseProduct(data.col(1));
    data.col(3) += data.col(2);
    const NumericFeatures features = numeric_features(data, 4);
    const AdditiveScore additive(features.values, features.gram, 50, features.blocks, {0, 1});
    JointOptions options;
    options.centres = 12;
    const JointScore joint(features.coordinates, std::vector<bool>(4, true), 50, options);
    compare(BestScore({&additive, &joint}), comparison);
  }
  expect_nearly_all(comparison, 4);
}

TEST(the_search_finds_the_best_network_with_estimated_densities) {
  Comparison comparison;
  Random random(4);
  for (int set = 0; set < 6; ++set) {
    Matrix data(60, 3);
    for (Index j = 0; j < 3; ++j) {
      for (Index r = 0; r < 60; ++r) data(r, j) = random.uniform() + (j > 0 ? data(r, j - 1) : 0);
    }
    const NumericFeatures features = numeric_features(data, 1);
    const AdditiveScore score(features.values, features.gram, 60, features.blocks, {1, 1});
    compare(DensityScore({&score}, {true, true, true}, 2, 1), comparison);
  }
  expect_nearly_all(comparison, 3);
}

TEST(edges_that_are_not_allowed_are_absent_and_required_ones_present) {
  Random random(5);
  SerialExecutor executor;
  Observer observer;
  Comparison comparison;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Index m = 5;
    const RandomScore score(m, seed);
    const Matrix required = random_edges(m, 0.2, random);
    Matrix allowed = required;
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < m; ++j) {
        if (i != j && random.uniform() < 0.6) allowed(i, j) = 1;
      }
    }
    OrderSearch search(score, {allowed, required}, SearchOptions(), executor);
    const Network network = search.run({}, observer);
    const Matrix edges = network.adjacency();
    EXPECT(is_consistent(score, network));
    EXPECT((edges.array() <= allowed.array()).all());
    EXPECT((edges.array() >= required.array()).all());
    const double best = best_of_all(score, {allowed, required}, m);
    EXPECT(network.score <= best + 1e-6);
    ++comparison.sets;
    comparison.best += network.score > best - 1e-5;
  }
  EXPECT(comparison.best * 100 >= 90 * comparison.sets);
}

TEST(no_variable_has_more_parents_than_maxp) {
  SerialExecutor executor;
  Observer observer;
  for (const Index maxp : {0, 1, 2}) {
    Comparison comparison;
    Index most = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      const RandomScore score(5, seed);
      SearchOptions options;
      options.maxp = maxp;
      OrderSearch search(score, EdgeRules(5), options, executor);
      const Network network = search.run({}, observer);
      for (const Parents& parents : network.parents) {
        most = std::max(most, static_cast<Index>(parents.size()));
      }
      ++comparison.sets;
      comparison.best += network.score > best_of_all(score, EdgeRules(5), maxp) - 1e-5;
    }
    EXPECT(most == maxp);
    EXPECT(comparison.best * 100 >= 80 * comparison.sets);
  }
}

namespace {

// Says stop when it is asked for the given time.
struct StopAfter final : Observer {
  explicit StopAfter(int polls_) : polls(polls_) {}
  Stop poll(const Progress& progress) override {
    ++asked;
    loss = progress.loss;
    return asked >= polls ? Stop::time_limit : Stop::none;
  }
  int polls, asked = 0;
  double loss = 0;
};

}  // namespace

TEST(a_search_that_is_stopped_returns_the_network_of_its_start_order) {
  SerialExecutor executor;
  const RandomScore score(5, 7);
  const std::vector<Index> start = {3, 1, 4, 0, 2};
  OrderSearch search(score, EdgeRules(5), SearchOptions(), executor);
  StopAfter at_once(1);
  const Network network = search.run(start, at_once);
  EXPECT(search.stopped() == Stop::time_limit);
  EXPECT(at_once.asked == 1);
  EXPECT(network.order == start);
  EXPECT(is_consistent(score, network));
  EXPECT_NEAR(at_once.loss, -network.score, 1e-12);
  // Each variable has the best parents among those before it.
  double best = 0;
  Index before = 0;
  for (const Index child : start) {
    double most = not_applicable;
    for (Index mask = 0; mask < 32; ++mask) {
      if ((mask & ~before) == 0) most = std::max(most, score.value(child, members(mask, 5)));
    }
    best += most;
    before |= Index{1} << child;
  }
  EXPECT_NEAR(network.score, best, 1e-9);
}

TEST(a_search_that_is_stopped_later_is_better_than_one_that_is_stopped_at_once) {
  SerialExecutor executor;
  double gained = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RandomScore score(5, seed);
    OrderSearch search(score, EdgeRules(5), SearchOptions(), executor);
    StopAfter at_once(1), later(12);
    const double first = search.run({}, at_once).score;
    const Network network = search.run({}, later);
    EXPECT(later.asked <= 12);
    EXPECT(is_consistent(score, network));
    EXPECT(network.score >= first);
    gained += network.score - first;
  }
  EXPECT(gained > 0.1);
}

TEST(any_number_of_threads_finds_the_same_network) {
  Random random(6);
  const Matrix edges = random_edges(12, 0.4, random);
  const Matrix data = simulate(
      100, edges, 1, [](double x) { return 0.7 * x; }, random);
  const NumericFeatures features = numeric_features(data, 3);
  const AdditiveScore score(features.values, features.gram, 100, features.blocks, {2, 2});
  Observer observer;
  SerialExecutor serial;
  OrderSearch alone(score, EdgeRules(12), SearchOptions(), serial);
  const Network expected = alone.run({}, observer);
  const Matrix gains = gain_matrix(alone.gains(expected), 12);
  for (int threads = 1; threads <= 4; ++threads) {
    PoolExecutor executor(threads);
    OrderSearch search(score, EdgeRules(12), SearchOptions(), executor);
    const Network network = search.run({}, observer);
    EXPECT(network.order == expected.order);
    EXPECT(network.parents == expected.parents);
    EXPECT(network.scores == expected.scores);
    EXPECT(network.score == expected.score);
    const Matrix again = gain_matrix(search.gains(network), 12);
    EXPECT(((again.array() == gains.array()) || (again.array().isNaN() && gains.array().isNaN()))
               .all());
  }
  EXPECT(expected.adjacency().sum() > 5);
}

TEST(restarts_never_make_the_network_worse_and_make_some_better) {
  SerialExecutor executor;
  Observer observer;
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const RandomScore score(7, seed);
    SearchOptions none;
    none.restarts = 0;
    OrderSearch single(score, EdgeRules(7), none, executor);
    OrderSearch repeated(score, EdgeRules(7), SearchOptions(), executor);
    const double first = single.run({}, observer).score;
    const double last = repeated.run({}, observer).score;
    EXPECT(last >= first);
    better += last > first + 1e-6;
  }
  EXPECT(better > 0);
}

TEST(gains_are_differences_of_scores) {
  SerialExecutor executor;
  Observer observer;
  const Index m = 6;
  const RandomScore score(m, 11);
  Matrix allowed = everywhere(m);
  allowed(0, 1) = allowed(4, 2) = 0;
  OrderSearch search(score, {allowed, Matrix::Zero(m, m)}, SearchOptions(), executor);
  const Network network = search.run({}, observer);
  const Matrix edges = network.adjacency(), gains = gain_matrix(search.gains(network), m);
  int present = 0, absent = 0, none = 0;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      // Whether j reaches i along the edges.
      Matrix paths = Matrix::Identity(m, m);
      for (Index step = 0; step < m; ++step) paths += paths * edges;
      const Parents& parents = network.parents[j];
      if (edges(i, j) != 0) {
        Parents fewer = parents;
        fewer.erase(std::find(fewer.begin(), fewer.end(), i));
        EXPECT_NEAR(gains(i, j), score.value(j, parents) - score.value(j, fewer), 1e-9);
        EXPECT(gains(i, j) > 0);
        ++present;
      } else if (i != j && allowed(i, j) != 0 && paths(j, i) == 0) {
        EXPECT_NEAR(gains(i, j), score.value(j, with_parent(parents, i)) - score.value(j, parents),
                    1e-9);
        ++absent;
      } else {
        EXPECT(std::isnan(gains(i, j)));
        ++none;
      }
    }
  }
  EXPECT(present > 0 && absent > 0 && none > m);
}

namespace {

NumericFeatures many_numbers(Index m, std::uint64_t seed) {
  Random random(seed);
  const Matrix edges = random_edges(m, 3.0 / static_cast<double>(m), random);
  return numeric_features(simulate(
                              300, edges, 1, [](double x) { return 0.8 * x; }, random),
                          1);
}

SearchOptions screening() {
  SearchOptions options;
  options.unscreened = 10;
  return options;
}

}  // namespace

TEST(a_screened_search_is_nearly_as_good_as_one_that_is_not) {
  SerialExecutor executor;
  Observer observer;
  const Index m = 30;
  double lost = 0;
  Index fewer = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const NumericFeatures features = many_numbers(m, seed);
    const AdditiveScore score(features.values, features.gram, 300, features.blocks, {5, 0});
    OrderSearch all(score, EdgeRules(m), SearchOptions(), executor);
    const Network expected = all.run({}, observer);
    Candidates candidates;
    OrderSearch some(score, EdgeRules(m), screening(), executor, &candidates);
    const Network network = some.run({}, observer);
    EXPECT(is_consistent(score, network));
    lost += expected.score - network.score;
    for (Index j = 0; j < m; ++j) {
      fewer += m - 1 - static_cast<Index>(candidates[j].size());
      for (const Index i : network.parents[j]) {
        EXPECT(std::binary_search(candidates[j].begin(), candidates[j].end(), i));
      }
    }
  }
  // An edge is charged 8: on average, less than one is lost.
  EXPECT(lost < 8 * 8);
  // Most pairs are no candidates.
  EXPECT(fewer > 8 * m * m / 2);
}

TEST(candidates_that_the_screen_misses_come_back) {
  SerialExecutor executor;
  Observer observer;
  const Index m = 20;
  const NumericFeatures features = many_numbers(m, 3);
  const AdditiveScore score(features.values, features.gram, 300, features.blocks, {5, 0});
  OrderSearch screened(score, EdgeRules(m), screening(), executor);
  const Network expected = screened.run({}, observer);
  EXPECT(expected.adjacency().sum() > 10);
  for (const bool recheck : {true, false}) {
    SearchOptions options = screening();
    options.recheck = recheck;
    Candidates none(std::vector<Parents>(static_cast<std::size_t>(m)));
    OrderSearch search(score, EdgeRules(m), options, executor, &none);
    const Network network = search.run({}, observer);
    if (recheck) {
      EXPECT(network.score > expected.score - 16);
    } else {
      EXPECT(network.adjacency().sum() == 0);
    }
  }
}

TEST(a_screened_search_obeys_its_limits_at_any_number_of_threads) {
  Observer observer;
  const Index m = 25;
  const NumericFeatures features = many_numbers(m, 4);
  const AdditiveScore score(features.values, features.gram, 300, features.blocks, {2, 0});
  Matrix allowed = everywhere(m), required = Matrix::Zero(m, m);
  for (Index k = 0; k < m; k += 2) allowed.row(k).head(m / 2).setZero();
  allowed(20, 21) = required(20, 21) = required(3, 4) = 1;
  SearchOptions options = screening();
  options.maxp = 2;
  SerialExecutor serial;
  OrderSearch alone(score, {allowed, required}, options, serial);
  const Network expected = alone.run({}, observer);
  const Matrix edges = expected.adjacency();
  EXPECT(is_consistent(score, expected));
  EXPECT((edges.array() <= allowed.array()).all());
  EXPECT((edges.array() >= required.array()).all());
  EXPECT(edges.colwise().sum().maxCoeff() == 2);
  for (int threads = 2; threads <= 3; ++threads) {
    PoolExecutor executor(threads);
    OrderSearch search(score, {allowed, required}, options, executor);
    const Network network = search.run({}, observer);
    EXPECT(network.order == expected.order);
    EXPECT(network.parents == expected.parents);
    EXPECT(network.score == expected.score);
  }
}

// The order in which the variables are given is the worst one: children first.
TEST(a_screened_search_does_not_depend_on_a_good_order_to_begin_with) {
  SerialExecutor executor;
  Observer observer;
  const Index m = 40, n = 500;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    Matrix edges = Matrix::Zero(m, m);
    for (Index i = 0; i < m; ++i) {
      for (Index j = 0; j < i; ++j) edges(i, j) = random.uniform() < 0.15;
    }
    const NumericFeatures features =
        numeric_features(simulate(
                             n, edges, 1, [](double x) { return 0.7 * x; }, random),
                         1);
    const AdditiveScore score(features.values, features.gram, n, features.blocks, {5, 0});
    double truth = 0;
    for (Index j = 0; j < m; ++j) {
      Parents parents;
      for (Index i = 0; i < m; ++i) {
        if (edges(i, j) != 0) parents.push_back(i);
      }
      truth += score.value(j, parents);
    }
    SearchOptions options = screening();
    options.restarts = 0;
    OrderSearch search(score, EdgeRules(m), options, executor);
    const Network network = search.run({}, observer);
    EXPECT(is_consistent(score, network));
    EXPECT(network.score > truth - 8);
  }
}

TEST(required_edges_hold_from_the_first_order_of_a_screened_search_on) {
  SerialExecutor executor;
  const Index m = 25;
  const NumericFeatures features = many_numbers(m, 4);
  const AdditiveScore score(features.values, features.gram, 300, features.blocks, {2, 0});
  // A chain against the given order.
  Matrix required = Matrix::Zero(m, m);
  for (Index k = m - 1; k > 0; --k) required(k, k - 1) = 1;
  for (const int polls : {1, 40, 100000}) {
    StopAfter limit(polls);
    OrderSearch search(score, {everywhere(m), required}, screening(), executor);
    const Network network = search.run({}, limit);
    EXPECT((network.adjacency().array() >= required.array()).all());
    EXPECT(is_consistent(score, network));
  }
}
