#include <RcppEigen.h>

#include <daggnn/learn.h>

#include "r_executor.h"
#include "r_observer.h"
#include "r_samples.h"

namespace {

daggnn::Control as_control(const Rcpp::List& list) {
  daggnn::Control control;
  const std::string constraint = list["constraint"], penalty = list["penalty"];
  control.constraint = constraint == "polynomial"    ? daggnn::Constraint::polynomial
                       : constraint == "exponential" ? daggnn::Constraint::exponential
                                                     : daggnn::Constraint::logdet;
  control.penalty = penalty == "none" ? daggnn::Penalty::none
                    : penalty == "l1" ? daggnn::Penalty::l1
                                      : daggnn::Penalty::huber;
  control.penalty_weight = list["penalty_weight"];
  control.first_epochs = list["first_epochs"];
  control.epochs = list["epochs"];
  control.patience = list["patience"];
  control.max_rounds = list["max_rounds"];
  control.batch = Rcpp::as<int>(list["batch_size"]);
  control.graph_rate = list["graph_rate"];
  control.rate = list["rate"];
  control.c = list["c"];
  control.lambda = list["lambda"];
  control.eta = list["eta"];
  control.gamma = list["gamma"];
  control.h_tolerance = list["h_tolerance"];
  control.c_max = list["c_max"];
  control.seed = static_cast<std::uint64_t>(Rcpp::as<double>(list["seed"]));
  return control;
}

daggnn::ModelOptions as_options(const std::string& model, const Rcpp::List& list) {
  const std::string architecture = list["architecture"], noise = list["noise"];
  daggnn::ModelOptions options;
  options.name = model;
  options.vae.architecture = architecture == "paper"      ? daggnn::Architecture::paper
                             : architecture == "switched" ? daggnn::Architecture::switched
                                                          : daggnn::Architecture::linear;
  options.vae.hidden = Rcpp::as<int>(list["hidden"]);
  options.vae.latent = Rcpp::as<int>(list["latent"]);
  options.vae.biases = list["biases"];
  options.vae.monte_carlo = Rcpp::as<int>(list["monte_carlo"]);
  options.vae.learn_encoder_spread = Rcpp::as<std::string>(list["encoder_variance"]) == "learned";
  options.vae.learn_decoder_spread = Rcpp::as<std::string>(list["decoder_variance"]) == "learned";
  options.mechanism.feature_hidden = options.mechanism.output_hidden = options.vae.hidden;
  options.mechanism.noise = noise == "equal" ? daggnn::Noise::equal : daggnn::Noise::learned;
  return options;
}

// The model of a network, for other rows of the same variables.
std::unique_ptr<daggnn::Model> as_model(const Rcpp::List& details, const daggnn::Samples& samples,
                                        daggnn::Executor& executor) {
  const daggnn::Matrix allowed = daggnn::Matrix::Ones(samples.m(), samples.m());
  auto model = daggnn::make_model(as_options(details["model"], details["control"]), samples,
                                  allowed, executor);
  const Rcpp::List parameters = details["parameters"];
  model->set_units(parameters["units"]);
  return model;
}

std::string reason_name(daggnn::Reason reason) {
  switch (reason) {
    case daggnn::Reason::converged:
      return "converged";
    case daggnn::Reason::max_rounds:
      return "max_rounds";
    case daggnn::Reason::c_max:
      return "c_max";
    case daggnn::Reason::interrupt:
      return "interrupt";
    case daggnn::Reason::time_limit:
      return "time_limit";
    case daggnn::Reason::not_finite:
      return "not_finite";
  }
  return "unknown";
}

Rcpp::DataFrame as_trace(const std::vector<daggnn::Round>& rounds) {
  const int count = static_cast<int>(rounds.size());
  Rcpp::IntegerVector round(count), epochs(count);
  Rcpp::NumericVector h(count), c(count), lambda(count), loss(count), seconds(count);
  for (int k = 0; k < count; ++k) {
    round[k] = rounds[k].round;
    epochs[k] = rounds[k].epochs;
    h[k] = rounds[k].h;
    c[k] = rounds[k].c;
    lambda[k] = rounds[k].lambda;
    loss[k] = rounds[k].loss;
    seconds[k] = rounds[k].seconds;
  }
  return Rcpp::DataFrame::create(Rcpp::_["round"] = round, Rcpp::_["epochs"] = epochs,
                                 Rcpp::_["h"] = h, Rcpp::_["c"] = c, Rcpp::_["lambda"] = lambda,
                                 Rcpp::_["loss"] = loss, Rcpp::_["seconds"] = seconds);
}

}  // namespace

// allowed, required: m x m, nonzero where an edge may and where it must be.
// [[Rcpp::export]]
Rcpp::List learn_cpp(const Rcpp::List& data, const std::string& model, const Rcpp::List& control,
                     const Eigen::MatrixXd& allowed, const Eigen::MatrixXd& required, int threads,
                     double time_limit, SEXP show) {
  const daggnn::Samples samples = as_samples(data);
  ParallelExecutor executor(threads);
  RObserver observer(show, time_limit);
  const daggnn::Learned learned =
      daggnn::learn(as_options(model, control), samples, allowed, required, as_control(control),
                    control["polish"], executor, observer);
  const Rcpp::List parameters =
      Rcpp::List::create(Rcpp::_["theta"] = learned.theta, Rcpp::_["units"] = learned.units);
  return Rcpp::List::create(Rcpp::_["parameters"] = parameters,
                            Rcpp::_["weights"] = learned.weights,
                            Rcpp::_["trace"] = as_trace(learned.fit.trace),
                            Rcpp::_["reason"] = reason_name(learned.fit.reason));
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
