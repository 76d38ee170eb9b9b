#include "scores/numeric_score.h"

#include <algorithm>
#include <cmath>

namespace daggnn {

namespace {

// No family explains more: beyond this, columns are copies of each other up to rounding.
constexpr double copies_unexplained = 1e-9;

}  // namespace

double NumericScore::value(Index child, const Parents& parents) const {
  if (responses(child) == 0) return not_applicable;
  double total = 0;
  for (Index r = 0; r < responses(child); ++r) total += choose(child, r, parents).score;
  return total;
}

NumericScore::Choice NumericScore::choose(Index child, Index response,
                                          const Parents& parents) const {
  const std::vector<Fit> offered = fits(child, response, parents);
  Choice best;
  for (std::size_t k = 0; k < offered.size(); ++k) {
    const double score = log_likelihood(child, offered[k].unexplained) - offered[k].charge;
    if (score > best.score) best = {score, k, offered[k].unexplained};
  }
  return best;
}

double NumericScore::log_likelihood(Index child, double unexplained) const {
  const double half = effective_rows() / 2;
  const double left = std::max(unexplained, least_unexplained(child));
  if (noise_.responses.size() == 0) return -half * (std::log(left) + 1);
  const double relative = noise_.common / noise_.responses[child];
  return -half * (left / relative + std::log(relative));
}

double NumericScore::least_unexplained(Index child) const {
  return rounding_.size() == 0 ? copies_unexplained
                               : std::max(rounding_[child], copies_unexplained);
}

double NumericScore::slope_charge(Index child, Index slopes, double straight,
                                  double unexplained) const {
  if (noise_.responses.size() > 0) return 0;  // the variance is known
  const double least = least_unexplained(child);
  const double less = std::max(straight, least) / std::max(unexplained, least);
  return static_cast<double>(slopes + 1) / 2 * std::log(less);
}

double NumericScore::unexplained_at(Index child, double log_likelihood) const {
  const double per_row = -log_likelihood / (effective_rows() / 2);
  if (noise_.responses.size() == 0) return std::exp(per_row - 1);
  const double relative = noise_.common / noise_.responses[child];
  return (per_row - std::log(relative)) * relative;
}

}  // namespace daggnn
