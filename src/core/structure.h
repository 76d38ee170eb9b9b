// From samples to a network by local scores: which model of the families is used is decided by the
// same score, and the result says which and by how much (the models are listed in
// search/structure_options.h). Discrete children have tables or multinomial logits; numeric
// children of discrete parents may have a regression for each configuration of these. Missing
// values are drawn several times, in turns with the search (models/imputation.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "data/samples.h"
#include "features/moments.h"
#include "search/order_search.h"
#include "search/structure_options.h"

namespace daggnn {

struct Trial {
  std::string model;  // such as "additive, common variance"
  double score;
};

struct Structure {
  Network network;
  Matrix completed;  // the samples' values with the missing ones drawn, where there are some
  std::vector<EdgeGain> gains;
  std::string effects, noise, density;
  std::vector<Trial> trials;
  Stop stop = Stop::none;
};

Structure learn_structure(const Samples& samples, const EdgeRules& rules,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer);

// The same for numbers whose rows are elsewhere: linear and additive effects, normal noise.
Structure learn_structure(const Moments& moments, const EdgeRules& rules,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer);

}  // namespace daggnn
