#include "structure/charged_search.h"

#include <algorithm>
#include <utility>

namespace daggnn {

namespace {

// Differences below this are rounding.
constexpr double least_gain = 1e-6;
// The number of edges and their charge settle in two or three.
constexpr int most_rounds = 10;

}  // namespace

Network ChargedSearch::run(const LocalScore& score, const SearchPlan& plan) {
  Network best = settled(score, plan, plan.supposed[0]);
  for (std::size_t k = 1; k < plan.supposed.size() && stop_ == Stop::none; ++k) {
    Network other = settled(score, plan, plan.supposed[k]);
    if (other.score > best.score + least_gain) best = std::move(other);
  }
  charges_.expect(number_of_edges(best));
  if (plan.restarts == 0 || stop_ != Stop::none) return best;
  Network perturbed = run_once(score, plan, best, plan.restarts);
  if (perturbed.score > best.score + least_gain) {
    best = std::move(perturbed);
    settle(score, plan, best);
  }
  return best;
}

Network ChargedSearch::settled(const LocalScore& score, const SearchPlan& plan, Index supposed) {
  charges_.expect(supposed);
  Network network = run_once(score, plan, plan.from, 0);
  settle(score, plan, network);
  return network;
}

void ChargedSearch::settle(const LocalScore& score, const SearchPlan& plan, Network& best) {
  for (int round = 0; round < most_rounds && stop_ == Stop::none; ++round) {
    if (charges_.expected() == number_of_edges(best)) return;
    charges_.expect(number_of_edges(best));
    Network next = run_once(score, plan, best, 0);
    if (!(next.score > best.score + least_gain)) return;
    best = std::move(next);
  }
}

Network ChargedSearch::run_once(const LocalScore& score, const SearchPlan& plan,
                                const Network& from, int restarts) {
  SearchOptions options = options_;
  options.restarts = restarts;
  options.recheck = plan.recheck;
  const bool all = plan.rules == nullptr;
  OrderSearch search(score, all ? rules_ : *plan.rules, options, executor_,
                     all ? &candidates : nullptr);
  Network network =
      from.parents.empty() ? search.run(from.order, observer_) : search.run_from(from, observer_);
  if (search.stopped() != Stop::none) stop_ = search.stopped();
  network.score += charges_.of(network) - charges_.exact(network);
  for (std::size_t j = 0; j < network.scores.size(); ++j) {
    network.scores[j] += charges_.of(static_cast<Index>(j), network.parents[j]);
  }
  return network;
}

std::vector<EdgeGain> ChargedSearch::gains(const LocalScore& score, const Network& network) {
  charges_.expect(number_of_edges(network));
  Network charged = network;
  for (std::size_t j = 0; j < network.scores.size(); ++j) {
    charged.scores[j] -= charges_.of(static_cast<Index>(j), network.parents[j]);
  }
  return OrderSearch(score, rules_, options_, executor_, &candidates).gains(charged);
}

Network in_order(std::vector<Index> order) { return {std::move(order), {}, {}, 0}; }

Network all_forward(const std::vector<Index>& order, const EdgeRules& rules) {
  const std::size_t m = order.size();
  Network network{order, std::vector<Parents>(m), std::vector<double>(m), 0};
  for (std::size_t place = 0; place < m; ++place) {
    Parents& parents = network.parents[order[place]];
    for (std::size_t earlier = 0; earlier < place; ++earlier) {
      if (rules.allowed(order[earlier], order[place])) parents.push_back(order[earlier]);
    }
    std::sort(parents.begin(), parents.end());
  }
  return network;
}

}  // namespace daggnn
