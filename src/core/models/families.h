// The fitted model behind a network: a family for each variable.
//
// Missing values: a prediction takes the parent's own prediction for a missing parent. A
// log-likelihood averages over draws of it given its own parents, weighted by how well they explain
// the observed children: a particle filter along the order of the network (Gordon, Salmond and
// Smith 1993). Its sum over the variables is the likelihood of what is observed.
#pragma once

#include <vector>

#include "base/random.h"
#include "models/family_data.h"

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
  // n x m: the log density of what is observed of each variable, given its parents and what is
  // observed of the variables before it where a parent is missing.
  Matrix log_likelihood(const Eigen::Ref<const Matrix>& values) const;

 private:
  Matrix log_densities(const Matrix& complete) const;
  // draws: of each particle for each column of values, the same in all rows.
  Matrix filtered_log_densities(const Matrix& values,
                                const std::vector<std::vector<NoiseDraw>>& draws) const;
  void update_outputs(Index variable, const Matrix& values, Matrix& outputs) const;

  std::vector<Variable> variables_;
  OutputLayout layout_;
  std::vector<FittedFamily> families_;
  Vector typical_;            // outputs: means and marginal probabilities
  std::vector<Index> order_;  // parents before children
};

}  // namespace daggnn
