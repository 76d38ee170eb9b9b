#include "models/posterior_draws.h"

#include <limits>

#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// A number x0 and its square with little noise, and a factor with a child that is seldom another.
struct CurvedData {
  Matrix whole, observed;
  std::vector<Kind> kinds = {Kind::continuous, Kind::continuous, Kind::discrete, Kind::discrete};
  std::vector<Index> widths = {1, 1, 2, 2};

  explicit CurvedData(Index n) : whole(n, 4) {
    Random random(1);
    for (Index r = 0; r < n; ++r) {
      const double x = random.normal(), level = static_cast<double>(random.below(2));
      whole.row(r) << x, x * x + 0.3 * random.normal(), level,
          random.uniform() < 0.9 ? level : 1 - level;
    }
    observed = whole;
    for (Index r = 0; r < n; ++r) {
      if (random.uniform() < 0.3) observed(r, 0) = missing;
      if (random.uniform() < 0.3) observed(r, 2) = missing;
    }
  }
  Samples samples(const Matrix& values) const {
    return Samples(MatrixView(values.data(), values.rows(), values.cols()), kinds, widths);
  }
};

}  // namespace

TEST(missing_values_agree_with_their_children_and_observed_ones_stay) {
  const CurvedData data(600);
  const Samples whole = data.samples(data.whole);
  SerialExecutor executor;
  const FamilyData family_data(whole, {});
  const Families families(family_data, {{}, {0}, {}, {2}}, executor);
  // Two copies that begin where the children have no say.
  Matrix values = data.whole.replicate(2, 1);
  Random random(2);
  for (Index r = 0; r < values.rows(); ++r) {
    if (std::isnan(data.observed(r % 600, 0))) values(r, 0) = random.normal();
    if (std::isnan(data.observed(r % 600, 2))) values(r, 2) = static_cast<double>(random.below(2));
  }
  draw_missing(families, data.observed, values, 3, random);
  double far = 0, negative = 0, numbers = 0, agree = 0, levels = 0;
  bool same = true;
  for (Index r = 0; r < values.rows(); ++r) {
    for (Index c = 0; c < 4; ++c) {
      const double known = data.observed(r % 600, c);
      same = same && (std::isnan(known) || known == values(r, c));
    }
    if (std::isnan(data.observed(r % 600, 0))) {
      numbers += 1;
      far += std::abs(values(r, 0) * values(r, 0) - values(r, 1)) > 1;
      negative += values(r, 0) < 0;
    }
    if (std::isnan(data.observed(r % 600, 2))) {
      levels += 1;
      agree += values(r, 2) == values(r, 3);
    }
  }
  EXPECT(same);
  // A regression of x0 on its square would be flat; draws have either sign and the right size.
  EXPECT(far / numbers < 0.1);
  EXPECT_NEAR(negative / numbers, 0.5, 0.1);
  EXPECT_NEAR(agree / levels, 0.9, 0.05);
}
