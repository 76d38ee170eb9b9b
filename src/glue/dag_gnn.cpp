#include <RcppEigen.h>

#include "learn.h"

#include "executor.h"
#include "observer.h"
#include "options.h"
#include "samples.h"
#include "state.h"
#include "trace.h"

namespace {

daggnn::Control as_control(const Rcpp::List& list) {
  auto control = options_from<daggnn::Control>(list);
  control.seed = static_cast<std::uint64_t>(Rcpp::as<double>(list["seed"]));
  return control;
}

daggnn::ModelOptions as_options(const std::string& model, const Rcpp::List& list) {
  daggnn::ModelOptions options;
  options.name = model;
  options.vae = options_from<daggnn::VaeOptions>(list);
  options.mechanism.feature_hidden = options.mechanism.output_hidden = options.vae.hidden;
  options.mechanism.noise = daggnn::from_name(daggnn::noise_names, "noise", list["noise"]);
  return options;
}

// The model of a network, for other rows of the same variables.
std::unique_ptr<daggnn::Model> as_model(const Rcpp::List& details, const daggnn::Samples& samples,
                                        daggnn::Executor& executor) {
  const daggnn::Matrix allowed = daggnn::Matrix::Ones(samples.m(), samples.m());
  auto model = daggnn::make_model(as_options(details["model"], details["control"]), samples,
                                  allowed, executor);
  const Rcpp::List parameters = details["parameters"];
  model->set_standardisation(parameters["standardisation"]);
  return model;
}

Rcpp::List learned_list(const daggnn::Learned& learned) {
  const Rcpp::List parameters = Rcpp::List::create(
      Rcpp::_["theta"] = learned.theta, Rcpp::_["standardisation"] = learned.standardisation);
  return Rcpp::List::create(
      Rcpp::_["parameters"] = parameters, Rcpp::_["weights"] = learned.weights,
      Rcpp::_["trace"] = as_trace(learned.fit.trace),
      Rcpp::_["reason"] = daggnn::to_name(daggnn::reason_names, learned.fit.reason),
      Rcpp::_["state"] = state_list(learned.state));
}

// list: empty, or with `weights`, or with `theta` alone, or from state_list().
daggnn::Start as_start(const Rcpp::List& list, const daggnn::Control& control) {
  daggnn::Start start;
  if (list.containsElementNamed("weights")) {
    start.weights = Rcpp::as<daggnn::Matrix>(list["weights"]);
  } else if (list.containsElementNamed("adam")) {
    start.state = as_state(list, control);
  } else if (list.containsElementNamed("theta")) {
    start.theta = Rcpp::as<daggnn::Vector>(list["theta"]);
  }
  return start;
}

}  // namespace

// allowed, required: m x m, nonzero where an edge may and where it must be. keep: NULL, or an R
// function that is called after each round with a list like the one that comes back in the end.
// [[Rcpp::export]]
Rcpp::List learn_cpp(const Rcpp::List& data, const std::string& model, const Rcpp::List& control,
                     const Eigen::MatrixXd& allowed, const Eigen::MatrixXd& required, int threads,
                     double time_limit, SEXP show, const Rcpp::List& start, SEXP keep) {
  const daggnn::Samples samples = as_samples(data);
  const daggnn::Control settings = as_control(control);
  ParallelExecutor executor(threads);
  RObserver observer(show, time_limit);
  daggnn::LearnedCallback keep_learned;
  if (!Rf_isNull(keep)) {
    keep_learned = [&](const daggnn::Learned& learned) {
      const Rcpp::Function call(keep);
      call(learned_list(learned));
    };
  }
  return learned_list(daggnn::learn(as_options(model, control), samples, allowed, required,
                                    settings, executor, observer, as_start(start, settings),
                                    keep_learned));
}

// details: net$daggnn; data: samples of the same variables. One column per component or level.
// [[Rcpp::export]]
Eigen::MatrixXd predict_cpp(const Rcpp::List& details, const Rcpp::List& data) {
  const daggnn::Samples samples = as_samples(data);
  daggnn::SerialExecutor executor;
  const Rcpp::List parameters = details["parameters"];
  return as_model(details, samples, executor)->predict(parameters["theta"], samples);
}

// edges: m x m, the DAG that rows are drawn from; data: any samples of the same variables.
// [[Rcpp::export]]
Eigen::MatrixXd simulate_cpp(const Rcpp::List& details, const Rcpp::List& data,
                             const Eigen::MatrixXd& edges, int n, double seed) {
  const daggnn::Samples samples = as_samples(data);
  daggnn::SerialExecutor executor;
  daggnn::Random random(static_cast<std::uint64_t>(seed));
  const Rcpp::List parameters = details["parameters"];
  return as_model(details, samples, executor)->simulate(parameters["theta"], edges, n, random);
}

// The core's own defaults, by the names that dag_gnn_control() has.
// [[Rcpp::export]]
Rcpp::List default_options_cpp() {
  Rcpp::List list;
  daggnn::StructureOptions structure;
  daggnn::Control training;
  daggnn::VaeOptions vae;
  each_option(structure, ToList(list));
  each_option(training, ToList(list));
  each_option(vae, ToList(list));
  return list;
}
