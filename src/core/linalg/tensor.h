// The values of a minibatch as a tensor, samples x variables x components.
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.h"

namespace daggnn {

// `components` planes of rows x m, each column-major and contiguous: a row for each sample, a
// column for each variable. A function of single values runs over a whole plane at once, and a
// product with A is a plain matrix product.
class Tensor {
 public:
  Tensor() = default;
  Tensor(Index rows, Index m, Index components) { reshape(rows, m, components); }

  // Keeps what is allocated, so that a smaller last batch costs nothing; values are then undefined.
  void reshape(Index rows, Index m, Index components) {
    rows_ = rows;
    m_ = m;
    components_ = components;
    values_.resize(std::max(values_.size(), static_cast<std::size_t>(size())));
  }
  // More planes after those that are there, which keep their values.
  void append(Index components) { reshape(rows_, m_, components_ + components); }
  void set_zero() { std::fill(values_.begin(), values_.begin() + size(), 0.0); }
  // All components of variable j.
  void set_zero(Index j) {
    for (Index k = 0; k < components_; ++k) std::fill(column(k, j), column(k, j) + rows_, 0.0);
  }

  Index rows() const { return rows_; }
  Index components() const { return components_; }
  Index stride() const { return rows_ * m_; }  // from one plane to the next
  Index size() const { return stride() * components_; }

  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  double* column(Index component, Index j) { return data() + component * stride() + j * rows_; }
  const double* column(Index component, Index j) const {
    return data() + component * stride() + j * rows_;
  }
  double* plane(Index component) { return data() + component * stride(); }
  const double* plane(Index component) const { return data() + component * stride(); }

 private:
  Index rows_ = 0, m_ = 0, components_ = 0;
  std::vector<double> values_;
};

}  // namespace daggnn
