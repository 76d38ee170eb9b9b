#include "structure/starting_orders.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "linalg/gemm.h"

namespace daggnn {

std::vector<Index> order_by_conditional_variance(const Features& features, Executor& executor) {
  const Index m = features.variances.size();
  Matrix S(m, m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      S(i, j) = features.gram(features.blocks[i].first, features.blocks[j].first) *
                std::sqrt(features.variances[i] * features.variances[j]);
    }
  }
  // The rows of a Cholesky factor, a few at a time: what these explain is taken off S by one
  // product. Variables that have their place leave S when there are many of them.
  constexpr Index panel = 32, kept_share = 4;
  std::vector<Index> rest(static_cast<std::size_t>(m)), order;
  std::iota(rest.begin(), rest.end(), Index{0});
  Vector left = S.diagonal();
  Matrix rows(m, panel);
  while (!rest.empty()) {
    const Index size = static_cast<Index>(rest.size());
    std::vector<char> placed(rest.size(), 0);
    Index count = 0;  // of those with a place
    while (count < size && count <= size / kept_share) {
      const Index some = std::min(panel, size - count);
      for (Index k = 0; k < some; ++k) {
        Index next = -1;
        for (Index j = 0; j < size; ++j) {
          if (placed[j] == 0 && (next < 0 || left[j] < left[next])) next = j;
        }
        placed[next] = 1;
        order.push_back(rest[next]);
        rows.col(k).head(size) = S.col(next).head(size);
        rows.col(k).head(size).noalias() -=
            rows.topLeftCorner(size, k) * rows.row(next).head(k).transpose();
        rows.col(k).head(size) /= std::sqrt(std::max(left[next], 1e-300));
        left.head(size) -= rows.col(k).head(size).cwiseAbs2();
      }
      count += some;
      gemm(size, size, some, -1, {rows.data(), m}, {rows.data(), m, true}, 1, S.data(), m,
           executor);
    }
    std::vector<Index> kept;
    for (Index j = 0; j < size; ++j) {
      if (placed[j] == 0) kept.push_back(j);
    }
    // Each moves to the front, so that nothing is overwritten before it has moved.
    for (std::size_t b = 0; b < kept.size(); ++b) {
      for (std::size_t a = 0; a < kept.size(); ++a) S(a, b) = S(kept[a], kept[b]);
      left[b] = left[kept[b]];
      rest[b] = rest[kept[b]];
    }
    rest.resize(kept.size());
  }
  return order;
}

std::vector<Index> order_by_association(const Vector& association) {
  std::vector<Index> order(static_cast<std::size_t>(association.size()));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return association[a] > association[b]; });
  return order;
}

std::vector<Index> order_by_association(const Features& features) {
  const Index m = features.variances.size();
  Vector association = Vector::Zero(m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      if (i == j || features.blocks[i].linear * features.blocks[j].linear == 0) continue;
      association[i] += std::abs(features.gram(features.blocks[i].first, features.blocks[j].first));
    }
  }
  return order_by_association(association);
}

}  // namespace daggnn
