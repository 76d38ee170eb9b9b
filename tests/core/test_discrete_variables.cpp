#include "scores/discrete_variables.h"

#include "expect.h"

using namespace daggnn;

namespace {

// Two factors around a number.
const Matrix values =
    (Matrix(5, 3) << 0, 0.5, 2, 1, 0.1, 2, 0, 0.7, 2, 1, 0.2, 0, 1, 0.3, 2).finished();

DiscreteVariables variables() {
  return DiscreteVariables(Samples(MatrixView(values.data(), 5, 3),
                                   {Kind::discrete, Kind::continuous, Kind::discrete}, {2, 1, 3}));
}

}  // namespace

TEST(configurations_are_numbered_by_what_occurs) {
  const Configurations found = variables().configurations({0, 2});
  EXPECT(found.count == 3);
  EXPECT(found.of_row[0] == found.of_row[2]);
  EXPECT(found.of_row[1] == found.of_row[4]);
  EXPECT(found.of_row[0] != found.of_row[1]);
  EXPECT(found.of_row[3] != found.of_row[1]);
  EXPECT(variables().configurations({}).count == 1);
}

TEST(numbers_are_told_from_discrete_variables) {
  const DiscreteVariables all = variables();
  EXPECT(all.has(0) && !all.has(1) && all.has(2));
  EXPECT((all.codes(2) == std::vector<Index>{2, 2, 2, 0, 2}));
  EXPECT((parents_of_kind({0, 1, 2}, all.variables(), Kind::discrete) == Parents{0, 2}));
  EXPECT((parents_of_kind({0, 1, 2}, all.variables(), Kind::continuous) == Parents{1}));
}
