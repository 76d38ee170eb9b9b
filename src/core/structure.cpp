#include "structure.h"

#include <algorithm>

#include "models/imputation.h"
#include "models/posterior_draws.h"
#include "structure/learner.h"

namespace daggnn {

namespace {

bool is_discrete(const Variable& variable) { return variable.kind == Kind::discrete; }

Structure learn_complete(const Samples& samples, const EdgeRules& rules,
                         const StructureOptions& options, const std::vector<Index>& start,
                         Executor& executor, Observer& observer) {
  Learner learner(samples, rules, options, executor, observer);
  if (std::all_of(samples.variables.begin(), samples.variables.end(), is_discrete)) {
    return learner.discrete(start);
  }
  return learner.general(start);
}

}  // namespace

Structure learn_structure(const Samples& samples, const EdgeRules& rules,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer) {
  if (!has_missing(samples)) {
    return learn_complete(samples, rules, options, start, executor, observer);
  }
  const Tuning& tuning = options.tuning;
  // Joint effects improve more than copies do, and take as much longer as there are copies.
  const Index affordable = std::max(tuning.least_copies, options.joint_rows / samples.n());
  const bool joint = options.effects == Effects::joint || options.effects == Effects::automatic;
  const bool all_discrete =
      std::all_of(samples.variables.begin(), samples.variables.end(), is_discrete);
  const Index copies = joint && !all_discrete && samples.n() <= options.joint_rows &&
                               samples.m() <= options.joint_variables
                           ? std::min(options.copies, affordable)
                           : options.copies;
  Imputation imputation(samples, copies, options.search.seed);
  imputation.draw({}, tuning.first_sweeps);
  Random random(options.search.seed, 1);
  // Draws given the families of the network found, with the effects and the density that it has.
  const auto redraw = [&](const Structure& found) {
    FamilyOptions family_options{options};
    family_options.structure.effects = found.effects == "joint"    ? Effects::joint
                                       : found.effects == "linear" ? Effects::linear
                                                                   : Effects::additive;
    family_options.structure.density =
        found.density == "estimated" ? NoiseDensity::estimated : NoiseDensity::normal;
    const Samples completed = imputation.completed();
    const FamilyData data(completed, family_options);
    const Families families(data, found.network.parents, executor);
    draw_missing(families, samples.values, imputation.values(), tuning.later_sweeps, random);
  };
  StructureOptions quick = options;
  quick.search.restarts = 0;
  if (quick.effects == Effects::automatic) quick.effects = Effects::additive;
  quick.noise = NoiseScale::own;
  quick.density = NoiseDensity::normal;
  std::vector<Index> order = start;
  Stop stop = Stop::none;
  for (int round = 0; round < tuning.imputation_rounds && stop == Stop::none; ++round) {
    const Structure found =
        learn_complete(imputation.completed(), rules, quick, order, executor, observer);
    order = found.network.order;
    stop = found.stop;
    redraw(found);
  }
  const auto learn = [&] {
    return learn_complete(imputation.completed(), rules, options, order, executor, observer);
  };
  Structure result = learn();
  // Effects and densities that the quick searches do not have tell more of the missing values.
  if ((result.effects == "joint" || result.density == "estimated") && result.stop == Stop::none) {
    redraw(result);
    order = result.network.order;
    result = learn();
  }
  result.completed = imputation.completed().values.topRows(samples.n());
  return result;
}

Structure learn_structure(const Moments& moments, const EdgeRules& rules,
                          const StructureOptions& options, const std::vector<Index>& start,
                          Executor& executor, Observer& observer) {
  const std::size_t m = moments.sizes.size();
  Samples none(MatrixView(nullptr, 0, static_cast<Index>(m)),
               std::vector<Kind>(m, Kind::continuous), std::vector<Index>(m, 1));
  none.total = moments.n;
  Learner learner(none, rules, options, executor, observer, moments.tails);
  return learner.general(features_of(moments), start);
}

}  // namespace daggnn
