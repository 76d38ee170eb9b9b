#include "base/enumeration.h"
#include "base/observer.h"

#include "constraint/acyclicity.h"
#include "data/samples.h"
#include "expect.h"
#include "models/vae.h"
#include "optim/augmented_lagrangian.h"
#include "optim/penalty.h"
#include "scores/set_scores.h"

using namespace daggnn;

namespace {

enum class Colour { red, green, blue };
constexpr Name<Colour> colour_names[] = {{"red", Colour::red}, {"green", Colour::green}};

template <class Enumeration, std::size_t count>
void expect_round_trip(const Name<Enumeration> (&names)[count]) {
  for (const Name<Enumeration>& each : names) {
    EXPECT(from_name(names, "any", each.name) == each.value);
    EXPECT(to_name(names, each.value) == each.name);
  }
}

std::string message(const std::string& name) {
  try {
    from_name(colour_names, "colour", name);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(every_name_leads_to_its_value_and_back) {
  expect_round_trip(colour_names);
  expect_round_trip(kind_names);
  expect_round_trip(constraint_names);
  expect_round_trip(penalty_names);
  expect_round_trip(architecture_names);
  expect_round_trip(score_names);
  expect_round_trip(reason_names);
  expect_round_trip(stop_names);
}

TEST(an_unknown_name_is_an_error_that_lists_the_known_ones) {
  EXPECT(message("pink") == "`colour` must be \"red\" or \"green\", not \"pink\".");
  EXPECT(message("") == "`colour` must be \"red\" or \"green\", not \"\".");
  EXPECT(message("red").empty());
}

TEST(a_value_without_a_name_is_an_error) { EXPECT_THROWS(to_name(colour_names, Colour::blue)); }
