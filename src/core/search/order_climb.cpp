#include "search/order_climb.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace daggnn {

namespace {

Parents without(const Parents& parents, Index variable) {
  Parents fewer = parents;
  fewer.erase(std::lower_bound(fewer.begin(), fewer.end(), variable));
  return fewer;
}

}  // namespace

void OrderState::set(Index variable, Family family) {
  network.parents[variable] = std::move(family.parents);
  network.scores[variable] = family.score;
  if (!prepared.empty()) prepared[variable].reset();
}

void OrderClimb::prepare(Index variable, OrderState& state) const {
  if (state.prepared[variable] != nullptr) return;
  state.prepared[variable] = problem_.score.prepare(variable, state.network.parents[variable]);
}

void OrderClimb::build(const std::vector<Index>& order, Executor& executor,
                       OrderState& state) const {
  const std::size_t m = order.size();
  const std::vector<Index> before_it = std::move(state.place);
  state.place = places(order);
  state.network.order = order;
  state.network.parents.resize(m);
  state.network.scores.resize(m);
  // Whether a variable has the same candidates before it as it had.
  const auto stays = [&](Index child) {
    const Parents& candidates = state.candidates[child];
    return !before_it.empty() && std::all_of(candidates.begin(), candidates.end(), [&](Index i) {
      return (before_it[i] < before_it[child]) == (state.place[i] < state.place[child]);
    });
  };
  executor.run(static_cast<Index>(m), [&](Index place) {
    const Index child = order[place];
    if (stays(child)) return;
    state.set(child, problem_.grow_and_shrink(child, problem_.rules.required_parents(child),
                                              before(state, child, place)));
  });
  state.network.score = total(state.network);
}

void OrderClimb::refit(const std::vector<Index>& variables, Executor& executor,
                       OrderState& state) const {
  executor.run(static_cast<Index>(variables.size()), [&](Index k) {
    const Index child = variables[k];
    state.set(child, problem_.grow_and_shrink(child, state.network.parents[child],
                                              before(state, child, state.place[child])));
  });
  state.network.score = total(state.network);
}

Index OrderClimb::climb(OrderState& state, const std::vector<Index>& first,
                        Executor& executor) const {
  const Index m = problem_.variables();
  // The variables that may have a better place. Where variables are screened, those that are not
  // related to what has changed are unlikely to, and are looked at in the end.
  std::vector<char> open(static_cast<std::size_t>(m), first.empty());
  for (const Index i : first) open[i] = 1;
  // Several variables are looked at at a time, on as many threads as there are. The first that has
  // a better place goes there, and what was found of those after it is forgotten, so that the
  // result is that of one at a time. The longer there was none, the more are looked at.
  constexpr Index most_at_a_time = 64;
  Index at_a_time = 1, effort = 0;
  std::vector<Index> looked;
  std::vector<Move> moves(most_at_a_time);
  state.prepared.resize(static_cast<std::size_t>(m));
  executor.run(m, [&](Index variable) { prepare(variable, state); });
  for (;;) {
    bool moved = false;
    while (std::find(open.begin(), open.end(), 1) != open.end()) {
      for (Index next = 0; next < m;) {
        looked.clear();
        for (; next < m && static_cast<Index>(looked.size()) < at_a_time; ++next) {
          if (open[next] != 0) looked.push_back(next);
        }
        if (looked.empty()) break;
        if (problem_.stopping(state.network.score)) return effort;
        const Index count = static_cast<Index>(looked.size());
        executor.run(count, [&](Index k) { moves[k] = best_move(state, looked[k]); });
        Index failed = 0;
        for (; failed < count; ++failed) {
          open[looked[failed]] = 0;
          effort += static_cast<Index>(state.candidates.related(looked[failed]).size());
          if (!moves[failed].changes.empty()) break;
        }
        if (failed == count) {
          if (executor.threads() > 1) at_a_time = std::min(2 * at_a_time, most_at_a_time);
          continue;
        }
        at_a_time = 1;
        moved = true;
        next = looked[failed] + 1;
        apply(moves[failed], state);
        if (!problem_.screened) std::fill(open.begin(), open.end(), 1);
        for (const Change& change : moves[failed].changes) {
          prepare(change.variable, state);
          open[change.variable] = 1;
          for (const Index j : state.candidates.related(change.variable)) open[j] = 1;
        }
      }
    }
    if (!problem_.screened || !first.empty() || !moved) return effort;
    std::fill(open.begin(), open.end(), 1);
  }
}

Parents OrderClimb::before(const OrderState& state, Index child, Index end, Index variable,
                           const Parents& further) const {
  Parents chosen;
  chosen.reserve(state.candidates[child].size() + further.size());
  const auto add = [&](Index i) {
    if (state.place[i] < end && i != variable) chosen.push_back(i);
  };
  auto extra = further.begin();
  const auto end_of_extra = problem_.screened ? further.end() : further.begin();
  for (const Index i : state.candidates[child]) {
    for (; extra != end_of_extra && *extra < i; ++extra) {
      if (problem_.rules.allowed(*extra, child)) add(*extra);
    }
    if (extra != end_of_extra && *extra == i) ++extra;
    add(i);
  }
  for (; extra != end_of_extra; ++extra) {
    if (problem_.rules.allowed(*extra, child)) add(*extra);
  }
  return chosen;
}

OrderClimb::Move OrderClimb::best_move(const OrderState& state, Index variable) const {
  const Network& network = state.network;
  const Index place = state.place[variable];

  // The families that change on the way, in the order in which they are passed.
  std::vector<Change> passed[2];  // earlier, later
  Move best{variable, place, {}};
  double best_gain = OrderProblem::least_gain;
  std::size_t best_passed = 0;
  Family best_own;

  // Passing a variable that is not related changes nothing.
  std::vector<Index> stops[2];
  for (const Index i : state.candidates.related(variable))
    stops[state.place[i] > place].push_back(state.place[i]);
  std::sort(stops[0].begin(), stops[0].end(), std::greater<Index>());
  std::sort(stops[1].begin(), stops[1].end());

  for (const bool earlier : {true, false}) {
    Family own{network.parents[variable], network.scores[variable]};
    std::shared_ptr<const PreparedFamily> own_prepared = state.prepared[variable];
    double others_gain = 0;
    std::vector<Index>& walk = stops[earlier ? 0 : 1];
    for (std::size_t at = 0; at < walk.size(); ++at) {
      const Index to = walk[at];
      const Index other = network.order[to];
      const Index gaining = earlier ? other : variable, losing = earlier ? variable : other;
      if (problem_.rules.required(gaining, losing)) break;
      Family next;  // of the other variable, where it differs
      bool own_differs = false, next_differs = false;
      const auto parents_of = [&](Index either) -> const Parents& {
        if (either == variable) return own.parents;
        return next_differs ? next.parents : network.parents[other];
      };
      const auto change = [&](Index either, Family family) {
        (either == variable ? own : next) = std::move(family);
        (either == variable ? own_differs : next_differs) = true;
        if (either == variable) own_prepared.reset();
      };
      const auto gains = [&] {
        const Parents& parents = parents_of(gaining);
        if (!contains(state.candidates[gaining], losing) ||
            static_cast<Index>(parents.size()) >= problem_.options.maxp) {
          return false;
        }
        if (earlier) {
          return state.prepared[other]->value_with(losing) >
                 network.scores[other] + OrderProblem::least_gain;
        }
        if (own_prepared == nullptr) own_prepared = problem_.score.prepare(variable, parents);
        return own_prepared->value_with(losing) > own.score + OrderProblem::least_gain;
      };
      if (contains(parents_of(losing), gaining)) {
        // The parents of a lost parent may take its place.
        change(losing,
               problem_.grow_and_shrink(losing, without(parents_of(losing), gaining),
                                        before(state, losing, to, variable, parents_of(gaining))));
      }
      if (gains()) {
        Parents candidates =
            before(state, gaining, earlier ? to : to + 1, variable, parents_of(losing));
        if (earlier) candidates = with_parent(candidates, variable);
        change(gaining, problem_.grow_and_shrink(gaining, with_parent(parents_of(gaining), losing),
                                                 candidates));
      }
      if (!own_differs && !next_differs) continue;
      if (next_differs && next.parents != network.parents[other]) {
        others_gain += next.score - network.scores[other];
        passed[earlier ? 0 : 1].push_back({other, std::move(next)});
      }
      if (earlier) {
        // Those that came on the way are passed too.
        for (const Index i : own.parents) {
          const Index there = state.place[i];
          const auto where =
              std::lower_bound(walk.begin(), walk.end(), there, std::greater<Index>());
          if (where == walk.end() || *where != there) walk.insert(where, there);
        }
      }
      const double gain = own.score - network.scores[variable] + others_gain;
      if (gain > best_gain) {
        best_gain = gain;
        best.place = to;
        best_own = own;
        best_passed = passed[earlier ? 0 : 1].size();
      }
    }
  }
  if (best.place == place) return best;
  best.changes = std::move(passed[best.place < place ? 0 : 1]);
  best.changes.resize(best_passed);
  best.changes.push_back({variable, std::move(best_own)});
  return best;
}

void OrderClimb::apply(Move& move, OrderState& state) const {
  Network& network = state.network;
  const Index from = state.place[move.variable];
  auto& order = network.order;
  order.erase(order.begin() + from);
  order.insert(order.begin() + move.place, move.variable);
  for (Index k = std::min(from, move.place); k <= std::max(from, move.place); ++k) {
    state.place[order[k]] = k;
  }
  for (Change& change : move.changes) state.set(change.variable, std::move(change.family));
  network.score = total(network);
  if (!problem_.screened) return;
  for (const Change& change : move.changes) {
    state.candidates.add(change.variable, network.parents[change.variable], problem_.rules);
  }
}

}  // namespace daggnn
