#include "scores/set_scores.h"

#include <algorithm>
#include <set>
#include <utility>

namespace daggnn {

CellTerms::CellTerms(Index size, double concentration)
    : table_(size), concentration_(concentration) {
  long double sum = 0;
  for (Index N = 1; N < size; ++N) {
    sum += std::log(concentration + static_cast<double>(N - 1));
    table_[N] = static_cast<double>(sum);
  }
}

double CellTerms::compute(Index N) const {
  const double count = static_cast<double>(N);
  if (concentration_ == 0) return count * std::log(count);
  return std::lgamma(count + concentration_) - std::lgamma(concentration_);
}

DiscreteScore::DiscreteScore(const Samples& samples, Score score, double iss, Index maxp,
                             Executor& executor)
    : data_(samples),
      score_(score),
      weight_(penalty_weight(score, static_cast<Index>(samples.effective_rows()))),
      copies_(static_cast<double>(samples.copies)),
      iss_(iss),
      elsewhere_(samples.elsewhere) {
  if (score == Score::bde) {
    make_bde_terms(maxp + 1, executor);
  } else {
    terms_.emplace(0, CellTerms(std::min(data_.total() + 1, table_budget)));
  }
}

std::unique_ptr<JointWalker> DiscreteScore::walker() const {
  if (elsewhere_) return std::make_unique<AskingWalker>(*this);
  return std::make_unique<Walker>(*this);
}

Joint DiscreteScore::AskingWalker::joint(Index j) {
  std::vector<Index> set = variables_;
  set.push_back(j);
  std::sort(set.begin(), set.end());
  const auto known = score_.asked_.find(set);
  if (known != score_.asked_.end()) return known->second;
  std::vector<Index> levels;
  for (const Index i : set) levels.push_back(score_.data_.levels(i));
  const CellTerms& terms = score_.terms(levels, 1);
  Joint joint{0, 0};
  for (const double count : score_.elsewhere_->count(set)) {
    joint.F += terms(static_cast<Index>(count));
    ++joint.cells;
  }
  return score_.asked_[set] = joint;
}

double DiscreteScore::bound(Index i, const Index* P, Index size, const Joint& rest,
                            const Joint& rest_i, const Joint& parents) const {
  if (score_ == Score::bde) {
    // The first row of each parent configuration has the predictive probability 1 / levels_i, the
    // others at most 1 (de Campos and Ji 2011); P has all configurations that P - p has.
    return -parents.cells * std::log(static_cast<double>(data_.levels(i)));
  }
  // The fit of i gains from p at most what P - p leaves unknown of p, n H(p | P - p), and no fit
  // is better than perfect (de Campos et al. 2018).
  const double gain = rest.F - parents.F;
  return std::min(rest_i.F - rest.F + gain, 0.0) - penalty(i, P, size);
}

double DiscreteScore::penalty(Index i, const Index* P, Index size) const {
  if (score_ == Score::bde) return 0;
  double parameters = static_cast<double>(data_.levels(i) - 1);
  for (Index k = 0; k < size; ++k) parameters *= static_cast<double>(data_.levels(P[k]));
  return weight_ * parameters;
}

const CellTerms& DiscreteScore::terms(const std::vector<Index>& levels, Index last) const {
  if (score_ != Score::bde) return terms_.at(0);
  double cells = static_cast<double>(last);
  for (const Index count : levels) cells *= static_cast<double>(count);
  return terms_.at(cells);
}

void DiscreteScore::make_bde_terms(Index most_variables, Executor& executor) {
  std::multiset<Index> all;
  for (Index j = 0; j < data_.m(); ++j) all.insert(data_.levels(j));
  // Of variables with the same number of levels at most `most_variables` matter.
  std::set<std::pair<Index, double>> products{{0, 1.0}};  // variables used, their cells
  for (auto level = all.begin(); level != all.end(); level = all.upper_bound(*level)) {
    const Index available = std::min<Index>(all.count(*level), most_variables);
    std::set<std::pair<Index, double>> longer = products;
    for (const auto& product : products) {
      double cells = product.second;
      for (Index used = 1; used <= available && product.first + used <= most_variables; ++used) {
        cells *= static_cast<double>(*level);
        longer.insert({product.first + used, cells});
      }
    }
    products = std::move(longer);
  }
  std::set<double> sizes;
  for (const auto& product : products) sizes.insert(product.second);
  const std::vector<double> cells(sizes.begin(), sizes.end());
  const Index share = table_budget / static_cast<Index>(cells.size());
  std::vector<std::unique_ptr<CellTerms>> made(cells.size());
  executor.run(static_cast<Index>(cells.size()), [&](Index k) {
    made[k] = std::make_unique<CellTerms>(std::min(data_.total() + 1, share), iss_ / cells[k]);
  });
  for (std::size_t k = 0; k < cells.size(); ++k) terms_.emplace(cells[k], std::move(*made[k]));
}

GaussianScore::GaussianScore(const Samples& samples, Score score)
    : n_(static_cast<double>(samples.n())), weight_(penalty_weight(score, samples.n())) {
  for (const Variable& variable : samples.variables) {
    if (variable.kind != Kind::continuous || variable.width != 1) {
      throw Error("a Gaussian score needs continuous variables of width 1");
    }
  }
  Matrix centred = samples.values.rowwise() - samples.values.colwise().mean();
  squares_ = centred.colwise().squaredNorm().transpose();
  centred.array().rowwise() /= squares_.transpose().array().sqrt();
  correlations_ = centred.transpose() * centred;
}

GaussianScore::GaussianScore(const Matrix& covariances, double n, Score score)
    : n_(n), weight_(penalty_weight(score, static_cast<Index>(n))) {
  squares_ = n * covariances.diagonal();
  const Vector inverse = covariances.diagonal().cwiseSqrt().cwiseInverse();
  correlations_ = inverse.asDiagonal() * covariances * inverse.asDiagonal();
}

double GaussianScore::value(Index i, const Index*, Index size, const Joint& both,
                            const Joint& parents) const {
  const double freedom = n_ - static_cast<double>(size) - 1;
  if (freedom <= 0 || both.F == no_score || parents.F == no_score) return no_score;
  const double variance = squares_(i) * std::exp(both.F - parents.F) / freedom;
  constexpr double two_pi = 6.283185307179586;
  return -0.5 * (n_ * std::log(two_pi * variance) + freedom) -
         weight_ * static_cast<double>(size + 2);
}

}  // namespace daggnn
