// What the families of a network are fitted to: complete samples, and the feature map of every
// variable.
#pragma once

#include <vector>

#include "models/design.h"
#include "models/family.h"
#include "scores/discrete_variables.h"
#include "search/structure_options.h"

namespace daggnn {

struct FamilyOptions {
  // Which effects and which density of the noise, and the charges by which each family chooses
  // among them. Automatic effects are additive, an automatic density is normal.
  StructureOptions structure;
  // Tables of probabilities: as if so many rows more had been seen, in which the variables are
  // independent with the frequencies that they have. These are Dirichlet priors of one prior
  // network (Heckerman, Geiger and Chickering 1995), so that equivalent networks have the same
  // joint distribution.
  double smoothing = 1;
};

class FamilyData {
 public:
  FamilyData(const Samples& samples, const FamilyOptions& options);

  FittedFamily fit(Index child, const Parents& parents) const;
  // Of the samples, copies of a row counting as one.
  double log_likelihood(const FittedFamily& family) const;

  const Samples& samples() const { return samples_; }
  const FamilyOptions& options() const { return options_; }
  const Matrix& outputs() const { return outputs_; }
  double rows() const { return n_; }  // copies count as one
  const FeatureMap& map(Index variable) const { return maps_[variable]; }
  // What a variable offers to its children, linear features first.
  Matrix features(Index variable) const { return maps_[variable].evaluate(outputs_); }
  Design design(const Parents& parents, bool curves) const;
  // Of a component of a number.
  double standard_deviation(Index column) const;

 private:
  FittedFamily fit_number(Index child, const Parents& parents) const;
  FittedFamily fit_levels(Index child, const Parents& parents) const;
  FittedFamily fit_counts(Index child, const Parents& parents) const;
  FittedFamily fit_table(Index child, const Parents& parents) const;
  Vector smoothed_frequencies(Index variable) const;
  FittedFamily generalised_linear(Index child, const Parents& parents, Design design,
                                  Matrix coefficients) const;

  const Samples& samples_;
  const FamilyOptions options_;
  const double n_;
  const OutputLayout layout_;
  const DiscreteVariables discrete_;
  Matrix outputs_;
  std::vector<FeatureMap> maps_;
};

}  // namespace daggnn
