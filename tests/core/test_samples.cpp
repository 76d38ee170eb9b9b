#include "data/samples.h"

#include "expect.h"

using namespace daggnn;

TEST(variables_know_their_columns) {
  const Matrix values = Matrix::Zero(4, 5);
  const Samples samples(MatrixView(values.data(), 4, 5),
                        {Kind::continuous, Kind::discrete, Kind::continuous}, {3, 7, 1});
  EXPECT(samples.n() == 4);
  EXPECT(samples.m() == 3);
  EXPECT(samples.variables[0].first == 0 && samples.variables[0].columns() == 3);
  EXPECT(samples.variables[1].first == 3 && samples.variables[1].columns() == 1);
  EXPECT(samples.variables[1].width == 7);
  EXPECT(samples.variables[2].first == 4 && samples.variables[2].columns() == 1);
}

TEST(the_values_are_a_view_and_not_a_copy) {
  Matrix values = Matrix::Zero(2, 2);
  const Samples samples(MatrixView(values.data(), 2, 2), {Kind::continuous, Kind::continuous},
                        {1, 1});
  values(1, 1) = 42;
  EXPECT_NEAR(samples.values(1, 1), 42, 0);
}

TEST(widths_that_do_not_add_up_are_an_error) {
  const Matrix values = Matrix::Zero(2, 3);
  const MatrixView view(values.data(), 2, 3);
  EXPECT_THROWS(Samples(view, {Kind::continuous, Kind::discrete}, {1, 2}));
  EXPECT_THROWS(Samples(view, {Kind::continuous, Kind::continuous}, {3, 1}));
}
