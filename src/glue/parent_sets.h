// R's local scores as the core's parent sets, and back.
#pragma once

#include <Rcpp.h>

#include "search/parent_sets.h"

// R holds, for each set, `child` and `parents` (from 1, those of a set side by side, `size` of
// them) and `score`; children and scores are in the order of ParentSets.
inline Rcpp::List as_list(const daggnn::ParentSets& sets) {
  Rcpp::IntegerVector child(sets.size()), size(sets.size()), parents(sets.parents.size());
  for (daggnn::Index i = 0; i < sets.m(); ++i) {
    for (daggnn::Index s = sets.first[i]; s < sets.first[i + 1]; ++s) {
      child[s] = static_cast<int>(i + 1);
      size[s] = static_cast<int>(sets.first_parent[s + 1] - sets.first_parent[s]);
    }
  }
  for (std::size_t k = 0; k < sets.parents.size(); ++k) {
    parents[k] = static_cast<int>(sets.parents[k] + 1);
  }
  return Rcpp::List::create(Rcpp::_["child"] = child, Rcpp::_["size"] = size,
                            Rcpp::_["parents"] = parents, Rcpp::_["score"] = sets.score);
}

inline daggnn::ParentSets as_parent_sets(const Rcpp::List& scores) {
  const Rcpp::CharacterVector names = scores["names"];
  const Rcpp::IntegerVector child = scores["child"], size = scores["size"],
                            parents = scores["parents"];
  const Rcpp::NumericVector score = scores["score"];
  std::vector<daggnn::ScoredFamily> families;
  R_xlen_t at = 0;
  for (R_xlen_t s = 0; s < child.size(); ++s) {
    daggnn::ScoredFamily family{child[s] - 1, score[s], {}};
    for (int k = 0; k < size[s]; ++k) family.parents.push_back(parents[at++] - 1);
    std::sort(family.parents.begin(), family.parents.end());
    families.push_back(std::move(family));
  }
  return daggnn::collect(names.size(), std::move(families));
}
