// The missing cells of each column of the samples, and the values imputed for them.
#pragma once

#include <vector>

#include "data/samples.h"

namespace daggnn {

struct MissingCells {
  std::vector<Index> rows;  // sorted
  Matrix imputed;           // a row for each: a number, or probabilities of levels

  // Where a row is among `rows`.
  Index position(Index row) const;
};

// One for each column of samples.values, without imputed values.
std::vector<MissingCells> find_missing(const Samples& samples);
// The rows that miss some value, sorted.
std::vector<Index> incomplete_rows(const std::vector<MissingCells>& cells);
// Where a value is in a sorted vector.
Index position_in(const std::vector<Index>& sorted, Index value);

}  // namespace daggnn
