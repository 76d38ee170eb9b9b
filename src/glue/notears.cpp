#include <RcppEigen.h>

#include <memory>

#include "models/notears.h"

#include "observer.h"
#include "options.h"
#include "trace.h"

namespace {

daggnn::NotearsControl as_notears_control(const Rcpp::List& list) {
  daggnn::NotearsControl control;
  each_option(static_cast<daggnn::LagrangianControl&>(control), FromList(list));
  control.constraint =
      daggnn::from_name(daggnn::constraint_names, "constraint", list["constraint"]);
  control.penalty = list["penalty"];
  control.threshold = list["threshold"];
  return control;
}

std::unique_ptr<daggnn::LinearLoss> as_loss(const std::string& name, const Eigen::MatrixXd& data,
                                            const Eigen::VectorXd& weights) {
  constexpr daggnn::Name<bool> names[] = {{"least_squares", false}, {"logistic", true}};
  if (daggnn::from_name(names, "loss", name)) {
    return std::make_unique<daggnn::Logistic>(data, weights);
  }
  return std::make_unique<daggnn::LeastSquares>(data);
}

}  // namespace

// data: the matrix G for least squares; the rows X for the logistic loss, with their weights.
// [[Rcpp::export]]
Rcpp::List notears_cpp(const std::string& loss, const Eigen::MatrixXd& data,
                       const Eigen::VectorXd& weights, const Eigen::MatrixXd& allowed,
                       const Eigen::MatrixXd& exempt, const Eigen::MatrixXd& start,
                       const Rcpp::List& control, double time_limit, SEXP show) {
  const std::unique_ptr<daggnn::LinearLoss> loss_of = as_loss(loss, data, weights);
  const daggnn::Vector intercepts =
      daggnn::Vector::Zero(loss_of->has_intercepts() ? data.cols() : 0);
  RObserver observer(show, time_limit);
  const daggnn::NotearsFit fit = daggnn::notears(
      *loss_of, allowed, exempt, as_notears_control(control), start, intercepts, observer);
  return Rcpp::List::create(Rcpp::_["weights"] = fit.A, Rcpp::_["intercepts"] = fit.b,
                            Rcpp::_["trace"] = as_trace(fit.trace),
                            Rcpp::_["reason"] = daggnn::to_name(daggnn::reason_names, fit.reason));
}
