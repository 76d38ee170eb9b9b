#include "search/subset_dp.h"

#include "expect.h"
#include "random_sets.h"

using namespace daggnn;

TEST(the_best_network_of_all_is_found) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ParentSets sets = random_sets(5, 4, seed);
    SerialExecutor executor;
    Observer observer;
    Stop stop = Stop::none;
    const ChosenSets network = SubsetProgram(sets).run(executor, observer, stop);
    EXPECT_NEAR(network.score, best_by_hand(sets), 1e-12);
    EXPECT_NEAR(total(sets, network.set), network.score, 1e-12);
    EXPECT(is_acyclic(sets, network.set));
  }
}

TEST(blocks_of_subsets_fit_together) {
  // More nodes than one block holds: an order is the only way through a chain of forced parents.
  std::vector<ScoredFamily> families;
  const Index m = 14;
  for (Index i = 0; i < m; ++i) {
    families.push_back({i, -1, i == 0 ? std::vector<Index>{} : std::vector<Index>{i - 1}});
  }
  const ParentSets sets = collect(m, families);
  SerialExecutor executor;
  Observer observer;
  Stop stop = Stop::none;
  EXPECT_NEAR(SubsetProgram(sets).run(executor, observer, stop).score, -14, 0);
}

TEST(where_every_choice_has_a_cycle_there_is_no_network) {
  const ParentSets sets = collect(2, {{0, -1, {1}}, {1, -1, {0}}});
  SerialExecutor executor;
  Observer observer;
  Stop stop = Stop::none;
  EXPECT(SubsetProgram(sets).run(executor, observer, stop).set.empty());
}
