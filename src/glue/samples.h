// R's list of samples as the core's view of them.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include "data/samples.h"

inline daggnn::Samples as_samples(const Rcpp::List& data) {
  // Anything else would be converted to a copy that is gone when this function returns.
  const SEXP values = data["values"];
  if (TYPEOF(values) != REALSXP || !Rf_isMatrix(values)) {
    throw daggnn::Error("`values` of the samples must be a matrix of doubles.");
  }
  const std::vector<std::string> kind = data["kind"];
  const Rcpp::IntegerVector width = data["width"];
  std::vector<double> errors;
  if (data.containsElementNamed("error")) errors = Rcpp::as<std::vector<double>>(data["error"]);
  std::vector<daggnn::Distribution> distributions;
  if (data.containsElementNamed("distribution")) {
    for (const std::string& name : Rcpp::as<std::vector<std::string>>(data["distribution"])) {
      distributions.push_back(daggnn::from_name(daggnn::distribution_names, "distribution", name));
    }
  }
  std::vector<daggnn::Kind> kinds;
  for (const std::string& name : kind) {
    kinds.push_back(daggnn::from_name(daggnn::kind_names, "kind", name));
  }
  return daggnn::Samples(daggnn::MatrixView(REAL(values), Rf_nrows(values), Rf_ncols(values)),
                         kinds, std::vector<daggnn::Index>(width.begin(), width.end()), errors,
                         distributions);
}
