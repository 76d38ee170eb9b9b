#include "structure.h"
#include "structure/features_of_data.h"

#include <algorithm>
#include <limits>

#include "gain_matrix.h"
#include "mixed_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

Matrix everywhere(Index m) { return Matrix::Ones(m, m) - Matrix::Identity(m, m); }

Samples numbers(const Matrix& data) {
  return Samples(MatrixView(data.data(), data.rows(), data.cols()),
                 std::vector<Kind>(static_cast<std::size_t>(data.cols()), Kind::continuous),
                 std::vector<Index>(static_cast<std::size_t>(data.cols()), 1));
}

Structure learn(const Samples& samples, const StructureOptions& options) {
  SerialExecutor executor;
  Observer observer;
  const Index m = samples.m();
  return learn_structure(samples, EdgeRules(m), options, {}, executor, observer);
}

StructureOptions normal_noise(Effects effects = Effects::automatic) {
  StructureOptions options;
  options.effects = effects;
  options.noise = NoiseScale::own;
  options.density = NoiseDensity::normal;
  return options;
}

bool same(const Matrix& one, const Matrix& other) {
  return ((one.array() == other.array()) || (one.array().isNaN() && other.array().isNaN())).all();
}

// Weights of either sign, from 0.5 to 1.5.
Matrix linear_data(Index n, const Matrix& edges, Random& random) {
  Matrix weights = edges;
  for (Index k = 0; k < weights.size(); ++k) {
    weights(k) *= (random.uniform() < 0.5 ? -1 : 1) * (0.5 + random.uniform());
  }
  const Matrix noise = normal_matrix(n, edges.rows(), random);
  return noise * (Matrix::Identity(edges.rows(), edges.rows()) - weights).inverse();
}

}  // namespace

TEST(linear_data_with_equal_noise_variances_give_their_network) {
  Random random(1);
  int right = 0;
  for (int set = 0; set < 10; ++set) {
    const Matrix edges = random_edges(6, 0.4, random);
    const Matrix data = linear_data(800, edges, random);
    const Structure found = learn(numbers(data), StructureOptions());
    right += found.network.adjacency() == edges;
    EXPECT(found.effects == "linear");
    EXPECT(found.noise == "common variance");
    EXPECT(found.density == "normal");
    EXPECT(found.stop == Stop::none);
  }
  EXPECT(right >= 9);
}

TEST(curved_data_give_their_network_whatever_the_noise_variances) {
  Random random(2);
  int right = 0;
  for (int set = 0; set < 6; ++set) {
    const Matrix edges = random_edges(5, 0.5, random);
    Matrix data = simulate(
        500, edges, 0.6, [](double x) { return std::sin(2 * x); }, random);
    data.col(0) *= 100;
    const Structure found = learn(numbers(data), normal_noise());
    right += found.network.adjacency() == edges;
    if (edges.sum() > 0) EXPECT(found.effects != "linear");
    EXPECT(found.noise == "own variances");
  }
  EXPECT(right >= 5);
}

TEST(units_change_no_bit_of_the_result) {
  Random random(3);
  for (int set = 0; set < 6; ++set) {
    const Index m = 5;
    const Matrix edges = random_edges(m, 0.5, random);
    const Matrix data = simulate(
        120, edges, 0.7, [](double x) { return std::cos(x) + 0.3 * x; }, random);
    Matrix scaled = data;
    for (Index j = 0; j < m; ++j) {
      scaled.col(j) *= std::exp(4 * random.uniform() - 2);
    }
    StructureOptions options;
    options.noise = NoiseScale::own;
    const Structure one = learn(numbers(data), options), other = learn(numbers(scaled), options);
    EXPECT(one.network.parents == other.network.parents);
    EXPECT(one.network.order == other.network.order);
    EXPECT(one.network.scores == other.network.scores);
    EXPECT(same(gain_matrix(one.gains, m), gain_matrix(other.gains, m)));
    EXPECT(one.effects == other.effects && one.density == other.density);
  }
}

TEST(the_reported_choice_is_the_best_of_the_trials) {
  Random random(4);
  for (int set = 0; set < 4; ++set) {
    const Matrix edges = random_edges(5, 0.5, random);
    Matrix data = simulate(
        150, edges, 0.8, [](double x) { return std::sin(2 * x); }, random);
    if (set % 2 == 1) data = linear_data(150, edges, random);
    const Structure found = learn(numbers(data), StructureOptions());
    EXPECT(found.trials.size() >= 3);
    EXPECT(found.trials.front().model == "linear");
    double best = found.trials.front().score;
    for (const Trial& trial : found.trials) best = std::max(best, trial.score);
    EXPECT_NEAR(found.network.score, best, 1e-5);
  }
}

TEST(a_model_that_the_user_fixes_is_used) {
  Random random(5);
  const Matrix data = linear_data(100, random_edges(4, 0.5, random), random);
  StructureOptions options;
  options.effects = Effects::linear;
  options.noise = NoiseScale::common;
  options.density = NoiseDensity::normal;
  Structure found = learn(numbers(data), options);
  EXPECT(found.effects == "linear" && found.noise == "common variance");
  EXPECT(found.density == "normal");
  options.noise = NoiseScale::own;
  options.density = NoiseDensity::estimated;
  found = learn(numbers(data), options);
  EXPECT(found.noise == "own variances" && found.density == "estimated");
  for (const Trial& trial : found.trials) {
    EXPECT(trial.model.find("additive") == std::string::npos);
    EXPECT(trial.model.find("common") == std::string::npos);
  }
}

TEST(the_gains_of_edges_are_what_the_score_loses_without_them) {
  // Uniform noise: the density is estimated, and gains are of the score with it.
  Random random(6);
  Matrix data(300, 3);
  for (Index r = 0; r < 300; ++r) {
    data(r, 0) = random.uniform();
    data(r, 1) = data(r, 0) + random.uniform();
    data(r, 2) = random.uniform();
  }
  StructureOptions options;
  options.noise = NoiseScale::own;
  const Structure found = learn(numbers(data), options);
  EXPECT(found.density == "estimated");
  EXPECT(found.network.adjacency().sum() == 1);
  EXPECT(found.network.adjacency()(0, 1) == 1);
  // Without the edge: the score of the best network when it is not allowed.
  Matrix allowed = everywhere(3);
  allowed(0, 1) = allowed(1, 0) = 0;
  SerialExecutor executor;
  Observer observer;
  const Structure without = learn_structure(numbers(data), {allowed, Matrix::Zero(3, 3)}, options,
                                            {}, executor, observer);
  EXPECT(without.network.adjacency().sum() == 0);
  const Matrix gains = gain_matrix(found.gains, 3);
  EXPECT_NEAR(gains(0, 1), found.network.score - without.network.score, 1e-6);
  EXPECT(gains(2, 0) < 0);
}

TEST(required_edges_are_present_and_others_that_are_not_allowed_absent) {
  Random random(7);
  const Matrix data = linear_data(100, random_edges(5, 0.5, random), random);
  Matrix allowed = everywhere(5), required = Matrix::Zero(5, 5);
  required(4, 0) = required(0, 2) = 1;
  allowed.row(3).setZero();
  SerialExecutor executor;
  Observer observer;
  const Structure found = learn_structure(numbers(data), {allowed, required}, StructureOptions(),
                                          {}, executor, observer);
  const Matrix edges = found.network.adjacency();
  EXPECT(edges(4, 0) == 1 && edges(0, 2) == 1);
  EXPECT(edges.row(3).sum() == 0);
}

TEST(threads_do_not_change_a_bit_of_the_result) {
  Random random(8);
  const Matrix edges = random_edges(5, 0.5, random);
  const Matrix data = simulate(
      100, edges, 0.7, [](double x) { return std::sin(2 * x); }, random);
  const Structure alone = learn(numbers(data), StructureOptions());
  for (int threads = 2; threads <= 4; ++threads) {
    PoolExecutor executor(threads);
    Observer observer;
    const Structure found =
        learn_structure(numbers(data), EdgeRules(5), StructureOptions(), {}, executor, observer);
    EXPECT(found.network.parents == alone.network.parents);
    EXPECT(found.network.scores == alone.network.scores);
    EXPECT(same(gain_matrix(found.gains, 5), gain_matrix(alone.gains, 5)));
  }
}

TEST(discrete_and_mixed_data_have_their_own_families) {
  Random random(9);
  Matrix values(300, 3);
  for (Index r = 0; r < 300; ++r) {
    const double a = static_cast<double>(random.below(2));
    values.row(r) << a, random.uniform() < 0.8 ? a : 1 - a, static_cast<double>(random.below(3));
  }
  const MixedData discrete = mixed_data(values, {2, 2, 3});
  const Structure tables = learn(discrete.samples(), StructureOptions());
  EXPECT(tables.effects == "tables");
  EXPECT(tables.network.adjacency().sum() == 1);
  EXPECT(tables.network.adjacency()(0, 1) + tables.network.adjacency()(1, 0) == 1);
  const MixedData mixed = small_mixed_data(300, 9);
  const Matrix edges = learn(mixed.samples(), StructureOptions()).network.adjacency();
  // a - b, a -> x, and y of b and x.
  EXPECT(edges(0, 1) + edges(1, 0) == 1);
  EXPECT(edges(1, 3) == 1 && edges(2, 3) == 1);
}

TEST(missing_values_are_drawn_and_the_network_is_found) {
  Random random(10);
  Matrix edges = Matrix::Zero(4, 4);
  edges(0, 2) = edges(1, 2) = edges(2, 3) = 1;
  int right = 0;
  for (int set = 0; set < 4; ++set) {
    Matrix data = simulate(
        400, edges, 1, [](double x) { return x; }, random);
    const Matrix full = data;
    for (Index k = 0; k < data.size(); ++k) {
      if (random.uniform() < 0.15) data(k) = std::numeric_limits<double>::quiet_NaN();
    }
    const Structure found = learn(numbers(data), StructureOptions());
    right += found.network.adjacency() == edges;
    EXPECT(found.completed.rows() == 400);
    EXPECT(found.completed.allFinite());
    for (Index k = 0; k < data.size(); ++k) {
      if (!std::isnan(data(k)) && found.completed(k) != data(k)) EXPECT(false);
    }
  }
  EXPECT(right >= 3);
}

TEST(a_search_that_is_stopped_says_so) {
  struct AtOnce final : Observer {
    Stop poll(const Progress&) override { return Stop::interrupt; }
  } observer;
  Random random(11);
  const Matrix data = normal_matrix(50, 4, random);
  SerialExecutor executor;
  const Structure found =
      learn_structure(numbers(data), EdgeRules(4), StructureOptions(), {}, executor, observer);
  EXPECT(found.stop == Stop::interrupt);
}

TEST(curves_of_many_variables_are_tried_where_lines_leave_something_to_explain) {
  Random random(21);
  const Index m = 64;
  StructureOptions options = normal_noise();
  options.search.restarts = 0;
  options.splines = 4;
  Matrix edges = Matrix::Zero(m, m);
  for (Index j = 1; j < m; j += 2) edges(j - 1, j) = 1;
  Structure found = learn(numbers(linear_data(200, edges, random)), options);
  EXPECT(found.effects == "linear");
  EXPECT(found.trials.size() == 1);
  // A parabola and noise have no correlation: no edge of the linear network tells of the curve.
  Matrix data = normal_matrix(200, m, random);
  data.col(1) += data.col(0).cwiseAbs2();
  found = learn(numbers(data), options);
  EXPECT(found.effects == "additive");
  EXPECT(found.network.parents[1] == Parents{0});
  EXPECT(found.network.adjacency().sum() == 1);
}

TEST(equal_noise_variances_are_seen_in_dense_linear_networks) {
  Random random(21);
  int right = 0;
  for (int set = 0; set < 4; ++set) {
    const Matrix edges = random_edges(8, 0.9, random);
    const Structure found = learn(numbers(linear_data(1000, edges, random)), StructureOptions());
    right += found.network.adjacency() == edges && found.noise == "common variance";
  }
  EXPECT(right >= 3);
}

TEST(waves_of_a_weighted_sum_give_their_network) {
  Random random(22);
  int right = 0;
  for (int set = 0; set < 4; ++set) {
    Matrix data = normal_matrix(400, 4, random);
    const Vector u = data.col(0) + 1.5 * data.col(1);
    data.col(2) += (2 * u).array().sin().matrix() * 2 + u;
    const Structure found = learn(numbers(data), normal_noise());
    Matrix edges = Matrix::Zero(4, 4);
    edges(0, 2) = edges(1, 2) = 1;
    right += found.network.adjacency() == edges && found.effects == "index";
  }
  EXPECT(right >= 3);
}

TEST(one_variance_is_searched_for_with_costly_effects_where_it_may_hold) {
  StructureOptions options = normal_noise(Effects::joint);
  options.noise = NoiseScale::automatic;
  // Whether one variance is among the trials where c = a b + spread * noise.
  const auto tried = [&](double spread) {
    Random random(24);
    Matrix data = normal_matrix(300, 3, random);
    data.col(2) *= spread;
    data.col(2) += (data.col(0).array() * data.col(1).array()).matrix() + data.col(0);
    const auto found = learn(numbers(data), options);
    return std::any_of(found.trials.begin(), found.trials.end(),
                       [](const Trial& trial) { return trial.model == "joint, common variance"; });
  };
  EXPECT(tried(1));
  EXPECT(!tried(0.05));
  options.tuning.hopeless_loss = 2;
  EXPECT(tried(0.05));
}

TEST(heavy_tails_make_few_edges) {
  Random random(23);
  double edges = 0;
  for (int set = 0; set < 20; ++set) {
    Matrix data(60, 6);
    // A ratio of normal numbers has no mean.
    for (Index k = 0; k < data.size(); ++k) {
      data(k) = random.normal() / (0.1 + std::abs(random.normal()));
    }
    edges += learn(numbers(data), StructureOptions()).network.adjacency().sum();
  }
  EXPECT(edges <= 6);
}

TEST(a_factor_whose_levels_tell_rows_apart_offers_nothing) {
  for (const Index levels : {5, 6}) {
    Vector codes(10);
    for (Index r = 0; r < 10; ++r) codes[r] = static_cast<double>(r % levels);
    const Samples samples(MatrixView(codes.data(), 10, 1), {Kind::discrete}, {levels});
    // Two rows of a level are the least.
    EXPECT(features_of(samples, samples.variables[0], 4).cols() == (levels == 5 ? 4 : 0));
  }
}

TEST(parents_that_explain_nothing_alone_are_found_where_there_are_few_variables) {
  Random random(24);
  StructureOptions options = normal_noise();
  options.effects = Effects::joint;
  options.search.restarts = 0;
  int right = 0;
  for (int set = 0; set < 3; ++set) {
    Matrix data = normal_matrix(200, 8, random);
    data.col(3) = 0.3 * data.col(3) + 2 * data.col(0).cwiseProduct(data.col(6));
    right += learn(numbers(data), options).network.parents[3] == Parents{0, 6};
  }
  EXPECT(right >= 2);
}
