#include "models/numeric_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "models/table_forms.h"
#include "scores/conditional_gaussian_score.h"
#include "scores/index_score.h"
#include "scores/joint_score.h"

namespace daggnn {

namespace {

// No noise has a smaller share of its child's variance: what parents determine keeps a density.
constexpr double least_noise = 1e-9;

}  // namespace

NumericFit::NumericFit(const FamilyData& data, Index child, Index component, const Parents& parents)
    : data_(data),
      samples_(data.samples()),
      child_(child),
      column_(samples_.variables[child].first + component),
      parents_(parents) {
  standardise();
  fit_additive();
  const Effects effects = options().effects;
  const bool number = samples_.variables[child].width == 1;
  if ((effects == Effects::index || effects == Effects::joint) && !parents.empty() && number) {
    fit_index();
  }
  if (effects == Effects::joint && parents.size() >= 2 && number) fit_joint();
  set_spread();
}

void NumericFit::standardise() {
  regression_.center = samples_.values.col(column_).mean();
  regression_.scale = data_.standard_deviation(column_);
  // A constant still has a density, a narrow one.
  constant_ = !(regression_.scale > 0);
  if (constant_) regression_.scale = 1e-6 * std::max(1.0, std::abs(regression_.center));

  Index columns = 1;
  blocks_.push_back({0, 1, 0, 1});
  for (const Index i : parents_) {
    const Variable& variable = samples_.variables[i];
    const double error =
        variable.error > 0 ? variable.error / std::pow(data_.standard_deviation(variable.first), 2)
                           : 0;
    const FeatureMap& map = data_.map(i);
    blocks_.push_back({columns, map.linear(), map.size() - map.linear(), 0, error});
    columns += map.size();
  }
  places_.resize(parents_.size());
  std::iota(places_.begin(), places_.end(), Index{1});
  features_.resize(samples_.n(), columns);
  features_.col(0) =
      (samples_.values.col(column_).array() - regression_.center) / regression_.scale;
  for (std::size_t k = 0; k < parents_.size(); ++k) {
    const Matrix features = data_.features(parents_[k]);
    features_.middleCols(blocks_[k + 1].first, features.cols()) = features;
  }
}

void NumericFit::set_spread() {
  const Vector residuals = samples_.values.col(column_) - regression_.mean(data_.outputs());
  const double variance = residuals.squaredNorm() / static_cast<double>(samples_.copies) /
                          std::max(data_.rows() - parameters_, 1.0);
  const double least = std::sqrt(least_noise) * regression_.scale;
  regression_.spread = constant_ ? regression_.scale : std::max(std::sqrt(variance), least);
}

// Edges cost the same in all forms: only what the forms differ by is charged.
double NumericFit::curve_charge() const {
  return options().curve_charge * std::log(static_cast<double>(samples_.m()));
}

void NumericFit::fit_additive() {
  const Matrix gram = features_.transpose() * features_ / static_cast<double>(samples_.n());
  const AdditiveScore score(features_, gram, data_.rows(), blocks_, {0, curve_charge()});
  const NumericScore::Choice choice = score.choose(0, 0, places_);
  const AdditiveScore::Regression found = score.regression(0, 0, places_, choice.fit);
  score_ = choice.score;
  parameters_ = found.parameters + 1;
  const bool curves = choice.fit > 0;
  Vector coefficients = Vector::Zero(features_.cols());
  for (std::size_t k = 0; k < found.columns.size(); ++k) {
    coefficients[found.columns[k]] = found.coefficients[static_cast<Index>(k)];
  }
  regression_.design = data_.design(parents_, curves);
  regression_.coefficients.resize(regression_.design.size());
  for (std::size_t k = 0; k < parents_.size(); ++k) {
    const Index used = regression_.design.maps()[k].size();
    regression_.coefficients.segment(regression_.design.first(k), used) =
        coefficients.segment(blocks_[k + 1].first, used);
  }
}

std::vector<Matrix> NumericFit::coordinates() const {
  std::vector<Matrix> coordinates = {features_.leftCols(1)};
  for (const Index k : places_) {
    coordinates.push_back(features_.middleCols(blocks_[k].first, blocks_[k].linear));
  }
  return coordinates;
}

// Replaces the additive fit where curves of weighted sums of the parents score higher.
void NumericFit::fit_index() {
  const std::vector<Matrix> coordinates = this->coordinates();
  const IndexOptions index_options{curve_charge() + options().index_charge, options().intervals,
                                   options().index_terms};
  const IndexScore score(coordinates, std::vector<bool>(coordinates.size(), true), data_.rows(),
                         index_options);
  const NumericScore::Choice choice = score.choose(0, 0, places_);
  if (!(choice.score > score_)) return;
  const IndexScore::Regression found = score.regression(0, places_, choice.fit);
  score_ = choice.score;
  parameters_ = found.parameters + 1;
  regression_.design = data_.design(parents_, false);
  regression_.coefficients = found.slopes;
  regression_.constant = found.constant;
  for (const IndexScore::Term& term : found.terms) {
    Ridge ridge;
    ridge.direction = term.direction;
    ridge.spline = term.spline;
    ridge.coefficients = term.coefficients;
    regression_.ridges.push_back(std::move(ridge));
  }
}

// Replaces the fit so far where a function of all parents together scores higher.
void NumericFit::fit_joint() {
  const std::vector<Matrix> coordinates = this->coordinates();
  JointOptions joint_options;
  joint_options.joint_charge = curve_charge() + options().joint_charge;
  joint_options.centres = options().centres;
  const JointScore score(coordinates, std::vector<bool>(coordinates.size(), true), data_.rows(),
                         joint_options);
  const NumericScore::Choice choice = score.choose(0, 0, places_);
  if (!(choice.score > score_)) return;
  const JointScore::Regression found = score.regression(0, places_, choice.fit);
  score_ = choice.score;
  parameters_ = found.parameters + 1;
  regression_.ridges.clear();
  regression_.design = data_.design(parents_, false);
  regression_.coefficients = found.slopes;
  regression_.centres.resize(static_cast<Index>(found.centres.size()), regression_.design.size());
  for (std::size_t k = 0; k < parents_.size(); ++k) {
    const Matrix& of_parent = coordinates[k + 1];
    for (std::size_t c = 0; c < found.centres.size(); ++c) {
      regression_.centres.row(static_cast<Index>(c))
          .segment(regression_.design.first(k), of_parent.cols()) = of_parent.row(found.centres[c]);
    }
  }
  regression_.weights = found.kernel;
  regression_.constant = found.kernel_means.dot(found.kernel);
  regression_.length = found.length;
}

std::unique_ptr<FamilyForm> NumericFit::by_configuration(double& parameters) const {
  const Parents discrete = parents_of_kind(parents_, samples_.variables, Kind::discrete);
  if (discrete.empty() || samples_.variables[child_].width != 1) return nullptr;
  // The same variables in the order of the blocks.
  std::vector<Kind> kinds = {Kind::continuous};
  std::vector<Index> widths = {1}, columns = {column_};
  for (const Index i : parents_) {
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
  const ConditionalGaussianScore score(local, features_, blocks_);
  if (!(score.value(0, places_) > score_)) return nullptr;

  const ConditionalGaussianScore::Regressions found = score.regressions(0, places_);
  ConfigurationsForm::Parameters form;
  form.center = regression_.center;
  form.scale = regression_.scale;
  Matrix levels(static_cast<Index>(found.rows.size()), static_cast<Index>(discrete.size()));
  for (Index c = 0; c < levels.rows(); ++c) {
    for (Index k = 0; k < levels.cols(); ++k) {
      const Variable& variable = samples_.variables[discrete[static_cast<std::size_t>(k)]];
      levels(c, k) = samples_.values(found.rows[static_cast<std::size_t>(c)], variable.first);
    }
  }
  form.table = LevelTable(samples_.variables, discrete, std::move(levels));
  form.design =
      data_.design(parents_of_kind(parents_, samples_.variables, Kind::continuous), false);
  form.coefficients = found.coefficients;
  form.spreads = form.scale * found.variances.cwiseSqrt();
  form.fallback = regression_;
  parameters = found.parameters + 2;
  return std::make_unique<ConfigurationsForm>(std::move(form));
}

}  // namespace daggnn
