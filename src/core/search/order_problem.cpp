#include "search/order_problem.h"

#include <limits>
#include <utility>

namespace daggnn {

void OrderProblem::grow(Index child, Parents& parents, const Parents& candidates) const {
  score.grow(child, parents, candidates, options.maxp,
             [](std::size_t, Index) { return least_gain; });
}

Family OrderProblem::grow_and_shrink(Index child, const Parents& parents,
                                     const Parents& candidates) const {
  // A small family is found as quickly as it is looked up.
  constexpr std::size_t least_remembered = 200;
  if (candidates.size() * (parents.size() + 1) < least_remembered) {
    return find_family(child, parents, candidates);
  }
  return found_.get(child, parents, candidates,
                    [&] { return find_family(child, parents, candidates); });
}

Family OrderProblem::find_family(Index child, Parents parents, const Parents& candidates) const {
  double best = -std::numeric_limits<double>::infinity();
  std::vector<double> values;
  for (;;) {
    grow(child, parents, candidates);
    double now = score.value(child, parents);
    // Rounding must not let the same parents come and go.
    const bool better = now > best + least_gain;
    bool shrunk = false;
    while (!parents.empty()) {
      score.removals(child, parents, values);
      std::size_t least = parents.size();
      for (std::size_t k = 0; k < parents.size(); ++k) {
        if (rules.required(parents[k], child)) continue;
        if (values[k] > now + least_gain && (least == parents.size() || values[k] > values[least]))
          least = k;
      }
      if (least == parents.size()) break;
      parents = without_parent(parents, least);
      now = score.value(child, parents);
      shrunk = true;
    }
    if (!shrunk || !better) return {std::move(parents), now};
    best = now;
  }
}

std::vector<Index> OrderProblem::with_required_first(const std::vector<Index>& order) const {
  if (!rules.requires_any()) return order;
  return with_parents_first([&](Index j) -> const Parents& { return rules.required_parents(j); },
                            order);
}

void OrderProblem::observe(Observer& observer) {
  observer_ = &observer;
  caller_ = std::this_thread::get_id();
  stop_ = Stop::none;
}

bool OrderProblem::stopping(double now) const {
  if (std::this_thread::get_id() == caller_ && stop_ == Stop::none) {
    Progress progress;
    progress.loss = -now;
    stop_ = observer_->poll(progress);
  }
  return stop_ != Stop::none;
}

}  // namespace daggnn
