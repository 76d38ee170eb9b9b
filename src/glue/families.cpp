#include <RcppEigen.h>

#include "models/network_fit.h"

#include "edge_lists.h"
#include "executor.h"
#include "options.h"
#include "samples.h"

namespace {

daggnn::Families as_families(const Rcpp::List& families) {
  if (!families.containsElementNamed("numbers")) daggnn::NumberReader::fail();
  return daggnn::Families(Rcpp::as<std::vector<double>>(families["numbers"]));
}

// Samples of the variables that the families know.
daggnn::Samples as_samples_of(const daggnn::Families& families, const Rcpp::List& data) {
  const daggnn::Samples samples = as_samples(data);
  bool same = samples.variables.size() == families.variables().size();
  for (std::size_t j = 0; same && j < samples.variables.size(); ++j) {
    const daggnn::Variable &one = samples.variables[j], &other = families.variables()[j];
    same = one.kind == other.kind && one.width == other.width;
  }
  if (!same) throw daggnn::Error("The data must have the variables of the network.");
  return samples;
}

}  // namespace

// The fitted model of a DAG over the variables of data. edges: see edge_lists.h; control: from
// dag_gnn_control(). A list of plain numbers, and what each edge carries where edge_effects asks
// for it.
// [[Rcpp::export]]
Rcpp::List families_cpp(const Rcpp::List& data, const Rcpp::IntegerMatrix& edges,
                        const Rcpp::List& control, double smoothing, bool edge_effects,
                        int threads) {
  const daggnn::Samples samples = as_samples(data);
  ParallelExecutor executor(threads);
  const daggnn::NetworkFit fit = daggnn::fit_families(
      samples, as_parents(edges, samples.m()),
      {options_from<daggnn::StructureOptions>(control), smoothing}, edge_effects, executor);
  Rcpp::List result = Rcpp::List::create(Rcpp::_["numbers"] = fit.families.numbers(),
                                         Rcpp::_["parameters"] = fit.families.parameters());
  if (edge_effects) {
    const R_xlen_t count = static_cast<R_xlen_t>(fit.effects.size());
    Rcpp::IntegerVector from(count), to(count);
    Rcpp::NumericVector share(count), weight(count);
    for (R_xlen_t k = 0; k < count; ++k) {
      const daggnn::EdgeEffect& effect = fit.effects[k];
      from[k] = static_cast<int>(effect.from) + 1;
      to[k] = static_cast<int>(effect.to) + 1;
      share[k] = effect.share;
      weight[k] = effect.weight;
    }
    result["effects"] = Rcpp::List::create(Rcpp::_["from"] = from, Rcpp::_["to"] = to,
                                           Rcpp::_["share"] = share, Rcpp::_["weight"] = weight);
  }
  return result;
}

// families: from families_cpp(); data: samples of the same variables. One column for each component
// or level.
// [[Rcpp::export]]
Eigen::MatrixXd predict_families_cpp(const Rcpp::List& families, const Rcpp::List& data) {
  const daggnn::Families model = as_families(families);
  return model.predict(as_samples_of(model, data).values);
}

// edges: m x m, nonzero where an edge of the families still is in the network.
// [[Rcpp::export]]
Eigen::MatrixXd simulate_families_cpp(const Rcpp::List& families, const Eigen::MatrixXd& edges,
                                      int n, double seed) {
  const daggnn::Families model = as_families(families);
  const daggnn::Index m = static_cast<daggnn::Index>(model.variables().size());
  if (edges.rows() != m || edges.cols() != m) {
    throw daggnn::Error("`edges` must have a row and a column for each variable.");
  }
  daggnn::Random random(static_cast<std::uint64_t>(seed));
  return model.simulate(n, edges, random);
}

// n x m: the log density of each variable in each row, given its parents.
// [[Rcpp::export]]
Eigen::MatrixXd log_likelihood_families_cpp(const Rcpp::List& families, const Rcpp::List& data) {
  const daggnn::Families model = as_families(families);
  return model.log_likelihood(as_samples_of(model, data).values);
}
