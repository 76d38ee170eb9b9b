#include "scores/coordinate_score.h"

#include <algorithm>
#include <numeric>

namespace daggnn {

Matrix CoordinateScore::linear_features(const Parents& parents) const {
  Index columns = 0;
  for (const Index i : parents) columns += coordinates_[i].cols();
  Matrix X(rows(), columns);
  Index at = 0;
  for (const Index i : parents) {
    X.middleCols(at, coordinates_[i].cols()) = coordinates_[i];
    at += coordinates_[i].cols();
  }
  return X;
}

std::vector<Index> CoordinateScore::ranked_rows() const {
  Vector key = Vector::Zero(rows());
  for (const Matrix& each : coordinates_) key += each.rowwise().sum();
  std::vector<Index> ranked(static_cast<std::size_t>(rows()));
  std::iota(ranked.begin(), ranked.end(), Index{0});
  std::sort(ranked.begin(), ranked.end(), [&](Index a, Index b) { return key[a] < key[b]; });
  return ranked;
}

std::vector<Index> CoordinateScore::spread_rows(const std::vector<Index>& ranked, Index count) {
  const Index rows = static_cast<Index>(ranked.size());
  std::vector<Index> chosen;
  for (Index k = 0; k < count; ++k) {
    chosen.push_back(ranked[static_cast<std::size_t>((2 * k + 1) * rows / (2 * count))]);
  }
  return chosen;
}

}  // namespace daggnn
