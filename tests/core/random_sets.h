// Random local scores, and the slow way to the best network: every choice of one set per node.
#pragma once

#include "base/random.h"
#include "search/parent_sets.h"

#include <vector>

inline bool is_acyclic(const daggnn::ParentSets& sets, const std::vector<daggnn::Index>& chosen) {
  const daggnn::Index m = sets.m();
  std::vector<bool> placed(m, false);
  for (daggnn::Index round = 0; round < m; ++round) {
    for (daggnn::Index i = 0; i < m; ++i) {
      bool free = true;
      for (const daggnn::Index* p = sets.begin(chosen[i]); p != sets.end(chosen[i]); ++p) {
        free = free && placed[*p];
      }
      if (free) placed[i] = true;
    }
  }
  for (const bool done : placed) {
    if (!done) return false;
  }
  return true;
}

// For each node the empty set and a few random ones, larger ones with better scores.
inline daggnn::ParentSets random_sets(daggnn::Index m, daggnn::Index per_node, std::uint64_t seed) {
  daggnn::Random random(seed);
  std::vector<daggnn::ScoredFamily> families;
  for (daggnn::Index i = 0; i < m; ++i) {
    families.push_back({i, -10 - random.uniform(), {}});
    for (daggnn::Index k = 0; k < per_node; ++k) {
      std::vector<daggnn::Index> parents;
      for (daggnn::Index p = 0; p < m; ++p) {
        if (p != i && parents.size() < 3 && random.uniform() < 0.35) parents.push_back(p);
      }
      const double gain = static_cast<double>(parents.size()) * (0.5 + random.uniform());
      families.push_back({i, -10 + gain, parents});
    }
  }
  return daggnn::collect(m, families);
}

// Calls visit(chosen) for every choice of one set per node without a cycle.
template <typename Visit>
void for_all_networks(const daggnn::ParentSets& sets, Visit visit) {
  std::vector<daggnn::Index> chosen(sets.first.begin(), sets.first.end() - 1);
  while (true) {
    if (is_acyclic(sets, chosen)) visit(chosen);
    daggnn::Index i = 0;
    while (i < sets.m() && ++chosen[i] == sets.first[i + 1]) {
      chosen[i] = sets.first[i];
      ++i;
    }
    if (i == sets.m()) return;
  }
}

inline double total(const daggnn::ParentSets& sets, const std::vector<daggnn::Index>& chosen) {
  double sum = 0;
  for (const daggnn::Index set : chosen) sum += sets.score[set];
  return sum;
}

inline double best_by_hand(const daggnn::ParentSets& sets) {
  double best = daggnn::no_score;
  for_all_networks(sets, [&](const std::vector<daggnn::Index>& chosen) {
    best = std::max(best, total(sets, chosen));
  });
  return best;
}
