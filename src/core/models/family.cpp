#include "models/family.h"

#include <cmath>
#include <utility>

namespace daggnn {

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

}  // namespace daggnn
