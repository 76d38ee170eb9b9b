#include "data/standardisation.h"

#include <algorithm>
#include <cmath>

#include "linalg/gemm.h"

namespace daggnn {

Moments moments(const Samples& samples, Index column) {
  double sum = 0, square = 0, count = 0;
  for (Index r = 0; r < samples.n(); ++r) {
    const double x = samples.values(r, column);
    if (std::isnan(x)) continue;
    sum += x;
    ++count;
  }
  const double mean = count > 0 ? sum / count : 0;
  for (Index r = 0; r < samples.n(); ++r) {
    const double x = samples.values(r, column);
    if (!std::isnan(x)) square += (x - mean) * (x - mean);
  }
  return {mean, square > 0 ? std::sqrt(square / count) : 1};
}

double common_unit(const Samples& samples, const std::vector<Index>& columns,
                   const std::vector<Moments>& moments, const std::vector<bool>& counted,
                   Executor& executor) {
  if (samples.n() == 0) return 1;
  constexpr Index block = 256;
  const Index C = static_cast<Index>(columns.size());
  Matrix correlation = Matrix::Zero(C, C), Z(block, C);
  for (Index top = 0; top < samples.n(); top += block) {
    const Index rows = std::min(block, samples.n() - top);
    for (Index c = 0; c < C; ++c) {
      for (Index r = 0; r < rows; ++r) {
        const double x = samples.values(top + r, columns[c]);
        Z(r, c) = std::isnan(x) ? 0 : (x - moments[c].mean) / moments[c].spread;
      }
    }
    gemm(C, C, rows, 1, {Z.data(), block, true}, {Z.data(), block}, 1, correlation.data(), C,
         executor);
  }
  correlation /= static_cast<double>(samples.n());
  // Fewer rows than columns leave nothing unexplained: the ridge keeps the answer sensible.
  correlation.diagonal().array() += 0.01;
  const Vector precision = correlation.llt().solve(Matrix::Identity(C, C)).diagonal().cwiseMax(1);
  std::vector<double> unexplained;
  for (Index c = 0; c < C; ++c) {
    if (counted[c]) unexplained.push_back(moments[c].spread / std::sqrt(precision[c]));
  }
  if (unexplained.empty()) return 1;
  const auto middle = unexplained.begin() + static_cast<std::ptrdiff_t>(unexplained.size() / 2);
  std::nth_element(unexplained.begin(), middle, unexplained.end());
  return *middle;
}

Vector level_frequencies(const Samples& samples, const Variable& variable) {
  Vector frequency = Vector::Constant(variable.width, 0.5);
  for (Index r = 0; r < samples.n(); ++r) {
    const double level = samples.values(r, variable.first);
    if (!std::isnan(level)) ++frequency[static_cast<Index>(level)];
  }
  return frequency / frequency.sum();
}

std::vector<Index> spaced_rows(Index n, Index count) {
  std::vector<Index> rows(static_cast<std::size_t>(std::min(n, count)));
  const double step =
      static_cast<double>(n) / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k] = std::min(n - 1, static_cast<Index>(static_cast<double>(k) * step));
  }
  return rows;
}

}  // namespace daggnn
