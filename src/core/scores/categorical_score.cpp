#include "scores/categorical_score.h"

#include <algorithm>
#include <cmath>

#include "scores/linear_design.h"
#include "scores/multinomial_logit.h"

namespace daggnn {

CategoricalScore::CategoricalScore(const Samples& samples, const Matrix& features,
                                   const std::vector<FeatureBlock>& blocks)
    : features_(features),
      blocks_(blocks),
      n_(samples.effective_rows()),
      copies_(static_cast<double>(samples.copies)),
      discrete_(samples) {}

double CategoricalScore::value(Index child, const Parents& parents) const {
  if (!discrete_.has(child)) return not_applicable;
  const bool tabular =
      std::all_of(parents.begin(), parents.end(), [this](Index i) { return discrete_.has(i); });
  return tabular ? table(child, parents) : logit(child, parents);
}

double CategoricalScore::table(Index child, const Parents& parents) const {
  const Index rows = features_.rows(), levels = discrete_.levels(child);
  double parameters = static_cast<double>(levels - 1);
  for (const Index i : parents) parameters *= static_cast<double>(discrete_.levels(i));
  const std::vector<Index>& codes = discrete_.codes(child);
  const Configurations configurations = discrete_.configurations(parents);
  std::vector<double> counts(static_cast<std::size_t>(configurations.count * levels), 0);
  std::vector<double> totals(static_cast<std::size_t>(configurations.count), 0);
  for (Index r = 0; r < rows; ++r) {
    ++counts[configurations.of_row[r] * levels + codes[r]];
    ++totals[configurations.of_row[r]];
  }
  double log_likelihood = 0;
  for (const double count : counts) log_likelihood += count > 0 ? count * std::log(count) : 0;
  for (const double total : totals) log_likelihood -= total * std::log(total);
  return log_likelihood / copies_ - parameters / 2 * std::log(n_);
}

// The codes with the most frequent level last: the logit's penalty treats the last level in its own
// way, which the labels of levels must not decide.
std::vector<Index> CategoricalScore::most_frequent_last(Index child) const {
  std::vector<Index> codes = discrete_.codes(child);
  std::vector<Index> counts(static_cast<std::size_t>(discrete_.levels(child)), 0);
  for (const Index code : codes) ++counts[code];
  const Index last = discrete_.levels(child) - 1;
  const Index most = std::max_element(counts.begin(), counts.end()) - counts.begin();
  for (Index& code : codes) code = code == most ? last : code == last ? most : code;
  return codes;
}

double CategoricalScore::logit(Index child, const Parents& parents) const {
  const Index levels = discrete_.levels(child);
  Index slopes = 0;
  for (const Index i : parents) slopes += blocks_[i].linear * (levels - 1);
  const double slopes_charge = static_cast<double>(slopes) / 2 * std::log(n_);
  const double intercepts_charge = static_cast<double>(levels - 1) / 2 * std::log(n_);
  // A likelihood is at most 1, so that slopes which cost more than the table without parents lacks
  // need no fit; nor does an identifier, which offers no features itself.
  const double alone = table(child, {});
  const double most_gain = -(alone + intercepts_charge);
  if (slopes_charge >= most_gain || blocks_[child].linear == 0) return alone - slopes_charge;
  const Matrix X = linear_design(features_, blocks_, parents);
  const MultinomialLogit fit = fit_multinomial_logit(X, most_frequent_last(child), levels);
  return fit.log_likelihood / copies_ - intercepts_charge - slopes_charge;
}

}  // namespace daggnn
