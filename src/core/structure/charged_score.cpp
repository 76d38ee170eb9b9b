#include "structure/charged_score.h"

namespace daggnn {

void ChargedScore::additions(Index child, const Parents& parents, const Parents& candidates,
                             std::vector<double>& values) const {
  uncharged().additions(child, parents, candidates, values);
  const double so_far = charges_.of(child, parents);
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    values[k] -= so_far + charges_.of_edge(child, candidates[k]);
  }
}

void ChargedScore::removals(Index child, const Parents& parents,
                            std::vector<double>& values) const {
  uncharged().removals(child, parents, values);
  for (std::size_t k = 0; k < parents.size(); ++k) {
    values[k] -= charges_.of(child, without_parent(parents, k));
  }
}

void ChargedScore::grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
                        const LeastGain& least) const {
  uncharged().grow(child, parents, candidates, maxp, [&](std::size_t count, Index candidate) {
    return least(count, candidate) + charges_.of_edge(child, candidate);
  });
}

}  // namespace daggnn
