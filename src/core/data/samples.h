// Data as every learner sees them: numbers, and what the numbers of each variable mean.
#pragma once

#include <memory>
#include <vector>

#include "base/enumeration.h"
#include "base/types.h"

namespace daggnn {

enum class Kind { continuous, discrete };
constexpr Name<Kind> kind_names[] = {{"continuous", Kind::continuous},
                                     {"discrete", Kind::discrete}};

struct Variable {
  Kind kind;
  Index width;       // continuous: number of components; discrete: number of levels
  Index first;       // its first column in Samples::values
  double error = 0;  // variance of the error that its components are seen with

  // A discrete variable is stored in one column of level codes.
  Index columns() const { return kind == Kind::continuous ? width : 1; }
};

// Counts the rows of data that are elsewhere. Called from one thread only.
struct JointCounts {
  virtual ~JointCounts() = default;
  // How many rows have each joint level of the discrete variables that occurs, in any order.
  virtual std::vector<double> count(const std::vector<Index>& variables) const = 0;
};

// n rows of m variables. The numbers belong to the caller and outlive this view of them.
struct Samples {
  MatrixView values;  // n x columns; level codes count from 0; NaN is missing
  std::vector<Variable> variables;
  Index copies = 1;  // rows that stand for one: missing values are drawn several times
  // Where rows stand for others: how many each stands for, or none of them is here, and how many
  // there are in all.
  const double* counts = nullptr;
  std::shared_ptr<const JointCounts> elsewhere;
  double total = 0;

  // errors: for each variable, or empty where all are seen as they are.
  Samples(MatrixView values_, const std::vector<Kind>& kinds, const std::vector<Index>& widths,
          const std::vector<double>& errors = {})
      : values(values_) {
    Index first = 0;
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      variables.push_back({kinds[j], widths[j], first, errors.empty() ? 0.0 : errors[j]});
      first += variables.back().columns();
    }
    if (first != values.cols()) throw Error("the widths of the variables do not add up");
  }

  Index n() const { return values.rows(); }
  // What counts as evidence.
  double effective_rows() const {
    if (total > 0) return total;
    return static_cast<double>(values.rows()) / static_cast<double>(copies);
  }
  Index m() const { return static_cast<Index>(variables.size()); }
};

}  // namespace daggnn
