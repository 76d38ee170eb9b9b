#include "graph/pdag.h"

#include <algorithm>
#include <deque>

namespace daggnn {

namespace {

void insert_sorted(Nodes& nodes, Index node) {
  const auto place = std::lower_bound(nodes.begin(), nodes.end(), node);
  if (place == nodes.end() || *place != node) nodes.insert(place, node);
}

void erase_sorted(Nodes& nodes, Index node) {
  const auto place = std::lower_bound(nodes.begin(), nodes.end(), node);
  if (place != nodes.end() && *place == node) nodes.erase(place);
}

}  // namespace

Pdag::Pdag(Index nodes)
    : size_(nodes),
      marks_(static_cast<std::size_t>(nodes * nodes), false),
      adjacent_(static_cast<std::size_t>(nodes)) {}

Pdag::Pdag(const Matrix& edges) : Pdag(edges.rows()) {
  for (Index i = 0; i < size_; ++i) {
    for (Index j = 0; j < i; ++j) {
      const bool there = edges(i, j) != 0, back = edges(j, i) != 0;
      if (there && back) join(i, j);
      if (there && !back) direct(i, j);
      if (back && !there) direct(j, i);
    }
  }
}

Matrix Pdag::matrix() const {
  Matrix edges = Matrix::Zero(size_, size_);
  for (Index i = 0; i < size_; ++i) {
    for (const Index j : adjacent(i)) edges(i, j) = leads(i, j);
  }
  return edges;
}

Index Pdag::edges() const {
  std::size_t ends = 0;
  for (const Nodes& nodes : adjacent_) ends += nodes.size();
  return static_cast<Index>(ends / 2);
}

Nodes Pdag::parents(Index i) const {
  Nodes found;
  for (const Index j : adjacent(i)) {
    if (directed(j, i)) found.push_back(j);
  }
  return found;
}

Nodes Pdag::neighbours(Index i) const {
  Nodes found;
  for (const Index j : adjacent(i)) {
    if (undirected(i, j)) found.push_back(j);
  }
  return found;
}

void Pdag::direct(Index i, Index j) {
  join(i, j);
  marks_[at(j, i)] = false;
}

void Pdag::join(Index i, Index j) {
  marks_[at(i, j)] = marks_[at(j, i)] = true;
  insert_sorted(adjacent_[static_cast<std::size_t>(i)], j);
  insert_sorted(adjacent_[static_cast<std::size_t>(j)], i);
}

void Pdag::separate(Index i, Index j) {
  marks_[at(i, j)] = marks_[at(j, i)] = false;
  erase_sorted(adjacent_[static_cast<std::size_t>(i)], j);
  erase_sorted(adjacent_[static_cast<std::size_t>(j)], i);
}

bool Pdag::differs_at(Index i, const Pdag& other) const {
  if (adjacent(i) != other.adjacent(i)) return true;
  for (const Index j : adjacent(i)) {
    if (mark(i, j) != other.mark(i, j) || mark(j, i) != other.mark(j, i)) return true;
  }
  return false;
}

std::optional<std::vector<Index>> topological_order(const Pdag& dag) {
  std::vector<Index> order, parents(static_cast<std::size_t>(dag.size()), 0);
  for (Index j = 0; j < dag.size(); ++j) {
    for (const Index i : dag.adjacent(j)) {
      if (dag.undirected(i, j)) return {};
      parents[j] += dag.directed(i, j);
    }
    if (parents[j] == 0) order.push_back(j);
  }
  for (std::size_t next = 0; next < order.size(); ++next) {
    for (const Index j : dag.adjacent(order[next])) {
      if (dag.directed(order[next], j) && --parents[j] == 0) order.push_back(j);
    }
  }
  if (static_cast<Index>(order.size()) < dag.size()) return {};
  return order;
}

std::optional<Pdag> consistent_extension(const Pdag& graph) {
  const std::size_t m = static_cast<std::size_t>(graph.size());
  std::vector<bool> removed(m, false), queued(m, true);

  // A node that can be last in an order: nothing leaves it, and those joined to it without
  // direction are adjacent to all others around it, so that directing their edges to it makes no
  // new collider.
  const auto is_sink = [&](Index x) {
    for (const Index y : graph.adjacent(x)) {
      if (removed[y]) continue;
      if (graph.directed(x, y)) return false;
      if (!graph.undirected(x, y)) continue;
      for (const Index z : graph.adjacent(x)) {
        if (z != y && !removed[z] && !graph.adjacent(y, z)) return false;
      }
    }
    return true;
  };

  Pdag dag = graph;
  std::deque<Index> queue;
  for (Index x = 0; x < graph.size(); ++x) queue.push_back(x);
  std::size_t left = m;
  // Whether a node is a sink changes only when a node beside it goes.
  while (!queue.empty()) {
    const Index x = queue.front();
    queue.pop_front();
    queued[x] = false;
    if (removed[x] || !is_sink(x)) continue;
    removed[x] = true;
    --left;
    for (const Index y : graph.adjacent(x)) {
      if (removed[y]) continue;
      if (graph.undirected(x, y)) dag.direct(y, x);
      if (!queued[y]) queue.push_back(y);
      queued[y] = true;
    }
  }
  if (left > 0) return {};
  return dag;
}

Pdag cpdag_of(const Pdag& dag) {
  const auto order = topological_order(dag);
  if (!order) throw Error("the graph is not a DAG");
  std::vector<Index> place(order->size());
  for (std::size_t k = 0; k < order->size(); ++k) place[(*order)[k]] = static_cast<Index>(k);

  Pdag cpdag = dag;
  for (const Index y : *order) {
    const Nodes parents = dag.parents(y);
    if (parents.empty()) continue;
    const Index x = *std::max_element(parents.begin(), parents.end(),
                                      [&](Index a, Index b) { return place[a] < place[b]; });
    // All edges into y are compelled where some parent is not a parent of x, or where an edge w ->
    // x is compelled and w is no parent of y.
    bool all = std::any_of(parents.begin(), parents.end(),
                           [&](Index z) { return z != x && !dag.directed(z, x); });
    const Nodes compelled = cpdag.parents(x);
    for (const Index w : compelled) all = all || !dag.directed(w, y);
    if (all) continue;
    for (const Index z : parents) {
      if (!std::binary_search(compelled.begin(), compelled.end(), z)) cpdag.join(z, y);
    }
  }
  return cpdag;
}

namespace {

// Does one of Meek's rules direct a - b as a -> b?
bool follows(const Pdag& graph, Index a, Index b) {
  for (const Index c : graph.adjacent(a)) {
    if (c == b) continue;
    // 1: c -> a - b, where a <- b would make a new collider.
    if (graph.directed(c, a) && !graph.adjacent(c, b)) return true;
    // 2: a -> c -> b, where a <- b would close a cycle.
    if (graph.directed(a, c) && graph.directed(c, b)) return true;
    if (!graph.undirected(a, c)) continue;
    for (const Index d : graph.adjacent(a)) {
      if (d == b || d == c) continue;
      // 3: a - c -> b, a - d -> b, c and d apart.
      if (graph.undirected(a, d) && graph.directed(c, b) && graph.directed(d, b) &&
          !graph.adjacent(c, d)) {
        return true;
      }
      // 4: a - c -> d -> b, c and b apart, d adjacent to a.
      if (graph.directed(c, d) && graph.directed(d, b) && !graph.adjacent(c, b)) return true;
    }
  }
  return false;
}

}  // namespace

void apply_meek_rules(Pdag& graph) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Index a = 0; a < graph.size(); ++a) {
      for (const Index b : graph.neighbours(a)) {
        if (follows(graph, a, b)) {
          graph.direct(a, b);
          changed = true;
        }
      }
    }
  }
}

bool is_clique(const Pdag& graph, const Nodes& nodes) {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      if (!graph.adjacent(nodes[k], nodes[l])) return false;
    }
  }
  return true;
}

std::vector<Nodes> cliques(const Pdag& graph, const Nodes& nodes, Index largest) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::vector<Nodes> found{{}};
  // A clique is made from the one without its last node.
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (static_cast<Index>(found[k].size()) >= largest) continue;
    for (const Index node : nodes) {
      const Nodes& clique = found[k];
      if (!clique.empty() && node <= clique.back()) continue;
      const bool fits = std::all_of(clique.begin(), clique.end(),
                                    [&](Index other) { return graph.adjacent(other, node); });
      if (!fits) continue;
      Nodes larger = clique;
      larger.push_back(node);
      found.push_back(std::move(larger));
      if (found.size() > most) {
        throw Error(
            "too many variables depend on each other for all their cliques to be tried: "
            "`maxp` must be smaller");
      }
    }
  }
  return found;
}

std::vector<Index> semi_directed_path(const Pdag& graph, Index from, Index to, const Nodes& blocked,
                                      bool directly) {
  constexpr Index unseen = -1, closed = -2;
  std::vector<Index> previous(static_cast<std::size_t>(graph.size()), unseen);
  for (const Index node : blocked) previous[node] = closed;
  previous[from] = from;
  std::vector<Index> queue{from};
  for (std::size_t next = 0; next < queue.size() && previous[to] == unseen; ++next) {
    const Index x = queue[next];
    for (const Index y : graph.adjacent(x)) {
      if (previous[y] != unseen || !graph.leads(x, y)) continue;
      if (x == from && y == to && !directly) continue;
      previous[y] = x;
      queue.push_back(y);
    }
  }
  if (previous[to] < 0) return {};
  std::vector<Index> path{to};
  while (path.back() != from) path.push_back(previous[path.back()]);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace daggnn
