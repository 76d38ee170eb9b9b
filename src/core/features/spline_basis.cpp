#include "features/spline_basis.h"

#include <algorithm>
#include <cmath>

namespace daggnn {

namespace {

// The outermost knots: beyond them the functions are straight lines, so that a few extreme values
// cannot bend them.
constexpr double outer_quantile = 0.01;
// Splines that are linear combinations of the others on the data, up to this share of variance.
constexpr double least_variance = 1e-7;

std::vector<double> quantile_knots(const Vector& z, Index count) {
  std::vector<double> sorted(z.data(), z.data() + z.size());
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> distinct = sorted;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (static_cast<Index>(distinct.size()) <= count) return distinct;
  std::vector<double> knots;
  for (Index k = 0; k < count; ++k) {
    const double share = outer_quantile + (1 - 2 * outer_quantile) * static_cast<double>(k) /
                                              static_cast<double>(count - 1);
    const double place = share * static_cast<double>(sorted.size() - 1);
    const double knot = sorted[static_cast<std::size_t>(std::lround(place))];
    if (knots.empty() || knot > knots.back()) knots.push_back(knot);
  }
  return knots;
}

double cubed(double x) { return x > 0 ? x * x * x : 0; }
double positive(double x) { return x > 0 ? x : 0; }

// Integrals of the products of second derivatives, which are straight between knots.
Matrix roughness(const std::vector<double>& knots) {
  const Index count = static_cast<Index>(knots.size()) - 2;
  const double last = knots.back(), before = knots[knots.size() - 2];
  const auto curvature = [&](Index k, double x) {
    const auto part = [&](double knot) {
      return 6 * (positive(x - knot) - positive(x - last)) / (last - knot);
    };
    return part(knots[static_cast<std::size_t>(k)]) - part(before);
  };
  Matrix total = Matrix::Zero(count, count);
  Vector left(count), middle(count), right(count);
  for (std::size_t piece = 0; piece + 1 < knots.size(); ++piece) {
    const double from = knots[piece], to = knots[piece + 1];
    for (Index k = 0; k < count; ++k) {
      left[k] = curvature(k, from);
      right[k] = curvature(k, to);
      middle[k] = (left[k] + right[k]) / 2;
    }
    total +=
        (to - from) / 6 *
        (left * left.transpose() + 4 * middle * middle.transpose() + right * right.transpose());
  }
  return total;
}

}  // namespace

SplineBasis::SplineBasis(const Vector& values, Index size) {
  const double n = static_cast<double>(values.size());
  center_ = values.mean();
  scale_ = std::sqrt((values.array() - center_).square().sum() / n);
  if (!(scale_ > 0)) throw Error("a basis needs a variable that varies");
  linear_part_ = Matrix::Zero(2, 0);
  rough_ = Matrix::Zero(0, 0);
  if (size < 2) return;
  const Vector z = (values.array() - center_) / scale_;
  knots_ = quantile_knots(z, size + 1);
  const Index splines = std::max<Index>(0, static_cast<Index>(knots_.size()) - 2);
  linear_part_ = Matrix::Zero(2, splines);
  rough_ = Matrix::Zero(splines, 0);
  if (splines == 0) return;

  Matrix N = natural(z);
  for (Index k = 0; k < splines; ++k) {
    linear_part_(0, k) = N.col(k).mean();
    linear_part_(1, k) = N.col(k).dot(z) / n;
  }
  N.noalias() -= Matrix::Ones(z.size(), 1) * linear_part_.row(0);
  N.noalias() -= z * linear_part_.row(1);
  const Matrix S = N.transpose() * N / n;
  const Vector spread = S.diagonal().cwiseMax(1e-300).cwiseSqrt();
  const Matrix correlation =
      spread.cwiseInverse().asDiagonal() * S * spread.cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> variance(correlation);
  const Index kept = (variance.eigenvalues().array() > least_variance).count();
  if (kept == 0) return;
  const Matrix whitening =
      spread.cwiseInverse().asDiagonal() * variance.eigenvectors().rightCols(kept) *
      variance.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Matrix> smoothness(whitening.transpose() * roughness(knots_) *
                                                         whitening);
  rough_ = whitening * smoothness.eigenvectors();
  // The sign of an eigenvector is arbitrary: its largest entry decides.
  for (Index k = 0; k < rough_.cols(); ++k) {
    Index largest;
    rough_.col(k).cwiseAbs().maxCoeff(&largest);
    if (rough_(largest, k) < 0) rough_.col(k) *= -1;
  }
  if (rough_.cols() > size - 1) rough_ = rough_.leftCols(size - 1).eval();
}

SplineBasis::SplineBasis(NumberReader& reader) : center_(reader.number()), scale_(reader.number()) {
  const Vector knots = reader.vector();
  knots_.assign(knots.data(), knots.data() + knots.size());
  linear_part_ = reader.matrix(2, std::max<Index>(0, knots.size() - 2));
  rough_ = reader.matrix();
  if (rough_.rows() != linear_part_.cols() || !(scale_ > 0)) NumberReader::fail();
}

void SplineBasis::write(NumberWriter& writer) const {
  writer.number(center_);
  writer.number(scale_);
  writer.vector(Eigen::Map<const Vector>(knots_.data(), static_cast<Index>(knots_.size())));
  writer.matrix(linear_part_);
  writer.matrix(rough_);
}

SplineBasis SplineBasis::linear() const {
  SplineBasis result = *this;
  result.knots_.clear();
  result.linear_part_.resize(2, 0);
  result.rough_.resize(0, 0);
  return result;
}

Matrix SplineBasis::natural(const Vector& z) const {
  const Index splines = linear_part_.cols();
  const double last = knots_.back(), before = knots_[knots_.size() - 2];
  Matrix N(z.size(), splines);
  for (Index r = 0; r < z.size(); ++r) {
    const double beyond = cubed(z[r] - last);
    const double reference = (cubed(z[r] - before) - beyond) / (last - before);
    for (Index k = 0; k < splines; ++k) {
      const double knot = knots_[static_cast<std::size_t>(k)];
      N(r, k) = (cubed(z[r] - knot) - beyond) / (last - knot) - reference;
    }
  }
  return N;
}

Matrix SplineBasis::evaluate(const Vector& values) const {
  const Vector z = (values.array() - center_) / scale_;
  Matrix features(values.size(), size());
  features.col(0) = z;
  if (rough_.cols() > 0) {
    Matrix N = natural(z);
    N.noalias() -= Matrix::Ones(z.size(), 1) * linear_part_.row(0);
    N.noalias() -= z * linear_part_.row(1);
    features.rightCols(rough_.cols()).noalias() = N * rough_;
  }
  return features;
}

}  // namespace daggnn
