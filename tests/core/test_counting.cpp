#include "base/random.h"
#include "data/counting.h"

#include <map>

#include "expect.h"

using namespace daggnn;

namespace {

Matrix random_codes(Index n, const std::vector<Index>& levels, std::uint64_t seed) {
  Random random(seed);
  Matrix codes(n, static_cast<Index>(levels.size()));
  for (Index j = 0; j < codes.cols(); ++j) {
    for (Index row = 0; row < n; ++row) {
      codes(row, j) = static_cast<double>(random.below(levels[j]));
    }
  }
  return codes;
}

// The counts of the observed joint levels, the obvious way, sorted.
std::vector<Index> counts_by_hand(const Matrix& codes, const std::vector<Index>& variables) {
  std::map<std::vector<double>, Index> table;
  for (Index row = 0; row < codes.rows(); ++row) {
    std::vector<double> cell;
    for (const Index j : variables) cell.push_back(codes(row, j));
    ++table[cell];
  }
  std::vector<Index> counts;
  for (const auto& cell : table) counts.push_back(cell.second);
  std::sort(counts.begin(), counts.end());
  return counts;
}

}  // namespace

TEST(counts_are_those_of_a_plain_table) {
  // Few rows and many levels are counted by rows, many rows and few levels by bits; 64 rows fill a
  // word.
  for (const Index n : {1, 63, 64, 65, 1000}) {
    const std::vector<Index> levels{2, 3, 2, 40};
    const Matrix codes = random_codes(n, levels, 7);
    const Samples samples(MatrixView(codes.data(), n, 4), std::vector<Kind>(4, Kind::discrete),
                          levels);
    const DiscreteData data(samples);
    Counter counter(data);
    const std::vector<std::vector<Index>> sets{{1},       {0, 1}, {0, 1, 2},
                                               {0, 1, 3}, {3, 0}, {2, 3, 1}};
    for (const auto& set : sets) {
      for (std::size_t k = 0; k + 1 < set.size(); ++k) counter.push(set[k]);
      std::vector<Index> counts;
      counter.count(set.back(), [&](Index count) { counts.push_back(count); });
      for (std::size_t k = 0; k + 1 < set.size(); ++k) counter.pop();
      std::sort(counts.begin(), counts.end());
      EXPECT(counts == counts_by_hand(codes, set));
    }
  }
}

TEST(both_ways_to_count_common_bits_agree) {
  Random random(3);
  std::vector<bits::Word> a, b;
  for (int w = 0; w < 17; ++w) {
    a.push_back(random.bits());
    b.push_back(random.bits());
  }
  for (Index words = 0; words <= 17; ++words) {
    EXPECT(bits::count_common()(a.data(), b.data(), words) ==
           bits::count_common_portable(a.data(), b.data(), words));
  }
}

TEST(continuous_variables_cannot_be_counted) {
  const Matrix values = Matrix::Zero(3, 1);
  const Samples samples(MatrixView(values.data(), 3, 1), {Kind::continuous}, {1});
  EXPECT_THROWS(DiscreteData(samples));
}
