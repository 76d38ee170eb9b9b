// Chosen rows and columns of a matrix.
#pragma once

#include <vector>

#include "base/types.h"

namespace daggnn {

inline Matrix submatrix(const Matrix& from, const std::vector<Index>& rows,
                        const std::vector<Index>& columns) {
  Matrix chosen(static_cast<Index>(rows.size()), static_cast<Index>(columns.size()));
  for (Index c = 0; c < chosen.cols(); ++c) {
    const double* const column = from.data() + columns[static_cast<std::size_t>(c)] * from.rows();
    double* const to = chosen.data() + c * chosen.rows();
    for (std::size_t r = 0; r < rows.size(); ++r) to[r] = column[rows[r]];
  }
  return chosen;
}

inline Matrix rows_of(const Eigen::Ref<const Matrix>& from, const std::vector<Index>& rows) {
  Matrix chosen(static_cast<Index>(rows.size()), from.cols());
  for (Index k = 0; k < chosen.rows(); ++k) {
    chosen.row(k) = from.row(rows[static_cast<std::size_t>(k)]);
  }
  return chosen;
}

}  // namespace daggnn
