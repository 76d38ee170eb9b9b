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
  // product.
  constexpr Index panel = 32;
  Vector left = S.diagonal();
  Matrix rows(m, panel);
  std::vector<Index> order;
  std::vector<bool> placed(static_cast<std::size_t>(m), false);
  while (static_cast<Index>(order.size()) < m) {
    const Index count = std::min(panel, m - static_cast<Index>(order.size()));
    for (Index k = 0; k < count; ++k) {
      Index next = -1;
      for (Index j = 0; j < m; ++j) {
        if (!placed[j] && (next < 0 || left[j] < left[next])) next = j;
      }
      placed[next] = true;
      order.push_back(next);
      rows.col(k) = S.col(next);
      rows.col(k).noalias() -= rows.leftCols(k) * rows.row(next).head(k).transpose();
      rows.col(k) /= std::sqrt(std::max(left[next], 1e-300));
      left -= rows.col(k).cwiseAbs2();
    }
    gemm(m, m, count, -1, {rows.data(), m}, {rows.data(), m, true}, 1, S.data(), m, executor);
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
