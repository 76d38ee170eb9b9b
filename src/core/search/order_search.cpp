#include "search/order_search.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/random.h"

namespace daggnn {

namespace {

// Perturbed orders are tried this many at a time, on as many threads as there are: the number is
// fixed, so that the result does not depend on the threads.
constexpr Index batch = 2;
// A perturbation takes so many variables to random places: this, and one of so many of those that
// are not screened. A perturbation of all of many variables would better some parts of the network
// and worsen others: instead, more perturbations are tried.
constexpr std::size_t least_moved = 2, moved_share = 20;
// So many times, climbs from perturbed orders may look at a variable's place beside a related one:
// some minutes at most. In a dense network of many variables, each perturbation changes a large
// part.
constexpr Index patience = 3000000;
// Edges between variables that are no candidates are tried so many times at most.
constexpr int rechecks = 5;

Parents difference(const Parents& all, const Parents& some) {
  Parents others;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(others));
  return others;
}

std::vector<Index> all_variables(Index m) {
  std::vector<Index> all(static_cast<std::size_t>(m));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

}  // namespace

OrderSearch::OrderSearch(const LocalScore& score, const EdgeRules& rules,
                         const SearchOptions& options, Executor& executor, Candidates* candidates)
    : problem_(score, rules, options),
      climber_(problem_),
      executor_(executor),
      candidates_(candidates != nullptr ? *candidates : own_candidates_) {
  if (!problem_.screened && candidates_.empty()) candidates_ = all_allowed(rules);
}

Network OrderSearch::run(const std::vector<Index>& start, Observer& observer) {
  problem_.observe(observer);
  const std::vector<Index> order =
      problem_.with_required_first(start.empty() ? all_variables(problem_.variables()) : start);
  OrderState state;
  if (!candidates_.empty()) {
    state.candidates = candidates_;
    climber_.build(order, executor_, state);
    return improve(std::move(state));
  }
  const std::vector<Index> by_explained = problem_.with_required_first(screen());
  state.candidates = candidates_;
  build_from_all(order, state);
  OrderState other = state;
  build_from_all(by_explained, other);
  if (other.network.score > state.network.score) state = std::move(other);
  add_parents(state.network, state);
  return improve(std::move(state));
}

Network OrderSearch::run_from(const Network& start, Observer& observer) {
  problem_.observe(observer);
  if (candidates_.empty()) screen();
  OrderState state{start, places(start.order), candidates_, {}};
  add_parents(start, state);
  climber_.refit(all_variables(problem_.variables()), executor_, state);
  return improve(std::move(state));
}

Network OrderSearch::improve(OrderState best) {
  climber_.climb(best, {}, executor_);
  settle(best);
  const SearchOptions& options = problem_.options;
  const Index parts =
      problem_.screened ? problem_.variables() / std::max<Index>(1, options.unscreened) : 1;
  const Index restarts = options.restarts * parts;
  std::uint64_t trial = 0;
  bool better = false;
  Index effort = 0;
  for (Index failed = 0;
       failed < restarts && effort < patience && problem_.stopped() == Stop::none;) {
    std::vector<OrderState> found(batch);
    std::vector<Index> efforts(batch);
    executor_.run(batch, [&](Index k) {
      std::vector<Index> changed;
      const std::uint64_t seed = options.seed + trial + static_cast<std::uint64_t>(k);
      found[k] = perturbed(best, seed, changed);
      SerialExecutor own;
      efforts[k] = climber_.climb(found[k], changed, own);
    });
    trial += batch;
    failed += batch;
    effort = std::accumulate(efforts.begin(), efforts.end(), effort);
    for (OrderState& state : found) {
      if (state.network.score > best.network.score + OrderProblem::least_gain) {
        best = std::move(state);
        better = true;
        failed = 0;
      }
    }
  }
  if (better) {
    climber_.climb(best, {}, executor_);
    settle(best);
  }
  candidates_ = std::move(best.candidates);
  return std::move(best.network);
}

std::vector<Index> OrderSearch::screen() {
  const Index m = problem_.variables();
  std::vector<Parents> found(static_cast<std::size_t>(m));
  std::vector<double> gain(static_cast<std::size_t>(m), 0);
  executor_.run(m, [&](Index child) {
    found[child] = problem_.rules.required_parents(child);
    if (problem_.stopping(0)) return;
    // Parents that leave again may be wanted while others are not before the child.
    problem_.grow(child, found[child], problem_.allowed_parents(child, [](Index) { return true; }));
    gain[child] = problem_.score.value(child, found[child]) - problem_.score.value(child, {});
  });
  candidates_ = Candidates(std::vector<Parents>(static_cast<std::size_t>(m)));
  for (Index child = 0; child < m; ++child) candidates_.add(child, found[child], problem_.rules);
  std::vector<Index> by_explained = all_variables(m);
  std::stable_sort(by_explained.begin(), by_explained.end(),
                   [&](Index a, Index b) { return gain[a] < gain[b]; });
  return by_explained;
}

// Candidates are too few where the order is far from the best one, since others must stand in for
// the parents that come later.
void OrderSearch::build_from_all(const std::vector<Index>& order, OrderState& state) const {
  const std::size_t m = order.size();
  state.network = {order, std::vector<Parents>(m), std::vector<double>(m), 0};
  state.place = places(order);
  state.prepared.clear();
  executor_.run(static_cast<Index>(m), [&](Index child) {
    const Index end = problem_.stopping(0) ? 0 : state.place[child];
    Family family = problem_.grow_and_shrink(
        child, problem_.rules.required_parents(child),
        problem_.allowed_parents(child, [&](Index i) { return state.place[i] < end; }));
    state.network.parents[child] = std::move(family.parents);
    state.network.scores[child] = family.score;
  });
  state.network.score = total(state.network);
}

void OrderSearch::add_parents(const Network& network, OrderState& state) const {
  for (Index child = 0; child < problem_.variables(); ++child) {
    state.candidates.add(child, network.parents[child], problem_.rules);
  }
}

// In a screened search: tries the edges between variables that are no candidates, and goes on where
// some of them pay.
void OrderSearch::settle(OrderState& state) {
  if (!problem_.screened || !problem_.options.recheck) return;
  const Index m = problem_.variables();
  for (int round = 0; round < rechecks && problem_.stopped() == Stop::none; ++round) {
    const std::vector<Parents> children = children_of(state.network);
    std::vector<Parents> found(static_cast<std::size_t>(m));
    executor_.run(m, [&](Index child) {
      if (problem_.stopping(state.network.score)) return;
      const Parents& parents = state.network.parents[child];
      const std::vector<char> descends = descendants(children, child);
      Parents grown = parents;
      problem_.grow(child, grown, problem_.allowed_parents(child, [&](Index i) {
        return descends[i] == 0 && !contains(state.candidates[child], i);
      }));
      found[child] = difference(grown, parents);
    });
    std::vector<Index> wanting;
    for (Index child = 0; child < m; ++child) {
      if (state.candidates.add(child, found[child], problem_.rules)) wanting.push_back(child);
    }
    if (wanting.empty()) return;
    climber_.refit(wanting, executor_, state);
    climber_.climb(state, {}, executor_);
  }
}

OrderState OrderSearch::perturbed(const OrderState& state, std::uint64_t seed,
                                  std::vector<Index>& changed) const {
  Random random(seed);
  std::vector<Index> order = state.network.order;
  const std::size_t m = order.size();
  const auto draw = [&](std::size_t below) {
    return std::min(below - 1,
                    static_cast<std::size_t>(random.uniform() * static_cast<double>(below)));
  };
  const Index unscreened = std::min(static_cast<Index>(m), problem_.options.unscreened);
  const std::size_t moved =
      std::min(m, least_moved + static_cast<std::size_t>(unscreened) / moved_share);
  for (std::size_t k = 0; k < moved; ++k) {
    const std::size_t from = draw(m), to = draw(m);
    const Index variable = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), variable);
  }
  SerialExecutor own;  // several orders are perturbed at a time
  OrderState next = state;
  climber_.build(problem_.with_required_first(order), own, next);
  for (std::size_t i = 0; i < m; ++i) {
    if (next.network.parents[i] == state.network.parents[i]) continue;
    const Parents& related = state.candidates.related(static_cast<Index>(i));
    changed.push_back(static_cast<Index>(i));
    changed.insert(changed.end(), related.begin(), related.end());
  }
  return next;
}

std::vector<EdgeGain> OrderSearch::gains(const Network& network) const {
  const Index m = problem_.variables();
  std::vector<std::vector<EdgeGain>> of_child(static_cast<std::size_t>(m));
  const std::vector<Parents> children = children_of(network);
  executor_.run(m, [&](Index child) {
    const Parents& parents = network.parents[child];
    std::vector<double> values;
    problem_.score.removals(child, parents, values);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      of_child[child].push_back({parents[k], child, network.scores[child] - values[k]});
    }
    const std::vector<char> descends = descendants(children, child);
    const Parents others = problem_.allowed_parents(child, [&](Index i) {
      const bool tried = candidates_.empty() || contains(candidates_[child], i);
      return tried && descends[i] == 0 && !contains(parents, i);
    });
    problem_.score.additions(child, parents, others, values);
    for (std::size_t k = 0; k < others.size(); ++k) {
      of_child[child].push_back({others[k], child, values[k] - network.scores[child]});
    }
  });
  std::vector<EdgeGain> gains;
  for (const std::vector<EdgeGain>& some : of_child) {
    gains.insert(gains.end(), some.begin(), some.end());
  }
  return gains;
}

}  // namespace daggnn
