// The rounds of an augmented Lagrangian as a data frame.
#pragma once

#include <Rcpp.h>

#include <vector>

#include "optim/augmented_lagrangian.h"

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
