// Orders of the variables from which a search begins.
#pragma once

#include <vector>

#include "base/executor.h"
#include "structure/features_of_data.h"

namespace daggnn {

// Where all noises have one variance, the variable with the least variance given those before it
// comes next (Chen, Drton and Wang 2019).
std::vector<Index> order_by_conditional_variance(const Features& features, Executor& executor);

// The variables by how much they have to do with the others, so that neither names nor the order
// of columns decide where the search begins.
std::vector<Index> order_by_association(const Vector& association);
// By the absolute correlations.
std::vector<Index> order_by_association(const Features& features);

}  // namespace daggnn
