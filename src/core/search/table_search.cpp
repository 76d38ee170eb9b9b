#include "search/table_search.h"

#include <algorithm>

#include "scores/set_local_score.h"
#include "search/parent_set_order.h"

namespace daggnn {

namespace {

// Rows that may be counted for all parent sets together: about two seconds.
constexpr double most_counted = 5e8;
// Larger sets seldom pay for their tables.
constexpr Index largest_set = 3;
// Perturbed orders of parent sets; each takes a millisecond.
constexpr Index rounds = 300;

// The largest size of parent sets that can all be counted; below 2 there is nothing to gain.
Index countable_size(Index m, Index n, Index maxp) {
  double sets = static_cast<double>(m), rows = sets * static_cast<double>(n);
  Index size = 0;
  while (size < std::min({largest_set, maxp, m - 1})) {
    sets *= static_cast<double>(m - size - 1) / static_cast<double>(size + 2);
    rows += sets * static_cast<double>(n);
    if (rows > most_counted) break;
    ++size;
  }
  return size;
}

}  // namespace

Network search_tables(const SetScore& score, Index n, const EdgeRules& rules,
                      const SearchOptions& options, const std::vector<Index>& start,
                      Executor& executor, Observer& observer, Stop& stop) {
  const SetLocalScore local(score);
  const Index size = countable_size(score.m(), n, options.maxp);
  const bool counted = size >= 2 && options.restarts > 0;
  SearchOptions first = options;
  if (counted) first.restarts = 0;
  OrderSearch climb(local, rules, first, executor);
  Network best = climb.run(start, observer);
  stop = climb.stopped();
  if (!counted || stop != Stop::none) return best;

  const ParentSets sets = ParentSetSearch(score, rules, size).run(executor, observer, stop);
  if (stop != Stop::none) return best;
  ParentSetOrderSearch orders(sets, options.seed);
  orders.climb(best.order);
  const ChosenSets chosen = orders.perturb(rounds, observer, stop);
  if (chosen.set.empty()) return best;
  Network network = best;
  network.order = orders.order();
  for (std::size_t i = 0; i < network.parents.size(); ++i) {
    network.parents[i].assign(sets.begin(chosen.set[i]), sets.end(chosen.set[i]));
  }
  OrderSearch search(local, rules, options, executor);
  network = search.run_from(network, observer);
  if (stop == Stop::none) stop = search.stopped();
  return network.score > best.score ? network : best;
}

}  // namespace daggnn
