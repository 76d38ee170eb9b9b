#include "search/parent_set_order.h"

#include "expect.h"
#include "random_sets.h"

using namespace daggnn;

TEST(a_few_perturbations_find_the_best_network_of_five_nodes) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ParentSets sets = random_sets(5, 4, seed);
    ParentSetOrderSearch search(sets, 1);
    const ChosenSets climbed = search.climb(greedy_order(sets));
    EXPECT(is_acyclic(sets, climbed.set));
    EXPECT_NEAR(climbed.score, total(sets, climbed.set), 1e-12);
    Observer observer;
    Stop stop = Stop::none;
    const ChosenSets network = search.perturb(50, observer, stop);
    EXPECT_NEAR(network.score, best_by_hand(sets), 1e-12);
  }
}

TEST(no_move_of_one_node_improves_a_climbed_order) {
  const ParentSets sets = random_sets(8, 6, 3);
  ParentSetOrderSearch search(sets, 1);
  const ChosenSets climbed = search.climb(greedy_order(sets));
  const std::vector<Index> order = search.order();
  for (Index from = 0; from < 8; ++from) {
    for (Index to = 0; to < 8; ++to) {
      std::vector<Index> moved = order;
      moved.erase(moved.begin() + from);
      moved.insert(moved.begin() + to, order[from]);
      std::vector<Index> position(8);
      for (Index k = 0; k < 8; ++k) position[moved[k]] = k;
      double score = 0;
      for (Index i = 0; i < 8; ++i) {
        for (Index s = sets.first[i]; s < sets.first[i + 1]; ++s) {
          const bool fits = std::all_of(sets.begin(s), sets.end(s),
                                        [&](Index p) { return position[p] < position[i]; });
          if (!fits) continue;
          score += sets.score[s];
          break;
        }
      }
      EXPECT(score <= climbed.score + 1e-9);
    }
  }
}

TEST(an_order_is_found_where_sets_are_scarce) {
  // Node 2 has no set without parents, and only one order serves all.
  const ParentSets sets = collect(3, {{0, -1, {1}}, {1, -1, {2}}, {2, -1, {}}});
  ParentSetOrderSearch search(sets, 1);
  EXPECT_NEAR(search.climb({0, 1, 2}).score, -3, 1e-12);
  const ParentSets cyclic = collect(2, {{0, -1, {1}}, {1, -1, {0}}});
  ParentSetOrderSearch hopeless(cyclic, 1);
  EXPECT(hopeless.climb({0, 1}).set.empty());
}
