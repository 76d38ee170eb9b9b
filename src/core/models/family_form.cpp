#include "models/family_form.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace daggnn {

Parents parents_of_kind(const Parents& parents, const std::vector<Variable>& variables, Kind kind) {
  Parents result;
  std::copy_if(parents.begin(), parents.end(), std::back_inserter(result),
               [&](Index i) { return variables[i].kind == kind; });
  return result;
}

Design::Design(NumberReader& reader, const std::vector<Variable>& variables,
               const Parents& parents) {
  const OutputLayout layout(variables);
  for (const Index i : parents) maps_.emplace_back(reader, variables, i, layout);
}

void Design::write(NumberWriter& writer) const {
  for (const FeatureMap& map : maps_) map.write(writer);
}

Index Design::first(std::size_t parent) const {
  Index first = 0;
  for (std::size_t k = 0; k < parent; ++k) first += maps_[k].size();
  return first;
}

Matrix Design::evaluate(const Matrix& outputs) const {
  Matrix features(outputs.rows(), size());
  Index at = 0;
  for (const FeatureMap& map : maps_) {
    features.middleCols(at, map.size()) = map.evaluate(outputs);
    at += map.size();
  }
  return features;
}

Ridge::Ridge(NumberReader& reader, Index features) : direction(reader.vector(features)) {
  const double low = reader.number(), high = reader.number();
  const Index intervals = reader.count();
  if (!(high > low) || intervals < 1) NumberReader::fail();
  spline = UniformSpline(low, high, intervals);
  coefficients = reader.vector(spline.size());
}

void Ridge::write(NumberWriter& writer) const {
  writer.vector(direction);
  for (const double each : {spline.low(), spline.high()}) writer.number(each);
  writer.count(spline.intervals());
  writer.vector(coefficients);
}

Regression::Regression(NumberReader& reader, const std::vector<Variable>& variables,
                       const Parents& parents)
    : center(reader.number()),
      scale(reader.number()),
      spread(reader.number()),
      design(reader, variables, parents),
      coefficients(reader.vector(design.size())),
      centres(reader.matrix()),
      weights(reader.vector(centres.rows())),
      constant(reader.number()),
      length(reader.number()) {
  if (centres.rows() > 0 && centres.cols() != design.size()) NumberReader::fail();
  const Index count = reader.count();
  for (Index k = 0; k < count; ++k) ridges.emplace_back(reader, design.size());
}

void Regression::write(NumberWriter& writer) const {
  for (const double each : {center, scale, spread}) writer.number(each);
  design.write(writer);
  writer.vector(coefficients);
  writer.matrix(centres);
  writer.vector(weights);
  for (const double each : {constant, length}) writer.number(each);
  writer.count(static_cast<Index>(ridges.size()));
  for (const Ridge& ridge : ridges) ridge.write(writer);
}

Vector Regression::mean(const Matrix& outputs) const {
  const Matrix features = design.evaluate(outputs);
  Vector y = features * coefficients;
  for (Index c = 0; c < centres.rows(); ++c) {
    const auto squares = (features.rowwise() - centres.row(c)).rowwise().squaredNorm();
    y.array() += weights[c] * (-squares.array() / (2 * length * length)).exp();
  }
  for (const Ridge& ridge : ridges) {
    const Vector u = features * ridge.direction;
    for (Index r = 0; r < u.size(); ++r) y[r] += ridge.spline.evaluate(u[r], ridge.coefficients);
  }
  return center + scale * (y.array() - constant);
}

RegressionForm::RegressionForm(NumberReader& reader, const std::vector<Variable>& variables,
                               Index child, const Parents& parents) {
  for (Index k = 0; k < variables[child].width; ++k) {
    components_.emplace_back(reader, variables, parents);
  }
}

Expected RegressionForm::expect(const Matrix& outputs) const {
  const Index width = static_cast<Index>(components_.size());
  Expected expected{Matrix(outputs.rows(), width), Matrix(outputs.rows(), width)};
  for (Index k = 0; k < width; ++k) {
    const Regression& component = components_[static_cast<std::size_t>(k)];
    expected.mean.col(k) = component.mean(outputs);
    expected.spread.col(k).setConstant(component.spread);
  }
  return expected;
}

void RegressionForm::write(NumberWriter& writer) const {
  for (const Regression& component : components_) component.write(writer);
}

LevelTable::LevelTable(const std::vector<Variable>& variables, const Parents& discrete,
                       Matrix levels)
    : levels_(std::move(levels)) {
  const OutputLayout layout(variables);
  for (const Index i : discrete) {
    first_.push_back(layout.first[i]);
    width_.push_back(variables[i].width);
  }
  std::vector<Index> key(first_.size());
  for (Index c = 0; c < levels_.rows(); ++c) {
    for (Index k = 0; k < levels_.cols(); ++k) {
      const double level = levels_(c, k);
      if (!(level >= 0 && level < static_cast<double>(width_[k]))) NumberReader::fail();
      key[k] = static_cast<Index>(level);
    }
    index_.emplace(key, c);
  }
}

namespace {

Matrix with_columns(Matrix levels, std::size_t columns) {
  if (levels.cols() != static_cast<Index>(columns)) NumberReader::fail();
  return levels;
}

}  // namespace

LevelTable::LevelTable(NumberReader& reader, const std::vector<Variable>& variables,
                       const Parents& discrete)
    : LevelTable(variables, discrete, with_columns(reader.matrix(), discrete.size())) {}

void LevelTable::probabilities(const Matrix& outputs, Index row, Vector& result) const {
  result.setZero(size());
  std::vector<Index> key(first_.size());
  bool known = true;
  for (std::size_t k = 0; k < key.size() && known; ++k) {
    known = outputs.row(row).segment(first_[k], width_[k]).maxCoeff(&key[k]) == 1;
  }
  if (known) {
    const auto place = index_.find(key);
    if (place != index_.end()) result[place->second] = 1;
    return;
  }
  result.setOnes();
  for (Index c = 0; c < size(); ++c) {
    for (std::size_t k = 0; k < key.size(); ++k) {
      result[c] *= outputs(row, first_[k] + static_cast<Index>(levels_(c, static_cast<Index>(k))));
    }
  }
}

ConfigurationsForm::ConfigurationsForm(NumberReader& reader, const std::vector<Variable>& variables,
                                       const Parents& parents) {
  of_.center = reader.number();
  of_.scale = reader.number();
  of_.table = LevelTable(reader, variables, parents_of_kind(parents, variables, Kind::discrete));
  of_.design = Design(reader, variables, parents_of_kind(parents, variables, Kind::continuous));
  of_.coefficients = reader.matrix(of_.table.size(), 1 + of_.design.size());
  of_.spreads = reader.vector(of_.table.size());
  of_.fallback = Regression(reader, variables, parents);
}

void ConfigurationsForm::write(NumberWriter& writer) const {
  writer.number(of_.center);
  writer.number(of_.scale);
  of_.table.write(writer);
  of_.design.write(writer);
  writer.matrix(of_.coefficients);
  writer.vector(of_.spreads);
  of_.fallback.write(writer);
}

// Where the configuration is not known, mean and variance are those of the mixture.
Expected ConfigurationsForm::expect(const Matrix& outputs) const {
  const Index rows = outputs.rows();
  Matrix features(rows, 1 + of_.design.size());
  features << Vector::Ones(rows), of_.design.evaluate(outputs);
  const Vector fallback = of_.fallback.mean(outputs);
  Expected expected{Matrix(rows, 1), Matrix(rows, 1)};
  Vector share, means(of_.table.size());
  for (Index r = 0; r < rows; ++r) {
    of_.table.probabilities(outputs, r, share);
    const double other = std::max(0.0, 1 - share.sum());
    double mean = other * fallback[r];
    for (Index c = 0; c < share.size(); ++c) {
      if (share[c] == 0) continue;
      means[c] = of_.center + of_.scale * features.row(r).dot(of_.coefficients.row(c));
      mean += share[c] * means[c];
    }
    const auto square = [](double x) { return x * x; };
    double variance = other * (square(of_.fallback.spread) + square(fallback[r] - mean));
    for (Index c = 0; c < share.size(); ++c) {
      if (share[c] > 0) variance += share[c] * (square(of_.spreads[c]) + square(means[c] - mean));
    }
    expected.mean(r, 0) = mean;
    expected.spread(r, 0) = std::sqrt(variance);
  }
  return expected;
}

TableForm::TableForm(NumberReader& reader, const std::vector<Variable>& variables, Index child,
                     const Parents& parents)
    : table_(reader, variables, parents),
      probabilities_(reader.matrix(table_.size(), variables[child].width)),
      marginal_(reader.vector(variables[child].width)) {}

void TableForm::write(NumberWriter& writer) const {
  table_.write(writer);
  writer.matrix(probabilities_);
  writer.vector(marginal_);
}

Expected TableForm::expect(const Matrix& outputs) const {
  Expected expected{Matrix(outputs.rows(), marginal_.size()), {}};
  Vector share;
  for (Index r = 0; r < outputs.rows(); ++r) {
    table_.probabilities(outputs, r, share);
    const double other = std::max(0.0, 1 - share.sum());
    expected.mean.row(r) = other * marginal_.transpose() + share.transpose() * probabilities_;
  }
  return expected;
}

LogitForm::LogitForm(NumberReader& reader, const std::vector<Variable>& variables, Index child,
                     const Parents& parents)
    : design_(reader, variables, parents) {
  logit_.coefficients = reader.matrix(1 + design_.size(), variables[child].width - 1);
}

void LogitForm::write(NumberWriter& writer) const {
  design_.write(writer);
  writer.matrix(logit_.coefficients);
}

Expected LogitForm::expect(const Matrix& outputs) const {
  return {logit_.probabilities(design_.evaluate(outputs)), {}};
}

PoissonForm::PoissonForm(NumberReader& reader, const std::vector<Variable>& variables,
                         const Parents& parents)
    : design_(reader, variables, parents) {
  regression_.coefficients = reader.vector(1 + design_.size());
}

void PoissonForm::write(NumberWriter& writer) const {
  design_.write(writer);
  writer.vector(regression_.coefficients);
}

Expected PoissonForm::expect(const Matrix& outputs) const {
  return {regression_.rates(design_.evaluate(outputs)), {}};
}

namespace {

// Stored in files: new forms come last.
enum FormCode : Index { regression, configurations_of_parents, table, logit, counts, codes };

Distribution distribution_of(Index code) {
  if (code == counts) return Distribution::poisson;
  return code == table || code == logit ? Distribution::categorical : Distribution::normal;
}

FormCode code_of(const FamilyForm& form) {
  if (dynamic_cast<const RegressionForm*>(&form)) return regression;
  if (dynamic_cast<const ConfigurationsForm*>(&form)) return configurations_of_parents;
  if (dynamic_cast<const PoissonForm*>(&form)) return counts;
  return dynamic_cast<const TableForm*>(&form) ? table : logit;
}

}  // namespace

void write_form(const FamilyForm& form, NumberWriter& writer) {
  writer.count(code_of(form));
  form.write(writer);
}

std::unique_ptr<FamilyForm> read_form(NumberReader& reader, const std::vector<Variable>& variables,
                                      Index child, const Parents& parents) {
  const Index code = reader.count_below(codes);
  if (distribution_of(code) != variables[child].distribution()) NumberReader::fail();
  switch (code) {
    case regression:
      return std::make_unique<RegressionForm>(reader, variables, child, parents);
    case configurations_of_parents:
      if (variables[child].width != 1) NumberReader::fail();
      return std::make_unique<ConfigurationsForm>(reader, variables, parents);
    case table:
      return std::make_unique<TableForm>(reader, variables, child, parents);
    case counts:
      return std::make_unique<PoissonForm>(reader, variables, parents);
    default:
      return std::make_unique<LogitForm>(reader, variables, child, parents);
  }
}

}  // namespace daggnn
