#include "search/cuts.h"

#include <algorithm>
#include <utility>

namespace daggnn {

void CutFinder::row(const Cut& cut, std::vector<Index>& columns,
                    std::vector<double>& coefficients) {
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

std::vector<Cut> CutFinder::find(const std::vector<double>& x, Index most) {
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

void CutFinder::take_support(const std::vector<double>& x) {
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

std::vector<std::vector<Index>> CutFinder::components() {
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

Index CutFinder::common(Index set) const {
  Index count = 0;
  for (const Index* p = sets_.begin(set); p != sets_.end(set); ++p) count += inside_[*p];
  return count;
}

double CutFinder::violation(const std::vector<Index>& cluster, Index k) const {
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

Index CutFinder::within(Index set, const std::vector<Index>& nodes) const {
  Index Q = 0;
  for (const Index* p = sets_.begin(set); p != sets_.end(set); ++p) {
    if (!inside_[*p]) continue;
    Q |= Index{1} << (std::lower_bound(nodes.begin(), nodes.end(), *p) - nodes.begin());
  }
  return Q;
}

void CutFinder::find_local(const std::set<std::vector<Index>>& seeds,
                           const std::vector<Index>& component) {
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

Index CutFinder::most_tied(const std::vector<Index>& nodes, const std::vector<Index>& component) {
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

bool CutFinder::try_local(const std::vector<Index>& nodes) {
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

bool CutFinder::in_two_pairs(Index set, std::size_t role, const Index* nodes) const {
  const auto has = [&](Index j) { return std::binary_search(sets_.begin(set), sets_.end(set), j); };
  const Index other = nodes[role ^ 1];
  if (role < 2) return has(other) || (has(nodes[2]) && has(nodes[3]));
  return has(other) && (has(nodes[0]) || has(nodes[1]));
}

void CutFinder::find_two_pairs(const std::vector<Index>& component) {
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

std::vector<Index> CutFinder::shortest_cycle(Index p, Index i,
                                             const std::vector<Index>& component) const {
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

void CutFinder::climb(std::vector<Index> cluster, Index k, const std::vector<Index>& component) {
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

CutFinder::Change CutFinder::best_change(std::vector<Index>& cluster, Index k,
                                         const std::vector<Index>& component, bool remove) {
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

void CutFinder::apply(Index node, std::vector<Index>& cluster) {
  if (inside_[node]) {
    cluster.erase(std::find(cluster.begin(), cluster.end(), node));
  } else {
    cluster.push_back(node);
  }
  inside_[node] ^= 1;
}

void CutFinder::keep(std::vector<Index> cluster, Index k, double violation) {
  if (violation < violated || static_cast<Index>(cluster.size()) <= k) return;
  std::sort(cluster.begin(), cluster.end());
  const double right = static_cast<double>(static_cast<Index>(cluster.size()) - k);
  found_.insert({Cut::cluster, std::move(cluster), k, violation, right});
}

}  // namespace daggnn
