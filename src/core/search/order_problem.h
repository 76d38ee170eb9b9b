// What a search over orders is given, and what it asks of a single family.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "graph/edge_rules.h"
#include "scores/local_score.h"
#include "search/found_families.h"
#include "search/network.h"

namespace daggnn {

struct SearchOptions {
  int restarts = 10;  // perturbed orders without a better network before the search ends
  Index maxp = std::numeric_limits<int>::max();  // the most parents of a variable
  std::uint64_t seed = 1;                        // of the perturbations
  // Up to so many variables, all allowed parents are candidates: there, screening costs about as
  // much as it saves.
  Index unscreened = 60;
  // Whether edges between variables that are no candidates are tried when the search is done.
  bool recheck = true;
};

class OrderProblem {
 public:
  // All but the options outlive the problem. The required edges have no cycle.
  OrderProblem(const LocalScore& score, const EdgeRules& rules, const SearchOptions& options)
      : score(score),
        rules(rules),
        options(options),
        screened(score.variables() > options.unscreened) {}

  const LocalScore& score;
  const EdgeRules rules;
  const SearchOptions options;
  const bool screened;  // whether variables have lists of candidates

  // Differences of scores below this are rounding, not preference.
  static constexpr double least_gain = 1e-7;

  Index variables() const { return score.variables(); }
  // Adds candidates to the parents while that raises the score.
  void grow(Index child, Parents& parents, const Parents& candidates) const;
  // Grows and shrinks until neither helps.
  Family grow_and_shrink(Index child, const Parents& parents, const Parents& candidates) const;
  // The allowed parents among the variables that `wanted` says.
  template <class Wanted>
  Parents allowed_parents(Index child, const Wanted& wanted) const {
    Parents chosen;
    for (Index i = 0; i < variables(); ++i) {
      if (rules.allowed(i, child) && wanted(i)) chosen.push_back(i);
    }
    return chosen;
  }
  std::vector<Index> with_required_first(const std::vector<Index>& order) const;

  // From now on the observer is asked whether to go on, by the thread that calls this.
  void observe(Observer& observer);
  bool stopping(double score) const;
  Stop stopped() const { return stop_; }

 private:
  Family find_family(Index child, Parents parents, const Parents& candidates) const;

  mutable FoundFamilies found_;
  Observer* observer_ = nullptr;
  std::thread::id caller_;
  mutable std::atomic<Stop> stop_{Stop::none};
};

}  // namespace daggnn
