// The design matrix of the linear features of some parents.
#pragma once

#include <vector>

#include "scores/additive_score.h"

namespace daggnn {

inline Matrix linear_design(const Matrix& features, const std::vector<FeatureBlock>& blocks,
                            const Parents& parents) {
  Index columns = 0;
  for (const Index i : parents) columns += blocks[i].linear;
  Matrix X(features.rows(), columns);
  Index at = 0;
  for (const Index i : parents) {
    X.middleCols(at, blocks[i].linear) = features.middleCols(blocks[i].first, blocks[i].linear);
    at += blocks[i].linear;
  }
  return X;
}

}  // namespace daggnn
