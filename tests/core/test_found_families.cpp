#include "search/found_families.h"

#include "expect.h"

using namespace daggnn;

TEST(a_family_is_computed_once_and_others_are_not_taken_for_it) {
  FoundFamilies found;
  int computed = 0;
  const auto ask = [&](Index child, const Parents& parents, const Parents& candidates) {
    return found.get(child, parents, candidates, [&] {
      ++computed;
      return Family{parents, static_cast<double>(computed)};
    });
  };
  EXPECT(ask(0, {1}, {1, 2}).score == 1);
  EXPECT(ask(0, {1}, {1, 2}).score == 1);
  EXPECT(ask(1, {0}, {1, 2}).score == 2);
  EXPECT(ask(0, {2}, {1, 2}).score == 3);
  EXPECT(ask(0, {1, 2}, {}).score == 4);
  EXPECT(ask(0, {1}, {2}).score == 5);
  EXPECT(ask(0, {}, {1, 2}).score == 6);
  EXPECT(computed == 6);
}

TEST(many_families_are_forgotten_and_computed_again) {
  FoundFamilies found;
  const Index many = 300000;
  for (Index child = 0; child < many; ++child) {
    found.get(child, {}, {}, [&] { return Family{{}, static_cast<double>(child)}; });
  }
  for (Index child = 0; child < many; child += 1000) {
    const Family family = found.get(child, {}, {}, [&] {
      return Family{{}, static_cast<double>(child)};
    });
    EXPECT(family.score == static_cast<double>(child));
  }
}
