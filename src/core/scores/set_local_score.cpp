#include "scores/set_local_score.h"

namespace daggnn {

double SetLocalScore::value(Index child, const Parents& parents) const {
  return known_.get(child, parents, [&] {
    const auto walker = score_.walker();
    Joint of_parents = score_.empty();
    for (const Index i : parents) {
      of_parents = walker->joint(i);
      walker->push(i);
    }
    return score_.value(child, parents.data(), static_cast<Index>(parents.size()),
                        walker->joint(child), of_parents);
  });
}

// Each candidate is the last variable of two sets, with the child and without: nothing is counted
// anew for the parents.
void SetLocalScore::additions(Index child, const Parents& parents, const Parents& candidates,
                              std::vector<double>& values) const {
  const auto without = score_.walker(), with = score_.walker();
  for (const Index i : parents) {
    without->push(i);
    with->push(i);
  }
  with->push(child);
  values.resize(candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Parents more = with_parent(parents, candidates[k]);
    values[k] = score_.value(child, more.data(), static_cast<Index>(more.size()),
                             with->joint(candidates[k]), without->joint(candidates[k]));
  }
}

}  // namespace daggnn
