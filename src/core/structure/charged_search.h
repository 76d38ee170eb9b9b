// The search over orders when an edge's charge depends on how many edges there are: it is repeated
// until the network found has as many edges as its charge supposes. Each repetition improves the
// exact charge, which is concave in the number of edges (edge_charges.h).
#pragma once

#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "structure/edge_charges.h"

namespace daggnn {

struct SearchPlan {
  Network from;                      // an order, with parents or without
  int restarts = 0;                  // as in SearchOptions
  bool recheck = true;               // as in SearchOptions
  const EdgeRules* rules = nullptr;  // those of fewer edges that are searched among, or null
  // How many edges the charge supposes at first. Each edge of a sparse network may be worth less
  // than the first one costs, though together they pay: the best of several is taken.
  std::vector<Index> supposed = {0};
};

class ChargedSearch {
 public:
  // All outlive the search; see OrderSearch.
  ChargedSearch(const EdgeRules& rules, const SearchOptions& options, EdgeCharges& charges,
                Executor& executor, Observer& observer)
      : rules_(rules),
        options_(options),
        charges_(charges),
        executor_(executor),
        observer_(observer) {}

  // score: a ChargedScore with the same charges. The network has its exact charge, and its families
  // have none.
  Network run(const LocalScore& score, const SearchPlan& plan);
  // As OrderSearch::gains(), at the charges of this network.
  std::vector<EdgeGain> gains(const LocalScore& score, const Network& network);

  // Candidate parents that were found so far, where variables are screened.
  Candidates candidates;
  Stop stopped() const { return stop_; }

 private:
  Network run_once(const LocalScore& score, const SearchPlan& plan, const Network& from,
                   int restarts);
  void settle(const LocalScore& score, const SearchPlan& plan, Network& best);
  Network settled(const LocalScore& score, const SearchPlan& plan, Index supposed);

  const EdgeRules& rules_;
  const SearchOptions& options_;
  EdgeCharges& charges_;
  Executor& executor_;
  Observer& observer_;
  Stop stop_ = Stop::none;
};

// An order alone.
Network in_order(std::vector<Index> order);
// With all edges that may lead forward in the order.
Network all_forward(const std::vector<Index>& order, const EdgeRules& rules);

}  // namespace daggnn
