// Sufficient statistics of numbers whose rows do not fit into memory or stay in a database: sums of
// products of their features. Once these are known, no score of a linear or additive family
// depends on the number of rows.
#pragma once

#include <vector>

#include "base/executor.h"
#include "base/types.h"
#include "features/spline_basis.h"

namespace daggnn {

// Sums over the rows of the products of 1 and all features, (P + 1) x (P + 1). values: complete
// rows, a column for each basis. Those of several chunks of rows add up.
Matrix feature_products(const std::vector<SplineBasis>& bases,
                        const Eigen::Ref<const Matrix>& values, Executor& executor);

struct Moments {
  double n;                  // rows
  std::vector<Index> sizes;  // features of each variable, the linear one first
  Matrix gram;               // of the features, standardised: P x P, divided by n
  Vector variances;          // of each variable in the units of the data, divided by n
  Vector tails;              // tail_weight() of each variable; 0 where the rows tell nothing
};

// scales: the unit of each variable's linear feature.
Moments standardised(const Matrix& products, const std::vector<Index>& sizes, const Vector& scales);

}  // namespace daggnn
