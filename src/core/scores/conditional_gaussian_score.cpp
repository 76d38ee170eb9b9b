#include "scores/conditional_gaussian_score.h"

#include <algorithm>
#include <cmath>

#include "scores/categorical_score.h"

namespace daggnn {

namespace {

// Rows that the pooled variance counts as, in each configuration.
constexpr double borrowed_rows = 2;
constexpr double ridge = 1e-6;

}  // namespace

ConditionalGaussianScore::ConditionalGaussianScore(const Samples& samples, const Matrix& features,
                                                   const std::vector<FeatureBlock>& blocks,
                                                   double edge_charge)
    : features_(features),
      blocks_(blocks),
      n_(samples.effective_rows()),
      edge_charge_(edge_charge) {
  for (const Variable& variable : samples.variables) {
    std::vector<Index> codes;
    for (Index r = 0; variable.kind == Kind::discrete && r < samples.n(); ++r) {
      codes.push_back(static_cast<Index>(samples.values(r, variable.first)));
    }
    codes_.push_back(std::move(codes));
    levels_.push_back(variable.kind == Kind::discrete ? variable.width : 0);
  }
}

// The configurations of the discrete parents and the features of the numeric ones.
struct ConditionalGaussianScore::Design {
  std::vector<Index> columns;
  Configurations groups;
  bool discrete;      // some parent is
  double parameters;  // intercept, slopes and variance of each configuration, less those of one

  Index coefficients() const { return static_cast<Index>(columns.size()) + 1; }
};

ConditionalGaussianScore::Design ConditionalGaussianScore::design(const Parents& parents) const {
  std::vector<const std::vector<Index>*> codes;
  std::vector<Index> sizes;
  Design of;
  for (const Index i : parents) {
    if (levels_[i] > 0) {
      codes.push_back(&codes_[i]);
      sizes.push_back(levels_[i]);
    } else {
      for (Index k = 0; k < blocks_[i].linear; ++k) of.columns.push_back(blocks_[i].first + k);
    }
  }
  of.discrete = !codes.empty();
  of.groups = configurations(codes, sizes, features_.rows());
  of.parameters = static_cast<double>(of.groups.count * (of.coefficients() + 1) - 2);
  return of;
}

double ConditionalGaussianScore::value(Index child, const Parents& parents) const {
  if (blocks_[child].responses != 1) return not_applicable;
  const Design of = design(parents);
  if (!of.discrete || of.parameters >= n_) return not_applicable;
  return regressions(child, parents).log_likelihood - of.parameters / 2 * std::log(n_) -
         edge_charge_ * static_cast<double>(parents.size());
}

ConditionalGaussianScore::Regressions ConditionalGaussianScore::regressions(
    Index child, const Parents& parents) const {
  const Design of = design(parents);
  const Index rows = features_.rows(), p = of.coefficients();
  // Products of intercept, numeric parents and response in each configuration.
  const auto y = features_.col(blocks_[child].first);
  std::vector<Matrix> products(static_cast<std::size_t>(of.groups.count),
                               Matrix::Zero(p + 1, p + 1));
  Regressions result;
  result.rows.assign(products.size(), -1);
  result.parameters = of.parameters;
  Vector row(p + 1);
  for (Index r = 0; r < rows; ++r) {
    row[0] = 1;
    for (Index k = 1; k < p; ++k) {
      row[k] = features_(r, of.columns[static_cast<std::size_t>(k - 1)]);
    }
    row[p] = y[r];
    products[of.groups.of_row[r]].selfadjointView<Eigen::Lower>().rankUpdate(row);
    result.rows[of.groups.of_row[r]] = r;
  }
  result.coefficients.resize(of.groups.count, p);
  result.variances.resize(of.groups.count);
  std::vector<double> left, weight;
  double pooled = 0;
  for (std::size_t g = 0; g < products.size(); ++g) {
    const Matrix& S = products[g];
    Matrix A = S.topLeftCorner(p, p);
    A.diagonal().array() += ridge;
    const Eigen::LLT<Matrix> llt = A.selfadjointView<Eigen::Lower>().llt();
    Vector half = llt.matrixL().solve(S.bottomLeftCorner(1, p).transpose());
    left.push_back(std::max(S(p, p) - half.squaredNorm(), 0.0));
    weight.push_back(S(0, 0));
    pooled += left.back();
    llt.matrixU().solveInPlace(half);
    result.coefficients.row(static_cast<Index>(g)) = half.transpose();
  }
  pooled = std::max(pooled / static_cast<double>(rows), 1e-9);
  for (std::size_t g = 0; g < products.size(); ++g) {
    const double variance = (left[g] + borrowed_rows * pooled) / (weight[g] + borrowed_rows);
    result.log_likelihood -= (weight[g] * std::log(variance) + left[g] / variance) / 2;
    result.variances[static_cast<Index>(g)] = variance;
  }
  result.log_likelihood *= n_ / static_cast<double>(rows);
  return result;
}

}  // namespace daggnn
