// Sums of products of features, chunk by chunk.
#include <RcppEigen.h>

#include "moments.h"

#include "data/tails.h"
#include "scores/density_score.h"
#include "scores/set_local_score.h"

#include "executor.h"
#include "samples.h"
#include "scores.h"

// The features of each column, from a complete sample of rows: as numbers.
// [[Rcpp::export]]
Rcpp::List spline_bases_cpp(const Eigen::Map<Eigen::MatrixXd>& values, int splines) {
  Rcpp::List bases(values.cols());
  for (daggnn::Index j = 0; j < values.cols(); ++j) {
    daggnn::NumberWriter writer;
    daggnn::SplineBasis(values.col(j), splines).write(writer);
    bases[j] = writer.numbers();
  }
  return bases;
}

// bases: from spline_bases_cpp(); values: complete rows. The products of 1 and all features.
// [[Rcpp::export]]
Eigen::MatrixXd feature_products_cpp(const Rcpp::List& bases,
                                     const Eigen::Map<Eigen::MatrixXd>& values, int threads) {
  std::vector<daggnn::SplineBasis> features;
  for (const SEXP numbers : bases) {
    daggnn::NumberReader reader(REAL(numbers), Rf_xlength(numbers));
    features.emplace_back(reader);
  }
  if (static_cast<daggnn::Index>(features.size()) != values.cols()) {
    throw daggnn::Error("`values` must have a column for each basis.");
  }
  ParallelExecutor executor(threads);
  return daggnn::feature_products(features, values, executor);
}

// values: a sample of complete rows; standard_deviations: of each column over all rows. Columns
// whose values repeat have the weight 0.
// [[Rcpp::export]]
Eigen::VectorXd tail_weights_cpp(const Eigen::Map<Eigen::MatrixXd>& values,
                                 const Eigen::VectorXd& standard_deviations) {
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(values.cols());
  for (daggnn::Index j = 0; j < values.cols(); ++j) {
    const daggnn::Vector column = values.col(j);
    if (daggnn::seldom_repeats(column)) {
      weights[j] = daggnn::tail_weight(column, standard_deviations[j]);
    }
  }
  return weights;
}

// The BIC of a network of numbers or discrete variables. adjacency: m x m, nonzero for an edge.
// [[Rcpp::export]]
double network_bic_cpp(const Rcpp::List& data, const Eigen::MatrixXd& adjacency) {
  const daggnn::Samples samples = as_samples(data);
  ParallelExecutor executor(1);
  const auto sets = make_set_score(data, samples, "bic", 1, 0, executor);
  const daggnn::SetLocalScore score(*sets);
  double sum = 0;
  for (daggnn::Index j = 0; j < samples.m(); ++j) {
    daggnn::Parents parents;
    for (daggnn::Index i = 0; i < samples.m(); ++i) {
      if (adjacency(i, j) != 0) parents.push_back(i);
    }
    sum += score.value(j, parents);
  }
  return sum;
}
