#include "scores/conditional_gaussian_score.h"

#include <algorithm>
#include <cmath>

#include "scores/linear_design.h"

namespace daggnn {

namespace {

// Rows that the pooled variance counts as, in each configuration.
constexpr double borrowed_rows = 2;
constexpr double ridge = 1e-6;

}  // namespace

ConditionalGaussianScore::ConditionalGaussianScore(const Samples& samples, const Matrix& features,
                                                   const std::vector<FeatureBlock>& blocks)
    : features_(features), blocks_(blocks), n_(samples.effective_rows()), discrete_(samples) {}

// The configurations of the discrete parents and the features of the numeric ones.
struct ConditionalGaussianScore::Design {
  Matrix X;  // intercept, then the features
  Configurations groups;
  bool discrete;  // some parent is

  // Intercept, slopes and variance of each configuration, less those of one.
  double parameters() const { return static_cast<double>(groups.count * (X.cols() + 1) - 2); }
};

ConditionalGaussianScore::Design ConditionalGaussianScore::design(const Parents& parents) const {
  const auto of_kind = [&](Kind kind) {
    return parents_of_kind(parents, discrete_.variables(), kind);
  };
  const Parents discrete = of_kind(Kind::discrete);
  const Matrix numeric = linear_design(features_, blocks_, of_kind(Kind::continuous));
  Design of{Matrix(numeric.rows(), numeric.cols() + 1), discrete_.configurations(discrete),
            !discrete.empty()};
  of.X << Vector::Ones(numeric.rows()), numeric;
  return of;
}

double ConditionalGaussianScore::value(Index child, const Parents& parents) const {
  if (blocks_[child].responses != 1) return not_applicable;
  const Design of = design(parents);
  if (!of.discrete || of.parameters() >= n_) return not_applicable;
  return fit(child, of).log_likelihood - of.parameters() / 2 * std::log(n_);
}

ConditionalGaussianScore::Regressions ConditionalGaussianScore::regressions(
    Index child, const Parents& parents) const {
  return fit(child, design(parents));
}

ConditionalGaussianScore::Regressions ConditionalGaussianScore::fit(Index child,
                                                                    const Design& of) const {
  const Index rows = of.X.rows(), p = of.X.cols();
  // Products of intercept, numeric parents and response in each configuration.
  const auto y = features_.col(blocks_[child].first);
  std::vector<Matrix> products(static_cast<std::size_t>(of.groups.count),
                               Matrix::Zero(p + 1, p + 1));
  Regressions result;
  result.rows.assign(products.size(), -1);
  result.parameters = of.parameters();
  Vector row(p + 1);
  for (Index r = 0; r < rows; ++r) {
    row << of.X.row(r).transpose(), y[r];
    products[of.groups.of_row[r]].selfadjointView<Eigen::Lower>().rankUpdate(row);
    result.rows[of.groups.of_row[r]] = r;
  }
  result.coefficients.resize(of.groups.count, p);
  result.variances.resize(of.groups.count);
  std::vector<double> squares, counts;  // of residuals, and of rows
  double pooled = 0;
  for (std::size_t g = 0; g < products.size(); ++g) {
    const Matrix& S = products[g];
    Matrix A = S.topLeftCorner(p, p);
    A.diagonal().array() += ridge;
    const Eigen::LLT<Matrix> llt = A.selfadjointView<Eigen::Lower>().llt();
    Vector slopes = llt.matrixL().solve(S.bottomLeftCorner(1, p).transpose());
    squares.push_back(std::max(S(p, p) - slopes.squaredNorm(), 0.0));
    counts.push_back(S(0, 0));
    pooled += squares.back();
    llt.matrixU().solveInPlace(slopes);
    result.coefficients.row(static_cast<Index>(g)) = slopes.transpose();
  }
  pooled = std::max(pooled / static_cast<double>(rows), 1e-9);
  for (std::size_t g = 0; g < products.size(); ++g) {
    const double variance = (squares[g] + borrowed_rows * pooled) / (counts[g] + borrowed_rows);
    result.log_likelihood -= (counts[g] * std::log(variance) + squares[g] / variance) / 2;
    result.variances[static_cast<Index>(g)] = variance;
  }
  result.log_likelihood *= n_ / static_cast<double>(rows);
  return result;
}

}  // namespace daggnn
