#include "search/parent_set_order.h"

#include <cstdint>
#include <numeric>

namespace daggnn {

ParentSetOrderSearch::ParentSetOrderSearch(const ParentSets& sets, std::uint64_t seed)
    : sets_(sets), random_(seed) {
  // A node that has no set among its predecessors costs more than all scores can make good.
  double spread = 1;
  for (Index i = 0; i < sets.m(); ++i) {
    if (sets.first[i] == sets.first[i + 1]) continue;
    const double worst = sets.score[sets.first[i + 1] - 1];
    spread += sets.score[sets.first[i]] - worst;
    lowest_ = std::min(lowest_, worst);
  }
  lowest_ -= spread;
}

ChosenSets ParentSetOrderSearch::climb(const std::vector<Index>& order) {
  State state = state_of(order);
  climb(state);
  keep(state);
  return network();
}

ChosenSets ParentSetOrderSearch::perturb(Index rounds, Observer& observer, Stop& stop) {
  for (Index round = 0; round < rounds && sets_.m() > 1; ++round) {
    std::vector<Index> order = best_.order;
    const Index moves = 1 + random_.below(most_moves);
    for (Index k = 0; k < moves; ++k) {
      const Index from = random_.below(sets_.m()), to = random_.below(sets_.m());
      move(order, from, to);
    }
    State state = state_of(order);
    climb(state);
    keep(state);
    stop = observer.poll(Progress());
    if (stop != Stop::none) break;
  }
  return network();
}

ParentSetOrderSearch::State ParentSetOrderSearch::state_of(const std::vector<Index>& order) const {
  State state;
  state.order = order;
  state.position.resize(order.size());
  state.set.resize(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) state.position[order[k]] = k;
  for (const Index i : order) state.set[i] = best_set(state, i);
  state.score = total(state);
  return state;
}

double ParentSetOrderSearch::total(const State& state) const {
  double sum = 0;
  for (const Index set : state.set) sum += score_of(set);
  return sum;
}

void ParentSetOrderSearch::move(std::vector<Index>& order, Index from, Index to) {
  if (from < to) {
    std::rotate(order.begin() + from, order.begin() + from + 1, order.begin() + to + 1);
  } else {
    std::rotate(order.begin() + to, order.begin() + from, order.begin() + from + 1);
  }
}

void ParentSetOrderSearch::climb(State& state) {
  const Index m = sets_.m();
  std::vector<Index> nodes(m);
  std::iota(nodes.begin(), nodes.end(), 0);
  random_.shuffle(nodes);
  Index unchanged = 0;
  for (Index k = 0; unchanged < m; k = (k + 1) % m) {
    unchanged = improve(state, nodes[k]) ? 0 : unchanged + 1;
  }
  state.score = total(state);
}

bool ParentSetOrderSearch::improve(State& state, Index i) {
  const Index here = state.position[i];
  Index place = here;
  double gain = least_gain;
  look_left(state, i, gain, place);
  look_right(state, i, gain, place);
  if (place == here) return false;
  move(state.order, here, place);
  for (Index k = std::min(here, place); k <= std::max(here, place); ++k) {
    state.position[state.order[k]] = k;
  }
  for (Index k = std::min(here, place); k <= std::max(here, place); ++k) {
    state.set[state.order[k]] = best_set(state, state.order[k]);
  }
  return true;
}

void ParentSetOrderSearch::look_left(const State& state, Index i, double& gain,
                                     Index& place) const {
  const auto& position = state.position;
  Index set = state.set[i];
  double passed = 0;
  for (Index k = position[i] - 1; k >= 0; --k) {
    const Index j = state.order[k];
    const auto before_j = [&](Index p) { return position[p] < k || p == i; };
    const Index last = state.set[j] < 0 ? sets_.first[j + 1] : state.set[j];
    const Index better = first_fit(sets_.first[j], last, before_j);
    if (better >= 0) passed += score_of(better) - score_of(state.set[j]);
    if (set >= 0) {
      set = first_fit(set, sets_.first[i + 1], [&](Index p) { return position[p] < k; });
    }
    const double here = passed + score_of(set) - score_of(state.set[i]);
    if (here > gain) {
      gain = here;
      place = k;
    }
  }
}

void ParentSetOrderSearch::look_right(const State& state, Index i, double& gain,
                                      Index& place) const {
  const auto& position = state.position;
  Index set = state.set[i];
  double passed = 0;
  for (Index k = position[i] + 1; k < sets_.m(); ++k) {
    const Index j = state.order[k];
    if (state.set[j] >= 0) {
      const Index worse = first_fit(state.set[j], sets_.first[j + 1],
                                    [&](Index p) { return position[p] < k && p != i; });
      passed += score_of(worse) - score_of(state.set[j]);
    }
    const Index last = set < 0 ? sets_.first[i + 1] : set;
    const Index better = first_fit(sets_.first[i], last, [&](Index p) { return position[p] <= k; });
    if (better >= 0) set = better;
    const double here = passed + score_of(set) - score_of(state.set[i]);
    if (here > gain) {
      gain = here;
      place = k;
    }
  }
}

ChosenSets ParentSetOrderSearch::network() const {
  if (std::any_of(best_.set.begin(), best_.set.end(), [](Index set) { return set < 0; })) {
    return ChosenSets();
  }
  return {best_.set, best_.score};
}

std::vector<Index> greedy_order(const ParentSets& sets) {
  const Index m = sets.m();
  std::vector<Index> order;
  std::vector<bool> placed(m, false);
  // The set that a node would take now; it only gets better as more are placed.
  const auto loss = [&](Index i) {
    for (Index s = sets.first[i]; s < sets.first[i + 1]; ++s) {
      if (std::all_of(sets.begin(s), sets.end(s), [&](Index p) { return placed[p]; })) {
        return sets.score[sets.first[i]] - sets.score[s];
      }
    }
    return -no_score;
  };
  while (static_cast<Index>(order.size()) < m) {
    Index next = -1;
    double least = 0;
    for (Index i = 0; i < m; ++i) {
      if (placed[i]) continue;
      const double cost = loss(i);
      if (next < 0 || cost < least) {
        next = i;
        least = cost;
      }
    }
    placed[next] = true;
    order.push_back(next);
  }
  return order;
}

}  // namespace daggnn
