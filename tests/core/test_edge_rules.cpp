#include "graph/edge_rules.h"

#include "base/random.h"

#include "expect.h"

using namespace daggnn;

TEST(without_rules_each_edge_is_allowed_and_none_required) {
  const EdgeRules rules(4);
  for (Index i = 0; i < 4; ++i) {
    EXPECT(rules.required_parents(i).empty());
    for (Index j = 0; j < 4; ++j) EXPECT(rules.allowed(i, j) == (i != j));
  }
  EXPECT(!rules.requires_any() && rules.pairs() == 6);
}

TEST(rules_say_what_the_matrices_say) {
  Random random(1);
  for (int set = 0; set < 30; ++set) {
    const Index m = 2 + random.below(8);
    Matrix allowed(m, m), required = Matrix::Zero(m, m);
    for (Index k = 0; k < m * m; ++k) allowed(k) = random.uniform() < 0.6;
    allowed.diagonal().setZero();
    for (Index k = 0; k < m * m; ++k) required(k) = allowed(k) != 0 && random.uniform() < 0.2;
    const EdgeRules rules(allowed, required);
    Index pairs = 0;
    for (Index j = 0; j < m; ++j) {
      Index parents = 0;
      for (Index i = 0; i < m; ++i) {
        EXPECT(rules.allowed(i, j) == (allowed(i, j) != 0));
        EXPECT(rules.required(i, j) == (required(i, j) != 0));
        parents += rules.required(i, j);
        pairs += i < j && allowed(i, j) + allowed(j, i) > 0;
      }
      EXPECT(static_cast<Index>(rules.required_parents(j).size()) == parents);
      EXPECT(std::is_sorted(rules.required_parents(j).begin(), rules.required_parents(j).end()));
    }
    EXPECT(rules.pairs() == pairs);
    EXPECT(rules.requires_any() == (required.sum() > 0));
  }
}
