// R's list of sums of products as the core's moments.
#pragma once

#include <RcppEigen.h>

#include <vector>

#include "data/moments.h"

// `products`: as feature_products_cpp() gives them, summed over all rows; `sizes`, `scales`: for
// each variable the number of its features and the unit of the first.
inline daggnn::Moments as_moments(const Rcpp::List& data) {
  const Rcpp::IntegerVector sizes = data["sizes"];
  return daggnn::standardised(Rcpp::as<Eigen::MatrixXd>(data["products"]),
                              std::vector<daggnn::Index>(sizes.begin(), sizes.end()),
                              Rcpp::as<Eigen::VectorXd>(data["scales"]));
}
