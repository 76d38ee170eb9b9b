#include "scores/additive_score.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "linalg/submatrix.h"

namespace daggnn {

namespace {

// Prior variances of smooth effects, in units of the noise variance.
constexpr double rho_grid[] = {0.01, 0.1, 1, 10, 100};
// Added to the diagonal of linear features, so that collinear parents have a factorisation.
constexpr double ridge = 1e-9;

}  // namespace

// The features of the parents and a response, with the linear features factorised out.
struct AdditiveScore::Design {
  std::vector<Index> linear, smooth;
  Vector power;            // k^2 of each smooth feature
  Eigen::LLT<Matrix> llt;  // of G over the linear features
  Matrix half;             // L^-1 G_ls
  Matrix schur;            // G_s
  Vector z;                // L^-1 c over the linear features
  Vector c;                // over the smooth features, less the linear ones' part

  // Of the penalised normal equations of the smooth features.
  Eigen::LLT<Matrix> smooth_llt(const Vector& precision) const {
    Matrix A = schur;
    A.diagonal() += precision;
    return Eigen::LLT<Matrix>(A);
  }
};

AdditiveScore::AdditiveScore(const Matrix& features, const Matrix& gram, double n,
                             std::vector<FeatureBlock> blocks, AdditiveOptions options)
    : features_(features), gram_(gram), n_(n), blocks_(std::move(blocks)), options_(options) {}

AdditiveScore::Design AdditiveScore::design(Index column, const Parents& parents) const {
  Design design;
  std::vector<double> power;
  for (const Index i : parents) {
    const FeatureBlock& block = blocks_[i];
    for (Index k = 0; k < block.linear; ++k) design.linear.push_back(block.first + k);
    for (Index k = 0; k < block.smooth; ++k) {
      design.smooth.push_back(block.first + block.linear + k);
      power.push_back(static_cast<double>((k + 2) * (k + 2)));
    }
  }
  Matrix G = submatrix(gram_, design.linear, design.linear);
  Index at = 0;
  for (const Index i : parents) {
    for (Index k = 0; k < blocks_[i].linear; ++k, ++at) G(at, at) += ridge - blocks_[i].error;
  }
  design.llt.compute(G);
  design.z = submatrix(gram_, design.linear, {column});
  if (design.z.size() > 0) design.llt.matrixL().solveInPlace(design.z);
  if (design.smooth.empty()) return design;
  design.power = Eigen::Map<const Vector>(power.data(), static_cast<Index>(power.size()));
  design.half = submatrix(gram_, design.linear, design.smooth);
  design.llt.matrixL().solveInPlace(design.half);
  design.schur = submatrix(gram_, design.smooth, design.smooth);
  design.schur.noalias() -= design.half.transpose() * design.half;
  design.c = submatrix(gram_, design.smooth, {column});
  design.c.noalias() -= design.half.transpose() * design.z;
  return design;
}

std::vector<NumericScore::Fit> AdditiveScore::fits(Index child, Index response,
                                                   const Parents& parents) const {
  const Design of = design(blocks_[child].first + response, parents);
  const double left = 1 - of.z.squaredNorm();
  // Edges are charged once, not for each response.
  const double edges =
      response == 0 ? options_.edge_charge * static_cast<double>(parents.size()) : 0;
  const double charge = edges + static_cast<double>(of.z.size()) / 2 * std::log(n_);
  std::vector<Fit> fits = {{left, charge}};
  if (of.smooth.empty()) return fits;
  for (const double rho : rho_grid) {
    const Vector precision = of.power / (n_ * rho);
    const Eigen::LLT<Matrix> llt = of.smooth_llt(precision);
    const double log_det =
        2 * llt.matrixLLT().diagonal().array().log().sum() - precision.array().log().sum();
    fits.push_back({left - llt.matrixL().solve(of.c).squaredNorm(),
                    charge + log_det / 2 + options_.curve_charge});
  }
  return fits;
}

void AdditiveScore::additions(Index child, const Parents& parents, const Parents& candidates,
                              std::vector<double>& values) const {
  const auto single = [&](Index i) { return blocks_[i].linear == 1 && blocks_[i].smooth == 0; };
  const bool linear = std::all_of(parents.begin(), parents.end(), single) &&
                      std::all_of(candidates.begin(), candidates.end(), single);
  if (!linear || blocks_[child].responses != 1) {
    LocalScore::additions(child, parents, candidates, values);
    return;
  }
  const Index response = blocks_[child].first;
  const Design of = design(response, parents);
  const double left = 1 - of.z.squaredNorm();
  const double charge =
      static_cast<double>(parents.size() + 1) * (options_.edge_charge + std::log(n_) / 2);
  values.resize(candidates.size());
  Vector u;
  for (std::size_t k = 0; k < candidates.size(); ++k) {
    const Index column = blocks_[candidates[k]].first;
    u = submatrix(gram_, of.linear, {column});
    if (u.size() > 0) of.llt.matrixL().solveInPlace(u);
    const double own =
        gram_(column, column) + ridge - blocks_[candidates[k]].error - u.squaredNorm();
    const double toward = gram_(column, response) - u.dot(of.z);
    values[k] = log_likelihood(child, left - toward * toward / own) - charge;
  }
}

AdditiveScore::Regression AdditiveScore::regression(Index child, Index response,
                                                    const Parents& parents, std::size_t fit) const {
  const Design of = design(blocks_[child].first + response, parents);
  Regression result{of.linear, {}, static_cast<double>(of.linear.size())};
  Vector smooth, linear = of.z;
  if (fit > 0) {
    const Eigen::LLT<Matrix> llt = of.smooth_llt(of.power / (n_ * rho_grid[fit - 1]));
    smooth = llt.solve(of.c);
    result.parameters += llt.solve(of.schur).trace();
    linear.noalias() -= of.half * smooth;
    result.columns.insert(result.columns.end(), of.smooth.begin(), of.smooth.end());
  }
  if (linear.size() > 0) of.llt.matrixU().solveInPlace(linear);
  result.coefficients.resize(linear.size() + smooth.size());
  result.coefficients << linear, smooth;
  return result;
}

Vector AdditiveScore::residuals(Index child, Index response, const Parents& parents,
                                std::size_t fit) const {
  const Regression solved = regression(child, response, parents, fit);
  Vector residuals = features_.col(blocks_[child].first + response);
  for (std::size_t k = 0; k < solved.columns.size(); ++k) {
    residuals -= solved.coefficients[k] * features_.col(solved.columns[k]);
  }
  return residuals;
}

}  // namespace daggnn
