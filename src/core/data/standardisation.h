// Means, spreads and the common unit of numeric columns, over the values that are not missing.
#pragma once

#include <vector>

#include "base/executor.h"
#include "data/samples.h"

namespace daggnn {

struct Moments {
  double mean, spread;  // spread: the standard deviation, 1 where nothing varies
};
Moments moments(const Samples& samples, Index column);

// About the standard deviation of noise that columns have in common: the median over the columns of
// what the other columns leave unexplained by linear regression. columns: of samples.values;
// moments: theirs; counted: those that the median is taken over.
double common_unit(const Samples& samples, const std::vector<Index>& columns,
                   const std::vector<Moments>& moments, const std::vector<bool>& counted,
                   Executor& executor);

// The frequencies of levels, with half a row added to each so that all have a logarithm.
Vector level_frequencies(const Samples& samples, const Variable& variable);

// `count` of n rows, evenly spaced.
std::vector<Index> spaced_rows(Index n, Index count);

}  // namespace daggnn
