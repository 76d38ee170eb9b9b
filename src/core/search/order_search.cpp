#include "search/order_search.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>

#include "base/random.h"

namespace daggnn {

namespace {

// Differences below this are rounding, not preference.
constexpr double least_gain = 1e-7;
double beyond_rounding(std::size_t, Index) { return least_gain; }
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

bool contains(const Parents& parents, Index variable) {
  return std::binary_search(parents.begin(), parents.end(), variable);
}

Parents without(const Parents& parents, Index variable) {
  Parents fewer = parents;
  fewer.erase(std::lower_bound(fewer.begin(), fewer.end(), variable));
  return fewer;
}

Parents difference(const Parents& all, const Parents& some) {
  Parents others;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(others));
  return others;
}

// Of each variable: those that are its candidates, or that it is a candidate of.
Candidates related(const Candidates& candidates) {
  Candidates result = candidates;
  for (std::size_t child = 0; child < candidates.size(); ++child) {
    for (const Index i : candidates[child]) {
      if (!contains(candidates[i], static_cast<Index>(child))) {
        result[i] = with_parent(result[i], static_cast<Index>(child));
      }
    }
  }
  return result;
}

std::vector<Index> places(const std::vector<Index>& order) {
  std::vector<Index> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = static_cast<Index>(k);
  return place;
}

Candidates children_of(const Network& network) {
  Candidates children(network.parents.size());
  for (std::size_t j = 0; j < network.parents.size(); ++j) {
    for (const Index i : network.parents[j]) children[i].push_back(static_cast<Index>(j));
  }
  return children;
}

// 1 for the variable and its descendants.
std::vector<char> descendants(const Candidates& children, Index variable) {
  std::vector<char> reached(children.size(), 0);
  reached[variable] = 1;
  std::vector<Index> open = {variable};
  while (!open.empty()) {
    const Index i = open.back();
    open.pop_back();
    for (const Index j : children[i]) {
      if (reached[j] != 0) continue;
      reached[j] = 1;
      open.push_back(j);
    }
  }
  return reached;
}

// The order with parents before their children, otherwise as it is.
std::vector<Index> with_parents_first(const Candidates& parents, const std::vector<Index>& order) {
  std::vector<Index> result;
  std::vector<char> placed(order.size(), 0);
  // Depth first; `open` leads from a variable to an ancestor.
  std::vector<Index> open;
  for (const Index j : order) {
    if (placed[j] == 0) open.push_back(j);
    while (!open.empty()) {
      const Index child = open.back();
      const auto waiting = std::find_if(parents[child].begin(), parents[child].end(),
                                        [&](Index i) { return placed[i] == 0; });
      if (waiting != parents[child].end()) {
        open.push_back(*waiting);
        continue;
      }
      placed[child] = 1;
      result.push_back(child);
      open.pop_back();
    }
  }
  return result;
}

double total(const Network& network) {
  return std::accumulate(network.scores.begin(), network.scores.end(), 0.0);
}

}  // namespace

Matrix Network::adjacency() const {
  const Index m = static_cast<Index>(parents.size());
  Matrix edges = Matrix::Zero(m, m);
  for (Index j = 0; j < m; ++j) {
    for (const Index i : parents[j]) edges(i, j) = 1;
  }
  return edges;
}

OrderSearch::OrderSearch(const LocalScore& score, const Matrix& allowed, const Matrix& required,
                         const SearchOptions& options, Executor& executor, Candidates* candidates)
    : score_(score),
      allowed_(static_cast<std::size_t>(allowed.size())),
      options_(options),
      executor_(executor),
      required_parents_(static_cast<std::size_t>(score.variables())),
      screened_(score.variables() > options.unscreened),
      candidates_(candidates != nullptr ? *candidates : own_candidates_) {
  const Index m = score.variables();
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < m; ++i) {
      allowed_[i + j * m] = i != j && allowed(i, j) != 0;
      if (required(i, j) != 0) required_parents_[j].push_back(i);
    }
    has_required_ = has_required_ || !required_parents_[j].empty();
  }
  if (!screened_ && candidates_.empty()) {
    candidates_.resize(static_cast<std::size_t>(m));
    for (Index j = 0; j < m; ++j) {
      for (Index i = 0; i < m; ++i) {
        if (this->allowed(i, j)) candidates_[j].push_back(i);
      }
    }
  }
}

Network OrderSearch::run(const std::vector<Index>& start, Observer& observer) {
  std::vector<Index> order = start;
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(score_.variables()));
    std::iota(order.begin(), order.end(), Index{0});
  }
  const bool unknown = screened_ && candidates_.empty();
  State state = begin(observer);
  if (!unknown) {
    build(with_required_first(order), executor_, state);
    return improve(std::move(state));
  }
  build_from_all(with_required_first(order), state);
  State other = state;
  build_from_all(with_required_first(order_by_explained_), other);
  if (other.network.score > state.network.score) state = std::move(other);
  for (Index child = 0; child < score_.variables(); ++child) {
    add_candidates(state, child, state.network.parents[child]);
  }
  return improve(std::move(state));
}

Network OrderSearch::run_from(const Network& start, Observer& observer) {
  State state = begin(observer);
  state.network = start;
  state.place = places(start.order);
  for (Index child = 0; child < score_.variables(); ++child) {
    add_candidates(state, child, start.parents[child]);
  }
  executor_.run(score_.variables(), [&](Index child) {
    const Family family =
        grow_and_shrink(child, start.parents[child], before(state, child, state.place[child]));
    state.network.parents[child] = family.parents;
    state.network.scores[child] = family.score;
  });
  state.network.score = total(state.network);
  return improve(std::move(state));
}

// The candidates, without a network.
OrderSearch::State OrderSearch::begin(Observer& observer) {
  observer_ = &observer;
  caller_ = std::this_thread::get_id();
  stop_ = Stop::none;
  if (candidates_.empty()) screen();
  State state;
  state.candidates = candidates_;
  state.related = related(candidates_);
  return state;
}

Network OrderSearch::improve(State best) {
  climb(best, {}, executor_);
  settle(best);
  const Index parts = screened_ ? score_.variables() / std::max<Index>(1, options_.unscreened) : 1;
  const Index restarts = options_.restarts * parts;
  std::uint64_t trial = 0;
  bool better = false;
  Index effort = 0;
  for (Index failed = 0; failed < restarts && effort < patience && stop_ == Stop::none;) {
    std::vector<State> found(batch);
    std::vector<Index> efforts(batch);
    executor_.run(batch, [&](Index k) {
      std::vector<Index> changed;
      const std::uint64_t seed = options_.seed + trial + static_cast<std::uint64_t>(k);
      found[k] = perturbed(best, seed, changed);
      SerialExecutor own;
      efforts[k] = climb(found[k], changed, own);
    });
    trial += batch;
    failed += batch;
    effort = std::accumulate(efforts.begin(), efforts.end(), effort);
    for (State& state : found) {
      if (state.network.score > best.network.score + least_gain) {
        best = std::move(state);
        better = true;
        failed = 0;
      }
    }
  }
  if (better) {
    climb(best, {}, executor_);
    settle(best);
  }
  candidates_ = std::move(best.candidates);
  return std::move(best.network);
}

bool OrderSearch::stopping(double score) const {
  if (std::this_thread::get_id() == caller_ && stop_ == Stop::none) {
    Progress progress;
    progress.loss = -score;
    stop_ = observer_->poll(progress);
  }
  return stop_ != Stop::none;
}

Parents OrderSearch::before(const State& state, Index child, Index end, Index variable,
                            const Parents& further) const {
  Parents chosen;
  chosen.reserve(state.candidates[child].size() + further.size());
  const auto add = [&](Index i) {
    if (state.place[i] < end && i != variable) chosen.push_back(i);
  };
  auto extra = further.begin();
  const auto end_of_extra = screened_ ? further.end() : further.begin();
  for (const Index i : state.candidates[child]) {
    for (; extra != end_of_extra && *extra < i; ++extra) {
      if (allowed(*extra, child)) add(*extra);
    }
    if (extra != end_of_extra && *extra == i) ++extra;
    add(i);
  }
  for (; extra != end_of_extra; ++extra) {
    if (allowed(*extra, child)) add(*extra);
  }
  return chosen;
}

OrderSearch::Family OrderSearch::grow_and_shrink(Index child, Parents parents,
                                                 const Parents& candidates) const {
  double best = -std::numeric_limits<double>::infinity();
  std::vector<double> values;
  for (;;) {
    score_.grow(child, parents, candidates, options_.maxp, beyond_rounding);
    double score = score_.value(child, parents);
    // Rounding must not let the same parents come and go.
    const bool better = score > best + least_gain;
    bool shrunk = false;
    while (!parents.empty()) {
      score_.removals(child, parents, values);
      std::size_t least = parents.size();
      for (std::size_t k = 0; k < parents.size(); ++k) {
        if (contains(required_parents_[child], parents[k])) continue;
        if (values[k] > score + least_gain &&
            (least == parents.size() || values[k] > values[least]))
          least = k;
      }
      if (least == parents.size()) break;
      parents = without_parent(parents, least);
      score = score_.value(child, parents);
      shrunk = true;
    }
    if (!shrunk || !better) return {parents, score};
    best = score;
  }
}

void OrderSearch::screen() {
  const Index m = score_.variables();
  Candidates found(static_cast<std::size_t>(m));
  std::vector<double> gain(static_cast<std::size_t>(m), 0);
  executor_.run(m, [&](Index child) {
    found[child] = required_parents_[child];
    if (stopping(0)) return;
    Parents others;
    for (Index i = 0; i < m; ++i) {
      if (allowed(i, child)) others.push_back(i);
    }
    // Parents that leave again may be wanted while others are not before the child.
    score_.grow(child, found[child], others, options_.maxp, beyond_rounding);
    gain[child] = score_.value(child, found[child]) - score_.value(child, {});
  });
  order_by_explained_.resize(static_cast<std::size_t>(m));
  std::iota(order_by_explained_.begin(), order_by_explained_.end(), Index{0});
  std::stable_sort(order_by_explained_.begin(), order_by_explained_.end(),
                   [&](Index a, Index b) { return gain[a] < gain[b]; });
  State state;
  state.candidates.resize(static_cast<std::size_t>(m));
  state.related.resize(static_cast<std::size_t>(m));
  for (Index child = 0; child < m; ++child) add_candidates(state, child, found[child]);
  candidates_ = std::move(state.candidates);
}

// The network of an order without candidates: they are too few where the order is far from the best
// one, since others must stand in for the parents that come later. The parents become candidates.
void OrderSearch::build_from_all(const std::vector<Index>& order, State& state) const {
  const std::size_t m = order.size();
  state.network = {order, Candidates(m), std::vector<double>(m), 0};
  state.place = places(order);
  executor_.run(static_cast<Index>(m), [&](Index child) {
    Parents all;
    const Index end = stopping(0) ? 0 : state.place[child];
    for (Index i = 0; i < static_cast<Index>(m); ++i) {
      if (state.place[i] < end && allowed(i, child)) all.push_back(i);
    }
    const Family family = grow_and_shrink(child, required_parents_[child], all);
    state.network.parents[child] = family.parents;
    state.network.scores[child] = family.score;
  });
  state.network.score = total(state.network);
}

bool OrderSearch::add_candidates(State& state, Index child, const Parents& found) const {
  bool added = false;
  for (const Index i : found) {
    if (contains(state.candidates[child], i)) continue;
    added = true;
    state.candidates[child] = with_parent(state.candidates[child], i);
    if (allowed(child, i) && !contains(state.candidates[i], child)) {
      state.candidates[i] = with_parent(state.candidates[i], child);
    }
    if (contains(state.related[child], i)) continue;
    state.related[child] = with_parent(state.related[child], i);
    state.related[i] = with_parent(state.related[i], child);
  }
  return added;
}

// In a screened search: tries the edges between variables that are no candidates, and goes on where
// some of them pay.
void OrderSearch::settle(State& state) {
  if (!screened_ || !options_.recheck) return;
  const Index m = score_.variables();
  for (int round = 0; round < rechecks && stop_ == Stop::none; ++round) {
    const Candidates children = children_of(state.network);
    Candidates found(static_cast<std::size_t>(m));
    executor_.run(m, [&](Index child) {
      if (stopping(state.network.score)) return;
      const Parents& parents = state.network.parents[child];
      const std::vector<char> descends = descendants(children, child);
      Parents others;
      for (Index i = 0; i < m; ++i) {
        if (allowed(i, child) && descends[i] == 0 && !contains(state.candidates[child], i)) {
          others.push_back(i);
        }
      }
      Parents grown = parents;
      score_.grow(child, grown, others, options_.maxp, beyond_rounding);
      found[child] = difference(grown, parents);
    });
    std::vector<Index> wanting;
    for (Index child = 0; child < m; ++child) {
      if (add_candidates(state, child, found[child])) wanting.push_back(child);
    }
    if (wanting.empty()) return;
    executor_.run(static_cast<Index>(wanting.size()), [&](Index k) {
      const Index child = wanting[k];
      const Family family = grow_and_shrink(child, state.network.parents[child],
                                            before(state, child, state.place[child]));
      state.network.parents[child] = family.parents;
      state.network.scores[child] = family.score;
    });
    state.network.score = total(state.network);
    climb(state, {}, executor_);
  }
}

void OrderSearch::build(const std::vector<Index>& order, Executor& executor, State& state) const {
  const std::size_t m = order.size();
  State next{{order, Candidates(m), std::vector<double>(m), 0},
             places(order),
             std::move(state.candidates),
             std::move(state.related)};
  const Candidates& candidates = next.candidates;
  // Whether a variable has the same candidates before it as it had.
  const auto stays = [&](Index child) {
    return !state.place.empty() &&
           std::all_of(candidates[child].begin(), candidates[child].end(), [&](Index i) {
             return (state.place[i] < state.place[child]) == (next.place[i] < next.place[child]);
           });
  };
  executor.run(static_cast<Index>(m), [&](Index place) {
    const Index child = order[place];
    const Family family =
        stays(child) ? Family{state.network.parents[child], state.network.scores[child]}
                     : grow_and_shrink(child, required_parents_[child], before(next, child, place));
    next.network.parents[child] = family.parents;
    next.network.scores[child] = family.score;
  });
  next.network.score = total(next.network);
  state = std::move(next);
}

OrderSearch::Move OrderSearch::best_move(const State& state, Index variable) const {
  const Network& network = state.network;
  const Index place = state.place[variable];

  // The families that change on the way, in the order in which they are passed.
  std::vector<Change> passed[2];  // earlier, later
  Move best{variable, place, {}};
  double best_gain = least_gain;
  std::size_t best_passed = 0;
  Family best_own;

  // Passing a variable that is not related changes nothing.
  std::vector<Index> stops[2];
  for (const Index i : state.related[variable])
    stops[state.place[i] > place].push_back(state.place[i]);
  std::sort(stops[0].begin(), stops[0].end(), std::greater<Index>());
  std::sort(stops[1].begin(), stops[1].end());

  for (const bool earlier : {true, false}) {
    Family own{network.parents[variable], network.scores[variable]};
    double others_gain = 0;
    std::vector<Index>& walk = stops[earlier ? 0 : 1];
    for (std::size_t at = 0; at < walk.size(); ++at) {
      const Index to = walk[at];
      const Index other = network.order[to];
      const Index gaining = earlier ? other : variable, losing = earlier ? variable : other;
      if (contains(required_parents_[losing], gaining)) break;
      Family next{network.parents[other], network.scores[other]};
      Family& gains = earlier ? next : own;
      Family& loses = earlier ? own : next;
      bool differs = false;
      if (contains(loses.parents, gaining)) {
        // The parents of a lost parent may take its place.
        loses = grow_and_shrink(losing, without(loses.parents, gaining),
                                before(state, losing, to, variable, gains.parents));
        differs = true;
      }
      if (contains(state.candidates[gaining], losing) &&
          static_cast<Index>(gains.parents.size()) < options_.maxp) {
        const Parents more = with_parent(gains.parents, losing);
        if (score_.value(gaining, more) > gains.score + least_gain) {
          Parents candidates =
              before(state, gaining, earlier ? to : to + 1, variable, loses.parents);
          if (earlier) candidates = with_parent(candidates, variable);
          gains = grow_and_shrink(gaining, more, candidates);
          differs = true;
        }
      }
      if (!differs) continue;
      if (next.parents != network.parents[other]) {
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

void OrderSearch::apply(Move& move, State& state) const {
  Network& network = state.network;
  const Index from = state.place[move.variable];
  auto& order = network.order;
  order.erase(order.begin() + from);
  order.insert(order.begin() + move.place, move.variable);
  for (Index k = std::min(from, move.place); k <= std::max(from, move.place); ++k) {
    state.place[order[k]] = k;
  }
  for (Change& change : move.changes) {
    network.parents[change.variable] = std::move(change.family.parents);
    network.scores[change.variable] = change.family.score;
  }
  network.score = total(network);
  if (!screened_) return;
  for (const Change& change : move.changes) {
    add_candidates(state, change.variable, network.parents[change.variable]);
  }
}

Index OrderSearch::climb(State& state, const std::vector<Index>& first, Executor& executor) const {
  const Index m = score_.variables();
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
  for (;;) {
    bool moved = false;
    while (std::find(open.begin(), open.end(), 1) != open.end()) {
      for (Index next = 0; next < m;) {
        looked.clear();
        for (; next < m && static_cast<Index>(looked.size()) < at_a_time; ++next) {
          if (open[next] != 0) looked.push_back(next);
        }
        if (looked.empty()) break;
        if (stopping(state.network.score)) return effort;
        const Index count = static_cast<Index>(looked.size());
        executor.run(count, [&](Index k) { moves[k] = best_move(state, looked[k]); });
        Index failed = 0;
        for (; failed < count; ++failed) {
          open[looked[failed]] = 0;
          effort += static_cast<Index>(state.related[looked[failed]].size());
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
        if (!screened_) std::fill(open.begin(), open.end(), 1);
        for (const Change& change : moves[failed].changes) {
          open[change.variable] = 1;
          for (const Index j : state.related[change.variable]) open[j] = 1;
        }
      }
    }
    if (!screened_ || !first.empty() || !moved) return effort;
    std::fill(open.begin(), open.end(), 1);
  }
}

OrderSearch::State OrderSearch::perturbed(const State& state, std::uint64_t seed,
                                          std::vector<Index>& changed) const {
  Random random(seed);
  std::vector<Index> order = state.network.order;
  const std::size_t m = order.size();
  const auto draw = [&](std::size_t below) {
    return std::min(below - 1,
                    static_cast<std::size_t>(random.uniform() * static_cast<double>(below)));
  };
  const Index unscreened = std::min(static_cast<Index>(m), options_.unscreened);
  const std::size_t moved =
      std::min(m, least_moved + static_cast<std::size_t>(unscreened) / moved_share);
  for (std::size_t k = 0; k < moved; ++k) {
    const std::size_t from = draw(m), to = draw(m);
    const Index variable = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), variable);
  }
  SerialExecutor own;  // several orders are perturbed at a time
  State next = state;
  build(with_required_first(order), own, next);
  for (std::size_t i = 0; i < m; ++i) {
    if (next.network.parents[i] == state.network.parents[i]) continue;
    changed.push_back(static_cast<Index>(i));
    changed.insert(changed.end(), state.related[i].begin(), state.related[i].end());
  }
  return next;
}

std::vector<Index> OrderSearch::with_required_first(const std::vector<Index>& order) const {
  return has_required_ ? with_parents_first(required_parents_, order) : order;
}

Matrix OrderSearch::gains(const Network& network) const {
  const Index m = score_.variables();
  Matrix gains = Matrix::Constant(m, m, std::numeric_limits<double>::quiet_NaN());
  const Candidates children = children_of(network);
  executor_.run(m, [&](Index child) {
    const Parents& parents = network.parents[child];
    std::vector<double> values;
    score_.removals(child, parents, values);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      gains(parents[k], child) = network.scores[child] - values[k];
    }
    const std::vector<char> descends = descendants(children, child);
    Parents others;
    for (Index i = 0; i < m; ++i) {
      const bool tried = candidates_.empty() ? allowed(i, child) : contains(candidates_[child], i);
      if (tried && descends[i] == 0 && !contains(parents, i)) others.push_back(i);
    }
    score_.additions(child, parents, others, values);
    for (std::size_t k = 0; k < others.size(); ++k) {
      gains(others[k], child) = values[k] - network.scores[child];
    }
  });
  return gains;
}

}  // namespace daggnn
