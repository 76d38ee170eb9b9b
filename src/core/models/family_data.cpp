#include "models/family_data.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/generalised_linear_form.h"
#include "models/numeric_fit.h"
#include "models/table_forms.h"
#include "scores/multinomial_logit.h"
#include "scores/poisson_score.h"

namespace daggnn {

FamilyData::FamilyData(const Samples& samples, const FamilyOptions& options)
    : samples_(samples),
      options_(options),
      n_(samples.effective_rows()),
      layout_(samples.variables),
      discrete_(samples),
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

Design FamilyData::design(const Parents& parents, bool curves) const {
  std::vector<FeatureMap> maps;
  for (const Index i : parents) maps.push_back(curves ? maps_[i] : maps_[i].without_curves());
  return Design(std::move(maps));
}

FittedFamily FamilyData::fit_number(Index child, const Parents& parents) const {
  const Variable& variable = samples_.variables[child];
  std::vector<Regression> components;
  std::unique_ptr<FamilyForm> form;
  double parameters = 0;
  for (Index k = 0; k < variable.width; ++k) {
    const NumericFit fit(*this, child, k, parents);
    // The variance is a parameter too.
    parameters += fit.parameters() + 1;
    form = fit.by_configuration(parameters);
    components.push_back(fit.regression());
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

FittedFamily FamilyData::generalised_linear(Index child, const Parents& parents, Design design,
                                            Matrix coefficients) const {
  const Variable& variable = samples_.variables[child];
  const double parameters = static_cast<double>(coefficients.size());
  auto form = std::make_unique<GeneralisedLinearForm>(variable.distribution(), std::move(design),
                                                      std::move(coefficients));
  return FittedFamily(variable, parents, std::move(form), {}, parameters);
}

FittedFamily FamilyData::fit_levels(Index child, const Parents& parents) const {
  const bool tabular =
      std::all_of(parents.begin(), parents.end(), [this](Index i) { return discrete_.has(i); });
  if (tabular) return fit_table(child, parents);
  Design linear = design(parents, false);
  const MultinomialLogit logit = fit_multinomial_logit(
      linear.evaluate(outputs_), discrete_.codes(child), discrete_.levels(child));
  return generalised_linear(child, parents, std::move(linear), logit.coefficients);
}

FittedFamily FamilyData::fit_counts(Index child, const Parents& parents) const {
  Design linear = design(parents, false);
  const PoissonRegression regression = fit_poisson_regression(
      linear.evaluate(outputs_), counts_of(samples_, samples_.variables[child]));
  return generalised_linear(child, parents, std::move(linear), regression.coefficients);
}

Vector FamilyData::smoothed_frequencies(Index variable) const {
  const Index levels = discrete_.levels(variable);
  const double s = options_.smoothing;
  Vector counts = Vector::Constant(levels, s / static_cast<double>(levels));
  for (const Index code : discrete_.codes(variable)) {
    counts[code] += 1 / static_cast<double>(samples_.copies);
  }
  return counts / (rows() + s);
}

FittedFamily FamilyData::fit_table(Index child, const Parents& parents) const {
  const Variable& variable = samples_.variables[child];
  double parameters = static_cast<double>(variable.width - 1);
  for (const Index i : parents) parameters *= static_cast<double>(discrete_.levels(i));
  const Configurations seen = discrete_.configurations(parents);
  const std::vector<Index>& codes = discrete_.codes(child);
  Matrix counts = Matrix::Zero(seen.count, variable.width);
  Matrix levels(seen.count, static_cast<Index>(parents.size()));
  for (Index r = 0; r < samples_.n(); ++r) {
    counts(seen.of_row[r], codes[r]) += 1 / static_cast<double>(samples_.copies);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      levels(seen.of_row[r], static_cast<Index>(k)) =
          static_cast<double>(discrete_.codes(parents[k])[r]);
    }
  }
  const Vector marginal = smoothed_frequencies(child);
  Vector imagined = Vector::Constant(seen.count, options_.smoothing);
  for (std::size_t k = 0; k < parents.size(); ++k) {
    const Vector of_parent = smoothed_frequencies(parents[k]);
    for (Index c = 0; c < seen.count; ++c) {
      imagined[c] *= of_parent[static_cast<Index>(levels(c, static_cast<Index>(k)))];
    }
  }
  for (Index c = 0; c < seen.count; ++c) {
    const double total = counts.row(c).sum();
    counts.row(c) = (counts.row(c) + imagined[c] * marginal.transpose()) / (total + imagined[c]);
  }
  LevelTable table(samples_.variables, parents, std::move(levels));
  return FittedFamily(
      variable, parents,
      std::make_unique<TableForm>(std::move(table), std::move(counts), std::move(marginal)), {},
      parameters);
}

}  // namespace daggnn
