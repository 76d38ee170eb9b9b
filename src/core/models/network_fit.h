// The families of a DAG fitted to samples, and how much each edge carries.
#pragma once

#include <vector>

#include "models/families.h"

namespace daggnn {

// How much an edge carries.
struct EdgeEffect {
  Index from, to;
  // The standard deviation of the parent's contribution relative to the child's, with the sign of
  // the slope between two numbers. Where one end is discrete or the parent's contribution cannot be
  // told from that of the others: sqrt(1 - exp(-2 g / n)), where g is the log-likelihood that is
  // lost without the parent; this is the correlation that a linear effect would need.
  double share;
  // Between two numbers in the units of the data, which for a linear effect is the regression
  // coefficient; from a number to a count the coefficient of the log rate; else the share.
  double weight;
};
// Of all edges, child by child. data: what the families were fitted to.
std::vector<EdgeEffect> edge_effects(const FamilyData& data, const Families& families,
                                     Executor& executor);

// The families of a DAG, and the effects of its edges where they are wanted. Missing values are
// drawn as the search draws them, given their Markov blankets.
struct NetworkFit {
  Families families;
  std::vector<EdgeEffect> effects;
};
NetworkFit fit_families(const Samples& samples, const std::vector<Parents>& parents,
                        const FamilyOptions& options, bool with_effects, Executor& executor);

}  // namespace daggnn
