#include "search/table_search.h"

#include "expect.h"
#include "small_data.h"

#include "scores/set_local_score.h"

using namespace daggnn;

namespace {

Samples two_levels(const Matrix& values) {
  const std::size_t m = static_cast<std::size_t>(values.cols());
  return Samples(MatrixView(values.data(), values.rows(), values.cols()),
                 std::vector<Kind>(m, Kind::discrete), std::vector<Index>(m, 2));
}

Matrix coins(Index n, Index m, Random& random) {
  Matrix values(n, m);
  for (Index k = 0; k < values.size(); ++k) values(k) = random.uniform() < 0.5 ? 0 : 1;
  return values;
}

Network search(const Samples& samples, const EdgeRules& rules,
               const SearchOptions& options = SearchOptions()) {
  SerialExecutor executor;
  Observer observer;
  const DiscreteScore score(samples, Score::bic, 1, 0, executor);
  Stop stop = Stop::none;
  const Network found =
      search_tables(score, samples.n(), rules, options, {}, executor, observer, stop);
  EXPECT(stop == Stop::none);
  const SetLocalScore local(score);
  double total = 0;
  for (Index j = 0; j < samples.m(); ++j) total += local.value(j, found.parents[j]);
  EXPECT_NEAR(found.score, total, 1e-8);
  return found;
}

// The last variable says, most of the time, whether the first two differ.
Matrix exclusive_or(Index n, Random& random) {
  Matrix values = coins(n, 4, random);
  for (Index r = 0; r < n; ++r) {
    const bool differ = values(r, 0) != values(r, 1);
    values(r, 3) = (random.uniform() < 0.9) == differ ? 1 : 0;
  }
  return values;
}

}  // namespace

TEST(parents_that_help_only_together_are_found) {
  Random random(1);
  int better = 0;
  for (int set = 0; set < 10; ++set) {
    const Matrix values = exclusive_or(400, random);
    const Samples samples = two_levels(values);
    const Network network = search(samples, EdgeRules(4));
    const Matrix edges = network.adjacency();
    const Matrix pairs = edges + edges.transpose();
    // Any of the three may be the child: the classes are equivalent.
    EXPECT(pairs(0, 1) + pairs(0, 3) + pairs(1, 3) >= 2);
    EXPECT(pairs.row(2).sum() == 0);
    // One parent at a time, they are found by chance alone.
    SerialExecutor executor;
    Observer observer;
    const DiscreteScore score(samples, Score::bic, 1, 0, executor);
    const SetLocalScore local(score);
    OrderSearch greedy(local, EdgeRules(4), SearchOptions(), executor);
    better += greedy.run({}, observer).score < network.score;
  }
  EXPECT(better >= 7);
}

TEST(edges_that_are_not_allowed_stay_away_and_required_ones_are_there) {
  Random random(2);
  const Matrix values = exclusive_or(400, random);
  EdgeRules rules(4);
  rules.forbid(0, 3);
  rules.forbid(1, 3);
  rules.require(2, 0);
  const Matrix edges = search(two_levels(values), rules).adjacency();
  EXPECT(edges(0, 3) == 0 && edges(1, 3) == 0);
  EXPECT(edges(2, 0) == 1);
}

TEST(no_variable_has_more_parents_than_maxp_in_tables) {
  Random random(3);
  const Matrix values = exclusive_or(400, random);
  SearchOptions options;
  options.maxp = 1;
  const Network network = search(two_levels(values), EdgeRules(4), options);
  for (const Parents& parents : network.parents) EXPECT(parents.size() <= 1);
}
