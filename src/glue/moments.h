// R's list of sums of products as the core's moments.
#pragma once

#include <RcppEigen.h>

#include <vector>

#include "features/moments.h"

// `products`: as feature_products_cpp() gives them, summed over all rows; `sizes`, `scales`,
// `tails`: for each variable the number of its features, the unit of the first and its tail weight.
inline daggnn::Moments as_moments(const Rcpp::List& data) {
  const Rcpp::IntegerVector sizes = data["sizes"];
  daggnn::Moments moments =
      daggnn::standardised(Rcpp::as<Eigen::MatrixXd>(data["products"]),
                           std::vector<daggnn::Index>(sizes.begin(), sizes.end()),
                           Rcpp::as<Eigen::VectorXd>(data["scales"]));
  moments.tails = Rcpp::as<Eigen::VectorXd>(data["tails"]);
  return moments;
}
