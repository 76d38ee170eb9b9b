// Partially directed graphs: at most one edge between two nodes, i -> j or i - j.
//
// A class of Markov equivalent DAGs is drawn as its CPDAG (completed partially directed acyclic
// graph): an edge is directed where all DAGs of the class agree on its direction. Chickering
// (1995), A transformational characterization of equivalent Bayesian network structures, UAI 11;
// Dor and Tarsi (1992), A simple algorithm to construct a consistent extension of a partially
// oriented graph; Meek (1995), Causal inference and causal explanation with background knowledge,
// UAI 11.
#pragma once

#include <optional>
#include <vector>

#include "base/types.h"

namespace daggnn {

using Nodes = std::vector<Index>;  // sorted, distinct

class Pdag {
 public:
  explicit Pdag(Index nodes);
  // edges: m x m, nonzero for i -> j; an edge that is there both ways is undirected.
  explicit Pdag(const Matrix& edges);
  Matrix matrix() const;  // the same form, of zeros and ones

  Index size() const { return size_; }
  Index edges() const;

  bool directed(Index i, Index j) const { return mark(i, j) && !mark(j, i); }
  bool undirected(Index i, Index j) const { return mark(i, j) && mark(j, i); }
  bool adjacent(Index i, Index j) const { return mark(i, j) || mark(j, i); }
  // i -> j or i - j: a step of a semi-directed path.
  bool leads(Index i, Index j) const { return mark(i, j); }

  const Nodes& adjacent(Index i) const { return adjacent_[static_cast<std::size_t>(i)]; }
  Nodes parents(Index i) const;
  Nodes neighbours(Index i) const;  // joined by an undirected edge

  // Set what joins i and j, whatever did so before.
  void direct(Index i, Index j);
  void join(Index i, Index j);
  void separate(Index i, Index j);

  bool operator==(const Pdag& other) const { return marks_ == other.marks_; }
  bool operator!=(const Pdag& other) const { return marks_ != other.marks_; }
  // Does some edge of node i differ between two graphs of the same nodes?
  bool differs_at(Index i, const Pdag& other) const;

 private:
  std::size_t at(Index i, Index j) const { return static_cast<std::size_t>(i * size_ + j); }
  bool mark(Index i, Index j) const { return marks_[at(i, j)]; }

  Index size_;
  std::vector<bool> marks_;  // [i, j]: the edge leads from i to j
  std::vector<Nodes> adjacent_;
};

// Parents before children; nothing where the directed edges have a cycle or an edge is undirected.
std::optional<std::vector<Index>> topological_order(const Pdag& dag);

// A DAG with the same adjacencies and unshielded colliders, in which all directed edges keep their
// direction (Dor and Tarsi 1992); nothing where there is none.
std::optional<Pdag> consistent_extension(const Pdag& graph);

// The CPDAG of the class of a DAG (Chickering 1995).
Pdag cpdag_of(const Pdag& dag);

// Directs the edges that follow from the directed ones by Meek's four rules.
void apply_meek_rules(Pdag& graph);

// Are all of the nodes adjacent to each other?
bool is_clique(const Pdag& graph, const Nodes& nodes);
// All subsets of the nodes that are cliques, the empty one first, of at most `largest` nodes. An
// error where there are more than a million.
std::vector<Nodes> cliques(const Pdag& graph, const Nodes& nodes, Index largest);

// A shortest semi-directed path from one node to another, both included, that does not use the edge
// between them where `directly` is false and passes through no blocked node; empty where there is
// none.
std::vector<Index> semi_directed_path(const Pdag& graph, Index from, Index to, const Nodes& blocked,
                                      bool directly);

}  // namespace daggnn
