// The search for the best network under a local score: over orders of the variables.
//
// Given an order, each variable takes its parents from those before it by grow and shrink: parents
// are added while that raises the score, then removed while that does. A move takes one variable to
// another place (order_climb.h). When no move helps, the order is perturbed and the search runs
// again; the best network is kept. Andrews et al. (2023, BOSS) and FLOP (arXiv 2510.04970) search
// so on linear data.
//
// Where there are many variables, each has a list of candidate parents: those that grow and shrink
// takes from all others regardless of any order (its Markov blanket, where the score is right), and
// those that take it (candidates.h). When the search is done, all other edges are tried once; those
// that raise the score become candidates and the search goes on.
#pragma once

#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "search/order_climb.h"

namespace daggnn {

// What the edge from one variable to another adds to the score of the child.
struct EdgeGain {
  Index from, to;
  double gain;
};

// start: an order to begin with, or empty.
class OrderSearch {
 public:
  // candidates: those of an earlier search of the same variables, or empty; the search adds to
  // them. Without it, the search has candidates of its own.
  OrderSearch(const LocalScore& score, const EdgeRules& rules, const SearchOptions& options,
              Executor& executor, Candidates* candidates = nullptr);

  Network run(const std::vector<Index>& start, Observer& observer);
  // From the order and the parents of a network.
  Network run_from(const Network& start, Observer& observer);
  Stop stopped() const { return problem_.stopped(); }

  // What each edge contributes: the score of its family less that of the family without it. For an
  // absent edge between candidates that would close no cycle, what it would add (negative as a
  // rule). Child by child; others are not there.
  std::vector<EdgeGain> gains(const Network& network) const;

 private:
  // Climbs and perturbs until nothing is better.
  Network improve(OrderState best);
  // Finds the candidates; the variables by how much all others explain of each.
  std::vector<Index> screen();
  // The network of an order, of all allowed edges; candidates stay as they are.
  void build_from_all(const std::vector<Index>& order, OrderState& state) const;
  // The parents of each variable become candidates.
  void add_parents(const Network& network, OrderState& state) const;
  void settle(OrderState& state);
  // `changed`: the variables that may have a better place then.
  OrderState perturbed(const OrderState& state, std::uint64_t seed,
                       std::vector<Index>& changed) const;

  OrderProblem problem_;
  const OrderClimb climber_;
  Executor& executor_;
  Candidates own_candidates_;
  Candidates& candidates_;
};

}  // namespace daggnn
