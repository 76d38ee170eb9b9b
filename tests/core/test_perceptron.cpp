#include "nn/perceptron.h"

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

struct Case {
  Perceptron network;
  Index count;
  Vector weights, x, dy;

  Case(const Perceptron& network_, Index count_, std::uint64_t seed)
      : network(network_), count(count_) {
    Random random(seed);
    weights.resize(network.parameters());
    network.initial(random, weights.data());
    x.resize(count * network.in);
    dy.resize(count * network.out);
    for (Index k = 0; k < x.size(); ++k) x[k] = 2 * random.normal();
    for (Index k = 0; k < dy.size(); ++k) dy[k] = random.normal();
  }
};

struct Result {
  Vector y, dx, dweights;
};

Result plain(const Case& c) {
  Result result{Vector(c.dy.size()), Vector::Ones(c.x.size()), Vector::Ones(c.weights.size())};
  c.network.plain_forward(c.weights.data(), c.count, c.x.data(), c.count, result.y.data(), c.count);
  c.network.plain_backward(c.weights.data(), c.count, c.x.data(), c.count, c.dy.data(), c.count,
                           result.dx.data(), c.count, result.dweights.data());
  return result;
}

Result fast(const Case& c, const Kernels* kernels) {
  Result result{Vector(c.dy.size()), Vector::Ones(c.x.size()), Vector::Ones(c.weights.size())};
  PerceptronCache cache;
  SerialExecutor executor;
  c.network.forward(c.weights.data(), c.count, c.x.data(), c.count, result.y.data(), c.count, cache,
                    executor, kernels);
  c.network.backward(c.weights.data(), c.count, c.x.data(), c.count, c.dy.data(), c.count,
                     result.dx.data(), c.count, result.dweights.data(), cache, executor, kernels);
  return result;
}

double gap(const Vector& a, const Vector& b) {
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

}  // namespace

TEST(the_plain_gradient_agrees_with_finite_differences) {
  for (bool biases : {false, true}) {
    const Case c({2, 5, 3, biases}, 7, 1);
    const Result result = plain(c);
    const auto value = [&](const Vector& weights, const Vector& x) {
      Vector y(c.dy.size());
      c.network.plain_forward(weights.data(), c.count, x.data(), c.count, y.data(), c.count);
      return y.dot(c.dy);
    };
    const Vector dweights = finite_differences<Vector>(
        [&](const Vector& weights) { return value(weights, c.x); }, c.weights);
    const Vector dx =
        finite_differences<Vector>([&](const Vector& x) { return value(c.weights, x); }, c.x);
    EXPECT_NEAR(gap(result.dweights, dweights.array() + 1), 0, 1e-7);
    EXPECT_NEAR(gap(result.dx, dx.array() + 1), 0, 1e-7);
  }
}

TEST(every_set_of_kernels_agrees_with_the_plain_loops) {
  for (const Kernels* kernels : kernel_sets()) {
    for (Index in : {1, 2, 4, 5, 9}) {
      for (Index out : {1, 3, 5, 8, 13}) {
        for (Index hidden : {1, 3, 64}) {
          for (Index count : {1, 23, 100, 3001}) {
            const Case c({in, hidden, out, (count + in) % 2 == 0}, count, 2);
            const Result slow = plain(c), quick = fast(c, kernels);
            EXPECT_NEAR(gap(quick.y, slow.y), 0, 1e-10);
            EXPECT_NEAR(gap(quick.dx, slow.dx), 0, 1e-10);
            EXPECT_NEAR(gap(quick.dweights, slow.dweights), 0, 1e-10);
          }
        }
      }
    }
  }
}

TEST(units_that_never_bend_are_handled) {
  Case c({1, 6, 2, true}, 50, 3);
  c.weights.segment(0, 3) << 0, 0, 1e-300;  // W1
  c.weights.segment(6, 3) << 1, -1, 1;      // b1
  const Result slow = plain(c), quick = fast(c, fastest_kernels());
  EXPECT_NEAR(gap(quick.y, slow.y), 0, 1e-12);
  EXPECT_NEAR(gap(quick.dweights, slow.dweights), 0, 1e-12);
}

TEST(not_a_number_goes_through_and_harms_nothing) {
  Case c({1, 6, 1, true}, 50, 4);
  c.x[7] = std::numeric_limits<double>::quiet_NaN();
  const Result quick = fast(c, fastest_kernels());
  EXPECT(std::isnan(quick.y[7]));
  EXPECT(std::isfinite(quick.y[8]));
  c.weights[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT(std::isnan(fast(c, fastest_kernels()).y.sum()));
}

TEST(a_trace_may_serve_again_for_other_weights) {
  const Case one({1, 16, 1, true}, 500, 5), other({1, 16, 1, true}, 300, 6);
  PerceptronCache cache;
  SerialExecutor executor;
  for (const Case* c : {&one, &other, &one}) {
    Vector y(c->count);
    c->network.forward(c->weights.data(), c->count, c->x.data(), c->count, y.data(), c->count,
                       cache, executor);
    EXPECT_NEAR(gap(y, plain(*c).y), 0, 1e-12);
  }
}
