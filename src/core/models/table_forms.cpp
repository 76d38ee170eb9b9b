#include "models/table_forms.h"

#include <algorithm>
#include <cmath>

#include "scores/discrete_variables.h"

namespace daggnn {

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

}  // namespace daggnn
