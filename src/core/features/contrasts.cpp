#include "features/contrasts.h"

#include <cmath>

namespace daggnn {

Matrix contrast_table(const Vector& count) {
  const Index levels = count.size();
  const double n = count.sum();
  Matrix table = Matrix::Zero(levels, levels);
  Index columns = 0;
  double before = 0;
  for (Index level = 0; level < levels; ++level) {
    if (count[level] == 0) continue;
    if (before > 0) {
      // Mean 0 over these levels, variance 1 over all rows.
      const double all = before + count[level];
      const double scale = std::sqrt(n * all / (before * count[level])) / all;
      for (Index lower = 0; lower < level; ++lower) {
        if (count[lower] > 0) table(lower, columns) = -count[level] * scale;
      }
      table(level, columns) = before * scale;
      ++columns;
    }
    before += count[level];
  }
  return table.leftCols(columns);
}

Matrix contrasts(const Vector& codes, Index levels) {
  Vector counts = Vector::Zero(levels);
  for (Index r = 0; r < codes.size(); ++r) counts[static_cast<Index>(codes[r])] += 1;
  const Matrix table = contrast_table(counts);
  Matrix features(codes.size(), table.cols());
  for (Index r = 0; r < codes.size(); ++r) {
    features.row(r) = table.row(static_cast<Index>(codes[r]));
  }
  return features;
}

}  // namespace daggnn
