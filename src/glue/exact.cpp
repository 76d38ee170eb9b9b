// The steps of exact_dag(): local scores, dynamic programming, search over orders.
#include <RcppEigen.h>

#include "search/parent_set_order.h"
#include "search/parent_sets.h"
#include "search/subset_dp.h"

#include "edge_lists.h"
#include "executor.h"
#include "observer.h"
#include "parent_sets.h"
#include "samples.h"
#include "scores.h"

namespace {

// Numbers of sets from 1; empty where there is no network.
Rcpp::List as_list(const daggnn::ChosenSets& network, daggnn::Stop stop) {
  Rcpp::IntegerVector set(network.set.size());
  for (std::size_t i = 0; i < network.set.size(); ++i)
    set[i] = static_cast<int>(network.set[i] + 1);
  return Rcpp::List::create(Rcpp::_["set"] = set, Rcpp::_["score"] = network.score,
                            Rcpp::_["stop"] = daggnn::to_name(daggnn::stop_names, stop));
}

}  // namespace

// [[Rcpp::export]]
Rcpp::List local_scores_cpp(const Rcpp::List& data, const std::string& score, double iss, int maxp,
                            const Rcpp::List& prior, int threads, double time_limit) {
  const daggnn::Samples samples = as_samples(data);
  const daggnn::EdgeRules rules = as_edge_rules(prior, samples.m());
  ParallelExecutor executor(threads);
  RObserver observer(R_NilValue, time_limit);
  const std::unique_ptr<daggnn::SetScore> local =
      make_set_score(data, samples, score, iss, maxp, executor);
  daggnn::Stop stop = daggnn::Stop::none;
  const daggnn::ParentSets sets =
      daggnn::ParentSetSearch(*local, rules, maxp).run(executor, observer, stop);
  Rcpp::List result = as_list(sets);
  result["stop"] = daggnn::to_name(daggnn::stop_names, stop);
  return result;
}

// [[Rcpp::export]]
Rcpp::List subset_dp_cpp(const Rcpp::List& scores, int threads, double time_limit) {
  const daggnn::ParentSets sets = as_parent_sets(scores);
  ParallelExecutor executor(threads);
  RObserver observer(R_NilValue, time_limit);
  daggnn::Stop stop = daggnn::Stop::none;
  const daggnn::ChosenSets network = daggnn::SubsetProgram(sets).run(executor, observer, stop);
  return as_list(network, stop);
}

// order: node numbers from 1, or empty; then a greedy one.
// [[Rcpp::export]]
Rcpp::List order_search_cpp(const Rcpp::List& scores, const Rcpp::IntegerVector& order, int rounds,
                            double seed, double time_limit) {
  const daggnn::ParentSets sets = as_parent_sets(scores);
  RObserver observer(R_NilValue, time_limit);
  std::vector<daggnn::Index> first;
  for (const int node : order) first.push_back(node - 1);
  if (first.empty()) first = daggnn::greedy_order(sets);
  daggnn::ParentSetOrderSearch search(sets, static_cast<std::uint64_t>(seed));
  daggnn::Stop stop = daggnn::Stop::none;
  search.climb(first);
  const daggnn::ChosenSets network = search.perturb(rounds, observer, stop);
  return as_list(network, stop);
}

// Scores in any order, sorted as those of local_scores_cpp().
// [[Rcpp::export]]
Rcpp::List sort_scores_cpp(const Rcpp::List& scores) { return as_list(as_parent_sets(scores)); }
