// Greedy equivalence search on R's data.
#include <RcppEigen.h>

#include <algorithm>
#include <memory>
#include <string>

#include "scores/set_local_score.h"
#include "search/fges.h"

#include "executor.h"
#include "observer.h"
#include "samples.h"
#include "scores.h"

// score: "bic" or "aic". allowed, required: m x m, nonzero where an edge may and where it must be.
// cpdag: with the directions that follow from them; an undirected edge is there both ways.
// [[Rcpp::export]]
Rcpp::List fges_cpp(const Rcpp::List& data, const std::string& score,
                    const Eigen::MatrixXd& allowed, const Eigen::MatrixXd& required, double maxp,
                    int threads, double time_limit) {
  const daggnn::Samples samples = as_samples(data);
  ParallelExecutor executor(threads);
  RObserver observer(R_NilValue, time_limit);
  const std::unique_ptr<daggnn::SetScore> sets =
      make_set_score(data, samples, score, 1, 0, executor);
  const daggnn::SetLocalScore local(*sets);
  daggnn::FgesOptions options;
  options.maxp = static_cast<daggnn::Index>(std::min(maxp, static_cast<double>(samples.m())));
  daggnn::Fges search(local, allowed, required, options, executor);
  const daggnn::FgesFit fit = search.run(observer);
  return Rcpp::List::create(
      Rcpp::_["dag"] = fit.dag.matrix(), Rcpp::_["cpdag"] = fit.restricted.matrix(),
      Rcpp::_["score"] = fit.score, Rcpp::_["inserted"] = static_cast<double>(fit.inserted),
      Rcpp::_["deleted"] = static_cast<double>(fit.deleted),
      Rcpp::_["turned"] = static_cast<double>(fit.turned),
      Rcpp::_["stop"] = daggnn::to_name(daggnn::stop_names, fit.stop));
}
