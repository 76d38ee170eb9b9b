// A function of one number with a linear skip, f(x) = skip x + sum_k v_k s(w_k x + b_k), applied to
// each element of a matrix.
//
//   H        hidden units; with none, f is the identity and has no parameters
//   weights  skip, then v, w and b, H numbers each
//   s        s(a) = a / sqrt(1 + a^2): smooth and bounded as tanh is, several times cheaper
#pragma once

#include <algorithm>
#include <vector>

#include "base/types.h"
#include "linalg/simd/kernels.h"

namespace daggnn {

class ScalarNetwork {
 public:
  explicit ScalarNetwork(Index hidden) : hidden_(hidden) {}

  bool identity() const { return hidden_ == 0; }
  Index parameters() const { return identity() ? 0 : 1 + 3 * hidden_; }

  // The identity, with hidden units that bend where the values are: at quantiles of `typical`
  // (sorted, not empty), each over the distance to its neighbours.
  void initialise(double* weights, const std::vector<double>& typical) const;

  // weights of factor * f
  void scale(double* weights, double factor) const {
    for (Index k = 0; k < std::min(parameters(), 1 + hidden_); ++k) weights[k] *= factor;
  }

  double operator()(const double* weights, double x) const;

  // y = f(x). roots: null, or room for what backward() can take over, see roots_size().
  void forward(const double* weights, Index count, const double* x, double* y, double* roots,
               const Kernels* kernels = fastest_kernels()) const;
  Index roots_size(Index count, const Kernels* kernels = fastest_kernels()) const {
    return kernels == nullptr ? 0 : kernels->roots_size(count, hidden_);
  }

  // out = f(in), element by element
  void forward(const double* weights, const Matrix& in, Matrix& out,
               const Kernels* kernels = fastest_kernels()) const {
    out.resize(in.rows(), in.cols());
    forward(weights, in.size(), in.data(), out.data(), nullptr, kernels);
  }

  // out = f(in) and slope = f'(in)
  void forward_slope(const double* weights, const Matrix& in, Matrix& out, Matrix& slope) const;

  // J = d f(x) / d weights, a row for each x
  void jacobian(const double* weights, const Vector& x, Matrix& J) const;

  // weights of f(x / factor)
  void stretch(double* weights, double factor) const;

  // dx += dy f'(x) (where dx is not null), dweights += the gradient of the weights. roots: as
  // forward() left them for the same x, or null.
  void backward(const double* weights, Index count, const double* x, const double* roots,
                const double* dy, double* dx, double* dweights,
                const Kernels* kernels = fastest_kernels()) const;

  // The same for matrices.
  void backward(const double* weights, const Matrix& in, const Matrix& dout, Matrix& din,
                double* dweights, const Kernels* kernels = fastest_kernels()) const {
    backward(weights, in.size(), in.data(), nullptr, dout.data(), din.data(), dweights, kernels);
  }

 private:
  // Elements at a time: what a hidden unit needs of them stays in the first cache and off the heap.
  static constexpr int block = 256;
  using Array = Eigen::ArrayXd;
  using Block = Eigen::Array<double, Eigen::Dynamic, 1, 0, block, 1>;

  template <class Work>
  static void for_each_block(Index size, const Work& work) {
    for (Index first = 0; first < size; first += block) {
      work(first, std::min<Index>(block, size - first));
    }
  }

  Index hidden_;
};

}  // namespace daggnn
