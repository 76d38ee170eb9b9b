// The best network of a few nodes by dynamic programming over subsets (Silander and Myllymaki
// 2006):
//   best(S) = max over i in S of best(S - i) + (best score of i with parents in S - i),
// 8 * 2^m bytes and about m * 2^m steps.
#pragma once

#include <cstdint>
#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "search/parent_sets.h"

namespace daggnn {

constexpr Index most_dp_nodes = 32;

class SubsetProgram {
 public:
  explicit SubsetProgram(const ParentSets& sets);

  // Without a set for each node when the observer stops the work, or when the lists leave no
  // network.
  ChosenSets run(Executor& executor, Observer& observer, Stop& stop);

 private:
  static Index count_bits(std::uint64_t x);

  // The best set of node i within S, or -1; the sets come from the best to the worst.
  Index best_set(Index i, std::uint64_t S) const;

  void fill(std::uint64_t S);

  double top(Index i) const {
    return sets_.first[i] < sets_.first[i + 1] ? sets_.score[sets_.first[i]] : no_score;
  }

  ChosenSets trace_back() const;

  const ParentSets& sets_;
  Index m_;
  std::vector<std::uint64_t> masks_;  // of each parent set
  std::vector<double> best_;          // of each subset of nodes
};

}  // namespace daggnn
