// What each constant of StructureOptions is for: counts over many small data sets that are right
// with its default, and wrong where it is changed strongly.
#include "structure.h"

#include "small_data.h"

#include "expect.h"

using namespace daggnn;

namespace {

Structure learn(const Matrix& data, const StructureOptions& options,
                const std::vector<std::pair<Index, Index>>& required = {}) {
  const Index m = data.cols();
  EdgeRules rules(m);
  for (const auto& edge : required) rules.require(edge.first, edge.second);
  const Samples samples(MatrixView(data.data(), data.rows(), m),
                        std::vector<Kind>(static_cast<std::size_t>(m), Kind::continuous),
                        std::vector<Index>(static_cast<std::size_t>(m), 1));
  SerialExecutor executor;
  Observer observer;
  return learn_structure(samples, rules, options, {}, executor, observer);
}

StructureOptions defaults(Effects effects, NoiseDensity density = NoiseDensity::normal) {
  StructureOptions options;
  options.effects = effects;
  options.noise = NoiseScale::own;
  options.density = density;
  return options;
}

// Six variables, of which the last three depend on the first three, one on one.
template <class Effect>
Matrix three_pairs(Index n, const Effect& effect, Random& random) {
  Matrix data = normal_matrix(n, 6, random);
  for (Index j = 0; j < 3; ++j) data.col(j + 3) += data.col(j).unaryExpr(effect);
  return data;
}

double pairs_found(const Structure& found) {
  const Matrix edges = found.network.adjacency();
  double sum = 0;
  for (Index j = 0; j < 3; ++j) sum += std::max(edges(j, j + 3), edges(j + 3, j));
  return sum;
}

// Counts are printed where a test fails: they are what a constant is chosen by.
void expect_between(const char* what, double count, double least, double most) {
  if (count < least || count > most) std::cout << what << ": " << count << "\n";
  EXPECT(count >= least && count <= most);
}

}  // namespace

TEST(independent_columns_have_few_edges) {
  Random random(1);
  double edges = 0;
  for (const Index n : {30, 60, 100}) {
    for (int set = 0; set < 100; ++set) {
      edges +=
          learn(normal_matrix(n, 6, random), defaults(Effects::linear)).network.adjacency().sum();
    }
  }
  expect_between("linear edges in 300 sets of noise", edges, 0, 30);
}

TEST(independent_columns_have_few_edges_whatever_may_be_tried) {
  Random random(2);
  double edges = 0;
  for (const Index n : {30, 60, 100}) {
    for (int set = 0; set < 10; ++set) {
      edges += learn(normal_matrix(n, 6, random), StructureOptions()).network.adjacency().sum();
    }
  }
  expect_between("edges in 30 sets of noise", edges, 0, 5);
}

TEST(weak_linear_effects_are_found) {
  Random random(3);
  double found = 0;
  for (int set = 0; set < 40; ++set) {
    const Matrix data = three_pairs(
        200, [](double x) { return 0.26 * x; }, random);
    found += pairs_found(learn(data, defaults(Effects::linear)));
  }
  expect_between("weak linear effects of 120", found, 58, 120);
}

TEST(straight_lines_are_seldom_taken_for_curves) {
  Random random(4);
  double curved = 0;
  for (int set = 0; set < 40; ++set) {
    const Matrix data = three_pairs(
        100, [](double x) { return x; }, random);
    curved += learn(data, defaults(Effects::additive)).effects != "linear";
  }
  expect_between("lines taken for curves in 40 sets", curved, 0, 10);
}

TEST(weak_curves_are_found) {
  Random random(5);
  double found = 0;
  for (int set = 0; set < 30; ++set) {
    const Matrix data = three_pairs(
        200, [](double x) { return 0.25 * x * x; }, random);
    found += pairs_found(learn(data, defaults(Effects::additive)));
  }
  expect_between("weak curves of 90", found, 40, 90);
}

TEST(wiggly_curves_are_found) {
  Random random(6);
  double found = 0;
  for (int set = 0; set < 10; ++set) {
    const Matrix data = three_pairs(
        300, [](double x) { return 2 * std::cos(5 * x); }, random);
    found += pairs_found(learn(data, defaults(Effects::additive)));
  }
  expect_between("wiggly curves of 30", found, 27, 30);
}

namespace {

// The third of four columns depends on the first two.
template <class Surface>
Matrix surface_data(Index n, const Surface& surface, Random& random) {
  Matrix data = normal_matrix(n, 4, random);
  for (Index r = 0; r < n; ++r) data(r, 2) += surface(data(r, 0), data(r, 1));
  return data;
}

bool has_both(const Structure& found) {
  return found.network.adjacency()(0, 2) == 1 && found.network.adjacency()(1, 2) == 1;
}

}  // namespace

TEST(sums_of_curves_are_seldom_taken_for_interactions) {
  Random random(7);
  double joint = 0;
  for (int set = 0; set < 40; ++set) {
    const Matrix data = surface_data(
        100, [](double a, double b) { return std::sin(2 * a) + std::sin(2 * b); }, random);
    joint += learn(data, defaults(Effects::automatic)).effects == "joint";
  }
  expect_between("sums taken for interactions in 40 sets", joint, 0, 7);
}

TEST(weak_interactions_are_found) {
  Random random(8);
  double found = 0;
  for (int set = 0; set < 60; ++set) {
    const Matrix data = surface_data(
        100, [](double a, double b) { return 0.7 * a + 0.6 * a * b; }, random);
    found += has_both(learn(data, defaults(Effects::automatic)));
  }
  expect_between("weak interactions of 60", found, 16, 60);
}

// Both edges are required: what a surface explains beyond a sum of curves is the question.
TEST(surfaces_with_many_hills_are_seen) {
  Random random(9);
  double gain = 0;
  for (int set = 0; set < 10; ++set) {
    const Matrix data = surface_data(
        400, [](double a, double b) { return 3 * std::sin(3 * a) * std::sin(3 * b); }, random);
    const Structure found = learn(data, defaults(Effects::joint), {{0, 2}, {1, 2}});
    gain += (found.trials.back().score - found.trials.front().score) / 10;
  }
  expect_between("gain by surfaces", gain, 26, 1000);
}

TEST(normal_noise_seldom_gets_an_estimated_density) {
  Random random(10);
  double estimated = 0;
  for (int set = 0; set < 40; ++set) {
    const Matrix data = three_pairs(
        100, [](double x) { return x; }, random);
    estimated +=
        learn(data, defaults(Effects::linear, NoiseDensity::automatic)).density != "normal";
  }
  expect_between("estimated densities of normal noise in 40 sets", estimated, 0, 11);
}

TEST(the_density_of_uniform_noise_is_estimated_from_few_rows) {
  Random random(11);
  double estimated = 0;
  for (int set = 0; set < 40; ++set) {
    Matrix data(40, 3);
    for (Index k = 0; k < data.size(); ++k) data(k) = random.uniform();
    estimated +=
        learn(data, defaults(Effects::linear, NoiseDensity::automatic)).density != "normal";
  }
  expect_between("estimated densities of uniform noise in 40 sets", estimated, 21, 40);
}

TEST(joint_effects_are_tried_up_to_so_many_variables_and_rows) {
  Random random(12);
  const Matrix data = surface_data(
      100, [](double a, double b) { return 2 * a * b; }, random);
  const auto tried = [&](const StructureOptions& options) {
    const Structure found = learn(data, options);
    return std::any_of(found.trials.begin(), found.trials.end(),
                       [](const Trial& trial) { return trial.model == "joint"; });
  };
  StructureOptions options = defaults(Effects::automatic);
  EXPECT(tried(options));
  options.joint_variables = 3;
  EXPECT(!tried(options));
  options.joint_variables = 4;
  options.joint_rows = 99;
  EXPECT(!tried(options));
  options.joint_rows = 100;
  EXPECT(tried(options));
}
