#include "models/vae.h"

#include <deque>
#include <limits>

#include "likelihood/categorical.h"

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

// A small data set of one make: `kinds` and `widths` of the variables, some values missing.
struct Data {
  std::vector<Kind> kinds;
  std::vector<Index> widths;
  Matrix values;
  Samples samples;

  Data(const std::vector<Kind>& kinds_, const std::vector<Index>& widths_, double share_missing,
       Index n = 12)
      : kinds(kinds_),
        widths(widths_),
        values(draw(kinds_, widths_, share_missing, n)),
        samples(MatrixView(values.data(), values.rows(), values.cols()), kinds, widths) {}

  static Matrix draw(const std::vector<Kind>& kinds, const std::vector<Index>& widths,
                     double share_missing, Index n) {
    Random random(11);
    std::vector<double> numbers;
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      const bool discrete = kinds[j] == Kind::discrete;
      for (Index k = 0; k < (discrete ? n : n * widths[j]); ++k) {
        const double value =
            discrete ? static_cast<double>(random.below(widths[j])) : random.normal();
        numbers.push_back(random.uniform() < share_missing ? missing : value);
      }
    }
    return Eigen::Map<const Matrix>(numbers.data(), n, static_cast<Index>(numbers.size()) / n);
  }
};

constexpr Kind real = Kind::continuous, level = Kind::discrete;

std::deque<Data> all_data() {
  std::deque<Data> all;  // never moved: samples point into their values
  all.emplace_back(std::vector<Kind>{real, real, real, real}, std::vector<Index>{1, 1, 1, 1}, 0);
  all.emplace_back(std::vector<Kind>{real, real, real}, std::vector<Index>{1, 3, 2}, 0);
  all.emplace_back(std::vector<Kind>{level, level, level}, std::vector<Index>{2, 4, 3}, 0);
  all.emplace_back(std::vector<Kind>{real, level, real}, std::vector<Index>{1, 3, 2}, 0);
  all.emplace_back(std::vector<Kind>{real, level, real}, std::vector<Index>{1, 3, 2}, 0.2);
  return all;
}

Matrix all_allowed(Index m) { return Matrix::Ones(m, m) - Matrix::Identity(m, m); }

Vector random_theta(const Model& model, Random& random) {
  Vector theta = model.initial(random);
  for (Index k = 0; k < theta.size(); ++k) theta[k] += 0.3 * random.normal();
  return theta;
}

const std::vector<Index> some_rows{3, 0, 7, 7, 10};

Batch batch_of(const std::vector<Index>& rows) {
  return {rows.data(), static_cast<Index>(rows.size()), 5};
}

void expect_right_gradient(const Data& data, const VaeOptions& options) {
  SerialExecutor executor;
  Matrix allowed = all_allowed(data.samples.m());
  allowed(0, 1) = 0;
  Vae model(data.samples, allowed, options, executor);
  Random random(3);
  const Vector theta = random_theta(model, random);
  Vector dtheta(theta.size()), ignored(theta.size());
  model.loss(theta, batch_of(some_rows), dtheta);
  const Vector slow = finite_differences<Vector>(
      [&](const Vector& point) { return model.loss(point, batch_of(some_rows), ignored); }, theta);
  // Relative to the largest entry: learned spreads and an ill-conditioned I - A make it large.
  const double size = std::max(1.0, dtheta.cwiseAbs().maxCoeff());
  EXPECT_NEAR((dtheta - slow).cwiseAbs().maxCoeff() / size, 0, 1e-7);
}

}  // namespace

TEST(gradients_agree_with_finite_differences_for_every_variant) {
  for (const Data& data : all_data()) {
    for (Architecture architecture :
         {Architecture::paper, Architecture::switched, Architecture::linear}) {
      for (Index monte_carlo : {0, 2}) {
        for (int variant = 0; variant < 4; ++variant) {
          VaeOptions options;
          options.architecture = architecture;
          options.hidden = 5;
          options.monte_carlo = monte_carlo;
          options.learn_encoder_spread = variant % 2 == 1;
          options.learn_decoder_spread = variant / 2 == 1;
          expect_right_gradient(data, options);
        }
      }
    }
  }
}

TEST(gradients_are_right_for_another_latent_width_and_without_biases) {
  for (const Data& data : all_data()) {
    for (Architecture architecture : {Architecture::paper, Architecture::switched}) {
      for (Index latent : {1, 2, 5}) {
        for (bool biases : {false, true}) {
          for (Index monte_carlo : {0, 1}) {
            VaeOptions options;
            options.architecture = architecture;
            options.hidden = 4;
            options.latent = latent;
            options.biases = biases;
            options.monte_carlo = monte_carlo;
            options.learn_encoder_spread = true;
            expect_right_gradient(data, options);
          }
        }
      }
    }
  }
}

TEST(without_networks_the_loss_is_the_least_squares_of_notears) {
  for (bool wide : {false, true}) {
    const Data data({real, real, real, real},
                    wide ? std::vector<Index>{2, 2, 2, 2} : std::vector<Index>{1, 1, 1, 1}, 0);
    SerialExecutor executor;
    VaeOptions options;
    options.architecture = Architecture::linear;
    Vae model(data.samples, all_allowed(4), options, executor);
    Random random(4);
    Vector theta = random_theta(model, random);
    const Matrix A = Eigen::Map<const Matrix>(theta.data(), 4, 4).cwiseProduct(all_allowed(4));
    const Index width = wide ? 2 : 1;
    double squares = 0;
    Matrix dA = Matrix::Zero(4, 4);
    for (Index row : some_rows) {
      for (Index k = 0; k < width; ++k) {
        Vector x(4);
        for (Index j = 0; j < 4; ++j) x[j] = data.values(row, j * width + k);
        const Vector z = x - A.transpose() * x;
        squares += z.squaredNorm() / 2;
        dA -= x * z.transpose();
      }
    }
    const double rows = static_cast<double>(some_rows.size());
    Vector dtheta(theta.size());
    EXPECT_NEAR(model.loss(theta, batch_of(some_rows), dtheta), squares / rows, 1e-12);
    dA = dA.cwiseProduct(all_allowed(4)) / rows;
    EXPECT_NEAR((Eigen::Map<const Matrix>(dtheta.data(), 4, 4) - dA).cwiseAbs().maxCoeff(), 0,
                1e-12);
  }
}

// With Z = M_Z the model never forms (I - A)^-1. A simple twin that does agrees.
TEST(the_loss_is_that_of_the_formulas_written_out) {
  const Data data({real, real, real, real}, {1, 1, 1, 1}, 0);
  SerialExecutor executor;
  VaeOptions options;
  options.hidden = 6;
  Vae model(data.samples, all_allowed(4), options, executor);
  Random random(8);
  const Vector theta = random_theta(model, random);
  const Matrix A = Eigen::Map<const Matrix>(theta.data(), 4, 4).cwiseProduct(all_allowed(4));
  const auto mlp = [&](const double* weights, const Vector& x) {
    Vector y(x.size());
    for (Index j = 0; j < x.size(); ++j) {
      y[j] = weights[18];
      for (Index k = 0; k < 6; ++k) {
        y[j] += std::max(x[j] * weights[k] + weights[6 + k], 0.0) * weights[12 + k];
      }
    }
    return y;
  };
  const Matrix graph = (Matrix::Identity(4, 4) - A).transpose();
  double total = 0;
  for (Index row : some_rows) {
    const Vector x = data.values.row(row);
    const Vector z = graph * mlp(theta.data() + 16, x);
    const Vector y = mlp(theta.data() + 16 + 19, graph.inverse() * z);
    total += ((y - x).squaredNorm() + z.squaredNorm()) / 2;
  }
  Vector dtheta(theta.size());
  EXPECT_NEAR(model.loss(theta, batch_of(some_rows), dtheta),
              total / static_cast<double>(some_rows.size()), 1e-12);
}

TEST(an_edge_that_is_not_allowed_has_no_strength_and_no_gradient) {
  const Data data({real, real, real}, {1, 1, 1}, 0);
  SerialExecutor executor;
  Matrix allowed = all_allowed(3);
  allowed(2, 0) = 0;
  Vae model(data.samples, allowed, VaeOptions(), executor);
  Random random(5);
  const Vector theta = random_theta(model, random);
  Vector dtheta(theta.size());
  model.loss(theta, batch_of(some_rows), dtheta);
  Matrix S;
  model.squared_weights(theta, S);
  model.squared_weights_backward(theta, Matrix::Ones(3, 3), dtheta);
  for (Index k : {0, 4, 8, 2}) {
    EXPECT(S(k) == 0);
    EXPECT(dtheta[k] == 0);
  }
  EXPECT_NEAR(S(1, 0), theta[1] * theta[1], 1e-15);
}

TEST(a_missing_value_changes_nothing_but_through_its_imputed_value) {
  Data data({real, real, level}, {1, 2, 3}, 0);
  data.values(3, 1) = missing;
  data.values(0, 3) = missing;
  SerialExecutor executor;
  Vae model(data.samples, all_allowed(3), VaeOptions(), executor);
  Random random(6);
  const Vector theta = random_theta(model, random);
  Vector dtheta(theta.size());
  EXPECT(std::isfinite(model.loss(theta, batch_of(some_rows), dtheta)));
  const Index first = theta.size() - 9;  // three variables, three components
  // Component 0 of variable 1, all levels of variable 2; padding and what is always there stay.
  const std::vector<bool> moves{false, true, true, false, false, true, false, false, true};
  for (Index k = 0; k < 9; ++k) {
    EXPECT((dtheta[first + k] != 0) == moves[static_cast<std::size_t>(k)]);
  }
}

TEST(predictions_have_a_column_for_each_component_and_level) {
  for (const Data& data : all_data()) {
    SerialExecutor executor;
    VaeOptions options;
    options.learn_decoder_spread = true;
    Vae model(data.samples, all_allowed(data.samples.m()), options, executor);
    Random random(7);
    const Vector theta = random_theta(model, random);
    const Matrix prediction = model.predict(theta, data.samples);
    EXPECT(prediction.rows() == data.samples.n());
    EXPECT(prediction.allFinite());
    Index first = 0;
    for (const Variable& variable : data.samples.variables) {
      if (variable.kind == Kind::discrete) {
        const Matrix block = prediction.middleCols(first, variable.width);
        EXPECT(block.minCoeff() >= 0);
        EXPECT_NEAR((block.rowwise().sum().array() - 1).abs().maxCoeff(), 0, 1e-12);
      }
      first += variable.width;
    }
    EXPECT(prediction.cols() == first);
  }
}

TEST(the_prediction_is_what_the_reconstruction_compares_with) {
  const Data data({real, real, real}, {1, 1, 1}, 0);
  SerialExecutor executor;
  VaeOptions options;
  options.architecture = Architecture::switched;
  Vae model(data.samples, all_allowed(3), options, executor);
  Random random(9);
  Vector theta = random_theta(model, random), dtheta(theta.size());
  std::vector<Index> rows(12);
  std::iota(rows.begin(), rows.end(), Index{0});
  const double loss = model.loss(theta, batch_of(rows), dtheta);
  const Matrix prediction = model.predict(theta, data.samples);
  const double reconstruction = (prediction - data.values).squaredNorm() / 2 / 12;
  EXPECT(reconstruction > 0);
  EXPECT(reconstruction < loss);
}

TEST(simulated_rows_look_like_samples) {
  for (const Data& data : all_data()) {
    for (Architecture architecture :
         {Architecture::paper, Architecture::switched, Architecture::linear}) {
      SerialExecutor executor;
      VaeOptions options;
      options.architecture = architecture;
      Vae model(data.samples, all_allowed(data.samples.m()), options, executor);
      Random random(10);
      const Vector theta = random_theta(model, random);
      const Matrix rows = model.simulate(theta, all_allowed(data.samples.m()), 300, random);
      EXPECT(rows.rows() == 300);
      EXPECT(rows.cols() == data.values.cols());
      EXPECT(rows.allFinite());
      for (const Variable& variable : data.samples.variables) {
        if (variable.kind == Kind::continuous) continue;
        EXPECT(rows.col(variable.first).minCoeff() >= 0);
        EXPECT(rows.col(variable.first).maxCoeff() < static_cast<double>(variable.width));
        EXPECT(rows.col(variable.first).maxCoeff() > 0);
      }
    }
  }
}

// Without networks x = A'x + z, so the covariance of what is simulated is known.
TEST(the_linear_model_simulates_its_own_covariance) {
  const Data data({real, real}, {1, 1}, 0);
  SerialExecutor executor;
  VaeOptions options;
  options.architecture = Architecture::linear;
  Vae model(data.samples, all_allowed(2), options, executor);
  Random random(12);
  Vector theta = model.initial(random);
  theta[2] = 1.5;  // the edge 0 -> 1
  theta[1] = 0.7;  // the edge 1 -> 0, not among those asked for
  Matrix edges = Matrix::Zero(2, 2);
  edges(0, 1) = 1;
  const Matrix rows = model.simulate(theta, edges, 40000, random);
  const Matrix covariance = rows.transpose() * rows / 40000;
  EXPECT_NEAR(covariance(0, 0), 1, 0.05);
  EXPECT_NEAR(covariance(0, 1), 1.5, 0.07);
  EXPECT_NEAR(covariance(1, 1), 1 + 1.5 * 1.5, 0.15);
}

TEST(wishes_that_cannot_be_met_are_errors) {
  const Data data({real, real}, {1, 1}, 0);
  SerialExecutor executor;
  VaeOptions options;
  options.hidden = 0;
  EXPECT_THROWS(Vae(data.samples, all_allowed(2), options, executor));
  options = VaeOptions();
  options.architecture = Architecture::linear;
  options.latent = 2;
  EXPECT_THROWS(Vae(data.samples, all_allowed(2), options, executor));
}

TEST(a_level_is_drawn_where_the_cumulated_probability_passes_the_uniform_number) {
  const double probabilities[] = {0.2, 9, 0.5, 9, 0.3, 9};  // every second one
  EXPECT(draw_level(3, 2, probabilities, 0) == 0);
  EXPECT(draw_level(3, 2, probabilities, 0.19) == 0);
  EXPECT(draw_level(3, 2, probabilities, 0.21) == 1);
  EXPECT(draw_level(3, 2, probabilities, 0.69) == 1);
  EXPECT(draw_level(3, 2, probabilities, 0.71) == 2);
  // Probabilities that add up to less than 1, by rounding, leave no gap.
  EXPECT(draw_level(2, 2, probabilities, 0.999) == 1);
}
