#include "scores/local_score.h"

#include <algorithm>

namespace daggnn {

Parents with_parent(const Parents& parents, Index candidate) {
  Parents more = parents;
  more.insert(std::lower_bound(more.begin(), more.end(), candidate), candidate);
  return more;
}

Parents without_parent(const Parents& parents, std::size_t k) {
  Parents fewer = parents;
  fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
  return fewer;
}

void LocalScore::additions(Index child, const Parents& parents, const Parents& candidates,
                           std::vector<double>& values) const {
  values.resize(candidates.size());
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    values[k] = value(child, with_parent(parents, candidates[k]));
  }
}

void LocalScore::removals(Index child, const Parents& parents, std::vector<double>& values) const {
  values.resize(parents.size());
  for (std::size_t k = 0; k < parents.size(); ++k) {
    values[k] = value(child, without_parent(parents, k));
  }
}

}  // namespace daggnn
