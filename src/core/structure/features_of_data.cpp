#include "structure/features_of_data.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "data/tails.h"
#include "features/contrasts.h"
#include "features/spline_basis.h"
#include "linalg/gemm.h"

namespace daggnn {

namespace {

// Standardised columns, to the precision of 1.5e-8 standard deviations: the same bits in any unit,
// so that search, which meets ties, finds the same network.
Matrix without_units(Matrix columns) {
  constexpr double precision = 1 << 26;
  for (Index k = 0; k < columns.cols(); ++k) {
    auto column = columns.col(k);
    column.array() -= column.mean();
    const double spread = std::sqrt(column.squaredNorm() / static_cast<double>(column.size()));
    column = (column.array() / spread * precision).round() / precision;
  }
  return columns;
}

}  // namespace

Matrix features_of(const Samples& samples, const Variable& variable, Index splines) {
  if (variable.kind == Kind::discrete) {
    const Vector codes = samples.values.col(variable.first);
    std::vector<bool> seen(static_cast<std::size_t>(variable.width), false);
    for (Index r = 0; r < codes.size(); ++r) seen[static_cast<std::size_t>(codes[r])] = true;
    const auto levels = static_cast<double>(std::count(seen.begin(), seen.end(), true));
    if (levels * least_rows_per_level > samples.effective_rows()) return Matrix(samples.n(), 0);
    return contrasts(codes, variable.width);
  }
  const Matrix columns = without_units(samples.values.middleCols(variable.first, variable.width));
  return variable.width == 1 ? SplineBasis(columns, splines).evaluate(columns) : columns;
}

Features make_features(const Samples& samples, Index splines, Executor& executor) {
  Features features;
  std::vector<Matrix> parts(static_cast<std::size_t>(samples.m()));
  features.variances.resize(samples.m());
  features.rounding.setZero(samples.m());
  executor.run(samples.m(), [&](Index j) {
    const Variable& variable = samples.variables[j];
    const auto column = samples.values.col(variable.first);
    parts[j] = features_of(samples, variable, splines);
    features.variances[j] = (column.array() - column.mean()).square().mean();
    const bool single = variable.kind == Kind::continuous && variable.width == 1;
    if (single) features.rounding[j] = rounding_share(parts[j].col(0));
  });
  Index columns = 0;
  for (Index j = 0; j < samples.m(); ++j) {
    const Variable& variable = samples.variables[j];
    const Index count = parts[j].cols();
    const bool single = variable.kind == Kind::continuous && variable.width == 1;
    const bool normal = variable.distribution() == Distribution::normal;
    const Index linear = single ? 1 : count;
    features.coordinates.push_back(parts[j].leftCols(linear));
    features.numeric.push_back(normal && variable.width == 1);
    features.blocks.push_back({columns, linear, count - linear, normal ? variable.width : 0,
                               variable.error / features.variances[j]});
    columns += count;
  }
  features.values.resize(samples.n(), columns);
  for (std::size_t j = 0; j < parts.size(); ++j) {
    features.values.middleCols(features.blocks[j].first, parts[j].cols()) = parts[j];
  }
  const Index n = samples.n();
  features.gram.resize(columns, columns);
  gram(columns, n, 1 / static_cast<double>(n), features.values.data(), features.gram.data(),
       executor);
  return features;
}

Features features_of(const Moments& moments) {
  Features features;
  Index columns = 0;
  for (const Index size : moments.sizes) {
    features.blocks.push_back({columns, 1, size - 1, 1});
    columns += size;
  }
  features.gram = moments.gram;
  features.variances = moments.variances;
  features.rounding = Vector::Zero(moments.variances.size());
  features.numeric.assign(moments.sizes.size(), true);
  return features;
}

std::vector<FeatureBlock> without_curves(std::vector<FeatureBlock> blocks) {
  for (FeatureBlock& block : blocks) block.smooth = 0;
  return blocks;
}

}  // namespace daggnn
