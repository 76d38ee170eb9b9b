#include "scores/memo_score.h"

#include <atomic>

#include "scores/best_score.h"
#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

// A number that tells each family from all others, and how often it was asked for.
class CountingScore final : public LocalScore {
 public:
  Index variables() const override { return 8; }
  double value(Index child, const Parents& parents) const override {
    ++asked;
    double sum = static_cast<double>(child) + 1;
    for (const Index i : parents) sum = 17 * sum + static_cast<double>(i) + 1;
    return sum;
  }
  mutable std::atomic<int> asked{0};
};

Parents members(Index mask, Index child) {
  Parents parents;
  for (Index i = 0; i < 8; ++i) {
    if (i != child && (mask >> i & 1) != 0) parents.push_back(i);
  }
  return parents;
}

}  // namespace

TEST(a_family_is_computed_once_and_remembered) {
  const CountingScore score;
  const MemoScore memo(score);
  EXPECT(memo.variables() == 8);
  for (int round = 0; round < 3; ++round) {
    for (Index child = 0; child < 8; ++child) {
      for (Index mask = 0; mask < 256; ++mask) {
        if ((mask >> child & 1) != 0) continue;
        const Parents parents = members(mask, child);
        const int before = score.asked;
        const double value = memo.value(child, parents);
        const bool asked = score.asked > before;
        if (asked != (round == 0)) EXPECT(false);
        if (value != score.value(child, parents)) EXPECT(false);
      }
    }
  }
  // 8 children with 128 sets each: once for the table, three times for the comparisons.
  EXPECT(score.asked == 8 * 128 * 4);
}

TEST(threads_share_what_is_remembered) {
  const CountingScore score;
  const MemoScore memo(score);
  for (const int threads : {2, 4}) {
    PoolExecutor executor(threads);
    std::vector<double> found(8 * 256 * 4);
    executor.run(static_cast<Index>(found.size()), [&](Index k) {
      const Index child = k % 8, mask = k / 8 % 256;
      found[static_cast<std::size_t>(k)] = memo.value(child, members(mask, child));
    });
    const CountingScore again;
    bool same = true;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const Index child = static_cast<Index>(k) % 8, mask = static_cast<Index>(k) / 8 % 256;
      same = same && found[k] == again.value(child, members(mask, child));
    }
    EXPECT(same);
  }
  // Several threads may compute a family before the first of them has noted it.
  EXPECT(score.asked >= 8 * 128);
  EXPECT(score.asked < 2 * 8 * 128);
}

TEST(families_with_the_same_members_and_another_child_are_told_apart) {
  FamilyTable<double> table;
  EXPECT(table.get(2, {0, 1}, [] { return 1.0; }) == 1);
  EXPECT(table.get(1, {0, 2}, [] { return 2.0; }) == 2);
  EXPECT(table.get(0, {1, 2}, [] { return 3.0; }) == 3);
  EXPECT(table.get(2, {0, 1}, [] { return 4.0; }) == 1);
  EXPECT(table.get(1, {0, 2}, [] { return 4.0; }) == 2);
}

TEST(the_best_of_several_scores_counts_for_each_family) {
  struct Constant final : LocalScore {
    Index variables() const override { return 3; }
    double value(Index child, const Parents&) const override { return child == at ? 1 : 0; }
    explicit Constant(Index at_) : at(at_) {}
    Index at;
  };
  const Constant first(0), second(1);
  const BestScore best({&first, &second});
  EXPECT(best.variables() == 3);
  EXPECT(best.value(0, {}) == 1);
  EXPECT(best.value(1, {}) == 1);
  EXPECT(best.value(2, {}) == 0);
}
