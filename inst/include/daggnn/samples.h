// Data as every learner sees them: numbers, and what the numbers of each variable mean.
#pragma once

#include <vector>

#include "types.h"

namespace daggnn {

enum class Kind { continuous, discrete };

struct Variable {
  Kind kind;
  Index width;  // continuous: number of components; discrete: number of levels
  Index first;  // its first column in Samples::values

  // A discrete variable is stored in one column of level codes.
  Index columns() const { return kind == Kind::continuous ? width : 1; }
};

// n rows of m variables. The numbers belong to the caller and outlive this view of them.
struct Samples {
  MatrixView values;  // n x columns; level codes count from 0; NaN is missing
  std::vector<Variable> variables;

  Samples(MatrixView values_, const std::vector<Kind>& kinds, const std::vector<Index>& widths)
      : values(values_) {
    Index first = 0;
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      variables.push_back({kinds[j], widths[j], first});
      first += variables.back().columns();
    }
    if (first != values.cols()) throw Error("the widths of the variables do not add up");
  }

  Index n() const { return values.rows(); }
  Index m() const { return static_cast<Index>(variables.size()); }
};

}  // namespace daggnn
