// The forms that the distribution of a child given its parents can have, independent of the data
// that they were fitted to.
//
//   RegressionForm      numbers: a sum of functions, one for each parent, curves of weighted sums
//   of
//                       the parents, or one function of all
//   ConfigurationsForm  a number: a regression for each configuration of its discrete parents
//   TableForm           levels: a distribution for each configuration of the parents
//   LogitForm           levels: a multinomial logit on the parents' linear features
//   PoissonForm         a count: a log-linear rate on the parents' linear features
// A parent's level need not be known: its probabilities then stand for it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "base/numbers.h"
#include "features/feature_map.h"
#include "features/uniform_spline.h"
#include "scores/local_score.h"
#include "scores/multinomial_logit.h"
#include "scores/poisson_score.h"

namespace daggnn {

// What the parents say of their child, a row for each row.
struct Expected {
  Matrix mean;    // of each component of a number; the probability of each level; the rate
  Matrix spread;  // standard deviation of the noise of each component; none for levels and counts
};

class FamilyForm {
 public:
  virtual ~FamilyForm() = default;
  // outputs: of all variables, complete for the parents.
  virtual Expected expect(const Matrix& outputs) const = 0;
  virtual void write(NumberWriter& writer) const = 0;
};

// The parents' features side by side.
class Design {
 public:
  Design() = default;
  explicit Design(std::vector<FeatureMap> maps) : maps_(std::move(maps)) {}
  Design(NumberReader& reader, const std::vector<Variable>& variables, const Parents& parents);
  void write(NumberWriter& writer) const;

  Index size() const { return first(maps_.size()); }
  Index first(std::size_t parent) const;  // of its features
  Matrix evaluate(const Matrix& outputs) const;
  const std::vector<FeatureMap>& maps() const { return maps_; }

 private:
  std::vector<FeatureMap> maps_;  // one for each parent
};

// A curve of a weighted sum of features.
struct Ridge {
  Vector direction;
  UniformSpline spline;
  Vector coefficients;

  Ridge() = default;
  Ridge(NumberReader& reader, Index features);
  void write(NumberWriter& writer) const;
};

// y = center + scale * (features * coefficients + ridges + kernel with the centres * weights
//                       - constant)
struct Regression {
  double center = 0, scale = 1;
  double spread = 1;  // of the noise
  Design design;
  Vector coefficients;
  // The kernel is that of JointScore, on the features; no centres where effects are additive.
  Matrix centres;
  Vector weights;
  double constant = 0, length = 1;
  std::vector<Ridge> ridges;

  bool additive() const { return centres.rows() == 0 && ridges.empty(); }

  Regression() = default;
  Regression(NumberReader& reader, const std::vector<Variable>& variables, const Parents& parents);
  void write(NumberWriter& writer) const;
  Vector mean(const Matrix& outputs) const;
};

class RegressionForm final : public FamilyForm {
 public:
  explicit RegressionForm(std::vector<Regression> components)
      : components_(std::move(components)) {}
  RegressionForm(NumberReader& reader, const std::vector<Variable>& variables, Index child,
                 const Parents& parents);
  Expected expect(const Matrix& outputs) const override;
  void write(NumberWriter& writer) const override;

  const std::vector<Regression>& components() const { return components_; }

 private:
  std::vector<Regression> components_;
};

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

class LogitForm final : public FamilyForm {
 public:
  LogitForm(Design design, MultinomialLogit logit)
      : design_(std::move(design)), logit_(std::move(logit)) {}
  LogitForm(NumberReader& reader, const std::vector<Variable>& variables, Index child,
            const Parents& parents);
  Expected expect(const Matrix& outputs) const override;
  void write(NumberWriter& writer) const override;

 private:
  Design design_;
  MultinomialLogit logit_;
};

class PoissonForm final : public FamilyForm {
 public:
  PoissonForm(Design design, PoissonRegression regression)
      : design_(std::move(design)), regression_(std::move(regression)) {}
  PoissonForm(NumberReader& reader, const std::vector<Variable>& variables, const Parents& parents);
  Expected expect(const Matrix& outputs) const override;
  void write(NumberWriter& writer) const override;

  // What the first feature of the k-th parent adds to the log rate.
  double slope(std::size_t k) const { return regression_.coefficients[1 + design_.first(k)]; }

 private:
  Design design_;
  PoissonRegression regression_;
};

// A form with its kind, as numbers.
void write_form(const FamilyForm& form, NumberWriter& writer);
std::unique_ptr<FamilyForm> read_form(NumberReader& reader, const std::vector<Variable>& variables,
                                      Index child, const Parents& parents);

// The parents of one kind.
Parents parents_of_kind(const Parents& parents, const std::vector<Variable>& variables, Kind kind);

}  // namespace daggnn
