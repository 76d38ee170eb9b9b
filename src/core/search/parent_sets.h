// The parent sets that an optimal network can use: all sets of at most `maxp` parents, without
// those that one of their own subsets beats. Such a set is never needed, because a subset fits
// wherever the set does.
#pragma once

#include <algorithm>
#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "base/types.h"
#include "graph/edge_rules.h"
#include "scores/set_scores.h"

namespace daggnn {

// Sets of parents of m nodes, those of one node side by side, from the best score to the worst.
struct ParentSets {
  std::vector<Index> first;         // m + 1: the sets of node i are first[i], ..., first[i + 1] - 1
  std::vector<double> score;        // of each set
  std::vector<Index> first_parent;  // sets + 1: where the parents of each set begin
  std::vector<Index> parents;       // sorted within a set

  Index m() const { return static_cast<Index>(first.size()) - 1; }
  Index size() const { return static_cast<Index>(score.size()); }
  const Index* begin(Index set) const { return parents.data() + first_parent[set]; }
  const Index* end(Index set) const { return parents.data() + first_parent[set + 1]; }
};

// One parent set per node, by its number in ParentSets.
struct ChosenSets {
  std::vector<Index> set;
  double score = no_score;
};

// One set while they are collected.
struct ScoredFamily {
  Index child;
  double score;
  std::vector<Index> parents;
};

// Sorts families into ParentSets; ties go to the smaller set, then to the earlier parents.
ParentSets collect(Index m, std::vector<ScoredFamily> families);

// Numbers the subsets of one size of 0, ..., m - 1 (combinatorial number system).
class SubsetNumbers {
 public:
  SubsetNumbers(Index m, Index largest);
  Index choose(Index n, Index k) const { return choose_[n * columns_ + k]; }
  // Of the sorted set without its member at `skip` (-1: none), and without the one at `skip_too`.
  Index number(const Index* set, Index size, Index skip = -1, Index skip_too = -1) const;

 private:
  static constexpr double most = 1e15;
  std::vector<Index> choose_;
  Index columns_;
};

class ParentSetSearch {
 public:
  ParentSetSearch(const SetScore& score, const EdgeRules& rules, Index maxp);

  // When the observer stops the search, the sets found so far, at least one for each node.
  ParentSets run(Executor& executor, Observer& observer, Stop& stop);

 private:
  static constexpr Index batch = 256;  // tasks between two looks at the observer
  // 4 GB of best scores.
  static constexpr double most_stored = 5e8;

  // Adds the required parents alone for nodes that have no set yet.
  std::vector<ScoredFamily> with_required(std::vector<ScoredFamily> families) const;

  // The first two members of sets with more than two, else the first alone.
  std::vector<std::vector<Index>> heads_of(Index size) const;

  void visit_sets(const std::vector<Index>& head, Index size, std::vector<ScoredFamily>& found);

  void extend(std::vector<Index>& set, Index size, JointWalker& walker,
              std::vector<ScoredFamily>& found);

  // All local scores of one joint: each member in turn is the child of the others.
  void visit(const std::vector<Index>& set, JointWalker& walker, std::vector<ScoredFamily>& found);

  double upper(Index i, const std::vector<Index>& set, Index c, const Index* P,
               const Joint& of_parents) const;

  bool within_allowed(Index i, const Index* P, Index size) const {
    return std::all_of(P, P + size, [&](Index p) { return rules_.allowed(p, i); });
  }

  bool has_required(Index i, const Index* P, Index size) const {
    return std::count_if(P, P + size, [&](Index p) { return rules_.required(p, i); }) ==
           required_[i];
  }

  const SetScore& score_;
  const EdgeRules& rules_;
  Index m_, maxp_;
  SubsetNumbers numbers_;
  std::vector<Index> required_;             // how many parents each node must have
  std::vector<std::vector<Joint>> joints_;  // by size and number of the set
  std::vector<std::vector<double>> best_;   // by number of parents: best score of node i among the
                                            // subsets of the parents, at i * choose + number
};

}  // namespace daggnn
