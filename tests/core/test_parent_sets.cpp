#include "base/random.h"
#include "search/parent_sets.h"

#include "expect.h"

using namespace daggnn;

namespace {

struct Problem {
  Matrix values;
  std::vector<Index> levels;
  EdgeRules rules;

  Problem(Index n, Index m) : values(n, m), levels(m, 2), rules(m) {
    Random random(2);
    for (Index j = 0; j < m; ++j) {
      levels[j] = 2 + j % 2;
      for (Index row = 0; row < n; ++row) {
        const double noise = static_cast<double>(random.below(levels[j]));
        const bool copy = j > 1 && random.uniform() < 0.6;
        values(row, j) = copy ? std::min(values(row, j - 2), levels[j] - 1.0) : noise;
      }
    }
  }

  ParentSets run(Index maxp) const {
    const Samples samples(MatrixView(values.data(), values.rows(), values.cols()),
                          std::vector<Kind>(levels.size(), Kind::discrete), levels);
    SerialExecutor executor;
    const DiscreteScore score(samples, Score::bic, 1, maxp, executor);
    Observer observer;
    Stop stop = Stop::none;
    return ParentSetSearch(score, rules, maxp).run(executor, observer, stop);
  }
};

struct Impatient final : Observer {
  Stop poll(const Progress&) override { return Stop::time_limit; }
};

}  // namespace

TEST(subsets_of_one_size_have_numbers_without_gaps) {
  const SubsetNumbers numbers(6, 3);
  std::vector<bool> seen(20, false);
  for (Index a = 0; a < 6; ++a) {
    for (Index b = a + 1; b < 6; ++b) {
      for (Index c = b + 1; c < 6; ++c) {
        const Index set[] = {a, b, c};
        const Index number = numbers.number(set, 3);
        EXPECT(number >= 0 && number < 20 && !seen[number]);
        seen[number] = true;
        const Index pair[] = {a, c};
        EXPECT(numbers.number(set, 3, 1) == numbers.number(pair, 2));
      }
    }
  }
}

TEST(a_set_beats_all_its_subsets) {
  const ParentSets sets = Problem(300, 6).run(3);
  for (Index i = 0; i < sets.m(); ++i) {
    for (Index s = sets.first[i]; s < sets.first[i + 1]; ++s) {
      for (Index t = sets.first[i]; t < sets.first[i + 1]; ++t) {
        const bool subset =
            s != t && std::includes(sets.begin(s), sets.end(s), sets.begin(t), sets.end(t));
        EXPECT(!subset || sets.score[t] < sets.score[s]);
      }
      EXPECT(s == sets.first[i] || sets.score[s - 1] >= sets.score[s]);
    }
  }
}

TEST(rules_hold_in_every_set) {
  Problem problem(300, 6);
  problem.rules.require(0, 3);
  problem.rules.forbid(1, 3);
  const ParentSets sets = problem.run(3);
  EXPECT(sets.first[3] < sets.first[4]);
  for (Index s = sets.first[3]; s < sets.first[4]; ++s) {
    EXPECT(std::binary_search(sets.begin(s), sets.end(s), Index{0}));
    EXPECT(!std::binary_search(sets.begin(s), sets.end(s), Index{1}));
  }
}

TEST(a_search_that_is_stopped_has_a_set_for_each_node) {
  Problem problem(50, 5);
  problem.rules.require(0, 3);
  problem.rules.require(1, 3);
  const Samples samples(MatrixView(problem.values.data(), 50, 5),
                        std::vector<Kind>(5, Kind::discrete), problem.levels);
  SerialExecutor executor;
  Impatient observer;
  const DiscreteScore score(samples, Score::bic, 1, 3, executor);
  Stop stop = Stop::none;
  const ParentSets early = ParentSetSearch(score, problem.rules, 3).run(executor, observer, stop);
  EXPECT(stop == Stop::time_limit);
  for (Index i = 0; i < 5; ++i) EXPECT(early.first[i] < early.first[i + 1]);
  // The required parents alone have the score that they have in the whole search.
  const ParentSets all = problem.run(3);
  const Index required = early.first[3];
  for (Index s = all.first[3]; s < all.first[4]; ++s) {
    if (all.end(s) - all.begin(s) == 2) EXPECT_NEAR(all.score[s], early.score[required], 1e-9);
  }
}

TEST(too_many_sets_are_refused_before_memory_runs_out) {
  Problem problem(10, 60);
  EXPECT_THROWS(problem.run(20));
}
