#include "data/missing_cells.h"

#include <algorithm>
#include <cmath>

namespace daggnn {

Index position_in(const std::vector<Index>& sorted, Index value) {
  return std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin();
}

Index MissingCells::position(Index row) const { return position_in(rows, row); }

std::vector<MissingCells> find_missing(const Samples& samples) {
  std::vector<MissingCells> cells(static_cast<std::size_t>(samples.values.cols()));
  for (Index c = 0; c < samples.values.cols(); ++c) {
    for (Index r = 0; r < samples.n(); ++r) {
      if (std::isnan(samples.values(r, c))) cells[c].rows.push_back(r);
    }
  }
  return cells;
}

std::vector<Index> incomplete_rows(const std::vector<MissingCells>& cells) {
  std::vector<Index> rows;
  for (const MissingCells& column : cells) {
    rows.insert(rows.end(), column.rows.begin(), column.rows.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

}  // namespace daggnn
