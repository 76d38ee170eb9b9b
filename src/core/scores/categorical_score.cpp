#include "scores/categorical_score.h"

#include <cmath>
#include <unordered_map>

#include "scores/multinomial_logit.h"

namespace daggnn {

Configurations configurations(const std::vector<const std::vector<Index>*>& codes,
                              const std::vector<Index>& levels, Index rows) {
  Configurations result{std::vector<Index>(static_cast<std::size_t>(rows), 0), 1};
  for (std::size_t k = 0; k < codes.size(); ++k) {
    // Those that occur are numbered anew after each variable, so that numbers stay small.
    std::unordered_map<Index, Index> number;
    for (Index r = 0; r < rows; ++r) {
      const Index joint = result.of_row[r] * levels[k] + (*codes[k])[r];
      result.of_row[r] = number.emplace(joint, static_cast<Index>(number.size())).first->second;
    }
    result.count = static_cast<Index>(number.size());
  }
  return result;
}

CategoricalScore::CategoricalScore(const Samples& samples, const Matrix& features,
                                   const std::vector<FeatureBlock>& blocks, double edge_charge)
    : features_(features),
      blocks_(blocks),
      n_(samples.effective_rows()),
      copies_(static_cast<double>(samples.copies)),
      edge_charge_(edge_charge) {
  for (const Variable& variable : samples.variables) {
    std::vector<Index> codes;
    if (variable.kind == Kind::discrete) {
      for (Index r = 0; r < samples.n(); ++r) {
        codes.push_back(static_cast<Index>(samples.values(r, variable.first)));
      }
    }
    codes_.push_back(std::move(codes));
    levels_.push_back(variable.kind == Kind::discrete ? variable.width : 0);
  }
}

double CategoricalScore::value(Index child, const Parents& parents) const {
  if (levels_[child] == 0) return not_applicable;
  for (const Index i : parents) {
    if (levels_[i] == 0) return logit(child, parents);
  }
  return table(child, parents);
}

double CategoricalScore::table(Index child, const Parents& parents) const {
  const Index rows = features_.rows(), levels = levels_[child];
  std::vector<const std::vector<Index>*> codes;
  std::vector<Index> sizes;
  double parameters = static_cast<double>(levels - 1);
  for (const Index i : parents) {
    codes.push_back(&codes_[i]);
    sizes.push_back(levels_[i]);
    parameters *= static_cast<double>(levels_[i]);
  }
  const Configurations parent_levels = configurations(codes, sizes, rows);
  std::vector<double> counts(static_cast<std::size_t>(parent_levels.count * levels), 0);
  std::vector<double> totals(static_cast<std::size_t>(parent_levels.count), 0);
  for (Index r = 0; r < rows; ++r) {
    ++counts[parent_levels.of_row[r] * levels + codes_[child][r]];
    ++totals[parent_levels.of_row[r]];
  }
  double log_likelihood = 0;
  for (const double count : counts) log_likelihood += count > 0 ? count * std::log(count) : 0;
  for (const double total : totals) log_likelihood -= total * std::log(total);
  return log_likelihood / copies_ - parameters / 2 * std::log(n_);
}

double CategoricalScore::logit(Index child, const Parents& parents) const {
  Index linear = 0, numeric = 0;
  for (const Index i : parents) {
    linear += blocks_[i].linear;
    numeric += levels_[i] == 0;
  }
  const double classes = static_cast<double>(levels_[child] - 1);
  const double slopes_charge = classes * static_cast<double>(linear) / 2 * std::log(n_) +
                               edge_charge_ * static_cast<double>(numeric);
  // A likelihood is at most 1, so that slopes which cost more than the table without parents lacks
  // need no fit; nor does an identifier, which offers no features itself.
  const double alone = table(child, {});
  const double most_gain = -(alone + classes / 2 * std::log(n_));
  if (slopes_charge >= most_gain || blocks_[child].linear == 0) return alone - slopes_charge;
  Matrix X(features_.rows(), linear);
  Index at = 0;
  for (const Index i : parents) {
    X.middleCols(at, blocks_[i].linear) = features_.middleCols(blocks_[i].first, blocks_[i].linear);
    at += blocks_[i].linear;
  }
  const MultinomialLogit fit = fit_multinomial_logit(X, codes_[child], levels_[child]);
  return fit.log_likelihood / copies_ - classes / 2 * std::log(n_) - slopes_charge;
}

}  // namespace daggnn
