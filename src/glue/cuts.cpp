// Cuts for R's integer program.
#include <RcppEigen.h>

#include "search/cuts.h"

#include "parent_sets.h"

namespace {

// Keeps the parent sets alive for the finder.
struct Finder {
  daggnn::ParentSets sets;
  daggnn::CutFinder cuts;
  explicit Finder(const Rcpp::List& scores) : sets(as_parent_sets(scores)), cuts(sets) {}
};

}  // namespace

// [[Rcpp::export]]
SEXP cut_finder_cpp(const Rcpp::List& scores) { return Rcpp::XPtr<Finder>(new Finder(scores)); }

// Rows that x (one value per parent set) violates: columns (from 1) and coefficients of all rows
// side by side, how many each has, and the right sides.
// [[Rcpp::export]]
Rcpp::List find_cuts_cpp(SEXP finder, const std::vector<double>& x, int most) {
  Finder& all = *Rcpp::XPtr<Finder>(finder);
  std::vector<int> columns, size;
  std::vector<double> coefficients, right;
  std::vector<daggnn::Index> sets;
  std::vector<double> values;
  for (const daggnn::Cut& cut : all.cuts.find(x, most)) {
    all.cuts.row(cut, sets, values);
    for (const daggnn::Index s : sets) columns.push_back(static_cast<int>(s + 1));
    coefficients.insert(coefficients.end(), values.begin(), values.end());
    size.push_back(static_cast<int>(sets.size()));
    right.push_back(cut.right_side);
  }
  return Rcpp::List::create(Rcpp::_["columns"] = columns, Rcpp::_["coefficients"] = coefficients,
                            Rcpp::_["size"] = size, Rcpp::_["right"] = right);
}
