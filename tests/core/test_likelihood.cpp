#include "likelihood/likelihood.h"

#include <cmath>
#include <vector>

#include "base/random.h"
#include "likelihood/poisson.h"

#include "expect.h"

using namespace daggnn;

namespace {

// The largest difference between the gradient and finite differences, over outputs and spreads.
double worst_gradient_error(Distribution distribution, Index width, const std::vector<double>& x,
                            bool spreads) {
  const Index rows = 4;
  Random random(2);
  std::vector<double> seen(x.size(), 1), outputs(x.size()), log_spread(x.size());
  for (Index k = 0; k < width; ++k) seen[static_cast<std::size_t>(k * rows + 1)] = 0;
  for (double& each : outputs) each = random.normal();
  for (double& each : log_spread) each = 0.3 * random.normal();
  std::vector<double> doutputs(x.size()), dlog_spread(x.size()), ignored(x.size());
  Observations of{rows, width, rows, x.data(), seen.data(), outputs.data(), 0.25, doutputs.data()};
  if (spreads) {
    of.log_spread = log_spread.data();
    of.dlog_spread = dlog_spread.data();
  }
  const Likelihood& likelihood = likelihood_of(distribution);
  likelihood.loss_forward_backward(of);
  Observations again = of;
  again.doutputs = ignored.data();
  again.dlog_spread = ignored.data();
  double worst = 0;
  const auto compare = [&](std::vector<double>& at, const std::vector<double>& gradient) {
    for (std::size_t e = 0; e < at.size(); ++e) {
      const double step = 1e-6, before = at[e];
      at[e] = before + step;
      const double above = likelihood.loss_forward_backward(again);
      at[e] = before - step;
      const double below = likelihood.loss_forward_backward(again);
      at[e] = before;
      const double slope = (above - below) / (2 * step);
      worst = std::max(worst, std::abs(slope - gradient[e]) / std::max(1.0, std::abs(slope)));
    }
  };
  compare(outputs, doutputs);
  if (spreads) compare(log_spread, dlog_spread);
  return worst;
}

}  // namespace

TEST(gradients_are_right_and_missing_values_have_none) {
  const std::vector<double> numbers = {0.3, -1, 2, 0.5, 1, 1, -2, 0};
  EXPECT(worst_gradient_error(Distribution::normal, 2, numbers, false) < 1e-6);
  EXPECT(worst_gradient_error(Distribution::normal, 2, numbers, true) < 1e-6);
  const std::vector<double> indicators = {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0};
  EXPECT(worst_gradient_error(Distribution::categorical, 3, indicators, false) < 1e-6);
  EXPECT(worst_gradient_error(Distribution::poisson, 1, {0, 3, 7, 1}, false) < 1e-6);
}

TEST(beyond_the_largest_exponent_the_rate_goes_on_as_its_tangent) {
  for (const double u : {-3.0, largest_exponent - 1, largest_exponent + 2, 1e6}) {
    const double step = 1e-5 * std::max(1.0, std::abs(u)), slope = poisson_rate_backward(u);
    const double difference = (poisson_rate(u + step) - poisson_rate(u - step)) / (2 * step);
    EXPECT_NEAR(difference / slope, 1, 1e-6);
  }
  // The gradient of the loss is that of rate - x log rate there too.
  const double x = 9, u = largest_exponent + 2, rate = poisson_rate(u);
  double du;
  likelihood_of(Distribution::poisson).loss_forward_backward({1, 1, 1, &x, nullptr, &u, 1, &du});
  EXPECT_NEAR(du / (poisson_rate_backward(u) * (1 - x / rate)), 1, 1e-12);
}

TEST(outputs_lead_to_what_is_expected_and_back) {
  for (const Distribution each :
       {Distribution::normal, Distribution::categorical, Distribution::poisson}) {
    double values[] = {0.7, 0.3};
    const Index width = each == Distribution::categorical ? 2 : 1;
    likelihood_of(each).outputs_of_expected(width, 1, values);
    likelihood_of(each).expect(width, 1, values);
    EXPECT_NEAR(values[0], 0.7, 1e-12);
  }
}

TEST(the_probabilities_of_counts_sum_to_one) {
  for (const double rate : {0.2, 3.0, 40.0}) {
    double sum = 0, mean = 0;
    for (int x = 0; x < 200; ++x) {
      const double probability = std::exp(poisson_log_density(rate, x));
      sum += probability;
      mean += x * probability;
    }
    EXPECT_NEAR(sum, 1, 1e-12);
    EXPECT_NEAR(mean, rate, 1e-10);
  }
}

TEST(drawn_counts_have_the_mean_and_variance_of_their_rate) {
  Random random(3);
  for (const double rate : {0.1, 5.0, 99.0, 101.0, 5000.0}) {
    const int n = 40000;
    double sum = 0, square = 0;
    for (int k = 0; k < n; ++k) {
      const double x = draw_count(rate, {random.uniform(), random.normal()}) - rate;
      sum += x;
      square += x * x;
    }
    EXPECT_NEAR(sum / n / std::sqrt(rate), 0, 0.02);
    EXPECT_NEAR(square / n / rate, 1, 0.05);
  }
}
