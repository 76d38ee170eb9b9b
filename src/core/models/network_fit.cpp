#include "models/network_fit.h"

#include <algorithm>
#include <cmath>

#include "models/generalised_linear_form.h"
#include "models/imputation.h"
#include "models/regression_form.h"

namespace daggnn {

namespace {

// Turns over the incomplete variables before the families are fitted.
constexpr int sweeps = 6;

// The standard deviation of what a parent, the k-th, adds to the child, relative to the child's.
double contribution(const RegressionForm& form, std::size_t k, const Matrix& features) {
  double explained = 0, total = 0;
  for (const Regression& component : form.components()) {
    const Index size = component.design.maps()[k].size();
    const Vector effect =
        features.leftCols(size) * component.coefficients.segment(component.design.first(k), size);
    const double square = component.scale * component.scale;
    explained += square * (effect.array() - effect.mean()).square().mean();
    total += square;
  }
  return std::sqrt(explained / total);
}

}  // namespace

std::vector<EdgeEffect> edge_effects(const FamilyData& data, const Families& families,
                                     Executor& executor) {
  const Samples& samples = data.samples();
  const Index m = samples.m();
  std::vector<std::vector<EdgeEffect>> of_child(static_cast<std::size_t>(m));
  const auto is_number = [&](Index j) { return samples.variables[j].kind == Kind::continuous; };
  const auto is_scalar = [&](Index j) { return is_number(j) && samples.variables[j].width == 1; };
  const auto is_normal = [&](Index j) {
    return is_scalar(j) && samples.variables[j].distribution() == Distribution::normal;
  };
  const auto spread = [&](Index j) { return data.standard_deviation(samples.variables[j].first); };
  executor.run(m, [&](Index j) {
    const FittedFamily& family = families.of(j);
    const Parents& parents = family.parents();
    const auto* const form = dynamic_cast<const RegressionForm*>(&family.form());
    const bool additive = form && form->components()[0].additive();
    const auto* const linear = dynamic_cast<const GeneralisedLinearForm*>(&family.form());
    const bool is_count = linear && linear->distribution() == Distribution::poisson;
    for (std::size_t k = 0; k < parents.size(); ++k) {
      const Index i = parents[k];
      double share;
      if (additive && is_number(i)) {
        share = contribution(*form, k, data.features(i));
        const Regression& first = form->components()[0];
        const bool sloped = is_scalar(i) && is_scalar(j) && first.design.maps()[k].size() > 0;
        if (sloped && first.coefficients[first.design.first(k)] < 0) share = -share;
      } else {
        const FittedFamily without = data.fit(j, without_parent(parents, k));
        const double gain = data.log_likelihood(family) - data.log_likelihood(without);
        share = std::sqrt(1 - std::exp(-2 * std::max(gain, 0.0) / samples.effective_rows()));
      }
      const bool log_linear = is_count && is_scalar(i) && spread(i) > 0;
      const double slope = log_linear ? linear->slope(k) / spread(i) : 0;
      const double weight = log_linear                     ? slope
                            : is_scalar(i) && is_normal(j) ? share * spread(j) / spread(i)
                                                           : share;
      of_child[j].push_back({i, j, std::copysign(share, log_linear ? slope : share), weight});
    }
  });
  std::vector<EdgeEffect> effects;
  for (const std::vector<EdgeEffect>& some : of_child) {
    effects.insert(effects.end(), some.begin(), some.end());
  }
  return effects;
}

NetworkFit fit_families(const Samples& samples, const std::vector<Parents>& parents,
                        const FamilyOptions& options, bool with_effects, Executor& executor) {
  const auto fit = [&](const Samples& complete) {
    const FamilyData data(complete, options);
    Families families(data, parents, executor);
    std::vector<EdgeEffect> effects;
    if (with_effects) effects = edge_effects(data, families, executor);
    return NetworkFit{std::move(families), std::move(effects)};
  };
  if (!has_missing(samples)) return fit(samples);
  Imputation imputation(samples, options.structure.copies, options.structure.search.seed);
  imputation.draw(parents, sweeps);
  return fit(imputation.completed());
}

}  // namespace daggnn
