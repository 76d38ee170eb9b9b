// Small mixed data: discrete variables first, then numbers.
#pragma once

#include "data/samples.h"
#include "small_data.h"

struct MixedData {
  daggnn::Matrix values;
  std::vector<daggnn::Kind> kinds;
  std::vector<daggnn::Index> widths;
  daggnn::Matrix features, gram;
  std::vector<daggnn::FeatureBlock> blocks;

  daggnn::Samples samples() const {
    return daggnn::Samples(daggnn::MatrixView(values.data(), values.rows(), values.cols()), kinds,
                           widths);
  }
};

// levels: of each column; 0 for a number.
inline MixedData mixed_data(const daggnn::Matrix& values,
                            const std::vector<daggnn::Index>& levels) {
  MixedData data{values, {}, {}, {}, {}, {}};
  data.features.resize(values.rows(), 0);
  for (daggnn::Index j = 0; j < values.cols(); ++j) {
    const daggnn::Index count = levels[static_cast<std::size_t>(j)];
    const daggnn::Vector column = values.col(j);
    const daggnn::Matrix part = count > 0 ? daggnn::contrasts(column, count)
                                          : daggnn::SplineBasis(column, 4).evaluate(column);
    data.kinds.push_back(count > 0 ? daggnn::Kind::discrete : daggnn::Kind::continuous);
    data.widths.push_back(count > 0 ? count : 1);
    const daggnn::Index first = data.features.cols(), linear = count > 0 ? part.cols() : 1;
    data.blocks.push_back({first, linear, part.cols() - linear, count > 0 ? 0 : 1, 0});
    data.features.conservativeResize(Eigen::NoChange, first + part.cols());
    data.features.rightCols(part.cols()) = part;
  }
  data.gram = data.features.transpose() * data.features / static_cast<double>(values.rows());
  return data;
}

// Two factors with 2 and 3 levels, and two numbers that depend on them and on each other.
inline MixedData small_mixed_data(daggnn::Index n, std::uint64_t seed) {
  daggnn::Random random(seed);
  daggnn::Matrix values(n, 4);
  for (daggnn::Index r = 0; r < n; ++r) {
    const double a = static_cast<double>(random.below(2));
    const double b = static_cast<double>(random.uniform() < 0.6 ? random.below(3) : 2 * a);
    const double x = a + (1 + a) * random.normal();
    values.row(r) << a, b, x, (b - 1) * x + 0.5 * random.normal();
  }
  return mixed_data(values, {2, 3, 0, 0});
}
