#include <RcppEigen.h>

#include "structure.h"

#include "scores/set_local_score.h"
#include "search/table_search.h"

#include "edge_lists.h"
#include "executor.h"
#include "moments.h"
#include "observer.h"
#include "options.h"
#include "samples.h"
#include "scores.h"

namespace {

// Numbers from 1 as the core's, from 0.
std::vector<daggnn::Index> as_order(const Rcpp::IntegerVector& order) {
  std::vector<daggnn::Index> result;
  for (const int place : order) result.push_back(place - 1);
  return result;
}

std::string stop_name(daggnn::Stop stop) {
  return stop == daggnn::Stop::interrupt    ? "interrupt"
         : stop == daggnn::Stop::time_limit ? "time_limit"
                                            : "converged";
}

// Variables are numbered from 1.
Rcpp::List network_list(const daggnn::Network& network, const std::vector<daggnn::EdgeGain>& gains,
                        daggnn::Stop stop) {
  const R_xlen_t count = static_cast<R_xlen_t>(gains.size());
  Rcpp::IntegerVector from(count), to(count);
  Rcpp::NumericVector gain(count);
  for (R_xlen_t k = 0; k < count; ++k) {
    from[k] = static_cast<int>(gains[k].from) + 1;
    to[k] = static_cast<int>(gains[k].to) + 1;
    gain[k] = gains[k].gain;
  }
  return Rcpp::List::create(
      Rcpp::_["edges"] = edge_matrix(network.parents),
      Rcpp::_["gains"] =
          Rcpp::List::create(Rcpp::_["from"] = from, Rcpp::_["to"] = to, Rcpp::_["value"] = gain),
      Rcpp::_["scores"] = network.scores, Rcpp::_["score"] = network.score,
      Rcpp::_["reason"] = stop_name(stop));
}

}  // namespace

// The network of the best local scores. rules: lists of edges, see edge_lists.h; start: an order
// of the variables, or empty.
// [[Rcpp::export]]
Rcpp::List learn_structure_cpp(const Rcpp::List& data, const Rcpp::List& options,
                               const Rcpp::List& rules, const Rcpp::IntegerVector& start,
                               int threads, double time_limit, SEXP show) {
  ParallelExecutor executor(threads);
  RObserver observer(show, time_limit);
  const auto learn = [&](const auto& known, daggnn::Index m) {
    return daggnn::learn_structure(known, as_edge_rules(rules, m),
                                   options_from<daggnn::StructureOptions>(options), as_order(start),
                                   executor, observer);
  };
  const auto from_moments = [&](const daggnn::Moments& moments) {
    return learn(moments, static_cast<daggnn::Index>(moments.sizes.size()));
  };
  const auto from_samples = [&](const daggnn::Samples& samples) {
    return learn(samples, samples.m());
  };
  const daggnn::Structure found = data.containsElementNamed("products")
                                      ? from_moments(as_moments(data))
                                      : from_samples(as_samples(data));
  Rcpp::CharacterVector models;
  Rcpp::NumericVector scores;
  for (const daggnn::Trial& trial : found.trials) {
    models.push_back(trial.model);
    scores.push_back(trial.score);
  }
  Rcpp::List result = network_list(found.network, found.gains, found.stop);
  result["effects"] = found.effects;
  result["noise"] = found.noise;
  result["density"] = found.density;
  result["trials"] = Rcpp::DataFrame::create(Rcpp::_["model"] = models, Rcpp::_["score"] = scores,
                                             Rcpp::_["stringsAsFactors"] = false);
  result["completed"] = found.completed;
  return result;
}

// The same search by bnlearn's BIC of complete data that are all numbers or all discrete.
// [[Rcpp::export]]
Rcpp::List refine_cpp(const Rcpp::List& data, const Rcpp::List& rules,
                      const Rcpp::IntegerVector& start, int maxp, int restarts, int threads,
                      double time_limit) {
  const daggnn::Samples samples = as_samples(data);
  const daggnn::EdgeRules edge_rules = as_edge_rules(rules, samples.m());
  ParallelExecutor executor(threads);
  RObserver observer(R_NilValue, time_limit);
  daggnn::SearchOptions options;
  options.restarts = restarts;
  options.maxp = maxp;
  const bool discrete = samples.variables.front().kind == daggnn::Kind::discrete;
  const auto sets = make_set_score(data, samples, "bic", 1, 0, executor);
  const daggnn::SetLocalScore score(*sets);
  daggnn::OrderSearch search(score, edge_rules, options, executor);
  daggnn::Stop stop = daggnn::Stop::none;
  const daggnn::Network network =
      discrete ? daggnn::search_tables(*sets, samples.n(), edge_rules, options, as_order(start),
                                       executor, observer, stop)
               : search.run(as_order(start), observer);
  if (!discrete) stop = search.stopped();
  return network_list(network, search.gains(network), stop);
}
