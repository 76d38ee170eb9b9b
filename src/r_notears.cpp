#include <RcppEigen.h>

#include <memory>

#include <daggnn/notears.h>

#include "r_observer.h"
#include "r_trace.h"

namespace {

daggnn::NotearsControl as_notears_control(const Rcpp::List& list) {
  daggnn::NotearsControl control;
  control.constraint = as_constraint(list["constraint"]);
  control.penalty = list["penalty"];
  control.max_rounds = list["max_rounds"];
  control.c = list["c"];
  control.eta = list["eta"];
  control.gamma = list["gamma"];
  control.h_tolerance = list["h_tolerance"];
  control.c_max = list["c_max"];
  control.threshold = list["threshold"];
  return control;
}

}  // namespace

// data: the matrix G for least squares; the rows X for the logistic loss, with their weights.
// [[Rcpp::export]]
Rcpp::List notears_cpp(const std::string& loss, const Eigen::MatrixXd& data,
                       const Eigen::VectorXd& weights, const Eigen::MatrixXd& allowed,
                       const Eigen::MatrixXd& exempt, const Eigen::MatrixXd& start,
                       const Rcpp::List& control, double time_limit, SEXP show) {
  std::unique_ptr<daggnn::LinearLoss> loss_of;
  if (loss == "logistic") {
    loss_of = std::make_unique<daggnn::Logistic>(data, weights);
  } else {
    loss_of = std::make_unique<daggnn::LeastSquares>(data);
  }
  const daggnn::Vector intercepts =
      daggnn::Vector::Zero(loss_of->has_intercepts() ? data.cols() : 0);
  RObserver observer(show, time_limit);
  const daggnn::NotearsFit fit = daggnn::notears(
      *loss_of, allowed, exempt, as_notears_control(control), start, intercepts, observer);
  return Rcpp::List::create(Rcpp::_["weights"] = fit.A, Rcpp::_["intercepts"] = fit.b,
                            Rcpp::_["trace"] = as_trace(fit.trace),
                            Rcpp::_["reason"] = reason_name(fit.reason));
}
