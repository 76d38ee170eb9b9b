#include "search/parent_sets.h"

#include <iterator>
#include <memory>
#include <numeric>
#include <utility>

namespace daggnn {

ParentSets collect(Index m, std::vector<ScoredFamily> families) {
  std::sort(families.begin(), families.end(), [](const ScoredFamily& a, const ScoredFamily& b) {
    if (a.child != b.child) return a.child < b.child;
    if (a.score != b.score) return a.score > b.score;
    if (a.parents.size() != b.parents.size()) return a.parents.size() < b.parents.size();
    return a.parents < b.parents;
  });
  ParentSets sets;
  sets.first.assign(m + 1, 0);
  sets.first_parent.push_back(0);
  for (const ScoredFamily& family : families) {
    ++sets.first[family.child + 1];
    sets.score.push_back(family.score);
    sets.parents.insert(sets.parents.end(), family.parents.begin(), family.parents.end());
    sets.first_parent.push_back(static_cast<Index>(sets.parents.size()));
  }
  std::partial_sum(sets.first.begin(), sets.first.end(), sets.first.begin());
  return sets;
}

SubsetNumbers::SubsetNumbers(Index m, Index largest)
    : choose_((m + 1) * (largest + 1)), columns_(largest + 1) {
  for (Index n = 0; n <= m; ++n) {
    for (Index k = 0; k <= largest; ++k) {
      const double value = k == 0   ? 1
                           : n == 0 ? 0
                                    : static_cast<double>(choose(n - 1, k - 1)) +
                                          static_cast<double>(choose(n - 1, k));
      if (value > most) throw Error("too many parent sets: `maxp` must be smaller");
      choose_[n * columns_ + k] = static_cast<Index>(value);
    }
  }
}

Index SubsetNumbers::number(const Index* set, Index size, Index skip, Index skip_too) const {
  Index sum = 0, position = 0;
  for (Index k = 0; k < size; ++k) {
    if (k != skip && k != skip_too) sum += choose(set[k], ++position);
  }
  return sum;
}

ParentSetSearch::ParentSetSearch(const SetScore& score, const EdgeRules& rules, Index maxp)
    : score_(score),
      rules_(rules),
      m_(score.m()),
      maxp_(std::min(maxp, score.m() - 1)),
      numbers_(m_, maxp_ + 1),
      required_(m_, 0) {
  double stored = 0;
  for (Index k = 0; k < maxp_; ++k) {
    stored += static_cast<double>(m_) * static_cast<double>(numbers_.choose(m_, k));
  }
  if (stored > most_stored) throw Error("too many parent sets: `maxp` must be smaller");
  for (Index i = 0; i < m_; ++i) {
    for (Index p = 0; p < m_; ++p) required_[i] += rules_.required(p, i);
  }
}

ParentSets ParentSetSearch::run(Executor& executor, Observer& observer, Stop& stop) {
  joints_.assign(maxp_ + 1, {});
  joints_[0].assign(1, score_.empty());
  best_.assign(maxp_ + 1, {});
  std::vector<ScoredFamily> kept;
  for (Index size = 1; size <= maxp_ + 1; ++size) {
    const Index parents = size - 1;
    if (size <= maxp_) {
      joints_[size].resize(numbers_.choose(m_, size));
      best_[parents].assign(m_ * numbers_.choose(m_, parents), no_score);
    }
    // Sets of this size by their first members; a few at a time, to look up in between.
    std::vector<std::vector<Index>> heads = heads_of(size);
    for (Index done = 0; done < static_cast<Index>(heads.size()); done += batch) {
      const Index count = std::min(batch, static_cast<Index>(heads.size()) - done);
      std::vector<std::vector<ScoredFamily>> found(count);
      executor.run(count, [&](Index k) { visit_sets(heads[done + k], size, found[k]); });
      for (auto& families : found) {
        std::move(families.begin(), families.end(), std::back_inserter(kept));
      }
      stop = observer.poll(Progress());
      if (stop != Stop::none) return collect(m_, with_required(std::move(kept)));
    }
  }
  return collect(m_, std::move(kept));
}

std::vector<ScoredFamily> ParentSetSearch::with_required(std::vector<ScoredFamily> families) const {
  std::vector<bool> has_set(m_, false);
  for (const ScoredFamily& family : families) has_set[family.child] = true;
  for (Index i = 0; i < m_; ++i) {
    if (has_set[i]) continue;
    ScoredFamily family{i, no_score, {}};
    const std::unique_ptr<JointWalker> walker = score_.walker();
    Joint of_parents = score_.empty();
    for (Index p = 0; p < m_; ++p) {
      if (!rules_.required(p, i)) continue;
      of_parents = walker->joint(p);
      walker->push(p);
      family.parents.push_back(p);
    }
    family.score =
        score_.value(i, family.parents.data(), required_[i], walker->joint(i), of_parents);
    families.push_back(std::move(family));
  }
  return families;
}

std::vector<std::vector<Index>> ParentSetSearch::heads_of(Index size) const {
  std::vector<std::vector<Index>> heads;
  for (Index a = 0; a + size <= m_; ++a) {
    if (size <= 2) {
      heads.push_back({a});
      continue;
    }
    for (Index b = a + 1; b + size - 1 <= m_; ++b) heads.push_back({a, b});
  }
  return heads;
}

void ParentSetSearch::visit_sets(const std::vector<Index>& head, Index size,
                                 std::vector<ScoredFamily>& found) {
  const std::unique_ptr<JointWalker> walker = score_.walker();
  std::vector<Index> set = head;
  if (size == 1) {
    visit(set, *walker, found);
    return;
  }
  for (const Index j : head) walker->push(j);
  extend(set, size, *walker, found);
}

void ParentSetSearch::extend(std::vector<Index>& set, Index size, JointWalker& walker,
                             std::vector<ScoredFamily>& found) {
  const Index members = static_cast<Index>(set.size());
  for (Index j = set.back() + 1; j + (size - members) <= m_; ++j) {
    set.push_back(j);
    if (members + 1 == size) {
      visit(set, walker, found);
    } else {
      walker.push(j);
      extend(set, size, walker, found);
      walker.pop();
    }
    set.pop_back();
  }
}

void ParentSetSearch::visit(const std::vector<Index>& set, JointWalker& walker,
                            std::vector<ScoredFamily>& found) {
  const Index size = static_cast<Index>(set.size()), parents = size - 1;
  const bool last = size == maxp_ + 1;
  Index P[64];
  bool counted = false;
  Joint joint;
  if (!last) {
    joint = walker.joint(set.back());
    counted = true;
    joints_[size][numbers_.number(set.data(), size)] = joint;
  }
  for (Index c = 0; c < size; ++c) {
    const Index i = set[c];
    for (Index k = 0, to = 0; k < size; ++k) {
      if (k != c) P[to++] = set[k];
    }
    if (!within_allowed(i, P, parents)) continue;
    double best = no_score;
    for (Index k = 0; k < size; ++k) {
      if (k == c) continue;
      const Index rest = numbers_.number(set.data(), size, c, k);
      best = std::max(best, best_[parents - 1][i * numbers_.choose(m_, parents - 1) + rest]);
    }
    const Joint& of_parents = joints_[parents][numbers_.number(P, parents)];
    if (has_required(i, P, parents) && upper(i, set, c, P, of_parents) > best) {
      if (!counted) {
        joint = walker.joint(set.back());
        counted = true;
      }
      const double score = score_.value(i, P, parents, joint, of_parents);
      if (score > best) {
        best = score;
        found.push_back({i, score, std::vector<Index>(P, P + parents)});
      }
    }
    if (!last)
      best_[parents][i * numbers_.choose(m_, parents) + numbers_.number(P, parents)] = best;
  }
}

double ParentSetSearch::upper(Index i, const std::vector<Index>& set, Index c, const Index* P,
                              const Joint& of_parents) const {
  const Index size = static_cast<Index>(set.size()), parents = size - 1;
  double upper = -no_score;
  for (Index k = 0; k < size; ++k) {
    if (k == c) continue;
    const Joint& rest = joints_[parents - 1][numbers_.number(set.data(), size, c, k)];
    const Joint& rest_i = joints_[parents][numbers_.number(set.data(), size, k)];
    upper = std::min(upper, score_.bound(i, P, parents, rest, rest_i, of_parents));
  }
  return upper;
}

}  // namespace daggnn
