#include "models/family.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "scores/additive_score.h"
#include "scores/categorical_score.h"
#include "scores/conditional_gaussian_score.h"
#include "scores/index_score.h"
#include "scores/joint_score.h"

namespace daggnn {

namespace {

// No noise has a smaller share of its child's variance: what parents determine keeps a density.
constexpr double least_noise = 1e-9;

}  // namespace

FittedFamily::FittedFamily(const Variable& variable, Parents parents,
                           std::unique_ptr<FamilyForm> form, std::vector<ResidualDensity> densities,
                           double parameters)
    : variable_(variable),
      parents_(std::move(parents)),
      form_(std::move(form)),
      densities_(std::move(densities)),
      parameters_(parameters) {}

FittedFamily::FittedFamily(NumberReader& reader, const std::vector<Variable>& variables,
                           Index child)
    : variable_(variables[child]) {
  const Index count = reader.count(), m = static_cast<Index>(variables.size());
  for (Index k = 0; k < count; ++k) parents_.push_back(reader.count_below(m));
  form_ = read_form(reader, variables, child, parents_);
  if (variable_.distribution() == Distribution::normal) {
    for (Index k = 0; k < variable_.width; ++k) densities_.emplace_back(reader);
  }
  parameters_ = reader.number();
}

void FittedFamily::write(NumberWriter& writer) const {
  writer.count(static_cast<Index>(parents_.size()));
  for (const Index i : parents_) writer.count(i);
  write_form(*form_, writer);
  for (const ResidualDensity& density : densities_) density.write(writer);
  writer.number(parameters_);
}

double FittedFamily::log_density(const Expected& expected, Index row,
                                 const Eigen::Ref<const Matrix>& values) const {
  if (variable_.distribution() != Distribution::normal) {
    const double value = values(row, variable_.first);
    if (std::isnan(value)) return 0;
    return likelihood_of(variable_.distribution())
        .log_density(expected.mean.rows(), &expected.mean(row, 0), value);
  }
  double total = 0;
  for (Index k = 0; k < variable_.width; ++k) {
    const double value = values(row, variable_.first + k), spread = expected.spread(row, k);
    if (std::isnan(value)) continue;
    total += densities_[k].log_density((value - expected.mean(row, k)) / spread) - std::log(spread);
  }
  return total;
}

void FittedFamily::draw(const Expected& expected, Index row, const NoiseDraw* from,
                        Matrix& values) const {
  if (variable_.distribution() != Distribution::normal) {
    double& value = values(row, variable_.first);
    if (!std::isnan(value)) return;
    value = likelihood_of(variable_.distribution())
                .draw(variable_.width, expected.mean.rows(), &expected.mean(row, 0), from[0]);
    return;
  }
  for (Index k = 0; k < variable_.width; ++k) {
    const double noise = densities_[k].draw(from[k]);
    double& value = values(row, variable_.first + k);
    if (std::isnan(value)) value = expected.mean(row, k) + expected.spread(row, k) * noise;
  }
}

FamilyData::FamilyData(const Samples& samples, const FamilyOptions& options)
    : samples_(samples),
      options_(options),
      n_(samples.effective_rows()),
      layout_(samples.variables),
      outputs_(outputs_of(samples.values, samples.variables)) {
  const Index splines =
      options.structure.effects == Effects::linear ? 1 : options.structure.splines;
  for (Index j = 0; j < samples.m(); ++j) {
    const Variable& variable = samples.variables[j];
    maps_.emplace_back(outputs_.middleCols(layout_.first[j], variable.width), variable,
                       layout_.first[j], splines);
  }
}

double FamilyData::standard_deviation(Index column) const {
  const auto values = samples_.values.col(column);
  return std::sqrt((values.array() - values.mean()).square().mean());
}

FittedFamily FamilyData::fit(Index child, const Parents& parents) const {
  switch (samples_.variables[child].distribution()) {
    case Distribution::categorical:
      return fit_levels(child, parents);
    case Distribution::poisson:
      return fit_counts(child, parents);
    default:
      return fit_number(child, parents);
  }
}

double FamilyData::log_likelihood(const FittedFamily& family) const {
  const Expected expected = family.expect(outputs_);
  double total = 0;
  for (Index r = 0; r < samples_.n(); ++r) {
    total += family.log_density(expected, r, samples_.values);
  }
  return total / static_cast<double>(samples_.copies);
}

struct FamilyData::NumericFit {
  Regression regression;
  double score = 0, parameters = 0;  // those of the mean, with the intercept
  bool constant = false;             // the child is
  // What the scores are given: the child's standardised values and the parents' features.
  Matrix features;
  std::vector<FeatureBlock> blocks;
  Parents parents;  // blocks
};

FamilyData::NumericFit FamilyData::fit_component(Index child, Index component,
                                                 const Parents& parents) const {
  const Index column = samples_.variables[child].first + component;
  NumericFit fit = prepare(column, parents);
  fit_additive(parents, fit);
  const Effects effects = options_.structure.effects;
  const bool number = samples_.variables[child].width == 1;
  if ((effects == Effects::index || effects == Effects::joint) && !parents.empty() && number) {
    fit_index(parents, fit);
  }
  if (effects == Effects::joint && parents.size() >= 2 && number) fit_joint(parents, fit);
  Regression& regression = fit.regression;
  const Vector residuals = samples_.values.col(column) - regression.mean(outputs_);
  const double variance = residuals.squaredNorm() / static_cast<double>(samples_.copies) /
                          std::max(n_ - fit.parameters, 1.0);
  const double least = std::sqrt(least_noise) * regression.scale;
  regression.spread = fit.constant ? regression.scale : std::max(std::sqrt(variance), least);
  return fit;
}

FamilyData::NumericFit FamilyData::prepare(Index column, const Parents& parents) const {
  NumericFit fit;
  Regression& regression = fit.regression;
  regression.center = samples_.values.col(column).mean();
  regression.scale = standard_deviation(column);
  // A constant still has a density, a narrow one.
  fit.constant = !(regression.scale > 0);
  if (fit.constant) regression.scale = 1e-6 * std::max(1.0, std::abs(regression.center));

  Index columns = 1;
  fit.blocks.push_back({0, 1, 0, 1});
  for (const Index i : parents) {
    const Variable& variable = samples_.variables[i];
    const double error =
        variable.error > 0 ? variable.error / std::pow(standard_deviation(variable.first), 2) : 0;
    const Index linear = maps_[i].linear();
    fit.blocks.push_back({columns, linear, maps_[i].size() - linear, 0, error});
    columns += maps_[i].size();
  }
  fit.parents.resize(parents.size());
  std::iota(fit.parents.begin(), fit.parents.end(), Index{1});
  fit.features.resize(samples_.n(), columns);
  fit.features.col(0) =
      (samples_.values.col(column).array() - regression.center) / regression.scale;
  for (std::size_t k = 0; k < parents.size(); ++k) {
    fit.features.middleCols(fit.blocks[k + 1].first, maps_[parents[k]].size()) =
        features(parents[k]);
  }
  return fit;
}

// Edges cost the same in all forms: only what the forms differ by is charged.
double FamilyData::curve_charge() const {
  return options_.structure.curve_charge * std::log(static_cast<double>(samples_.m()));
}

Design FamilyData::design(const Parents& parents, bool curves) const {
  std::vector<FeatureMap> maps;
  for (const Index i : parents) maps.push_back(curves ? maps_[i] : maps_[i].without_curves());
  return Design(std::move(maps));
}

void FamilyData::fit_additive(const Parents& parents, NumericFit& fit) const {
  const Matrix gram = fit.features.transpose() * fit.features / static_cast<double>(samples_.n());
  const AdditiveScore score(fit.features, gram, n_, fit.blocks, {0, curve_charge()});
  const NumericScore::Choice choice = score.choose(0, 0, fit.parents);
  const AdditiveScore::Regression found = score.regression(0, 0, fit.parents, choice.fit);
  fit.score = choice.score;
  fit.parameters = found.parameters + 1;
  const bool curves = choice.fit > 0;
  Vector coefficients = Vector::Zero(fit.features.cols());
  for (std::size_t k = 0; k < found.columns.size(); ++k) {
    coefficients[found.columns[k]] = found.coefficients[static_cast<Index>(k)];
  }
  Regression& regression = fit.regression;
  regression.design = design(parents, curves);
  regression.coefficients.resize(regression.design.size());
  for (std::size_t k = 0; k < parents.size(); ++k) {
    const Index used = regression.design.maps()[k].size();
    regression.coefficients.segment(regression.design.first(k), used) =
        coefficients.segment(fit.blocks[k + 1].first, used);
  }
}

std::vector<Matrix> FamilyData::coordinates_of(const NumericFit& fit) {
  std::vector<Matrix> coordinates = {fit.features.leftCols(1)};
  for (const Index k : fit.parents) {
    coordinates.push_back(fit.features.middleCols(fit.blocks[k].first, fit.blocks[k].linear));
  }
  return coordinates;
}

// Replaces the additive fit where curves of weighted sums of the parents score higher.
void FamilyData::fit_index(const Parents& parents, NumericFit& fit) const {
  const std::vector<Matrix> coordinates = coordinates_of(fit);
  const IndexOptions options{curve_charge() + options_.structure.index_charge,
                             options_.structure.intervals, options_.structure.index_terms};
  const IndexScore score(coordinates, std::vector<bool>(coordinates.size(), true), n_, options);
  const NumericScore::Choice choice = score.choose(0, 0, fit.parents);
  if (!(choice.score > fit.score)) return;
  const IndexScore::Regression found = score.regression(0, fit.parents, choice.fit);
  fit.score = choice.score;
  fit.parameters = found.parameters + 1;
  Regression& regression = fit.regression;
  regression.design = design(parents, false);
  regression.coefficients = found.slopes;
  regression.constant = found.constant;
  for (const IndexScore::Term& term : found.terms) {
    Ridge ridge;
    ridge.direction = term.direction;
    ridge.spline = term.spline;
    ridge.coefficients = term.coefficients;
    regression.ridges.push_back(std::move(ridge));
  }
}

// Replaces the fit so far where a function of all parents together scores higher.
void FamilyData::fit_joint(const Parents& parents, NumericFit& fit) const {
  const std::vector<Matrix> coordinates = coordinates_of(fit);
  JointOptions options;
  options.joint_charge = curve_charge() + options_.structure.joint_charge;
  options.centres = options_.structure.centres;
  const JointScore score(coordinates, std::vector<bool>(coordinates.size(), true), n_, options);
  const NumericScore::Choice choice = score.choose(0, 0, fit.parents);
  if (!(choice.score > fit.score)) return;
  const JointScore::Regression found = score.regression(0, fit.parents, choice.fit);
  fit.score = choice.score;
  fit.parameters = found.parameters + 1;
  Regression& regression = fit.regression;
  regression.ridges.clear();
  regression.design = design(parents, false);
  regression.coefficients = found.slopes;
  regression.centres.resize(static_cast<Index>(found.centres.size()), regression.design.size());
  for (std::size_t k = 0; k < parents.size(); ++k) {
    const Matrix& of_parent = coordinates[k + 1];
    for (std::size_t c = 0; c < found.centres.size(); ++c) {
      regression.centres.row(static_cast<Index>(c))
          .segment(regression.design.first(k), of_parent.cols()) = of_parent.row(found.centres[c]);
    }
  }
  regression.weights = found.kernel;
  regression.constant = found.kernel_means.dot(found.kernel);
  regression.length = found.length;
}

// Intercept, slopes and noise for each configuration of the discrete parents, where that scores
// higher than the additive fit; else none.
std::unique_ptr<FamilyForm> FamilyData::fit_configurations(Index child, const Parents& parents,
                                                           const NumericFit& additive,
                                                           double& parameters) const {
  const Parents discrete = parents_of_kind(parents, samples_.variables, Kind::discrete);
  if (discrete.empty() || samples_.variables[child].width != 1) return nullptr;
  // The same variables in the order of the additive fit's blocks.
  std::vector<Kind> kinds = {Kind::continuous};
  std::vector<Index> widths = {1}, columns = {samples_.variables[child].first};
  for (const Index i : parents) {
    const Variable& variable = samples_.variables[i];
    kinds.push_back(variable.kind);
    widths.push_back(variable.width);
    for (Index k = 0; k < variable.columns(); ++k) columns.push_back(variable.first + k);
  }
  Matrix values(samples_.n(), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    values.col(static_cast<Index>(k)) = samples_.values.col(columns[k]);
  }
  Samples local(MatrixView(values.data(), values.rows(), values.cols()), kinds, widths);
  local.copies = samples_.copies;
  const ConditionalGaussianScore score(local, additive.features, additive.blocks, 0);
  if (!(score.value(0, additive.parents) > additive.score)) return nullptr;

  const ConditionalGaussianScore::Regressions found = score.regressions(0, additive.parents);
  ConfigurationsForm::Parameters form;
  form.center = additive.regression.center;
  form.scale = additive.regression.scale;
  Matrix levels(static_cast<Index>(found.rows.size()), static_cast<Index>(discrete.size()));
  for (Index c = 0; c < levels.rows(); ++c) {
    for (Index k = 0; k < levels.cols(); ++k) {
      const Variable& variable = samples_.variables[discrete[static_cast<std::size_t>(k)]];
      levels(c, k) = samples_.values(found.rows[static_cast<std::size_t>(c)], variable.first);
    }
  }
  form.table = LevelTable(samples_.variables, discrete, std::move(levels));
  form.design = design(parents_of_kind(parents, samples_.variables, Kind::continuous), false);
  form.coefficients = found.coefficients;
  form.spreads = form.scale * found.variances.cwiseSqrt();
  form.fallback = additive.regression;
  parameters = found.parameters + 2;
  return std::make_unique<ConfigurationsForm>(std::move(form));
}

FittedFamily FamilyData::fit_number(Index child, const Parents& parents) const {
  const Variable& variable = samples_.variables[child];
  std::vector<Regression> components;
  std::unique_ptr<FamilyForm> form;
  double parameters = 0;
  for (Index k = 0; k < variable.width; ++k) {
    NumericFit fit = fit_component(child, k, parents);
    // The variance is a parameter too.
    parameters += fit.parameters + 1;
    form = fit_configurations(child, parents, fit, parameters);
    components.push_back(std::move(fit.regression));
  }
  if (!form) form = std::make_unique<RegressionForm>(std::move(components));

  std::vector<ResidualDensity> densities(static_cast<std::size_t>(variable.width));
  if (options_.structure.density == NoiseDensity::estimated) {
    const Expected expected = form->expect(outputs_);
    for (Index k = 0; k < variable.width; ++k) {
      const Vector residuals =
          (samples_.values.col(variable.first + k) - expected.mean.col(k)).array() /
          expected.spread.col(k).array();
      // Copies of a row would vouch for each other: the first of them counts.
      const Vector once = residuals.head(static_cast<Index>(n_));
      densities[k] = ResidualDensity(once.array() - once.mean(), options_.structure.density_charge);
      parameters += densities[k].parameters();
    }
  }
  return FittedFamily(variable, parents, std::move(form), std::move(densities), parameters);
}

FittedFamily FamilyData::fit_levels(Index child, const Parents& parents) const {
  const Parents discrete = parents_of_kind(parents, samples_.variables, Kind::discrete);
  return discrete.size() < parents.size() ? fit_logit(child, parents) : fit_table(child, parents);
}

std::vector<Index> FamilyData::codes(Index variable) const {
  std::vector<Index> result;
  for (Index r = 0; r < samples_.n(); ++r) {
    result.push_back(static_cast<Index>(samples_.values(r, samples_.variables[variable].first)));
  }
  return result;
}

FittedFamily FamilyData::fit_logit(Index child, const Parents& parents) const {
  const Variable& variable = samples_.variables[child];
  Design linear = design(parents, false);
  MultinomialLogit logit =
      fit_multinomial_logit(linear.evaluate(outputs_), codes(child), variable.width);
  const double parameters = static_cast<double>((variable.width - 1) * (linear.size() + 1));
  return FittedFamily(variable, parents,
                      std::make_unique<LogitForm>(std::move(linear), std::move(logit)), {},
                      parameters);
}

FittedFamily FamilyData::fit_counts(Index child, const Parents& parents) const {
  const Variable& variable = samples_.variables[child];
  Design linear = design(parents, false);
  PoissonRegression regression =
      fit_poisson_regression(linear.evaluate(outputs_), counts_of(samples_, variable));
  const double parameters = static_cast<double>(regression.coefficients.size());
  return FittedFamily(variable, parents,
                      std::make_unique<PoissonForm>(std::move(linear), std::move(regression)), {},
                      parameters);
}

FittedFamily FamilyData::fit_table(Index child, const Parents& parents) const {
  const Variable& variable = samples_.variables[child];
  std::vector<std::vector<Index>> parent_codes;
  std::vector<Index> sizes;
  double parameters = static_cast<double>(variable.width - 1);
  for (const Index i : parents) {
    parent_codes.push_back(codes(i));
    sizes.push_back(samples_.variables[i].width);
    parameters *= static_cast<double>(sizes.back());
  }
  std::vector<const std::vector<Index>*> views;
  for (const std::vector<Index>& each : parent_codes) views.push_back(&each);
  const Configurations seen = configurations(views, sizes, samples_.n());
  const std::vector<Index> own = codes(child);
  Matrix counts = Matrix::Zero(seen.count, variable.width);
  Matrix levels(seen.count, static_cast<Index>(parents.size()));
  for (Index r = 0; r < samples_.n(); ++r) {
    counts(seen.of_row[r], own[r]) += 1 / static_cast<double>(samples_.copies);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      levels(seen.of_row[r], static_cast<Index>(k)) = static_cast<double>(parent_codes[k][r]);
    }
  }
  const double s = options_.smoothing;
  Vector marginal = counts.colwise().sum().transpose();
  marginal = (marginal.array() + s / static_cast<double>(variable.width)) / (marginal.sum() + s);
  for (Index c = 0; c < seen.count; ++c) {
    const double total = counts.row(c).sum();
    counts.row(c) = (counts.row(c) + s * marginal.transpose()) / (total + s);
  }
  LevelTable table(samples_.variables, parents, std::move(levels));
  return FittedFamily(
      variable, parents,
      std::make_unique<TableForm>(std::move(table), std::move(counts), std::move(marginal)), {},
      parameters);
}

}  // namespace daggnn
