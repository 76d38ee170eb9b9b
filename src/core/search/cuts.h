// Inequalities that every network without cycles obeys and a fractional solution of the integer
// program may not. Symbols:
//   x(i, J)  how much of node i's choice is the parent set J; one column per set of ParentSets
//   C        a set of nodes, a cluster
// k-cluster cuts (Jaakkola et al. 2010; Cussens 2011), for k = 1, 2, ...: in an order of C the
// first k nodes cannot have k parents in C, so
//   sum over i in C, J with |J & C| >= k, of x(i, J)  <=  |C| - k.
// Up to four nodes, these and one more kind cut off whatever was preferred to the networks
// themselves in trials with thousands of random scores (Cussens et al. 2017 list all facets). The
// other kind is about two pairs {a, b} and {c, d}:
//   sum of x(a, J), J with b or with c and d, and of x(b, J), J with a or with c and d, and
//   of x(c, J), J with d and with a or b,     and of x(d, J), J with c and with a or b     <=  2.
#pragma once

#include <set>
#include <tuple>
#include <vector>

#include "base/types.h"
#include "search/local_cuts.h"
#include "search/parent_sets.h"

namespace daggnn {

struct Cut {
  enum Kind { cluster, two_pairs, local } kind;
  std::vector<Index> nodes;  // cluster and local: sorted; two_pairs: a < b, c < d
  Index k;                   // of a cluster
  double violation = 0;
  double right_side = 0;
  LocalWeights weights = LocalWeights(0);  // of a local cut

  bool operator<(const Cut& other) const {
    return std::tie(kind, k, nodes) < std::tie(other.kind, other.k, other.nodes);
  }
};

class CutFinder {
 public:
  explicit CutFinder(const ParentSets& sets) : sets_(sets), inside_(sets.m(), 0) {}

  // The columns of a cut and their coefficients.
  void row(const Cut& cut, std::vector<Index>& columns, std::vector<double>& coefficients);

  // Violated cuts, the worst first, at most `most`. x: one value per parent set.
  std::vector<Cut> find(const std::vector<double>& x, Index most);

 private:
  static constexpr double zero = 1e-9;      // a value of x below it is no part of the solution
  static constexpr double violated = 1e-4;  // cuts that are violated by less are not added
  static constexpr Index largest_cluster = 24;
  static constexpr Index forced_steps = 4;
  static constexpr Index few_cuts = 20;  // with fewer clusters, local cuts are tried too
  static constexpr Index largest_local = 6;
  static constexpr double least_local = 0.005;

  struct Value {
    Index set;
    double x;
  };

  void take_support(const std::vector<double>& x);

  // Strongly connected parts of the graph of edges that the solution uses (Tarjan 1972): a violated
  // cluster lies within one of them.
  std::vector<std::vector<Index>> components();

  void enter(const std::vector<Index>& cluster) {
    for (const Index i : cluster) inside_[i] = 1;
  }
  void leave(const std::vector<Index>& cluster) {
    for (const Index i : cluster) inside_[i] = 0;
  }

  Index common(Index set) const;

  // Left side minus right side for the nodes that are `inside_`, of which `cluster` is a list with
  // perhaps some that are not.
  double violation(const std::vector<Index>& cluster, Index k) const;

  // The members of the set among the nodes, as bits.
  Index within(Index set, const std::vector<Index>& nodes) const;

  // Grows each seed by the nodes that are tied to it most, and looks at what the solution says
  // about these nodes alone.
  void find_local(const std::set<std::vector<Index>>& seeds, const std::vector<Index>& component);

  Index most_tied(const std::vector<Index>& nodes, const std::vector<Index>& component);

  bool try_local(const std::vector<Index>& nodes);

  // Does the set count for the node in this role (a, b, c or d)?
  bool in_two_pairs(Index set, std::size_t role, const Index* nodes) const;

  void find_two_pairs(const std::vector<Index>& component);

  // The nodes of the cycle through p -> i whose edges are used most: the length of an edge is the
  // share of the child's choice that is without it (Dijkstra 1959, on few nodes).
  std::vector<Index> shortest_cycle(Index p, Index i, const std::vector<Index>& component) const;

  // Grows the cluster by the best node a few times, whether that helps or not, because a cycle only
  // shows when it closes; then from the best cluster on adds and removes nodes while that helps.
  void climb(std::vector<Index> cluster, Index k, const std::vector<Index>& component);

  struct Change {
    Index node = -1;
    double violation = no_score;
  };

  // The node to add, or if wanted to remove, that makes the violation largest.
  Change best_change(std::vector<Index>& cluster, Index k, const std::vector<Index>& component,
                     bool remove);

  void apply(Index node, std::vector<Index>& cluster);

  void keep(std::vector<Index> cluster, Index k, double violation);

  const ParentSets& sets_;
  std::vector<char> inside_;                 // is the node in the cluster at hand?
  std::vector<std::vector<Value>> support_;  // of each node, the sets that the solution uses
  std::vector<std::vector<Index>> linked_;   // of each node, all parents in those sets
  std::vector<std::vector<double>> weight_;  // of each of them, how much it is used
  std::vector<Index> part_;                  // of each node, its component
  Index largest_ = 1;                        // most parents of a set in the support
  std::set<Cut> found_;
  LocalCutFinder local_;
};

}  // namespace daggnn
