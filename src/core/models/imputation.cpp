#include "models/imputation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "features/contrasts.h"
#include "features/spline_basis.h"
#include "likelihood/categorical.h"
#include "linalg/submatrix.h"
#include "scores/multinomial_logit.h"

namespace daggnn {

namespace {

constexpr Index splines = 4;           // functions of a number that a regression uses
constexpr Index most_regressors = 10;  // before there is a network
constexpr double ridge = 1e-3;         // relative to the variance of a feature

// Standardised indicators of all levels but the last; none of identifiers.
Matrix indicators(const Vector& codes, Index levels) {
  if (static_cast<double>(levels) * least_rows_per_level > static_cast<double>(codes.size()))
    return Matrix(codes.size(), 0);
  Matrix X = Matrix::Zero(codes.size(), levels - 1);
  for (Index r = 0; r < codes.size(); ++r) {
    if (codes[r] < static_cast<double>(levels - 1)) X(r, static_cast<Index>(codes[r])) = 1;
  }
  X.rowwise() -= X.colwise().mean().eval();
  for (Index k = 0; k < X.cols(); ++k) {
    const double spread = std::sqrt(X.col(k).squaredNorm() / static_cast<double>(X.rows()));
    if (spread > 0) X.col(k) /= spread;
  }
  return X;
}

}  // namespace

bool has_missing(const Samples& samples) { return samples.values.hasNaN(); }

Imputation::Imputation(const Samples& samples, Index copies, std::uint64_t seed)
    : samples_(samples),
      copies_(copies),
      random_(seed),
      values_(samples.values.replicate(copies, 1)) {
  for (Index j = 0; j < samples.m(); ++j) {
    const Variable& variable = samples.variables[j];
    for (Index c = variable.first; c < variable.first + variable.columns(); ++c) {
      Column column{j, c, {}, {}};
      for (Index r = 0; r < samples.n(); ++r) {
        (std::isnan(samples.values(r, c)) ? column.missing : column.known).push_back(r);
      }
      if (column.missing.empty()) continue;
      // At first, values of other rows.
      for (Index copy = 0; copy < copies; ++copy) {
        for (const Index r : column.missing) {
          const Index donor = column.known[random_.below(static_cast<Index>(column.known.size()))];
          values_(copy * samples.n() + r, c) = samples.values(donor, c);
        }
      }
      incomplete_.push_back(std::move(column));
    }
  }
}

Samples Imputation::completed() const {
  Samples all(MatrixView(values_.data(), values_.rows(), values_.cols()), samples_.variables);
  all.copies = copies_;
  return all;
}

void Imputation::draw(const std::vector<Parents>& parents, int sweeps) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const Column& column : incomplete_) {
      const std::vector<Index> from =
          parents.empty() ? most_associated(column.variable) : blanket(column.variable, parents);
      for (Index copy = 0; copy < copies_; ++copy) draw_column(column, from, copy);
    }
  }
}

std::vector<Index> Imputation::blanket(Index variable, const std::vector<Parents>& parents) const {
  std::vector<bool> in(parents.size(), false);
  for (const Index i : parents[variable]) in[i] = true;
  for (std::size_t child = 0; child < parents.size(); ++child) {
    const Parents& of = parents[child];
    if (!std::binary_search(of.begin(), of.end(), variable)) continue;
    in[child] = true;
    for (const Index i : of) in[i] = true;
  }
  in[variable] = false;
  std::vector<Index> members;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i]) members.push_back(static_cast<Index>(i));
  }
  return members;
}

// By the correlation of codes and numbers on rows where both are known: rough, and enough to begin.
std::vector<Index> Imputation::most_associated(Index variable) const {
  const Index own = samples_.variables[variable].first;
  std::vector<std::pair<double, Index>> ranked;
  for (Index i = 0; i < samples_.m(); ++i) {
    if (i == variable) continue;
    const Index other = samples_.variables[i].first;
    double n = 0, sx = 0, sy = 0, sxx = 0, syy = 0, sxy = 0;
    for (Index r = 0; r < samples_.n(); ++r) {
      const double x = samples_.values(r, own), y = samples_.values(r, other);
      if (std::isnan(x) || std::isnan(y)) continue;
      n += 1;
      sx += x;
      sy += y;
      sxx += x * x;
      syy += y * y;
      sxy += x * y;
    }
    const double variance = (sxx - sx * sx / n) * (syy - sy * sy / n);
    const double r = n > 2 && variance > 0 ? (sxy - sx * sy / n) / std::sqrt(variance) : 0;
    ranked.push_back({-std::abs(r), i});
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(most_regressors)));
  std::vector<Index> members;
  for (const auto& each : ranked) members.push_back(each.second);
  return members;
}

Matrix Imputation::features_of(const std::vector<Index>& variables, Index copy) const {
  std::vector<Matrix> parts;
  Index columns = 0;
  for (const Index i : variables) {
    const Variable& variable = samples_.variables[i];
    for (Index c = variable.first; c < variable.first + variable.columns(); ++c) {
      const Vector column = values_.col(c).segment(copy * samples_.n(), samples_.n());
      parts.push_back(variable.kind == Kind::discrete
                          ? indicators(column, variable.width)
                          : SplineBasis(column, splines).evaluate(column));
      columns += parts.back().cols();
    }
  }
  Matrix X(samples_.n(), columns);
  Index at = 0;
  for (const Matrix& part : parts) {
    X.middleCols(at, part.cols()) = part;
    at += part.cols();
  }
  return X;
}

void Imputation::draw_column(const Column& column, const std::vector<Index>& from, Index copy) {
  const Matrix X = features_of(from, copy);
  const Matrix known = rows_of(X, column.known), missing = rows_of(X, column.missing);
  const Variable& variable = samples_.variables[column.variable];
  double* const to = values_.data() + column.column * values_.rows() + copy * samples_.n();
  if (variable.kind == Kind::discrete) {
    std::vector<Index> codes;
    for (const Index r : column.known) codes.push_back(static_cast<Index>(to[r]));
    // With more coefficients than rows, the frequencies of the levels are all that is known.
    const bool few = (variable.width - 1) * (known.cols() + 1) > known.rows();
    if (few) {
      for (const Index r : column.missing) {
        to[r] = to[column.known[random_.below(static_cast<Index>(column.known.size()))]];
      }
      return;
    }
    const Matrix P = fit_multinomial_logit(known, codes, variable.width).probabilities(missing);
    for (Index k = 0; k < P.rows(); ++k) {
      const Index level = draw_level(P.cols(), P.rows(), &P(k, 0), random_.uniform());
      to[column.missing[static_cast<std::size_t>(k)]] = static_cast<double>(level);
    }
    return;
  }
  Vector y(static_cast<Index>(column.known.size()));
  for (std::size_t k = 0; k < column.known.size(); ++k) {
    y[static_cast<Index>(k)] = to[column.known[k]];
  }
  const double mean = y.mean();
  Matrix A = known.transpose() * known;
  A.diagonal().array() += ridge * static_cast<double>(known.rows());
  const Vector slopes = A.llt().solve(known.transpose() * (y.array() - mean).matrix());
  const Vector residuals = (y.array() - mean).matrix() - known * slopes;
  const Vector expected = missing * slopes;
  const bool is_count = variable.distribution() == Distribution::poisson;
  for (std::size_t k = 0; k < column.missing.size(); ++k) {
    const double drawn =
        mean + expected[static_cast<Index>(k)] + residuals[random_.below(residuals.size())];
    to[column.missing[k]] = is_count ? std::max(0.0, std::round(drawn)) : drawn;
  }
}

}  // namespace daggnn
