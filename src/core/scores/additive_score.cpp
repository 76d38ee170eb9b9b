#include "scores/additive_score.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "linalg/combination.h"
#include "linalg/submatrix.h"

namespace daggnn {

namespace {

// Prior variances of smooth effects, in units of the noise variance.
constexpr double rho_grid[] = {0.01, 0.1, 1, 10, 100};
// Added to the diagonal of linear features, so that collinear parents have a factorisation.
constexpr double ridge = 1e-9;

// The k-th smooth feature (from 0) is the (k + 2)-th of its variable: its prior precision.
double power_of(Index k) { return static_cast<double>((k + 2) * (k + 2)); }

double log_determinant(const Eigen::LLT<Matrix>& llt) {
  return 2 * llt.matrixLLT().diagonal().array().log().sum();
}

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
    : features_(features),
      gram_(gram),
      n_(n),
      blocks_(std::move(blocks)),
      options_(options),
      single_(std::all_of(blocks_.begin(), blocks_.end(), [](const FeatureBlock& block) {
        return block.linear == 1 && block.smooth == 0;
      })) {}

AdditiveScore::Design AdditiveScore::design(Index column, const Parents& parents) const {
  Design design;
  std::vector<double> power;
  for (const Index i : parents) {
    const FeatureBlock& block = blocks_[i];
    for (Index k = 0; k < block.linear; ++k) design.linear.push_back(block.first + k);
    for (Index k = 0; k < block.smooth; ++k) {
      design.smooth.push_back(block.first + block.linear + k);
      power.push_back(power_of(k));
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

double AdditiveScore::straight_charge(std::size_t parents) const {
  return static_cast<double>(parents) * (options_.edge_charge + std::log(n_) / 2);
}

// The regression of a response on single features that enter one by one, and what is left of the
// others then: rows of the Cholesky factor are added, nothing is factorised anew.
class AdditiveScore::Sweep {
 public:
  Sweep(const AdditiveScore& score, Index response, const Parents& variables)
      : gram_(score.gram_),
        variables_(variables),
        count_(static_cast<Index>(variables.size())),
        columns_(variables.size()),
        own_(variables.size()),
        toward_(variables.size()) {
    factor_.reserve(variables.size() * std::min<std::size_t>(variables.size(), 8));
    const double* const products = gram_.data() + response * gram_.rows();
    for (Index k = 0; k < count_; ++k) {
      columns_[k] = score.blocks_[variables[k]].first;
      own_[k] = score.own_product(variables[k]);
      toward_[k] = products[columns_[k]];
    }
  }

  void enter(Index k) {
    const double root = std::sqrt(std::max(own_[k], ridge));
    const Index entered = static_cast<Index>(z_.size());
    factor_.resize(static_cast<std::size_t>((entered + 1) * count_));
    double* const row = factor_.data() + entered * count_;
    const double* const products = gram_.data() + columns_[k] * gram_.rows();
    for (Index j = 0; j < count_; ++j) row[j] = products[columns_[j]];
    weights_.resize(z_.size());
    for (Index e = 0; e < entered; ++e) weights_[e] = factor_[e * count_ + k];
    subtract_combination(count_, entered, factor_.data(), weights_.data(), row);
    row[k] = root * root;
    const double z = toward_[k] / root;
    z_.push_back(z);
    left_ -= z * z;
    for (Index j = 0; j < count_; ++j) {
      row[j] /= root;
      own_[j] -= row[j] * row[j];
      toward_[j] -= z * row[j];
    }
  }
  // By the variable's number among all.
  void enter_variable(Index i) {
    enter(std::lower_bound(variables_.begin(), variables_.end(), i) - variables_.begin());
  }

  double left() const { return left_; }
  double left_with(Index k) const {
    return left_ - toward_[k] * toward_[k] / std::max(own_[k], ridge);
  }

 private:
  const Matrix& gram_;
  const Parents& variables_;
  Index count_;
  std::vector<Index> columns_;
  std::vector<double> own_, toward_;  // variances and products with the response that are left
  std::vector<double> factor_;        // of each that entered, its row of the factor
  std::vector<double> z_;             // of each that entered
  std::vector<double> weights_;
  double left_ = 1;
};

// The products of a single feature with itself, as a parent.
double AdditiveScore::own_product(Index variable) const {
  const FeatureBlock& block = blocks_[variable];
  return gram_(block.first, block.first) + ridge - block.error;
}

// The share that a regression on single features leaves: as a Sweep of the parents alone, but made
// row by row in memory of its own, since searches ask for it most often.
double AdditiveScore::straight_left(Index child, const Parents& parents) const {
  constexpr std::size_t few = 24;
  const std::size_t p = parents.size();
  double own[few * (few + 2)];
  std::vector<double> more(p > few ? p * (p + 1) : 0);
  double* const factor = p > few ? more.data() : own;  // p x p, by rows
  double* const z = factor + p * p;
  double left = 1;
  for (std::size_t a = 0; a < p; ++a) {
    const double* const products = gram_.data() + blocks_[parents[a]].first * gram_.rows();
    double* const row = factor + a * p;
    double variance = own_product(parents[a]), toward = products[blocks_[child].first];
    for (std::size_t b = 0; b < a; ++b) {
      const double* const earlier = factor + b * p;
      double sum = products[blocks_[parents[b]].first];
      for (std::size_t k = 0; k < b; ++k) sum -= row[k] * earlier[k];
      row[b] = sum / earlier[b];
      variance -= row[b] * row[b];
      toward -= row[b] * z[b];
    }
    row[a] = std::sqrt(std::max(variance, ridge));
    z[a] = toward / row[a];
    left -= z[a] * z[a];
  }
  return left;
}

// The Cholesky factor of the parents' products is kept, so that a candidate takes one row more.
class AdditiveScore::StraightFamily final : public PreparedFamily {
 public:
  StraightFamily(const AdditiveScore& score, Index child, const Parents& parents)
      : score_(score), child_(child), rows_(parents.size() * (parents.size() + 1) / 2) {
    columns_.reserve(parents.size());
    z_.reserve(parents.size());
    double* row = rows_.data();
    for (const Index parent : parents) {
      Left of = enter(parent, row);
      row[columns_.size()] = 1 / std::sqrt(std::max(of.variance, ridge));
      z_.push_back(of.toward * row[columns_.size()]);
      left_ -= z_.back() * z_.back();
      columns_.push_back(score.blocks_[parent].first);
      row += columns_.size();
    }
  }
  double value_with(Index candidate) const override {
    constexpr std::size_t few = 64;
    double own[few];
    std::vector<double> more(columns_.size() > few ? columns_.size() : 0);
    const Left of = enter(candidate, more.empty() ? own : more.data());
    const double left = left_ - of.toward * of.toward / std::max(of.variance, ridge);
    return score_.log_likelihood(child_, left) - score_.straight_charge(columns_.size() + 1);
  }

  // The shares left without each of the parents: of the inverse W of their products and the
  // coefficients w, left + w_k^2 / W_kk.
  std::vector<double> left_without() const {
    const std::size_t p = columns_.size();
    std::vector<double> inverse(p), left(p);
    for (std::size_t k = 0; k < p; ++k) {
      // The k-th column of the factor's inverse, from its diagonal on.
      double w = 0, square = 0;
      for (std::size_t a = k; a < p; ++a) {
        const double* const row = rows_.data() + a * (a + 1) / 2;
        double sum = a == k ? 1 : 0;
        for (std::size_t b = k; b < a; ++b) sum -= row[b] * inverse[b];
        inverse[a] = sum * row[a];
        w += inverse[a] * z_[a];
        square += inverse[a] * inverse[a];
      }
      left[k] = left_ + w * w / square;
    }
    return left;
  }

 private:
  struct Left {
    double variance, toward;  // of a variable given the parents, and its product with the child
  };
  // row: the variable's products with the parents so far, orthogonalised.
  Left enter(Index variable, double* row) const {
    const double* const products =
        score_.gram_.data() + score_.blocks_[variable].first * score_.gram_.rows();
    Left of{score_.own_product(variable), products[score_.blocks_[child_].first]};
    const double* earlier = rows_.data();
    for (std::size_t b = 0; b < columns_.size(); ++b) {
      double sum = products[columns_[b]];
      for (std::size_t k = 0; k < b; ++k) sum -= row[k] * earlier[k];
      row[b] = sum * earlier[b];
      of.variance -= row[b] * row[b];
      of.toward -= row[b] * z_[b];
      earlier += b + 1;
    }
    return of;
  }

  const AdditiveScore& score_;
  const Index child_;
  std::vector<double> rows_;    // of the factor, below each other; the inverse of its diagonal
  std::vector<Index> columns_;  // of the parents
  std::vector<double> z_;
  double left_ = 1;
};

std::unique_ptr<const PreparedFamily> AdditiveScore::prepare(Index child,
                                                             const Parents& parents) const {
  if (!straight(child)) return LocalScore::prepare(child, parents);
  return std::make_unique<StraightFamily>(*this, child, parents);
}

std::vector<NumericScore::Fit> AdditiveScore::fits(Index child, Index response,
                                                   const Parents& parents) const {
  if (straight(child)) {
    return {{straight_left(child, parents), straight_charge(parents.size())}};
  }
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
    const double log_det = log_determinant(llt) - precision.array().log().sum();
    const double curved = left - llt.matrixL().solve(of.c).squaredNorm();
    fits.push_back({curved, charge + log_det / 2 + options_.curve_charge +
                                slope_charge(child, of.z.size(), left, curved)});
  }
  return fits;
}

// Some columns of the design matrix and what their prior adds to the diagonal of their products.
struct AdditiveScore::Columns {
  std::vector<Index> index;
  std::vector<double> diagonal;
  double log_precision = 0;  // the sum over smooth features

  Matrix products(const Matrix& gram) const {
    Matrix G = submatrix(gram, index, index);
    G.diagonal() += Eigen::Map<const Vector>(diagonal.data(), G.rows());
    return G;
  }
};

AdditiveScore::Columns AdditiveScore::columns(const Parents& variables, double rho) const {
  Columns chosen;
  for (const Index i : variables) {
    const FeatureBlock& block = blocks_[i];
    for (Index k = 0; k < block.linear; ++k) {
      chosen.index.push_back(block.first + k);
      chosen.diagonal.push_back(ridge - block.error);
    }
    if (rho == 0) continue;
    for (Index k = 0; k < block.smooth; ++k) {
      const double precision = power_of(k) / (n_ * rho);
      chosen.index.push_back(block.first + block.linear + k);
      chosen.diagonal.push_back(precision);
      chosen.log_precision += std::log(precision);
    }
  }
  return chosen;
}

void AdditiveScore::additions(Index child, const Parents& parents, const Parents& candidates,
                              std::vector<double>& values) const {
  if (blocks_[child].responses != 1) {
    LocalScore::additions(child, parents, candidates, values);
    return;
  }
  const Index response = blocks_[child].first;
  values.assign(candidates.size(), not_applicable);
  if (straight(child)) {
    Parents all;
    std::merge(parents.begin(), parents.end(), candidates.begin(), candidates.end(),
               std::back_inserter(all));
    Sweep sweep(*this, response, all);
    for (const Index i : parents) sweep.enter_variable(i);
    const double charge = straight_charge(parents.size() + 1);
    for (std::size_t k = 0, j = 0; k < candidates.size(); ++k, ++j) {
      while (all[j] != candidates[k]) ++j;
      values[k] = log_likelihood(child, sweep.left_with(static_cast<Index>(j))) - charge;
    }
    return;
  }
  // With log det A for the products A of all features with their prior, and log det B for those of
  // the linear ones, the charge of the smooth ones is (log det A - log det B - log det of the
  // prior's precisions) / 2. A candidate adds to each what its Schur complement has.
  const double edges = options_.edge_charge * static_cast<double>(parents.size() + 1);
  std::vector<double> log_det_linear(candidates.size()), charges(candidates.size());
  std::vector<double> straight(candidates.size());  // what the linear terms leave
  std::vector<Index> slopes(candidates.size());
  std::vector<double> grid = {0};
  grid.insert(grid.end(), std::begin(rho_grid), std::end(rho_grid));
  for (const double rho : grid) {
    const Columns base = columns(parents, rho);
    const Eigen::LLT<Matrix> llt(base.products(gram_));
    Vector z = submatrix(gram_, base.index, {response});
    if (z.size() > 0) llt.matrixL().solveInPlace(z);
    const double left = 1 - z.squaredNorm();
    const double log_det = log_determinant(llt);
    std::vector<Columns> added;
    std::vector<Index> all;
    for (const Index i : candidates) {
      added.push_back(columns({i}, rho));
      all.insert(all.end(), added.back().index.begin(), added.back().index.end());
    }
    Matrix half = submatrix(gram_, base.index, all);
    if (half.size() > 0) llt.matrixL().solveInPlace(half);
    Index at = 0;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      const Index width = static_cast<Index>(added[k].index.size());
      const auto part = half.middleCols(at, width);
      at += width;
      Matrix schur = added[k].products(gram_);
      Vector toward = submatrix(gram_, added[k].index, {response});
      if (z.size() > 0) {
        schur.noalias() -= part.transpose() * part;
        toward.noalias() -= part.transpose() * z;
      }
      const Eigen::LLT<Matrix> own(schur);
      own.matrixL().solveInPlace(toward);
      const double both = log_det + log_determinant(own);
      const double unexplained = left - toward.squaredNorm();
      double charge = 0;
      if (rho == 0) {
        straight[k] = unexplained;
        slopes[k] = z.size() + width;
        log_det_linear[k] = both;
        charges[k] = edges + static_cast<double>(slopes[k]) / 2 * std::log(n_);
      } else {
        if (base.log_precision == 0 && added[k].log_precision == 0) continue;  // nothing is smooth
        charge = (both - log_det_linear[k] - base.log_precision - added[k].log_precision) / 2 +
                 options_.curve_charge + slope_charge(child, slopes[k], straight[k], unexplained);
      }
      values[k] = std::max(values[k], log_likelihood(child, unexplained) - charges[k] - charge);
    }
  }
}

void AdditiveScore::removals(Index child, const Parents& parents,
                             std::vector<double>& values) const {
  if (blocks_[child].responses != 1) {
    LocalScore::removals(child, parents, values);
    return;
  }
  values.clear();
  if (parents.empty()) return;
  if (!straight(child)) {
    values = smooth_removals(child, parents);
    return;
  }
  const StraightFamily family(*this, child, parents);
  for (const double left : family.left_without()) {
    values.push_back(log_likelihood(child, left) - straight_charge(parents.size() - 1));
  }
}

// With the inverse W of the products A of all features with their prior, and coefficients w:
// without the features S, the share left grows by w_S' W_SS^-1 w_S and log det A by log det W_SS.
std::vector<double> AdditiveScore::smooth_removals(Index child, const Parents& parents) const {
  const Index response = blocks_[child].first;
  const double edges = options_.edge_charge * static_cast<double>(parents.size() - 1);
  std::vector<double> values(parents.size(), not_applicable);
  std::vector<double> log_det_linear(parents.size()), charges(parents.size());
  std::vector<double> straight(parents.size());  // what the linear terms leave
  std::vector<Index> slopes(parents.size());
  std::vector<double> grid = {0};
  grid.insert(grid.end(), std::begin(rho_grid), std::end(rho_grid));
  for (const double rho : grid) {
    const Columns all = columns(parents, rho);
    if (rho > 0 && all.log_precision == 0) continue;  // nothing is smooth
    const Eigen::LLT<Matrix> llt(all.products(gram_));
    const Vector c = submatrix(gram_, all.index, {response});
    const Vector w = llt.solve(c);
    const double left = 1 - c.dot(w), log_det = log_determinant(llt);
    const Matrix W = llt.solve(Matrix::Identity(c.size(), c.size()));
    Index at = 0;
    for (std::size_t k = 0; k < parents.size(); ++k) {
      const Columns removed = columns({parents[k]}, rho);
      const Index width = static_cast<Index>(removed.index.size());
      const Eigen::LLT<Matrix> own(W.block(at, at, width, width));
      const Vector part = own.matrixL().solve(w.segment(at, width));
      at += width;
      const double rest = log_det + log_determinant(own);
      const double unexplained = left + part.squaredNorm();
      double charge = 0;
      if (rho == 0) {
        straight[k] = unexplained;
        slopes[k] = c.size() - width;
        log_det_linear[k] = rest;
        charges[k] = edges + static_cast<double>(slopes[k]) / 2 * std::log(n_);
      } else {
        const double log_precision = all.log_precision - removed.log_precision;
        if (log_precision == 0) continue;
        charge = (rest - log_det_linear[k] - log_precision) / 2 + options_.curve_charge +
                 slope_charge(child, slopes[k], straight[k], unexplained);
      }
      values[k] = std::max(values[k], log_likelihood(child, unexplained) - charges[k] - charge);
    }
  }
  return values;
}

void AdditiveScore::grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
                         const LeastGain& least) const {
  if (!straight(child)) {
    LocalScore::grow(child, parents, candidates, maxp, least);
    return;
  }
  if (candidates.empty() || static_cast<Index>(parents.size()) >= maxp) return;
  Parents all;
  std::set_union(parents.begin(), parents.end(), candidates.begin(), candidates.end(),
                 std::back_inserter(all));
  Sweep sweep(*this, blocks_[child].first, all);
  for (const Index i : parents) sweep.enter_variable(i);
  std::vector<char> within(all.size(), 0);
  for (std::size_t k = 0; k < all.size(); ++k) {
    within[k] = std::binary_search(parents.begin(), parents.end(), all[k]) ? 1 : 0;
  }
  const double charge = straight_charge(1);
  while (static_cast<Index>(parents.size()) < maxp) {
    const double now = log_likelihood(child, sweep.left());
    // Those that leave more are not worth a parameter, whatever else they must gain.
    const double most_left = unexplained_at(child, now + charge);
    std::size_t best = all.size();
    double best_beyond = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const double left = sweep.left_with(static_cast<Index>(k));
      if (left >= most_left || within[k] != 0) continue;
      const double beyond =
          log_likelihood(child, left) - now - charge - least(parents.size(), all[k]);
      if (beyond > best_beyond) {
        best_beyond = beyond;
        best = k;
      }
    }
    if (best == all.size()) return;
    sweep.enter(static_cast<Index>(best));
    within[best] = 1;
    parents = with_parent(parents, all[best]);
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
