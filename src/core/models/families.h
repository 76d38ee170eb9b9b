// The fitted model behind a network: a family for each variable.
//
// Missing values: a prediction takes the parent's own prediction for a missing parent, a
// log-likelihood averages over draws of it given its own parents. Observed children of a missing
// value do not tell of it.
#pragma once

#include <vector>

#include "base/random.h"
#include "models/family.h"

namespace daggnn {

class Families {
 public:
  // parents: of each variable, sorted; a DAG.
  Families(const FamilyData& data, const std::vector<Parents>& parents, Executor& executor);
  // From numbers(); anything else is an error.
  explicit Families(const std::vector<double>& numbers);
  std::vector<double> numbers() const;

  const std::vector<Variable>& variables() const { return variables_; }
  const FittedFamily& of(Index variable) const { return families_[variable]; }
  Index columns() const;      // of values
  Vector parameters() const;  // effective number of each family

  // values: n rows in the columns of Samples::values, NaN where missing. What the families expect:
  // n x outputs, a column for each component of a number and each level of a discrete variable.
  Matrix predict(const Eigen::Ref<const Matrix>& values) const;
  // New rows. edges: m x m; a parent whose edge is 0 plays no part, as if it were at its mean.
  Matrix simulate(Index n, const Matrix& edges, Random& random) const;
  // n x m: the log density of what is observed of each variable, given its parents.
  Matrix log_likelihood(const Eigen::Ref<const Matrix>& values) const;

 private:
  // Missing values are drawn on the way. draws: for each column of values, the same in all rows.
  Matrix log_densities(const Matrix& values, const std::vector<NoiseDraw>& draws) const;
  void update_outputs(Index variable, const Matrix& values, Matrix& outputs) const;

  std::vector<Variable> variables_;
  OutputLayout layout_;
  std::vector<FittedFamily> families_;
  Vector typical_;            // outputs: means and marginal probabilities
  std::vector<Index> order_;  // parents before children
};

// How much each edge carries, [i, j] for i -> j.
struct EdgeEffects {
  // The standard deviation of the parent's contribution relative to the child's, with the sign of
  // the slope between two numbers. Where one end is discrete or the parent's contribution cannot be
  // told from that of the others: sqrt(1 - exp(-2 g / n)), where g is the log-likelihood that is
  // lost without the parent; this is the correlation that a linear effect would need.
  Matrix shares;
  // Between two numbers in the units of the data, which for a linear effect is the regression
  // coefficient; from a number to a count the coefficient of the log rate; else the share.
  Matrix weights;
};
// data: what the families were fitted to.
EdgeEffects edge_effects(const FamilyData& data, const Families& families, Executor& executor);

// The families of a DAG, and the effects of its edges where they are wanted. Missing values are
// drawn as the search draws them, given their Markov blankets.
struct NetworkFit {
  Families families;
  EdgeEffects effects;
};
NetworkFit fit_families(const Samples& samples, const std::vector<Parents>& parents,
                        const FamilyOptions& options, bool with_effects, Executor& executor);

}  // namespace daggnn
