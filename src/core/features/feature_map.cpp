#include "features/feature_map.h"

#include <cmath>
#include <limits>

#include "features/contrasts.h"

namespace daggnn {

OutputLayout::OutputLayout(const std::vector<Variable>& variables) {
  for (const Variable& variable : variables) {
    first.push_back(columns);
    columns += variable.width;
  }
}

Matrix outputs_of(const Eigen::Ref<const Matrix>& values, const std::vector<Variable>& variables) {
  const OutputLayout layout(variables);
  Matrix outputs = Matrix::Zero(values.rows(), layout.columns);
  for (std::size_t j = 0; j < variables.size(); ++j) {
    const Variable& variable = variables[j];
    if (variable.kind == Kind::continuous) {
      outputs.middleCols(layout.first[j], variable.width) =
          values.middleCols(variable.first, variable.width);
      continue;
    }
    for (Index r = 0; r < values.rows(); ++r) {
      const double code = values(r, variable.first);
      if (std::isnan(code)) {
        outputs.row(r)
            .segment(layout.first[j], variable.width)
            .setConstant(std::numeric_limits<double>::quiet_NaN());
      } else {
        if (!(code >= 0 && code < static_cast<double>(variable.width))) {
          throw Error("A level is not one of those that the network knows.");
        }
        outputs(r, layout.first[j] + static_cast<Index>(code)) = 1;
      }
    }
  }
  return outputs;
}

FeatureMap::FeatureMap(const Matrix& outputs, const Variable& variable, Index first, Index splines)
    : first_(first) {
  if (variable.kind == Kind::discrete) {
    table_ = contrast_table(outputs.colwise().sum().transpose());
    return;
  }
  for (Index k = 0; k < variable.width; ++k) {
    const Vector column = outputs.col(k);
    if (!(column.maxCoeff() > column.minCoeff())) continue;
    components_.push_back(k);
    bases_.emplace_back(column, variable.width == 1 ? splines : 1);
  }
}

FeatureMap::FeatureMap(NumberReader& reader, const std::vector<Variable>& variables, Index variable,
                       const OutputLayout& layout)
    : first_(layout.first[variable]) {
  const Index width = variables[variable].width, components = reader.count();
  for (Index k = 0; k < components; ++k) {
    components_.push_back(reader.count_below(width));
    bases_.emplace_back(reader);
  }
  table_ = reader.matrix();
  if (table_.size() > 0 && table_.rows() != width) NumberReader::fail();
}

void FeatureMap::write(NumberWriter& writer) const {
  writer.count(static_cast<Index>(components_.size()));
  for (std::size_t k = 0; k < components_.size(); ++k) {
    writer.count(components_[k]);
    bases_[k].write(writer);
  }
  writer.matrix(table_);
}

Index FeatureMap::linear() const { return table_.cols() + static_cast<Index>(components_.size()); }

Index FeatureMap::size() const {
  Index size = table_.cols();
  for (const SplineBasis& basis : bases_) size += basis.size();
  return size;
}

FeatureMap FeatureMap::without_curves() const {
  FeatureMap result = *this;
  for (SplineBasis& basis : result.bases_) basis = basis.linear();
  return result;
}

Matrix FeatureMap::evaluate(const Matrix& outputs) const {
  Matrix features(outputs.rows(), size());
  if (table_.cols() > 0) features = outputs.middleCols(first_, table_.rows()) * table_;
  Index smooth = linear();
  for (std::size_t k = 0; k < components_.size(); ++k) {
    const Matrix basis = bases_[k].evaluate(outputs.col(first_ + components_[k]));
    features.col(static_cast<Index>(k)) = basis.col(0);
    features.middleCols(smooth, basis.cols() - 1) = basis.rightCols(basis.cols() - 1);
    smooth += basis.cols() - 1;
  }
  return features;
}

}  // namespace daggnn
