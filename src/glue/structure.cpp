#include <RcppEigen.h>

#include "structure.h"

#include "scores/set_local_score.h"
#include "search/table_search.h"

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

Rcpp::List network_list(const daggnn::Network& network, const daggnn::Matrix& gains,
                        daggnn::Stop stop) {
  return Rcpp::List::create(Rcpp::_["adjacency"] = network.adjacency(), Rcpp::_["gains"] = gains,
                            Rcpp::_["scores"] = network.scores, Rcpp::_["score"] = network.score,
                            Rcpp::_["reason"] = stop_name(stop));
}

}  // namespace

// The network of the best local scores. allowed, required: m x m, nonzero where an edge may and
// where it must be; start: an order of the variables, or empty.
// [[Rcpp::export]]
Rcpp::List learn_structure_cpp(const Rcpp::List& data, const Rcpp::List& options,
                               const Eigen::MatrixXd& allowed, const Eigen::MatrixXd& required,
                               const Rcpp::IntegerVector& start, int threads, double time_limit,
                               SEXP show) {
  ParallelExecutor executor(threads);
  RObserver observer(show, time_limit);
  const auto learn = [&](const auto& known) {
    return daggnn::learn_structure(known, allowed, required,
                                   options_from<daggnn::StructureOptions>(options), as_order(start),
                                   executor, observer);
  };
  const daggnn::Structure found =
      data.containsElementNamed("products") ? learn(as_moments(data)) : learn(as_samples(data));
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
Rcpp::List refine_cpp(const Rcpp::List& data, const Eigen::MatrixXd& allowed,
                      const Eigen::MatrixXd& required, const Rcpp::IntegerVector& start, int maxp,
                      int restarts, int threads, double time_limit) {
  const daggnn::Samples samples = as_samples(data);
  ParallelExecutor executor(threads);
  RObserver observer(R_NilValue, time_limit);
  daggnn::SearchOptions options;
  options.restarts = restarts;
  options.maxp = maxp;
  const bool discrete = samples.variables.front().kind == daggnn::Kind::discrete;
  const auto sets = make_set_score(data, samples, "bic", 1, 0, executor);
  const daggnn::SetLocalScore score(*sets);
  daggnn::OrderSearch search(score, allowed, required, options, executor);
  daggnn::Stop stop = daggnn::Stop::none;
  const daggnn::Network network =
      discrete ? daggnn::search_tables(*sets, samples.n(), allowed, required, options,
                                       as_order(start), executor, observer, stop)
               : search.run(as_order(start), observer);
  if (!discrete) stop = search.stopped();
  return network_list(network, search.gains(network), stop);
}
