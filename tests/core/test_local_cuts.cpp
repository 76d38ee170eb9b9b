#include "base/random.h"
#include "search/local_cuts.h"

#include "expect.h"

using namespace daggnn;

namespace {

// Calls visit(sets) for every network of the nodes, each node's parents as bits.
template <typename Visit>
void for_all_graphs(Index nodes, Visit visit) {
  const Index subsets = Index{1} << nodes;
  std::vector<Index> sets(nodes, 0);
  while (true) {
    Index placed = 0;
    bool loop = false;
    for (Index i = 0; i < nodes; ++i) loop = loop || (sets[i] >> i & 1);
    for (Index round = 0; round < nodes && !loop; ++round) {
      for (Index i = 0; i < nodes; ++i) {
        if ((sets[i] & ~placed) == 0) placed |= Index{1} << i;
      }
    }
    if (!loop && placed == subsets - 1) visit(sets);
    Index i = 0;
    while (i < nodes && ++sets[i] == subsets) sets[i++] = 0;
    if (i == nodes) return;
  }
}

double sum_of(const LocalWeights& a, const std::vector<Index>& sets) {
  double sum = 0;
  for (Index i = 0; i < a.nodes(); ++i) sum += a.at(i, sets[i]);
  return sum;
}

LocalWeights random_weights(Index nodes, std::uint64_t seed) {
  Random random(seed);
  LocalWeights a(nodes);
  for (Index i = 0; i < nodes; ++i) {
    for (Index Q = 1; Q < (Index{1} << nodes); ++Q) {
      if ((Q >> i & 1) == 0 && random.uniform() < 0.5) a.at(i, Q) = random.uniform();
    }
  }
  return a;
}

// Each node takes its set of two networks half the time, but in cycles: outside of the mixtures.
LocalWeights cyclic_solution() {
  LocalWeights y(4);
  for (Index i = 0; i < 4; ++i) {
    const Index next = Index{1} << ((i + 1) % 4), across = Index{1} << ((i + 2) % 4);
    y.at(i, next) = 0.5;
    y.at(i, across) = 0.5;
  }
  return y;
}

}  // namespace

TEST(the_oracle_finds_the_best_network) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const LocalWeights a = random_weights(4, seed);
    double best = 0;
    for_all_graphs(4,
                   [&](const std::vector<Index>& sets) { best = std::max(best, sum_of(a, sets)); });
    LocalOracle oracle(4);
    std::vector<Index> choice;
    EXPECT_NEAR(oracle.maximise(a, choice), best, 1e-12);
    EXPECT_NEAR(sum_of(a, choice), best, 1e-12);
  }
}

TEST(the_oracle_can_hold_a_node_to_one_set) {
  const LocalWeights a = random_weights(4, 9);
  LocalOracle oracle(4);
  std::vector<Index> choice;
  oracle.maximise(a, choice);
  for (const Index Q : {0, 2, 6, 14}) {
    double best = no_score;
    for_all_graphs(4, [&](const std::vector<Index>& sets) {
      if (sets[0] == Q) best = std::max(best, sum_of(a, sets));
    });
    EXPECT_NEAR(oracle.maximise_with(a, 0, Q), best, 1e-12);
  }
}

TEST(a_cut_holds_for_all_networks_and_not_for_the_solution) {
  const LocalWeights y = cyclic_solution();
  LocalWeights a(4);
  double right_side = 0;
  EXPECT(LocalCutFinder().find(y, 0.01, a, right_side));
  for_all_graphs(4, [&](const std::vector<Index>& sets) { EXPECT(sum_of(a, sets) <= right_side); });
  double left = 0;
  for (Index i = 0; i < 4; ++i) {
    for (Index Q = 1; Q < 16; ++Q) left += a.at(i, Q) * y.at(i, Q);
  }
  EXPECT(left > right_side * 1.01);
}

TEST(a_mixture_of_networks_is_not_cut_off) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    // Networks along random orders, mixed half and half.
    LocalWeights y(5);
    for (int part = 0; part < 2; ++part) {
      std::vector<Index> order{0, 1, 2, 3, 4};
      random.shuffle(order);
      Index placed = 0;
      for (const Index i : order) {
        Index Q = 0;
        for (Index p = 0; p < 5; ++p) {
          if ((placed >> p & 1) != 0 && random.uniform() < 0.6) Q |= Index{1} << p;
        }
        if (Q != 0) y.at(i, Q) += 0.5;
        placed |= Index{1} << i;
      }
    }
    LocalWeights a(5);
    double right_side = 0;
    EXPECT(!LocalCutFinder().find(y, 1e-4, a, right_side));
  }
}
