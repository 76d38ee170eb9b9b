// What the learners share of the way between R and the core: names, and the table of rounds.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include <daggnn/trainer.h>

inline daggnn::Constraint as_constraint(const std::string& name) {
  return name == "polynomial"    ? daggnn::Constraint::polynomial
         : name == "exponential" ? daggnn::Constraint::exponential
                                 : daggnn::Constraint::logdet;
}

inline std::string reason_name(daggnn::Reason reason) {
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

inline Rcpp::DataFrame as_trace(const std::vector<daggnn::Round>& rounds) {
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
