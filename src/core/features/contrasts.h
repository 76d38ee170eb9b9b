// What a discrete variable offers to its children: contrasts of its levels.
#pragma once

#include "base/types.h"

namespace daggnn {

// Helmert contrasts weighted by frequency: each level against all before it. counts: of each level;
// a row for each level, 0 for those that do not occur.
Matrix contrast_table(const Vector& counts);

// With fewer rows than this for each level of a factor, its levels tell rows apart and nothing
// else.
constexpr double least_rows_per_level = 2;

// codes: from 0. Columns with mean 0 and variance 1 that are uncorrelated and span the indicators
// of the levels: one less than the number of levels that occur.
Matrix contrasts(const Vector& codes, Index levels);

}  // namespace daggnn
