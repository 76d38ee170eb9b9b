#include "nn/perceptron.h"

#include <cmath>

namespace daggnn {

void Perceptron::initial(Random& random, double* weights) const {
  const double first = 1 / std::sqrt(static_cast<double>(in));
  const double second = 1 / std::sqrt(static_cast<double>(hidden));
  for (Index k = 0; k < parameters(); ++k) {
    weights[k] = (2 * random.uniform() - 1) * (k < W2_at() ? first : second);
  }
}

void Perceptron::forward(const double* weights, Index count, const double* x, Index x_stride,
                         double* y, Index y_stride, PerceptronCache& cache, Executor& executor,
                         const Kernels* kernels) const {
  if (is_piecewise()) {
    cache.piecewise.build(hidden, out, weights, b1(weights), weights + W2_at(), b2(weights));
    grow(cache.segments, count);
    for_each_chunk(count, executor, [&](Index, Index first, Index some) {
      cache.piecewise.forward(some, x + first, y + first, y_stride, cache.segments.data() + first,
                              kernels);
    });
  } else if (kernels == nullptr) {
    plain_forward(weights, count, x, x_stride, y, y_stride);
  } else {
    const Index room = kernels->mlp_scratch(in, hidden, out);
    grow(cache.scratch, room * chunks(count));
    for_each_chunk(count, executor, [&](Index chunk, Index first, Index some) {
      kernels->mlp_forward(in, hidden, out, weights, b1(weights), weights + W2_at(), b2(weights),
                           some, x + first, x_stride, y + first, y_stride,
                           cache.scratch.data() + chunk * room);
    });
  }
}

void Perceptron::backward(const double* weights, Index count, const double* x, Index x_stride,
                          const double* dy, Index dy_stride, double* dx, Index dx_stride,
                          double* dweights, PerceptronCache& cache, Executor& executor,
                          const Kernels* kernels) const {
  double* const dW2 = dweights + W2_at();
  double *const db1 = biases ? dweights + b1_at() : nullptr, *const db2 = biases
                                                                              ? dweights + b2_at()
                                                                              : nullptr;
  if (is_piecewise()) {
    const Index room = cache.piecewise.sums_size();
    grow(cache.sums, room * chunks(count));
    for_each_chunk(count, executor, [&](Index chunk, Index first, Index some) {
      Piecewise::Sum* const sums = cache.sums.data() + chunk * room;
      std::fill(sums, sums + room, Piecewise::Sum{0, 0});
      cache.piecewise.backward(some, x + first, cache.segments.data() + first, dy + first,
                               dy_stride, dx == nullptr ? nullptr : dx + first, sums);
    });
    for (Index chunk = 1; chunk < chunks(count); ++chunk) {
      for (Index k = 0; k < room; ++k) {
        const Piecewise::Sum& sum = cache.sums[static_cast<std::size_t>(chunk * room + k)];
        cache.sums[static_cast<std::size_t>(k)].dy += sum.dy;
        cache.sums[static_cast<std::size_t>(k)].xdy += sum.xdy;
      }
    }
    cache.piecewise.gradient(cache.sums.data(), weights, b1(weights), weights + W2_at(), dweights,
                             db1, dW2, db2);
  } else if (kernels == nullptr) {
    plain_backward(weights, count, x, x_stride, dy, dy_stride, dx, dx_stride, dweights);
  } else {
    const Index room = kernels->mlp_scratch(in, hidden, out);
    grow(cache.scratch, room * chunks(count));
    grow(cache.gradients, parameters() * chunks(count));
    for_each_chunk(count, executor, [&](Index chunk, Index first, Index some) {
      double* const gradient = cache.gradients.data() + chunk * parameters();
      std::fill(gradient, gradient + parameters(), 0.0);
      kernels->mlp_backward(
          in, hidden, out, weights, b1(weights), weights + W2_at(), some, x + first, x_stride,
          dy + first, dy_stride, dx == nullptr ? nullptr : dx + first, dx_stride, gradient,
          biases ? gradient + b1_at() : nullptr, gradient + W2_at(),
          biases ? gradient + b2_at() : nullptr, cache.scratch.data() + chunk * room);
    });
    for (Index chunk = 0; chunk < chunks(count); ++chunk) {
      for (Index k = 0; k < parameters(); ++k) {
        dweights[k] += cache.gradients[static_cast<std::size_t>(chunk * parameters() + k)];
      }
    }
  }
}

void Perceptron::plain_forward(const double* weights, Index count, const double* x, Index x_stride,
                               double* y, Index y_stride) const {
  const double* const W2 = weights + W2_at();
  for (Index e = 0; e < count; ++e) {
    for (Index o = 0; o < out; ++o) y[e + o * y_stride] = biases ? b2(weights)[o] : 0;
    for (Index k = 0; k < hidden; ++k) {
      const double unit = std::max(activation(weights, k, x + e, x_stride), 0.0);
      for (Index o = 0; o < out; ++o) y[e + o * y_stride] += unit * W2[o + k * out];
    }
  }
}

void Perceptron::plain_backward(const double* weights, Index count, const double* x, Index x_stride,
                                const double* dy, Index dy_stride, double* dx, Index dx_stride,
                                double* dweights) const {
  const double *const W1 = weights, *const W2 = weights + W2_at();
  double *const dW1 = dweights, *const dW2 = dweights + W2_at();
  for (Index e = 0; e < count; ++e) {
    for (Index o = 0; biases && o < out; ++o) dweights[b2_at() + o] += dy[e + o * dy_stride];
    for (Index k = 0; k < hidden; ++k) {
      const double unit = activation(weights, k, x + e, x_stride);
      if (unit <= 0) continue;
      double dunit = 0;
      for (Index o = 0; o < out; ++o) {
        dunit += dy[e + o * dy_stride] * W2[o + k * out];
        dW2[o + k * out] += dy[e + o * dy_stride] * unit;
      }
      if (biases) dweights[b1_at() + k] += dunit;
      for (Index i = 0; i < in; ++i) {
        dW1[i + k * in] += dunit * x[e + i * x_stride];
        if (dx != nullptr) dx[e + i * dx_stride] += dunit * W1[i + k * in];
      }
    }
  }
}

double Perceptron::activation(const double* weights, Index k, const double* x,
                              Index x_stride) const {
  double sum = biases ? weights[b1_at() + k] : 0;
  for (Index i = 0; i < in; ++i) sum += x[i * x_stride] * weights[i + k * in];
  return sum;
}

}  // namespace daggnn
