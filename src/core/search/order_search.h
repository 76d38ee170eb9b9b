// The search for the best network under a local score: over orders of the variables.
//
// Given an order, each variable takes its parents from those before it by grow and shrink: parents
// are added while that raises the score, then removed while that does. A move takes one variable to
// another place; the parents it and the passed variables had are where grow and shrink begin again.
// When no move helps, the order is perturbed and the search runs again; the best network is kept.
// Andrews et al. (2023, BOSS) and FLOP (arXiv 2510.04970) search so on linear data.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "scores/local_score.h"

namespace daggnn {

struct Network {
  std::vector<Index> order;      // parents before children
  std::vector<Parents> parents;  // of each variable
  std::vector<double> scores;    // of each family
  double score = 0;              // their sum

  Matrix adjacency() const;  // m x m, 1 for an edge
};

struct SearchOptions {
  int restarts = 10;       // perturbed orders without a better network before the search ends
  Index maxp = 1000;       // the most parents of a variable
  std::uint64_t seed = 1;  // of the perturbations
};

// allowed, required: m x m, nonzero where an edge may be and where it must be; the required edges
// have no cycle. start: an order to begin with, or empty.
class OrderSearch {
 public:
  OrderSearch(const LocalScore& score, const Matrix& allowed, const Matrix& required,
              const SearchOptions& options, Executor& executor);

  Network run(const std::vector<Index>& start, Observer& observer);
  // From the order and the parents of a network.
  Network run_from(const Network& start, Observer& observer);
  Stop stopped() const { return stop_; }

  // What each edge contributes: the score of its family less that of the family without it. For an
  // edge that is absent and would close no cycle, what it would add (negative as a rule); NaN
  // elsewhere.
  Matrix gains(const Network& network) const;

 private:
  struct Family {
    Parents parents;
    double score;
  };

  Family grow_and_shrink(Index child, Parents parents, const Parents& candidates) const;
  // The allowed parents of a child among variables that come before it.
  Parents among(Index child, const std::vector<Index>& before) const;
  // The network of an order, each family grown from the given parents; families are shared by the
  // executor's threads.
  Network build(const std::vector<Index>& order, const std::vector<Parents>& parents,
                Executor& executor) const;
  // Takes the variable to its best place; false where that is the one it has.
  bool move(Network& network, Index variable) const;
  Network climb(Network network) const;
  Network perturbed(const Network& network, std::uint64_t seed) const;
  std::vector<Index> with_required_first(const std::vector<Index>& order) const;
  bool stopping(double score) const;

  const LocalScore& score_;
  const Matrix allowed_, required_;
  const SearchOptions options_;
  Executor& executor_;
  std::vector<Parents> required_parents_;
  Observer* observer_ = nullptr;
  std::thread::id caller_;  // the only thread that may ask the observer
  mutable std::atomic<Stop> stop_{Stop::none};
};

}  // namespace daggnn
