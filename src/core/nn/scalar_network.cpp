#include "nn/scalar_network.h"

#include <cmath>

namespace daggnn {

void ScalarNetwork::initialise(double* weights, const std::vector<double>& typical) const {
  if (identity()) return;
  const auto quantile = [&](double k) {
    const double share = std::min(1.0, std::max(0.0, (k + 0.5) / static_cast<double>(hidden_)));
    return typical[static_cast<std::size_t>(share * static_cast<double>(typical.size() - 1))];
  };
  const double range = typical.back() - typical.front();
  const double narrowest = range > 0 ? 0.1 * range / static_cast<double>(hidden_) : 1;
  weights[0] = 1;
  for (Index k = 0; k < hidden_; ++k) {
    const double at = static_cast<double>(k);
    const double gap = std::max(narrowest, (quantile(at + 1) - quantile(at - 1)) / 2);
    weights[1 + k] = 0;
    weights[1 + hidden_ + k] = 1 / gap;
    weights[1 + 2 * hidden_ + k] = -quantile(at) / gap;
  }
}

double ScalarNetwork::operator()(const double* weights, double x) const {
  if (identity()) return x;
  double value = weights[0] * x;
  for (Index k = 0; k < hidden_; ++k) {
    const double a = weights[1 + hidden_ + k] * x + weights[1 + 2 * hidden_ + k];
    value += weights[1 + k] * a / std::sqrt(1 + a * a);
  }
  return value;
}

void ScalarNetwork::forward(const double* weights, Index count, const double* x, double* y,
                            double* roots, const Kernels* kernels) const {
  if (identity()) {
    std::copy(x, x + count, y);
    return;
  }
  if (kernels != nullptr) {
    kernels->smooth_forward(count, hidden_, weights, x, y, roots);
    return;
  }
  for_each_block(count, [&](Index first, Index some) {
    const Eigen::Map<const Array> in(x + first, some);
    Eigen::Map<Array> out(y + first, some);
    Block total = weights[0] * in;
    for (Index k = 0; k < hidden_; ++k) {
      const Block a = weights[1 + hidden_ + k] * in + weights[1 + 2 * hidden_ + k];
      total += weights[1 + k] * a / (1 + a.square()).sqrt();
    }
    out = total;
  });
}

void ScalarNetwork::forward_slope(const double* weights, const Matrix& in, Matrix& out,
                                  Matrix& slope) const {
  out.resize(in.rows(), in.cols());
  slope.setZero(in.rows(), in.cols());
  std::vector<double> roots(static_cast<std::size_t>(roots_size(block)));
  std::vector<double> ignored(static_cast<std::size_t>(parameters()));
  const std::vector<double> ones(block, 1.0);
  for_each_block(in.size(), [&](Index first, Index some) {
    const double* const x = in.data() + first;
    forward(weights, some, x, out.data() + first, roots.data());
    backward(weights, some, x, roots.data(), ones.data(), slope.data() + first, ignored.data());
  });
}

void ScalarNetwork::jacobian(const double* weights, const Vector& x, Matrix& J) const {
  J.resize(x.size(), parameters());
  if (identity()) return;
  J.col(0) = x;
  for (Index k = 0; k < hidden_; ++k) {
    const Array a = weights[1 + hidden_ + k] * x.array() + weights[1 + 2 * hidden_ + k];
    const Array q = 1 / (1 + a.square()).sqrt();
    J.col(1 + k) = a * q;
    J.col(1 + 2 * hidden_ + k) = weights[1 + k] * q.cube();
    J.col(1 + hidden_ + k) = J.col(1 + 2 * hidden_ + k).cwiseProduct(x);
  }
}

void ScalarNetwork::stretch(double* weights, double factor) const {
  if (identity()) return;
  weights[0] /= factor;
  for (Index k = 0; k < hidden_; ++k) weights[1 + hidden_ + k] /= factor;
}

void ScalarNetwork::backward(const double* weights, Index count, const double* x,
                             const double* roots, const double* dy, double* dx, double* dweights,
                             const Kernels* kernels) const {
  if (identity()) {
    for (Index e = 0; dx != nullptr && e < count; ++e) dx[e] += dy[e];
    return;
  }
  if (kernels != nullptr) {
    kernels->smooth_backward(count, hidden_, weights, x, roots, dy, dx, dweights);
    return;
  }
  for_each_block(count, [&](Index first, Index some) {
    const Eigen::Map<const Array> in(x + first, some), dout(dy + first, some);
    Block din = weights[0] * dout;
    dweights[0] += (dout * in).sum();
    for (Index k = 0; k < hidden_; ++k) {
      const double v = weights[1 + k], w = weights[1 + hidden_ + k];
      const Block a = w * in + weights[1 + 2 * hidden_ + k];
      const Block q = 1 / (1 + a.square()).sqrt();
      const Block da = v * dout * q.cube();
      dweights[1 + k] += (dout * a * q).sum();
      dweights[1 + hidden_ + k] += (da * in).sum();
      dweights[1 + 2 * hidden_ + k] += da.sum();
      din += w * da;
    }
    if (dx != nullptr) Eigen::Map<Array>(dx + first, some) += din;
  });
}

}  // namespace daggnn
