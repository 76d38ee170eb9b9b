#include <daggnn/graph.h>
#include <daggnn/random.h>
#include <daggnn/scored_order.h>

#include <limits>

#include "expect.h"

using namespace daggnn;

namespace {

constexpr Index rows = 500, m = 4;

// 0 -> 2 <- 1: 2 is 1 mostly where both are; 3 is on its own.
struct Setting {
  Matrix values{rows, m};
  Matrix strengths = Matrix::Ones(m, m), allowed = Matrix::Ones(m, m);
  Matrix required = Matrix::Zero(m, m);
  SerialExecutor executor;
  Observer observer;

  Setting() {
    Random random(1);
    for (Index r = 0; r < rows; ++r) {
      const double a = static_cast<double>(random.below(2)),
                   b = static_cast<double>(random.below(2));
      const double both = random.uniform() < 0.9 ? a * b : 1 - a * b;
      values.row(r) << a, b, both, static_cast<double>(random.below(2));
    }
  }
  Samples samples() const {
    return {MatrixView(values.data(), rows, m), std::vector<Kind>(m, Kind::discrete),
            std::vector<Index>(m, 2)};
  }
  // The places that the four have in the order that comes of 2, 3, 1, 0.
  std::vector<Index> places(Observer& watcher) {
    const ScoredOrder scored(samples(), strengths, allowed, required, executor);
    const std::vector<Index> order = scored.improve({2, 3, 1, 0}, watcher);
    std::vector<Index> place(m);
    for (Index k = 0; k < m; ++k) place[order[k]] = k;
    return place;
  }
  std::vector<Index> places() { return places(observer); }
};

struct Stopping final : Observer {
  Stop poll(const Progress&) override { return Stop::time_limit; }
};

}  // namespace

TEST(a_child_that_came_first_comes_after_its_parents) {
  const std::vector<Index> place = Setting().places();
  EXPECT(place[2] > place[0] && place[2] > place[1]);
}

TEST(edges_that_must_and_must_not_be_are_kept_to) {
  Setting setting;
  setting.required(2, 0) = 1;
  std::vector<Index> place = setting.places();
  EXPECT(place[2] < place[0]);
  setting.required.setZero();
  setting.allowed.col(2).setZero();
  place = setting.places();
  EXPECT(place[2] < place[0] || place[2] < place[1]);
}

TEST(who_is_stopped_gives_back_the_order_it_was_given) {
  Stopping stopping;
  EXPECT(Setting().places(stopping) == (std::vector<Index>{3, 2, 0, 1}));
}

TEST(numbers_and_gaps_have_no_scored_order) {
  Setting setting;
  EXPECT(has_scored_order(setting.samples()));
  setting.values(3, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT(!has_scored_order(setting.samples()));
  const Matrix number = Matrix::Ones(5, 1);
  EXPECT(!has_scored_order({MatrixView(number.data(), 5, 1), {Kind::continuous}, {1}}));
}

TEST(the_edges_of_an_order_are_those_that_are_allowed) {
  Matrix allowed = Matrix::Ones(3, 3), expected = Matrix::Zero(3, 3);
  allowed(2, 1) = 0;
  expected(2, 0) = expected(0, 1) = 1;
  EXPECT(edges_in_order({2, 0, 1}, allowed) == expected);
  EXPECT(topological_order(expected).front() == 2);
}
