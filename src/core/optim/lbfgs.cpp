#include "optim/lbfgs.h"

namespace daggnn {

void LbfgsControl::check() const {
  if (memory < 1) throw Error("L-BFGS must remember at least one step");
  if (!(0 < sufficient && sufficient < flatter && flatter < 1)) {
    throw Error("L-BFGS wants 0 < sufficient < flatter < 1");
  }
}

void CurvatureMemory::add(const Vector& s, const Vector& y) {
  if (!curved(s.dot(y), y.squaredNorm())) return;
  if (pairs_.size() < most_) {
    pairs_.push_back({s, y});
  } else {
    std::rotate(pairs_.begin(), pairs_.begin() + 1, pairs_.end());
    pairs_.back() = {s, y};
  }
}

void CurvatureMemory::direction(const Vector& df, const Vector& free, const Vector& curvature,
                                Vector& result) {
  result = -df.cwiseProduct(free);
  weights_.assign(pairs_.size(), 0);
  products_.assign(pairs_.size(), 0);
  double factor = 0;  // fits the rough diagonal to the newest pair
  for (std::size_t k = pairs_.size(); k-- > 0;) {
    const Vector &s = pairs_[k].s, &y = pairs_[k].y;
    const auto y_free = y.array() * free.array();
    const double product = (s.array() * y_free).sum();
    if (!curved(product, y_free.square().sum())) continue;
    if (factor == 0) factor = product / (y_free.square() / curvature.array()).sum();
    products_[k] = product;
    weights_[k] = s.dot(result) / product;
    result.array() -= weights_[k] * y_free;
  }
  result.array() *= (factor == 0 ? 1 : factor) / curvature.array();
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    if (products_[k] == 0) continue;
    const double correction = weights_[k] - pairs_[k].y.dot(result) / products_[k];
    result.array() += correction * pairs_[k].s.array() * free.array();
  }
}

}  // namespace daggnn
