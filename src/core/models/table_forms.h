// Forms with a row of parameters for each configuration of the discrete parents.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "models/regression_form.h"

namespace daggnn {

// The joint levels of discrete variables that occurred, by number.
class LevelTable {
 public:
  LevelTable() = default;
  // levels: configurations x variables
  LevelTable(const std::vector<Variable>& variables, const Parents& discrete, Matrix levels);
  LevelTable(NumberReader& reader, const std::vector<Variable>& variables, const Parents& discrete);
  void write(NumberWriter& writer) const { writer.matrix(levels_); }

  Index size() const { return levels_.rows(); }
  // The probability of each configuration in a row: 1 for one of them where all levels are known
  // and occurred together.
  void probabilities(const Matrix& outputs, Index row, Vector& result) const;

 private:
  std::vector<Index> first_, width_;  // outputs of the variables
  Matrix levels_;
  std::map<std::vector<Index>, Index> index_;
};

// Levels: a distribution for each configuration of the parents.
class TableForm final : public FamilyForm {
 public:
  // probabilities: configurations x levels; marginal: for configurations that did not occur.
  TableForm(LevelTable table, Matrix probabilities, Vector marginal)
      : table_(std::move(table)),
        probabilities_(std::move(probabilities)),
        marginal_(std::move(marginal)) {}
  TableForm(NumberReader& reader, const std::vector<Variable>& variables, Index child,
            const Parents& parents);
  Expected expect(const Matrix& outputs) const override;
  void write(NumberWriter& writer) const override;

 private:
  LevelTable table_;
  Matrix probabilities_;
  Vector marginal_;
};

// A number: a regression for each configuration of the discrete parents.
class ConfigurationsForm final : public FamilyForm {
 public:
  // y = center + scale * [1, features] * coefficients of the configuration. fallback: for
  // configurations that did not occur.
  struct Parameters {
    double center = 0, scale = 1;
    LevelTable table;
    Design design;  // of the numeric parents
    Matrix coefficients;
    Vector spreads;
    Regression fallback;
  };
  explicit ConfigurationsForm(Parameters parameters) : of_(std::move(parameters)) {}
  ConfigurationsForm(NumberReader& reader, const std::vector<Variable>& variables,
                     const Parents& parents);
  Expected expect(const Matrix& outputs) const override;
  void write(NumberWriter& writer) const override;

 private:
  Parameters of_;
};

}  // namespace daggnn
