// Scores of parent sets by the names that R gives them.
#pragma once

#include <RcppEigen.h>

#include <memory>
#include <string>

#include "scores/set_scores.h"

// Of samples that are all discrete or all continuous, and of the list that they were made from: it
// has the covariances of numbers that are elsewhere. maxp: the most parents that BDe is asked for.
inline std::unique_ptr<daggnn::SetScore> make_set_score(const Rcpp::List& data,
                                                        const daggnn::Samples& samples,
                                                        const std::string& name, double iss,
                                                        daggnn::Index maxp,
                                                        daggnn::Executor& executor) {
  const daggnn::Score score = daggnn::from_name(daggnn::score_names, "score", name);
  if (samples.variables[0].kind == daggnn::Kind::discrete) {
    return std::make_unique<daggnn::DiscreteScore>(samples, score, iss, maxp, executor);
  }
  if (data.containsElementNamed("covariance")) {
    return std::make_unique<daggnn::GaussianScore>(Rcpp::as<Eigen::MatrixXd>(data["covariance"]),
                                                   samples.total, score);
  }
  return std::make_unique<daggnn::GaussianScore>(samples, score);
}
