#include "features/contrasts.h"

#include "base/random.h"

#include "expect.h"

using namespace daggnn;

namespace {

Vector random_codes(Index n, Index levels, Random& random) {
  Vector codes(n);
  for (Index r = 0; r < n; ++r) codes[r] = static_cast<double>(random.below(levels));
  return codes;
}

double distance_from_span(const Matrix& F, Vector column) {
  column.array() -= column.mean();
  return (column - F * (F.transpose() * column) / static_cast<double>(F.rows())).norm();
}

}  // namespace

TEST(contrasts_have_mean_0_and_variance_1_and_are_uncorrelated) {
  Random random(1);
  for (Index levels = 2; levels <= 7; ++levels) {
    const Matrix F = contrasts(random_codes(200, levels, random), levels);
    EXPECT(F.cols() == levels - 1);
    EXPECT_NEAR(F.colwise().mean().cwiseAbs().maxCoeff(), 0, 1e-12);
    const Matrix G = F.transpose() * F / 200.0;
    EXPECT_NEAR((G - Matrix::Identity(levels - 1, levels - 1)).cwiseAbs().maxCoeff(), 0, 1e-12);
  }
}

TEST(contrasts_span_the_indicators_of_the_levels) {
  Random random(2);
  for (Index levels = 2; levels <= 5; ++levels) {
    const Vector codes = random_codes(150, levels, random);
    const Matrix F = contrasts(codes, levels);
    for (Index level = 0; level < levels; ++level) {
      const Vector indicator = (codes.array() == static_cast<double>(level)).cast<double>();
      EXPECT_NEAR(distance_from_span(F, indicator), 0, 1e-10);
      // One contrast less would not do.
      if (level + 1 == levels) {
        EXPECT(distance_from_span(F.leftCols(levels - 2), indicator) > 0.1);
      }
    }
  }
}

TEST(levels_that_do_not_occur_have_no_contrast) {
  Random random(3);
  const Vector three = random_codes(100, 3, random);
  // Levels 1, 3 and 4 of six.
  const Vector codes = three.unaryExpr([](double code) { return code == 0 ? 1 : code + 2; });
  const Matrix F = contrasts(codes, 6);
  EXPECT(F.cols() == 2);
  EXPECT((F.array() == contrasts(three, 3).array()).all());
  EXPECT(contrasts(Vector::Constant(10, 4), 6).cols() == 0);
}
