// R's list of samples as the core's view of them.
#pragma once

#include <Rcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "data/samples.h"

// R asks the data where they are.
class RJointCounts final : public daggnn::JointCounts {
 public:
  explicit RJointCounts(const Rcpp::Function& ask) : ask_(ask) {}
  std::vector<double> count(const std::vector<daggnn::Index>& variables) const override {
    Rcpp::IntegerVector places;
    for (const daggnn::Index j : variables) places.push_back(static_cast<int>(j) + 1);
    return Rcpp::as<std::vector<double>>(ask_(places));
  }

 private:
  Rcpp::Function ask_;
};

// `total`: how many rows there are where they are not all in `values`; `counts`: how many each of
// those in `values` stands for; `ask`: a function of numbers of variables that counts the rows of
// each of their joint levels.
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
  daggnn::Samples samples(daggnn::MatrixView(REAL(values), Rf_nrows(values), Rf_ncols(values)),
                          kinds, std::vector<daggnn::Index>(width.begin(), width.end()), errors,
                          distributions);
  if (data.containsElementNamed("total")) samples.total = data["total"];
  if (data.containsElementNamed("counts")) {
    const SEXP counts = data["counts"];
    if (TYPEOF(counts) != REALSXP || Rf_xlength(counts) != samples.n()) {
      throw daggnn::Error("`counts` of the samples must be a double for each row.");
    }
    samples.counts = REAL(counts);
  }
  if (data.containsElementNamed("ask")) {
    samples.elsewhere = std::make_shared<RJointCounts>(Rcpp::as<Rcpp::Function>(data["ask"]));
  }
  return samples;
}
