#include "base/random.h"

#include <algorithm>

#include "expect.h"

using namespace daggnn;

TEST(the_same_seed_and_stream_give_the_same_numbers) {
  Random first(7, 3), second(7, 3);
  for (int k = 0; k < 100; ++k) EXPECT(first.bits() == second.bits());
}

TEST(other_seeds_and_streams_give_other_numbers) {
  Random base(7, 3), other_seed(8, 3), other_stream(7, 4);
  int equal = 0;
  for (int k = 0; k < 100; ++k) {
    const std::uint64_t bits = base.bits();
    equal += bits == other_seed.bits();
    equal += bits == other_stream.bits();
  }
  EXPECT(equal == 0);
}

TEST(streams_of_one_seed_are_uncorrelated) {
  const int count = 20000;
  Random first(1, 0), second(1, 1);
  double product = 0;
  for (int k = 0; k < count; ++k) product += first.normal() * second.normal();
  EXPECT_NEAR(product / count, 0, 5 / std::sqrt(count));  // five standard errors
}

TEST(uniform_numbers_fill_the_unit_interval) {
  const int count = 20000;
  Random random(2);
  double sum = 0, least = 1, most = 0;
  for (int k = 0; k < count; ++k) {
    const double u = random.uniform();
    sum += u;
    least = std::min(least, u);
    most = std::max(most, u);
  }
  EXPECT(least >= 0 && least < 0.001);
  EXPECT(most < 1 && most > 0.999);
  EXPECT_NEAR(sum / count, 0.5, 5 / std::sqrt(12.0 * count));
}

TEST(normal_numbers_have_the_moments_of_the_normal_distribution) {
  const int count = 40000;
  Random random(3);
  double first = 0, second = 0, fourth = 0;
  for (int k = 0; k < count; ++k) {
    const double z = random.normal();
    first += z;
    second += z * z;
    fourth += z * z * z * z;
  }
  EXPECT_NEAR(first / count, 0, 5 / std::sqrt(count));
  EXPECT_NEAR(second / count, 1, 5 * std::sqrt(2.0 / count));
  EXPECT_NEAR(fourth / count, 3, 5 * std::sqrt(96.0 / count));
}

TEST(below_hits_every_value_equally_often) {
  const int count = 30000;
  Random random(4);
  std::vector<int> hits(3, 0);
  for (int k = 0; k < count; ++k) ++hits.at(static_cast<std::size_t>(random.below(3)));
  for (int hit : hits) EXPECT_NEAR(hit, count / 3.0, 5 * std::sqrt(count * 2.0 / 9));
}

TEST(a_shuffle_keeps_every_item_and_moves_some) {
  std::vector<Index> items(50), sorted(50);
  std::iota(sorted.begin(), sorted.end(), Index{0});
  items = sorted;
  Random random(5);
  random.shuffle(items);
  EXPECT(items != sorted);
  std::sort(items.begin(), items.end());
  EXPECT(items == sorted);
}

TEST(a_shuffle_of_nothing_or_one_item_is_harmless) {
  std::vector<Index> none, one = {9};
  Random random(6);
  random.shuffle(none);
  random.shuffle(one);
  EXPECT(none.empty());
  EXPECT(one.front() == 9);
}
