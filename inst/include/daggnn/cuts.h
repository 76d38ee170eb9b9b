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

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "local_cuts.h"
#include "parent_sets.h"
#include "types.h"

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
  void row(const Cut& cut, std::vector<Index>& columns, std::vector<double>& coefficients) {
    columns.clear();
    coefficients.clear();
    enter(cut.nodes);
    for (std::size_t role = 0; role < cut.nodes.size(); ++role) {
      const Index i = cut.nodes[role];
      for (Index s = sets_.first[i]; s < sets_.first[i + 1]; ++s) {
        double coefficient = 0;
        if (cut.kind == Cut::cluster) {
          coefficient = common(s) >= cut.k ? 1 : 0;
        } else if (cut.kind == Cut::two_pairs) {
          coefficient = in_two_pairs(s, role, cut.nodes.data()) ? 1 : 0;
        } else {
          coefficient = cut.weights.at(static_cast<Index>(role), within(s, cut.nodes));
        }
        if (coefficient == 0) continue;
        columns.push_back(s);
        coefficients.push_back(coefficient);
      }
    }
    leave(cut.nodes);
  }

  // Violated cuts, the worst first, at most `most`. x: one value per parent set.
  std::vector<Cut> find(const std::vector<double>& x, Index most) {
    take_support(x);
    found_.clear();
    for (const auto& component : components()) {
      if (component.size() < 2) continue;
      // Each cycle that an edge closes most cheaply, and each edge by itself, starts a search.
      std::set<std::vector<Index>> seeds;
      for (const Index i : component) {
        for (const Index p : linked_[i]) {
          if (part_[p] != part_[i]) continue;
          seeds.insert({std::min(i, p), std::max(i, p)});
          seeds.insert(shortest_cycle(p, i, component));
        }
      }
      for (const auto& seed : seeds) {
        for (Index k = 1; k <= largest_; ++k) climb(seed, k, component);
      }
      find_two_pairs(component);
      if (static_cast<Index>(found_.size()) < few_cuts) find_local(seeds, component);
    }
    std::vector<Cut> cuts(found_.begin(), found_.end());
    std::stable_sort(cuts.begin(), cuts.end(),
                     [](const Cut& a, const Cut& b) { return a.violation > b.violation; });
    if (static_cast<Index>(cuts.size()) > most) cuts.resize(most);
    return cuts;
  }

 private:
  static constexpr double zero = 1e-9;      // a value of x below it is no part of the solution
  static constexpr double violated = 1e-4;  // a cut must be violated by this much to be worth a row
  static constexpr Index largest_cluster = 24;
  static constexpr Index forced_steps = 4;
  static constexpr Index few_cuts =
      20;  // fewer clusters than that: local cuts are worth their time
  static constexpr Index largest_local = 6;
  static constexpr double least_local = 0.005;

  struct Value {
    Index set;
    double x;
  };

  void take_support(const std::vector<double>& x) {
    support_.assign(sets_.m(), {});
    linked_.assign(sets_.m(), {});
    weight_.assign(sets_.m(), {});
    largest_ = 1;
    for (Index i = 0; i < sets_.m(); ++i) {
      for (Index s = sets_.first[i]; s < sets_.first[i + 1]; ++s) {
        if (x[s] < zero) continue;
        support_[i].push_back({s, x[s]});
        largest_ = std::max(largest_, sets_.end(s) - sets_.begin(s));
        for (const Index* p = sets_.begin(s); p != sets_.end(s); ++p) linked_[i].push_back(*p);
      }
      std::sort(linked_[i].begin(), linked_[i].end());
      linked_[i].erase(std::unique(linked_[i].begin(), linked_[i].end()), linked_[i].end());
      weight_[i].assign(linked_[i].size(), 0);
      for (const Value& value : support_[i]) {
        for (const Index* p = sets_.begin(value.set); p != sets_.end(value.set); ++p) {
          const auto place = std::lower_bound(linked_[i].begin(), linked_[i].end(), *p);
          weight_[i][place - linked_[i].begin()] += value.x;
        }
      }
    }
  }

  // Strongly connected parts of the graph of edges that the solution uses (Tarjan 1972): a violated
  // cluster lies within one of them.
  std::vector<std::vector<Index>> components() {
    const Index m = sets_.m();
    std::vector<std::vector<Index>> components;
    std::vector<Index> number(m, -1), low(m, 0), stack;
    std::vector<bool> open(m, false);
    part_.assign(m, -1);
    Index next = 0;
    struct Visit {
      Index node;
      std::size_t link;
    };
    for (Index root = 0; root < m; ++root) {
      if (number[root] >= 0) continue;
      std::vector<Visit> path{{root, 0}};
      while (!path.empty()) {
        const Index i = path.back().node;
        if (path.back().link == 0) {
          number[i] = low[i] = next++;
          stack.push_back(i);
          open[i] = true;
        }
        if (path.back().link < linked_[i].size()) {
          const Index p = linked_[i][path.back().link++];
          if (number[p] < 0) {
            path.push_back({p, 0});
          } else if (open[p]) {
            low[i] = std::min(low[i], number[p]);
          }
          continue;
        }
        if (low[i] == number[i]) {
          components.emplace_back();
          Index member;
          do {
            member = stack.back();
            stack.pop_back();
            open[member] = false;
            part_[member] = static_cast<Index>(components.size()) - 1;
            components.back().push_back(member);
          } while (member != i);
        }
        path.pop_back();
        if (!path.empty()) {
          const Index before = path.back().node;
          low[before] = std::min(low[before], low[i]);
        }
      }
    }
    return components;
  }

  void enter(const std::vector<Index>& cluster) {
    for (const Index i : cluster) inside_[i] = 1;
  }
  void leave(const std::vector<Index>& cluster) {
    for (const Index i : cluster) inside_[i] = 0;
  }

  Index common(Index set) const {
    Index count = 0;
    for (const Index* p = sets_.begin(set); p != sets_.end(set); ++p) count += inside_[*p];
    return count;
  }

  // Left side minus right side for the nodes that are `inside_`, of which `cluster` is a list with
  // perhaps some that are not.
  double violation(const std::vector<Index>& cluster, Index k) const {
    double sum = 0;
    Index size = 0;
    for (const Index i : cluster) {
      if (!inside_[i]) continue;
      ++size;
      for (const Value& value : support_[i]) {
        if (common(value.set) >= k) sum += value.x;
      }
    }
    return sum - static_cast<double>(size - k);
  }

  // The members of the set among the nodes, as bits.
  Index within(Index set, const std::vector<Index>& nodes) const {
    Index Q = 0;
    for (const Index* p = sets_.begin(set); p != sets_.end(set); ++p) {
      if (!inside_[*p]) continue;
      Q |= Index{1} << (std::lower_bound(nodes.begin(), nodes.end(), *p) - nodes.begin());
    }
    return Q;
  }

  // Grows each seed by the nodes that are tied to it most, and looks at what the solution says
  // about these nodes alone.
  void find_local(const std::set<std::vector<Index>>& seeds, const std::vector<Index>& component) {
    std::set<std::vector<Index>> tried;
    for (std::vector<Index> nodes : seeds) {
      while (static_cast<Index>(nodes.size()) < largest_local && nodes.size() < component.size()) {
        nodes.push_back(most_tied(nodes, component));
        if (nodes.size() < 4) continue;
        std::vector<Index> sorted = nodes;
        std::sort(sorted.begin(), sorted.end());
        if (tried.insert(sorted).second && try_local(sorted)) break;
      }
    }
  }

  Index most_tied(const std::vector<Index>& nodes, const std::vector<Index>& component) {
    enter(nodes);
    Index best = -1;
    double most = -1;
    for (const Index j : component) {
      if (inside_[j]) continue;
      double from = 0, to = 0;
      for (std::size_t l = 0; l < linked_[j].size(); ++l) {
        if (inside_[linked_[j][l]]) from += weight_[j][l];
      }
      for (const Index i : nodes) {
        const auto place = std::lower_bound(linked_[i].begin(), linked_[i].end(), j);
        if (place != linked_[i].end() && *place == j) to += weight_[i][place - linked_[i].begin()];
      }
      // Only nodes with edges both ways close cycles.
      const double tied = std::min(from, to) + 0.1 * (from + to);
      if (tied > most) {
        most = tied;
        best = j;
      }
    }
    leave(nodes);
    return best;
  }

  bool try_local(const std::vector<Index>& nodes) {
    const Index size = static_cast<Index>(nodes.size());
    LocalWeights y(size), a(size);
    enter(nodes);
    for (Index role = 0; role < size; ++role) {
      for (const Value& value : support_[nodes[role]]) {
        y.at(role, within(value.set, nodes)) += value.x;
      }
    }
    leave(nodes);
    double right_side = 0;
    if (!local_.find(y, least_local, a, right_side)) return false;
    double left = 0;
    for (Index role = 0; role < size; ++role) {
      for (Index Q = 1; Q < (Index{1} << size); ++Q) left += a.at(role, Q) * y.at(role, Q);
    }
    found_.insert({Cut::local, nodes, 0, left / right_side - 1, right_side, a});
    return true;
  }

  // Does the set count for the node in this role (a, b, c or d)?
  bool in_two_pairs(Index set, std::size_t role, const Index* nodes) const {
    const auto has = [&](Index j) {
      return std::binary_search(sets_.begin(set), sets_.end(set), j);
    };
    const Index other = nodes[role ^ 1];
    if (role < 2) return has(other) || (has(nodes[2]) && has(nodes[3]));
    return has(other) && (has(nodes[0]) || has(nodes[1]));
  }

  void find_two_pairs(const std::vector<Index>& component) {
    std::vector<std::pair<Index, Index>> pairs;
    for (const Index i : component) {
      for (const Index p : linked_[i]) {
        if (part_[p] == part_[i]) pairs.emplace_back(std::min(i, p), std::max(i, p));
      }
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const auto& first : pairs) {
      for (const auto& second : pairs) {
        const Index nodes[4] = {first.first, first.second, second.first, second.second};
        if (nodes[0] == nodes[2] || nodes[0] == nodes[3] || nodes[1] == nodes[2] ||
            nodes[1] == nodes[3]) {
          continue;
        }
        double sum = 0;
        for (std::size_t role = 0; role < 4; ++role) {
          for (const Value& value : support_[nodes[role]]) {
            if (in_two_pairs(value.set, role, nodes)) sum += value.x;
          }
        }
        if (sum > 2 + violated) {
          found_.insert({Cut::two_pairs, std::vector<Index>(nodes, nodes + 4), 0, sum - 2, 2});
        }
      }
    }
  }

  // The nodes of the cycle through p -> i whose edges are used most: the length of an edge is the
  // share of the child's choice that is without it (Dijkstra 1959, on few nodes).
  std::vector<Index> shortest_cycle(Index p, Index i, const std::vector<Index>& component) const {
    // From p backwards to i: the parents of p, their parents, and so on.
    std::vector<double> distance(sets_.m(), -no_score);
    std::vector<Index> child(sets_.m(), -1);
    std::vector<bool> done(sets_.m(), false);
    distance[p] = 0;
    while (true) {
      Index next = -1;
      for (const Index j : component) {
        if (!done[j] && (next < 0 || distance[j] < distance[next])) next = j;
      }
      if (next == i) break;
      done[next] = true;
      for (std::size_t l = 0; l < linked_[next].size(); ++l) {
        const Index parent = linked_[next][l];
        if (part_[parent] != part_[p]) continue;
        const double length = distance[next] + std::max(1 - weight_[next][l], zero);
        if (length < distance[parent]) {
          distance[parent] = length;
          child[parent] = next;
        }
      }
    }
    std::vector<Index> cycle;
    for (Index j = i; j >= 0; j = child[j]) cycle.push_back(j);
    std::sort(cycle.begin(), cycle.end());
    return cycle;
  }

  // Grows the cluster by the best node a few times, whether that helps or not, because a cycle only
  // shows when it closes; then from the best cluster on adds and removes nodes while that helps.
  void climb(std::vector<Index> cluster, Index k, const std::vector<Index>& component) {
    enter(cluster);
    std::vector<Index> best_cluster = cluster;
    double best = no_score;
    if (static_cast<Index>(cluster.size()) > k) best = violation(cluster, k);
    keep(cluster, k, best);
    for (Index step = 0; step < forced_steps; ++step) {
      const Change change = best_change(cluster, k, component, false);
      if (change.node < 0) break;
      apply(change.node, cluster);
      keep(cluster, k, change.violation);
      if (change.violation > best && static_cast<Index>(cluster.size()) > k) {
        best = change.violation;
        best_cluster = cluster;
      }
    }
    leave(cluster);
    cluster = best_cluster;
    enter(cluster);
    while (true) {
      const Change change = best_change(cluster, k, component, true);
      if (change.node < 0 || change.violation <= best + zero) break;
      apply(change.node, cluster);
      best = change.violation;
      keep(cluster, k, best);
    }
    leave(cluster);
  }

  struct Change {
    Index node = -1;
    double violation = no_score;
  };

  // The node to add, or if wanted to remove, that makes the violation largest.
  Change best_change(std::vector<Index>& cluster, Index k, const std::vector<Index>& component,
                     bool remove) {
    Change best;
    const auto consider = [&](Index j) {
      inside_[j] ^= 1;
      const double value = violation(cluster, k);
      inside_[j] ^= 1;
      if (value > best.violation) best = {j, value};
    };
    if (remove && static_cast<Index>(cluster.size()) > k + 1) {
      for (const Index j : cluster) consider(j);
    }
    if (static_cast<Index>(cluster.size()) < largest_cluster) {
      cluster.push_back(-1);
      for (const Index j : component) {
        if (inside_[j]) continue;
        cluster.back() = j;
        consider(j);
      }
      cluster.pop_back();
    }
    return best;
  }

  void apply(Index node, std::vector<Index>& cluster) {
    if (inside_[node]) {
      cluster.erase(std::find(cluster.begin(), cluster.end(), node));
    } else {
      cluster.push_back(node);
    }
    inside_[node] ^= 1;
  }

  void keep(std::vector<Index> cluster, Index k, double violation) {
    if (violation < violated || static_cast<Index>(cluster.size()) <= k) return;
    std::sort(cluster.begin(), cluster.end());
    const double right = static_cast<double>(static_cast<Index>(cluster.size()) - k);
    found_.insert({Cut::cluster, std::move(cluster), k, violation, right});
  }

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
