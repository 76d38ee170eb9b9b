// The two-layer perceptron of the paper, MLP(X) = ReLU(X W1 + b1) W2 + b2, applied to each value of
// a plane on its own: all variables and samples share the weights.
#pragma once

#include <algorithm>
#include <cmath>

#include "executor.h"
#include "random.h"
#include "types.h"

namespace daggnn {

//   weights, unit by unit: W1 in x hidden, b1 hidden, W2 out x hidden, b2 out
//   x        `in` planes of `count` values, one plane every x_stride values; y: `out` planes
struct Perceptron {
  Index in, hidden, out;
  bool biases = true;

  Index parameters() const { return hidden * (in + out) + (biases ? hidden + out : 0); }

  // Uniform within 1 / sqrt(fan-in), biases too: knots of the hidden units spread over the data.
  void initial(Random& random, double* weights) const {
    const double first = 1 / std::sqrt(static_cast<double>(in));
    const double second = 1 / std::sqrt(static_cast<double>(hidden));
    const Index below = hidden * in + (biases ? hidden : 0);
    for (Index k = 0; k < parameters(); ++k) {
      weights[k] = (2 * random.uniform() - 1) * (k < below ? first : second);
    }
  }

  const double* W1(const double* weights) const { return weights; }
  const double* b1(const double* weights) const { return weights + hidden * in; }
  const double* W2(const double* weights) const {
    return weights + hidden * in + (biases ? hidden : 0);
  }
  const double* b2(const double* weights) const { return W2(weights) + hidden * out; }

  // y = MLP(x).
  void forward(const double* weights, Index count, const double* x, Index x_stride, double* y,
               Index y_stride, Executor&) const {
    for (Index e = 0; e < count; ++e) {
      for (Index o = 0; o < out; ++o) y[e + o * y_stride] = biases ? b2(weights)[o] : 0;
      for (Index k = 0; k < hidden; ++k) {
        const double unit = std::max(activation(weights, k, x + e, x_stride), 0.0);
        for (Index o = 0; o < out; ++o) y[e + o * y_stride] += unit * W2(weights)[o + k * out];
      }
    }
  }

  // dweights += and dx += (not wanted where it is null), from x and dy.
  void backward(const double* weights, Index count, const double* x, Index x_stride,
                const double* dy, Index dy_stride, double* dx, Index dx_stride, double* dweights,
                Executor&) const {
    double* const dW1 = dweights;
    double* const db1 = dweights + hidden * in;
    double* const dW2 = dweights + (W2(weights) - weights);
    double* const db2 = dweights + (b2(weights) - weights);
    for (Index e = 0; e < count; ++e) {
      for (Index o = 0; biases && o < out; ++o) db2[o] += dy[e + o * dy_stride];
      for (Index k = 0; k < hidden; ++k) {
        const double unit = activation(weights, k, x + e, x_stride);
        if (unit <= 0) continue;
        double dunit = 0;
        for (Index o = 0; o < out; ++o) {
          dunit += dy[e + o * dy_stride] * W2(weights)[o + k * out];
          dW2[o + k * out] += dy[e + o * dy_stride] * unit;
        }
        if (biases) db1[k] += dunit;
        for (Index i = 0; i < in; ++i) {
          dW1[i + k * in] += dunit * x[e + i * x_stride];
          if (dx != nullptr) dx[e + i * dx_stride] += dunit * W1(weights)[i + k * in];
        }
      }
    }
  }

 private:
  // (X W1 + b1)_k, before the ReLU.
  double activation(const double* weights, Index k, const double* x, Index x_stride) const {
    double sum = biases ? b1(weights)[k] : 0;
    for (Index i = 0; i < in; ++i) sum += x[i * x_stride] * W1(weights)[i + k * in];
    return sum;
  }
};

}  // namespace daggnn
