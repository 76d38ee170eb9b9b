// What the variables of a data set offer to the local scores: their features and the products of
// these, from rows or, where rows are elsewhere, from moments.
#pragma once

#include <vector>

#include "base/executor.h"
#include "data/samples.h"
#include "features/moments.h"
#include "scores/additive_score.h"

namespace daggnn {

// The features of all variables side by side, and their products.
struct Features {
  std::vector<FeatureBlock> blocks;
  Matrix values, gram;
  std::vector<Matrix> coordinates;  // the linear features of each variable
  std::vector<bool> numeric;
  Vector variances;  // of each variable's first column, in the units of the data
  Vector rounding;   // rounding_share() of each number
};

// A variable that is discrete offers standardised contrasts of its levels that are uncorrelated,
// or nothing where it looks like an identifier; a vector its components; a number its splines.
Matrix features_of(const Samples& samples, const Variable& variable, Index splines);

Features make_features(const Samples& samples, Index splines, Executor& executor);
// Of data whose rows are elsewhere there are no values.
Features features_of(const Moments& moments);

std::vector<FeatureBlock> without_curves(std::vector<FeatureBlock> blocks);

}  // namespace daggnn
