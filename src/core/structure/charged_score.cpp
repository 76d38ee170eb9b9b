#include "structure/charged_score.h"

#include <utility>

namespace daggnn {

namespace {

class ChargedFamily final : public PreparedFamily {
 public:
  ChargedFamily(std::unique_ptr<const PreparedFamily> uncharged, const EdgeCharges& charges,
                Index child, const Parents& parents)
      : uncharged_(std::move(uncharged)),
        charges_(charges),
        child_(child),
        so_far_(charges.of(child, parents)) {}
  double value_with(Index candidate) const override {
    return uncharged_->value_with(candidate) - so_far_ - charges_.of_edge(child_, candidate);
  }

 private:
  const std::unique_ptr<const PreparedFamily> uncharged_;
  const EdgeCharges& charges_;
  const Index child_;
  const double so_far_;
};

}  // namespace

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

std::unique_ptr<const PreparedFamily> ChargedScore::prepare(Index child,
                                                            const Parents& parents) const {
  return std::make_unique<ChargedFamily>(uncharged().prepare(child, parents), charges_, child,
                                         parents);
}

}  // namespace daggnn
