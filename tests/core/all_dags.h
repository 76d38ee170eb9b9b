// All graphs of a few nodes, and classes of equivalent DAGs the slow way: by Verma and Pearl
// (1990), DAGs are equivalent where they have the same adjacencies and the same unshielded
// colliders.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "graph/pdag.h"

using Colliders = std::set<std::tuple<daggnn::Index, daggnn::Index, daggnn::Index>>;
using Class = std::pair<std::vector<bool>, Colliders>;  // adjacencies, colliders

inline Colliders colliders(const daggnn::Pdag& graph) {
  Colliders found;
  for (daggnn::Index j = 0; j < graph.size(); ++j) {
    for (daggnn::Index i = 0; i < graph.size(); ++i) {
      for (daggnn::Index k = 0; k < i; ++k) {
        if (graph.directed(i, j) && graph.directed(k, j) && !graph.adjacent(i, k)) {
          found.insert({k, j, i});
        }
      }
    }
  }
  return found;
}

inline Class class_of(const daggnn::Pdag& dag) {
  std::vector<bool> adjacent;
  for (daggnn::Index i = 0; i < dag.size(); ++i) {
    for (daggnn::Index j = 0; j < i; ++j) adjacent.push_back(dag.adjacent(i, j));
  }
  return {adjacent, colliders(dag)};
}

// Calls visit(graph) for every graph; with undirected edges where asked for.
template <typename Visit>
void for_all_graphs(daggnn::Index m, bool undirected, Visit visit) {
  std::vector<std::pair<daggnn::Index, daggnn::Index>> pairs;
  for (daggnn::Index i = 0; i < m; ++i) {
    for (daggnn::Index j = 0; j < i; ++j) pairs.push_back({i, j});
  }
  const int kinds = undirected ? 4 : 3;
  std::vector<int> kind(pairs.size(), 0);
  while (true) {
    daggnn::Pdag graph(m);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (kind[k] == 1) graph.direct(pairs[k].first, pairs[k].second);
      if (kind[k] == 2) graph.direct(pairs[k].second, pairs[k].first);
      if (kind[k] == 3) graph.join(pairs[k].first, pairs[k].second);
    }
    visit(graph);
    std::size_t k = 0;
    while (k < kind.size() && ++kind[k] == kinds) kind[k++] = 0;
    if (k == kind.size()) return;
  }
}

inline std::map<Class, std::vector<daggnn::Pdag>> classes_of_dags(daggnn::Index m) {
  std::map<Class, std::vector<daggnn::Pdag>> classes;
  for_all_graphs(m, false, [&](const daggnn::Pdag& graph) {
    if (daggnn::topological_order(graph)) classes[class_of(graph)].push_back(graph);
  });
  return classes;
}

// The DAGs that are equivalent to one: of all directions of its edges.
inline std::vector<daggnn::Pdag> members_of(const daggnn::Pdag& dag) {
  std::vector<std::pair<daggnn::Index, daggnn::Index>> edges;
  for (daggnn::Index i = 0; i < dag.size(); ++i) {
    for (daggnn::Index j = 0; j < i; ++j) {
      if (dag.adjacent(i, j)) edges.push_back({i, j});
    }
  }
  const Colliders wanted = colliders(dag);
  std::vector<daggnn::Pdag> members;
  for (unsigned flips = 0; flips < 1u << edges.size(); ++flips) {
    daggnn::Pdag other(dag.size());
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (flips >> k & 1) {
        other.direct(edges[k].second, edges[k].first);
      } else {
        other.direct(edges[k].first, edges[k].second);
      }
    }
    if (colliders(other) == wanted && daggnn::topological_order(other)) members.push_back(other);
  }
  return members;
}

// An edge is directed where all DAGs agree.
inline daggnn::Pdag union_of(const std::vector<daggnn::Pdag>& dags) {
  daggnn::Pdag all = dags[0];
  for (const daggnn::Pdag& dag : dags) {
    for (daggnn::Index i = 0; i < dag.size(); ++i) {
      for (daggnn::Index j = 0; j < dag.size(); ++j) {
        if (dag.directed(i, j) && all.directed(j, i)) all.join(i, j);
      }
    }
  }
  return all;
}

// Edges with probability `density`, along a random order.
inline daggnn::Pdag random_dag(daggnn::Index m, double density, daggnn::Random& random) {
  std::vector<daggnn::Index> order;
  for (daggnn::Index i = 0; i < m; ++i) order.push_back(i);
  random.shuffle(order);
  daggnn::Pdag dag(m);
  for (std::size_t k = 0; k < order.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      if (random.uniform() < density) dag.direct(order[l], order[k]);
    }
  }
  return dag;
}
