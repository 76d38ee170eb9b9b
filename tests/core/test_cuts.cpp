#include "search/cuts.h"

#include "expect.h"
#include "random_sets.h"

using namespace daggnn;

namespace {

double left_side(const std::vector<Index>& columns, const std::vector<double>& coefficients,
                 const std::vector<double>& x) {
  double sum = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) sum += coefficients[k] * x[columns[k]];
  return sum;
}

// A random point: each node mixes some of its best sets.
std::vector<double> random_point(const ParentSets& sets, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> x(sets.size(), 0);
  for (Index i = 0; i < sets.m(); ++i) {
    const Index count = std::min<Index>(1 + random.below(3), sets.first[i + 1] - sets.first[i]);
    for (Index k = 0; k < count; ++k) x[sets.first[i] + k] = 1.0 / static_cast<double>(count);
  }
  return x;
}

}  // namespace

TEST(cuts_hold_for_every_network_and_not_for_the_solution) {
  Index kinds[3] = {0, 0, 0};
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const ParentSets sets = random_sets(5, 4, seed);
    const std::vector<double> x = random_point(sets, seed);
    CutFinder finder(sets);
    std::vector<Index> columns;
    std::vector<double> coefficients;
    for (const Cut& cut : finder.find(x, 1000)) {
      ++kinds[cut.kind];
      finder.row(cut, columns, coefficients);
      EXPECT(left_side(columns, coefficients, x) > cut.right_side);
      double most = 0;
      for_all_networks(sets, [&](const std::vector<Index>& chosen) {
        std::vector<double> point(sets.size(), 0);
        for (const Index set : chosen) point[set] = 1;
        most = std::max(most, left_side(columns, coefficients, point));
      });
      EXPECT(most <= cut.right_side + 1e-12);
    }
  }
  EXPECT(kinds[Cut::cluster] > 0);
  EXPECT(kinds[Cut::two_pairs] > 0);
  EXPECT(kinds[Cut::local] > 0);
}

TEST(a_whole_cycle_is_always_cut_off) {
  // One long cycle that no pair and no triple of nodes gives away.
  std::vector<ScoredFamily> families;
  const Index m = 9;
  for (Index i = 0; i < m; ++i) {
    families.push_back({i, -1, {(i + 1) % m}});
    families.push_back({i, -2, {}});
  }
  const ParentSets sets = collect(m, families);
  std::vector<double> x(sets.size(), 0);
  for (Index i = 0; i < m; ++i) x[sets.first[i]] = 1;
  const std::vector<Cut> cuts = CutFinder(sets).find(x, 10);
  EXPECT(!cuts.empty());
  if (!cuts.empty()) EXPECT_NEAR(cuts[0].violation, 1, 1e-9);
}

TEST(a_network_is_never_cut_off) {
  const ParentSets sets = random_sets(5, 4, 2);
  CutFinder finder(sets);
  for_all_networks(sets, [&](const std::vector<Index>& chosen) {
    std::vector<double> x(sets.size(), 0);
    for (const Index set : chosen) x[set] = 1;
    EXPECT(finder.find(x, 10).empty());
  });
}
