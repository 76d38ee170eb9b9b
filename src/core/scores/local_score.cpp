#include "scores/local_score.h"

#include <algorithm>
#include <iterator>

namespace daggnn {

namespace {

class PlainFamily final : public PreparedFamily {
 public:
  PlainFamily(const LocalScore& score, Index child, const Parents& parents)
      : score_(score), child_(child), parents_(parents) {}
  double value_with(Index candidate) const override {
    return score_.value(child_, with_parent(parents_, candidate));
  }

 private:
  const LocalScore& score_;
  const Index child_;
  const Parents parents_;
};

}  // namespace

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

std::unique_ptr<const PreparedFamily> LocalScore::prepare(Index child,
                                                          const Parents& parents) const {
  return std::make_unique<PlainFamily>(*this, child, parents);
}

void LocalScore::grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
                      const LeastGain& least) const {
  if (candidates.empty() || static_cast<Index>(parents.size()) >= maxp) return;
  double score = value(child, parents);
  std::vector<double> values;
  while (static_cast<Index>(parents.size()) < maxp) {
    Parents others;
    std::set_difference(candidates.begin(), candidates.end(), parents.begin(), parents.end(),
                        std::back_inserter(others));
    if (others.empty()) return;
    additions(child, parents, others, values);
    std::size_t most = 0;
    double gain = 0;
    for (std::size_t k = 0; k < others.size(); ++k) {
      const double beyond = values[k] - score - least(parents.size(), others[k]);
      if (beyond > gain) {
        gain = beyond;
        most = k;
      }
    }
    if (!(gain > 0)) return;
    parents = with_parent(parents, others[most]);
    score = values[most];
  }
}

}  // namespace daggnn
