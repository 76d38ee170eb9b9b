// The order of discrete variables by BIC, from the order that training found.
//
// Training tells better which variables belong together than which of them comes first. So each
// variable is offered those that it is joined to most strongly, either way, and the order is moved
// to where they make the best parents (order_search.h).
#pragma once

#include <algorithm>
#include <vector>

#include "executor.h"
#include "observer.h"
#include "order_search.h"
#include "parent_sets.h"
#include "scores.h"
#include "types.h"

namespace daggnn {

// BIC has no meaning here for numbers, nor for rows with gaps.
inline bool has_scored_order(const Samples& samples) {
  return std::all_of(samples.variables.begin(), samples.variables.end(),
                     [](const Variable& variable) { return variable.kind == Kind::discrete; }) &&
         !samples.values.hasNaN();
}

class ScoredOrder {
 public:
  // strengths, allowed, required: m x m. Samples as has_scored_order() wants them.
  ScoredOrder(const Samples& samples, const Matrix& strengths, const Matrix& allowed,
              const Matrix& required, Executor& executor)
      : score_(samples, Score::bic, 1, most_parents, executor),
        closeness_(strengths.cwiseMax(strengths.transpose())),
        allowed_(allowed),
        required_(required),
        executor_(executor) {}

  // A better order than the one that is given, or that one where the observer stops the search.
  std::vector<Index> improve(const std::vector<Index>& order, Observer& observer) const {
    const Index m = score_.m(), some = 4 * executor_.threads();
    std::vector<std::vector<Family>> found(static_cast<std::size_t>(m));
    for (Index first = 0; first < m; first += some) {
      executor_.run(std::min(some, m - first), [&](Index k) {
        found[static_cast<std::size_t>(first + k)] = sets_of(first + k);
      });
      if (observer.poll(Progress()) != Stop::none) return order;
    }
    std::vector<Family> families;
    for (auto& each : found) std::move(each.begin(), each.end(), std::back_inserter(families));
    const ParentSets sets = collect(m, std::move(families));
    OrderSearch search(sets, seed);
    return search.climb(order).set.empty() ? order : search.order();
  }

 private:
  static constexpr Index most_candidates = 8, most_parents = 3;  // beside the required ones
  static constexpr std::uint64_t seed = 1;

  std::vector<Index> candidates_of(Index child) const {
    std::vector<Index> candidates;
    for (Index i = 0; i < score_.m(); ++i) {
      if (i != child && allowed_(i, child) != 0 && required_(i, child) == 0)
        candidates.push_back(i);
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](Index a, Index b) { return closeness_(a, child) > closeness_(b, child); });
    candidates.resize(std::min(candidates.size(), static_cast<std::size_t>(most_candidates)));
    return candidates;
  }

  // The sets of candidates, each with the required parents, that none of their subsets beats.
  std::vector<Family> sets_of(Index child) const {
    const std::vector<Index> candidates = candidates_of(child);
    std::vector<Index> fixed;
    for (Index i = 0; i < score_.m(); ++i) {
      if (required_(i, child) != 0) fixed.push_back(i);
    }
    std::vector<Family> families;
    std::vector<double> best(std::size_t{1} << candidates.size(), no_score);
    // The subsets of a set have smaller numbers.
    for (std::size_t set = 0; set < best.size(); ++set) {
      std::vector<Index> parents = fixed;
      for (std::size_t k = 0; k < candidates.size(); ++k) {
        if ((set >> k & 1) == 0) continue;
        parents.push_back(candidates[k]);
        best[set] = std::max(best[set], best[set ^ std::size_t{1} << k]);
      }
      if (parents.size() > fixed.size() + most_parents) continue;
      std::sort(parents.begin(), parents.end());
      const double score = score_of(child, parents);
      if (score <= best[set]) continue;
      best[set] = score;
      families.push_back({child, score, parents});
    }
    return families;
  }

  double score_of(Index child, const std::vector<Index>& parents) const {
    const auto walker = score_.walker();
    Joint of_parents = score_.empty();
    for (const Index i : parents) {
      of_parents = walker->joint(i);
      walker->push(i);
    }
    return score_.value(child, parents.data(), static_cast<Index>(parents.size()),
                        walker->joint(child), of_parents);
  }

  const DiscreteScore score_;
  const Matrix closeness_, allowed_, required_;
  Executor& executor_;
};

// All edges that agree with the order and are allowed.
inline Matrix edges_in_order(const std::vector<Index>& order, const Matrix& allowed) {
  Matrix edges = Matrix::Zero(allowed.rows(), allowed.cols());
  for (auto child = order.begin(); child != order.end(); ++child) {
    for (auto parent = order.begin(); parent != child; ++parent) {
      if (allowed(*parent, *child) != 0) edges(*parent, *child) = 1;
    }
  }
  return edges;
}

}  // namespace daggnn
