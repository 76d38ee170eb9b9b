// R's list of samples as the core's view of them.
#pragma once

#include <Rcpp.h>

#include <string>
#include <vector>

#include <daggnn/samples.h>

inline daggnn::Samples as_samples(const Rcpp::List& data) {
  const Rcpp::NumericMatrix values = data["values"];
  const std::vector<std::string> kind = data["kind"];
  const Rcpp::IntegerVector width = data["width"];
  std::vector<double> errors;
  if (data.containsElementNamed("error")) errors = Rcpp::as<std::vector<double>>(data["error"]);
  std::vector<daggnn::Kind> kinds;
  for (const std::string& name : kind) {
    kinds.push_back(name == "discrete" ? daggnn::Kind::discrete : daggnn::Kind::continuous);
  }
  return daggnn::Samples(daggnn::MatrixView(values.begin(), values.nrow(), values.ncol()), kinds,
                         std::vector<daggnn::Index>(width.begin(), width.end()), errors);
}
