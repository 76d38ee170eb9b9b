// Data as every learner sees them: numbers, and what the numbers of each variable mean.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "base/enumeration.h"
#include "base/types.h"

namespace daggnn {

enum class Kind { continuous, discrete };
constexpr Name<Kind> kind_names[] = {{"continuous", Kind::continuous},
                                     {"discrete", Kind::discrete}};

// What a variable receives, see likelihood/likelihood.h: how its values are distributed given its
// parents. As a parent a count is a number.
enum class Distribution { normal, categorical, poisson };
constexpr Name<Distribution> distribution_names[] = {{"normal", Distribution::normal},
                                                     {"categorical", Distribution::categorical},
                                                     {"poisson", Distribution::poisson}};

struct Variable {
  Kind kind;
  Index width;       // continuous: number of components; discrete: number of levels
  Index first;       // its first column in Samples::values
  double error = 0;  // variance of the error that its components are seen with
  Distribution of_number = Distribution::normal;

  Distribution distribution() const {
    return kind == Kind::discrete ? Distribution::categorical : of_number;
  }

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

  // errors: for each variable, or empty where all are seen as they are; numbers: the distribution
  // of each variable that is continuous, or empty where all are normal.
  Samples(MatrixView values_, const std::vector<Kind>& kinds, const std::vector<Index>& widths,
          const std::vector<double>& errors = {}, const std::vector<Distribution>& numbers = {})
      : values(values_) {
    Index first = 0;
    for (std::size_t j = 0; j < kinds.size(); ++j) {
      variables.push_back({kinds[j], widths[j], first, errors.empty() ? 0.0 : errors[j],
                           numbers.empty() ? Distribution::normal : numbers[j]});
      if (variables.back().distribution() == Distribution::poisson && widths[j] != 1) {
        throw Error("a count must be a single number");
      }
      first += variables.back().columns();
    }
    if (first != values.cols()) throw Error("the widths of the variables do not add up");
  }

  // Other rows of the same variables.
  Samples(MatrixView values_, std::vector<Variable> variables_)
      : values(values_), variables(std::move(variables_)) {}

  Index n() const { return values.rows(); }
  // What counts as evidence.
  double effective_rows() const {
    if (total > 0) return total;
    return static_cast<double>(values.rows()) / static_cast<double>(copies);
  }
  Index m() const { return static_cast<Index>(variables.size()); }
};

}  // namespace daggnn
