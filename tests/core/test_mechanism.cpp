#include "models/mechanism.h"

#include <cmath>
#include <limits>
#include <vector>

#include "expect.h"

using namespace daggnn;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// Two scalars, a vector of two components, and variables of 2 and 3 levels.
struct Mixed {
  Matrix values;
  std::vector<Kind> kinds = {Kind::continuous, Kind::discrete, Kind::continuous, Kind::discrete,
                             Kind::continuous};
  std::vector<Index> widths = {1, 3, 2, 2, 1};

  Mixed(Index n, bool with_missing) : values(n, 6) {
    Random random(7);
    for (Index r = 0; r < n; ++r) {
      values(r, 0) = 2 * random.normal() + 1;
      values(r, 1) = static_cast<double>(r % 3);
      values(r, 2) = random.normal() - values(r, 0);
      values(r, 3) = std::cos(values(r, 0)) + random.normal();
      values(r, 4) = values(r, 0) + random.normal() > 1 ? 1 : 0;
      values(r, 5) = 0.5 * values(r, 2) + random.normal();
    }
    for (Index r = 0; with_missing && r < n; r += 4) values(r, (r / 4) % 6) = missing;
  }
  Samples samples() const {
    return Samples(MatrixView(values.data(), values.rows(), values.cols()), kinds, widths);
  }
};

std::vector<Index> first_rows(Index n) {
  std::vector<Index> rows(static_cast<std::size_t>(n));
  for (Index r = 0; r < n; ++r) rows[r] = r;
  return rows;
}

// A point where nothing is zero that might hide a wrong gradient.
Vector somewhere(const Mechanism& model) {
  Random random(3);
  Vector theta = model.initial(random);
  for (Index k = 0; k < theta.size(); ++k) theta[k] += 0.3 * random.normal();
  return theta;
}

double worst_gradient_error(Mechanism& model, const std::vector<Index>& rows) {
  const Batch batch{rows.data(), static_cast<Index>(rows.size()), 1};
  Vector theta = somewhere(model);
  model.impute(theta);
  Vector dtheta(theta.size()), ignored(theta.size());
  model.loss(theta, batch, dtheta);
  double worst = 0;
  constexpr double step = 1e-5;
  for (Index k = 0; k < theta.size(); ++k) {
    const double at = theta[k];
    theta[k] = at + step;
    const double above = model.loss(theta, batch, ignored);
    theta[k] = at - step;
    const double below = model.loss(theta, batch, ignored);
    theta[k] = at;
    // Entries of blocks that no edge may use move the loss only if somebody sets them: nobody does.
    const double slope = (above - below) / (2 * step);
    if (dtheta[k] == 0 && k < model.graph_parameters()) continue;
    worst = std::max(worst, std::abs(slope - dtheta[k]) / std::max(1.0, std::abs(slope)));
  }
  return worst;
}

Matrix all_edges(Index m) { return Matrix::Ones(m, m) - Matrix::Identity(m, m); }

}  // namespace

TEST(the_gradient_is_right_for_every_variant) {
  SerialExecutor executor;
  for (const bool incomplete : {false, true}) {
    const Mixed data(40, incomplete);
    const Samples samples = data.samples();
    for (const Index feature_hidden : {0, 4}) {
      for (const Index output_hidden : {0, 5}) {
        for (const Noise noise : {Noise::equal, Noise::learned}) {
          Mechanism model(samples, all_edges(5), {feature_hidden, output_hidden, noise}, executor);
          EXPECT(worst_gradient_error(model, first_rows(40)) < 1e-6);
        }
      }
    }
  }
}

TEST(no_gradient_reaches_an_edge_that_is_not_allowed) {
  SerialExecutor executor;
  const Mixed data(40, false);
  const Samples samples = data.samples();
  Matrix allowed = all_edges(5);
  allowed(0, 4) = allowed(1, 2) = 0;
  Mechanism model(samples, allowed, {}, executor);
  Random random(1);
  Vector theta = model.initial(random), dtheta(theta.size());
  const std::vector<Index> rows = first_rows(40);
  model.loss(theta, {rows.data(), 40, 1}, dtheta);
  const Eigen::Map<const Matrix> dB(dtheta.data(), model.features(), model.features());
  EXPECT(dB(0, 8) == 0);
  EXPECT(dB.block(1, 4, 3, 2).norm() == 0);
  EXPECT(dB.diagonal().norm() == 0);
  EXPECT(dB(8, 0) != 0);
}

TEST(squared_weights_are_those_of_the_graph_and_their_gradient_is_right) {
  SerialExecutor executor;
  const Mixed data(40, false);
  const Samples samples = data.samples();
  Mechanism model(samples, all_edges(5), {}, executor);
  Vector theta = somewhere(model);
  Matrix S, A, above, below;
  model.squared_weights(theta, S);
  model.weights(theta, A);
  EXPECT_NEAR((A.cwiseAbs2() - S).norm(), 0, 1e-12);
  EXPECT_NEAR(A(0, 4), theta[8 * model.features()], 0);
  Random random(5);
  Matrix dS(5, 5);
  for (Index k = 0; k < dS.size(); ++k) dS(k) = random.normal();
  Vector dtheta = Vector::Zero(theta.size());
  model.squared_weights_backward(theta, dS, dtheta);
  for (Index k = 0; k < model.graph_parameters(); ++k) {
    const double at = theta[k], step = 1e-5;
    theta[k] = at + step;
    model.squared_weights(theta, above);
    theta[k] = at - step;
    model.squared_weights(theta, below);
    theta[k] = at;
    EXPECT_NEAR(dS.cwiseProduct(above - below).sum() / (2 * step), dtheta[k], 1e-6);
  }
}

TEST(folding_in_the_normalisation_changes_no_loss) {
  SerialExecutor executor;
  const Mixed data(40, false);
  const Samples samples = data.samples();
  Mechanism model(samples, all_edges(5), {}, executor);
  const Vector theta = somewhere(model), folded = model.fold_normalisation(theta);
  Vector ignored(theta.size());
  const std::vector<Index> rows = first_rows(40);
  const Batch batch{rows.data(), 40, 1};
  EXPECT((folded - theta).norm() > 0.01);
  EXPECT_NEAR(model.loss(theta, batch, ignored), model.loss(folded, batch, ignored), 1e-4);
}

TEST(predictions_are_means_and_probabilities) {
  SerialExecutor executor;
  const Mixed data(40, true);
  const Samples samples = data.samples();
  Mechanism model(samples, all_edges(5), {3, 3, Noise::learned}, executor);
  Random random(1);
  const Vector theta = model.fold_normalisation(model.initial(random));
  const Matrix prediction = model.predict(theta, samples);
  EXPECT(prediction.rows() == 40 && prediction.cols() == 9);
  EXPECT(prediction.allFinite());
  EXPECT_NEAR((prediction.middleCols(1, 3).rowwise().sum().array() - 1).matrix().norm(), 0, 1e-12);
  EXPECT_NEAR((prediction.middleCols(6, 2).rowwise().sum().array() - 1).matrix().norm(), 0, 1e-12);
  // Without edges the prediction is the mean of what was seen.
  double sum = 0, count = 0;
  for (Index r = 0; r < 40; ++r) {
    if (std::isnan(data.values(r, 0))) continue;
    sum += data.values(r, 0);
    ++count;
  }
  EXPECT_NEAR(prediction(17, 0), sum / count, 1e-9);
}

TEST(simulated_rows_follow_the_mechanism) {
  SerialExecutor executor;
  const Index n = 4000;
  Matrix values(n, 2);
  Random random(11);
  for (Index r = 0; r < n; ++r) {
    values(r, 0) = random.normal();
    values(r, 1) = 3 + 2 * values(r, 0) + random.normal();
  }
  const Samples samples(MatrixView(values.data(), n, 2), {Kind::continuous, Kind::continuous},
                        {1, 1});
  Mechanism model(samples, all_edges(2), {0, 0, Noise::equal}, executor);
  Vector theta = model.initial(random);
  theta[2] = 2;  // A(0, 1)
  theta = model.fold_normalisation(theta);
  Matrix edges = Matrix::Zero(2, 2);
  edges(0, 1) = 1;
  const Matrix drawn = model.simulate(theta, edges, n, random);
  const Vector x = drawn.col(0).array() - drawn.col(0).mean();
  const Vector y = drawn.col(1).array() - drawn.col(1).mean();
  EXPECT_NEAR(x.dot(y) / x.squaredNorm(), 2, 0.1);
  EXPECT_NEAR((y - 2 * x).squaredNorm() / n, 1, 0.1);
  EXPECT_NEAR(drawn.col(1).mean(), 3, 0.2);
}

TEST(missing_values_do_not_shrink_the_noise_beside_levels) {
  SerialExecutor executor;
  const Index n = 4000;
  Matrix values(n, 2);
  Random random(12);
  for (Index r = 0; r < n; ++r) {
    values(r, 0) = static_cast<double>(r % 2);
    values(r, 1) = r % 4 < 2 ? missing : random.normal();
  }
  const Samples samples(MatrixView(values.data(), n, 2), {Kind::discrete, Kind::continuous},
                        {2, 1});
  Mechanism model(samples, all_edges(2), {0, 0, Noise::equal}, executor);
  const Vector theta = model.fold_normalisation(model.initial(random));
  const Matrix drawn = model.simulate(theta, Matrix::Zero(2, 2), n, random);
  EXPECT_NEAR(drawn.col(1).squaredNorm() / n, 1, 0.1);
}

TEST(a_model_is_made_from_a_description_without_rows) {
  SerialExecutor executor;
  const Mixed data(40, false);
  const Samples samples = data.samples();
  const Samples description(MatrixView(nullptr, 0, 6), samples.variables);
  for (const Noise noise : {Noise::equal, Noise::learned}) {
    const Mechanism model(samples, all_edges(5), {3, 3, noise}, executor);
    Mechanism other(description, all_edges(5), {3, 3, noise}, executor);
    other.set_standardisation(model.standardisation());
    const Vector theta = model.fold_normalisation(somewhere(model));
    Matrix edges = Matrix::Zero(5, 5);
    edges(0, 1) = edges(0, 2) = edges(2, 4) = edges(3, 4) = 1;
    Random one(4), two(4);
    const Matrix drawn = model.simulate(theta, edges, 20, one);
    EXPECT(drawn.allFinite());
    EXPECT(drawn == other.simulate(theta, edges, 20, two));
    EXPECT(model.predict(theta, samples) == other.predict(theta, samples));
  }
}

// A count beside a number and a factor.
TEST(counts_have_the_gradient_and_the_draws_of_a_log_rate) {
  SerialExecutor executor;
  const Index n = 60;
  Matrix values(n, 3);
  Random random(21);
  for (Index r = 0; r < n; ++r) {
    values(r, 0) = random.normal();
    values(r, 1) = std::floor(std::exp(0.5 + 0.4 * values(r, 0)) + random.uniform() * 3);
    values(r, 2) = static_cast<double>(random.below(2));
  }
  for (const bool incomplete : {false, true}) {
    for (Index r = 0; incomplete && r < n; r += 5) values(r, 1) = missing;
    const Samples samples(MatrixView(values.data(), n, 3),
                          {Kind::continuous, Kind::continuous, Kind::discrete}, {1, 1, 2}, {},
                          {Distribution::normal, Distribution::poisson, Distribution::normal});
    for (const Noise noise : {Noise::equal, Noise::learned}) {
      Mechanism model(samples, all_edges(3), {3, 3, noise}, executor);
      // Without edges the rate is the mean.
      const Vector start = model.fold_normalisation(model.initial(random));
      const Matrix prediction = model.predict(start, samples);
      double sum = 0, count = 0;
      for (Index r = 0; r < n; ++r) {
        if (std::isnan(values(r, 1))) continue;
        sum += values(r, 1);
        ++count;
      }
      EXPECT_NEAR(prediction(7, 1), sum / count, 1e-9);
      const Matrix drawn = model.simulate(start, Matrix::Zero(3, 3), 4000, random);
      EXPECT_NEAR(drawn.col(1).mean() / (sum / count), 1, 0.05);
      EXPECT(drawn.col(1) == drawn.col(1).array().floor().matrix());
      EXPECT(worst_gradient_error(model, first_rows(n)) < 1e-5);
    }
  }
}
