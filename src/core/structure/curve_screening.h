// Whether it is worth while to search for curves among many variables, where that costs much more
// than straight lines.
#pragma once

#include "base/executor.h"
#include "data/samples.h"
#include "scores/additive_score.h"
#include "search/structure_options.h"
#include "structure/edge_charges.h"

namespace daggnn {

// Whether curves explain what the lines of a linear network leave: curves of its edges, or of edges
// that it lacks.
bool curves_explain_more(const Samples& samples, const AdditiveScore& linear,
                         const Network& network, const EdgeRules& rules, const EdgeCharges& charges,
                         const StructureOptions& options, Executor& executor);

}  // namespace daggnn
