#include "search/order_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "graph/graph.h"

namespace daggnn {

namespace {

// Differences below this are rounding, not preference.
constexpr double least_gain = 1e-7;
// Perturbed orders are tried this many at a time, on as many threads as there are: the number is
// fixed, so that the result does not depend on the threads.
constexpr Index batch = 2;
// A perturbation takes so many variables to random places: this, and one of so many.
constexpr std::size_t least_moved = 2, moved_share = 20;

bool contains(const Parents& parents, Index variable) {
  return std::binary_search(parents.begin(), parents.end(), variable);
}

Parents without(const Parents& parents, Index variable) {
  Parents fewer = parents;
  fewer.erase(std::lower_bound(fewer.begin(), fewer.end(), variable));
  return fewer;
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
                         const SearchOptions& options, Executor& executor)
    : score_(score),
      allowed_(allowed),
      required_(required),
      options_(options),
      executor_(executor),
      required_parents_(static_cast<std::size_t>(score.variables())) {
  for (Index j = 0; j < score.variables(); ++j) {
    for (Index i = 0; i < score.variables(); ++i) {
      if (required(i, j) != 0) required_parents_[j].push_back(i);
    }
  }
}

Network OrderSearch::run(const std::vector<Index>& start, Observer& observer) {
  Network network;
  network.order = start;
  if (start.empty()) {
    network.order.resize(static_cast<std::size_t>(score_.variables()));
    std::iota(network.order.begin(), network.order.end(), Index{0});
  }
  network.order = with_required_first(network.order);
  network.parents = required_parents_;
  return run_from(network, observer);
}

Network OrderSearch::run_from(const Network& start, Observer& observer) {
  observer_ = &observer;
  caller_ = std::this_thread::get_id();
  stop_ = Stop::none;
  Network best = climb(build(start.order, start.parents, executor_));
  std::uint64_t trial = 0;
  for (int failed = 0; failed < options_.restarts && stop_ == Stop::none;) {
    std::vector<Network> found(batch);
    executor_.run(batch, [&](Index k) {
      found[k] = climb(perturbed(best, options_.seed + trial + static_cast<std::uint64_t>(k)));
    });
    trial += batch;
    failed += batch;
    for (Network& network : found) {
      if (network.score > best.score + least_gain) {
        best = std::move(network);
        failed = 0;
      }
    }
  }
  return best;
}

bool OrderSearch::stopping(double score) const {
  if (std::this_thread::get_id() == caller_ && stop_ == Stop::none) {
    Progress progress;
    progress.loss = -score;
    stop_ = observer_->poll(progress);
  }
  return stop_ != Stop::none;
}

Parents OrderSearch::among(Index child, const std::vector<Index>& before) const {
  Parents candidates;
  for (const Index i : before) {
    if (i != child && allowed_(i, child) != 0) candidates.push_back(i);
  }
  std::sort(candidates.begin(), candidates.end());
  return candidates;
}

OrderSearch::Family OrderSearch::grow_and_shrink(Index child, Parents parents,
                                                 const Parents& candidates) const {
  double score = score_.value(child, parents);
  std::vector<double> values;
  for (bool changed = true; changed;) {
    changed = false;
    while (static_cast<Index>(parents.size()) < options_.maxp) {
      Parents others;
      std::set_difference(candidates.begin(), candidates.end(), parents.begin(), parents.end(),
                          std::back_inserter(others));
      if (others.empty()) break;
      score_.additions(child, parents, others, values);
      const auto most = std::max_element(values.begin(), values.end());
      if (!(*most > score + least_gain)) break;
      parents = with_parent(parents, others[static_cast<std::size_t>(most - values.begin())]);
      score = *most;
      changed = true;
    }
    for (bool shrinking = true; shrinking && !parents.empty();) {
      shrinking = false;
      score_.removals(child, parents, values);
      std::size_t best = parents.size();
      for (std::size_t k = 0; k < parents.size(); ++k) {
        if (contains(required_parents_[child], parents[k])) continue;
        if (values[k] > score + least_gain && (best == parents.size() || values[k] > values[best]))
          best = k;
      }
      if (best == parents.size()) continue;
      score = values[best];
      parents = without_parent(parents, best);
      shrinking = changed = true;
    }
  }
  return {parents, score};
}

Network OrderSearch::build(const std::vector<Index>& order, const std::vector<Parents>& parents,
                           Executor& executor) const {
  const std::size_t m = order.size();
  Network network{order, std::vector<Parents>(m), std::vector<double>(m), 0};
  executor.run(static_cast<Index>(m), [&](Index place) {
    const Index child = order[place];
    const std::vector<Index> before(order.begin(), order.begin() + place);
    const Family family = grow_and_shrink(child, parents[child], among(child, before));
    network.parents[child] = family.parents;
    network.scores[child] = family.score;
  });
  network.score = std::accumulate(network.scores.begin(), network.scores.end(), 0.0);
  return network;
}

bool OrderSearch::move(Network& network, Index variable) const {
  const std::vector<Index>& order = network.order;
  const Index m = static_cast<Index>(order.size());
  const Index place = std::find(order.begin(), order.end(), variable) - order.begin();

  // The families that change on the way, in the order in which they are passed.
  struct Passed {
    Index variable;
    Family family;
  };
  struct Best {
    double gain = least_gain;
    Index place = -1;
    Family own;
    std::vector<Passed> passed;
  } best;

  for (const int step : {-1, 1}) {
    Family own{network.parents[variable], network.scores[variable]};
    std::vector<Passed> passed;
    double others_gain = 0;
    for (Index to = place + step; to >= 0 && to < m; to += step) {
      const Index other = order[to];
      const bool earlier = step < 0;
      if (earlier ? required_(other, variable) != 0 : required_(variable, other) != 0) break;
      // Those before `variable` in its new place.
      const std::vector<Index> before_own(order.begin(), order.begin() + to + (earlier ? 0 : 1));
      const Index gaining = earlier ? other : variable, losing = earlier ? variable : other;
      const Family now{network.parents[other], network.scores[other]};
      Family next = now;
      Family& gains = earlier ? next : own;
      Family& loses = earlier ? own : next;
      if (contains(loses.parents, gaining)) {
        std::vector<Index> before = before_own;
        if (!earlier) before.erase(before.begin() + place);
        loses = grow_and_shrink(losing, without(loses.parents, gaining), among(losing, before));
      }
      if (allowed_(losing, gaining) != 0 &&
          static_cast<Index>(gains.parents.size()) < options_.maxp) {
        const Parents more = with_parent(gains.parents, losing);
        if (score_.value(gaining, more) > gains.score + least_gain) {
          std::vector<Index> before = before_own;
          if (earlier) before.push_back(variable);
          gains = grow_and_shrink(gaining, more, among(gaining, before));
        }
      }
      if (next.parents != now.parents) {
        others_gain += next.score - now.score;
        passed.push_back({other, next});
      }
      const double gain = own.score - network.scores[variable] + others_gain;
      if (gain > best.gain) best = {gain, to, own, passed};
    }
  }
  if (best.place < 0) return false;
  network.order.erase(network.order.begin() + place);
  network.order.insert(network.order.begin() + best.place, variable);
  network.parents[variable] = best.own.parents;
  network.scores[variable] = best.own.score;
  for (const Passed& each : best.passed) {
    network.parents[each.variable] = each.family.parents;
    network.scores[each.variable] = each.family.score;
  }
  network.score = std::accumulate(network.scores.begin(), network.scores.end(), 0.0);
  return true;
}

Network OrderSearch::climb(Network network) const {
  const Index m = static_cast<Index>(network.order.size());
  // A whole round of variables without a better place ends the climb.
  Index idle = 0;
  for (Index next = 0; idle < m; next = (next + 1) % m) {
    if (stopping(network.score)) return network;
    idle = move(network, next) ? 0 : idle + 1;
  }
  return network;
}

Network OrderSearch::perturbed(const Network& network, std::uint64_t seed) const {
  Random random(seed);
  std::vector<Index> order = network.order;
  const std::size_t m = order.size();
  const std::size_t moved = std::min(m, least_moved + m / moved_share);
  const auto draw = [&](std::size_t below) {
    return std::min(below - 1,
                    static_cast<std::size_t>(random.uniform() * static_cast<double>(below)));
  };
  for (std::size_t k = 0; k < moved; ++k) {
    const std::size_t from = draw(m), to = draw(m);
    const Index variable = order[from];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), variable);
  }
  SerialExecutor own;  // several orders are perturbed at a time
  return build(with_required_first(order), required_parents_, own);
}

// The order with required parents before their children, otherwise as it is.
std::vector<Index> OrderSearch::with_required_first(const std::vector<Index>& order) const {
  if ((required_.array() == 0).all()) return order;
  std::vector<Index> result;
  std::vector<bool> placed(order.size(), false);
  while (result.size() < order.size()) {
    for (const Index j : order) {
      const auto& needs = required_parents_[j];
      if (!placed[j] &&
          std::all_of(needs.begin(), needs.end(), [&](Index i) { return placed[i]; })) {
        placed[j] = true;
        result.push_back(j);
        break;
      }
    }
  }
  return result;
}

Matrix OrderSearch::gains(const Network& network) const {
  const Index m = score_.variables();
  Matrix gains = Matrix::Constant(m, m, std::numeric_limits<double>::quiet_NaN());
  std::vector<std::size_t> place(static_cast<std::size_t>(m));
  for (std::size_t k = 0; k < network.order.size(); ++k) place[network.order[k]] = k;
  const Matrix reaches = reachability(network.adjacency());
  executor_.run(m, [&](Index child) {
    const Parents& parents = network.parents[child];
    std::vector<double> values;
    score_.removals(child, parents, values);
    for (std::size_t k = 0; k < parents.size(); ++k) {
      gains(parents[k], child) = network.scores[child] - values[k];
    }
    Parents others;
    for (Index i = 0; i < m; ++i) {
      if (i != child && allowed_(i, child) != 0 && !contains(parents, i) && reaches(child, i) == 0)
        others.push_back(i);
    }
    score_.additions(child, parents, others, values);
    for (std::size_t k = 0; k < others.size(); ++k) {
      gains(others[k], child) = values[k] - network.scores[child];
    }
  });
  return gains;
}

}  // namespace daggnn
