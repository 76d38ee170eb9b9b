// The two-layer perceptron of the paper, MLP(X) = ReLU(X W1 + b1) W2 + b2, applied to each value of
// a plane on its own: all variables and samples share the weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "executor.h"
#include "kernels.h"
#include "piecewise.h"
#include "random.h"
#include "types.h"

namespace daggnn {

// What forward() leaves for backward(), and room to work in; kept from step to step.
struct PerceptronTrace {
  Piecewise piecewise;
  std::vector<Piecewise::Segment> segments;
  std::vector<Piecewise::Sum> sums;  // for each chunk
  std::vector<double> gradients;     // for each chunk
  std::vector<double> scratch;       // for each chunk
};

//   weights  W1 in x hidden, b1 hidden, W2 out x hidden, b2 out, one after the other
//   x        `in` planes of `count` values, a plane every x_stride values; y: `out` planes
struct Perceptron {
  Index in, hidden, out;
  bool biases = true;

  Index parameters() const { return hidden * (in + out) + (biases ? hidden + out : 0); }

  // Uniform within 1 / sqrt(fan-in), biases too, so that the knots of the units spread over the
  // data.
  void initial(Random& random, double* weights) const {
    const double first = 1 / std::sqrt(static_cast<double>(in));
    const double second = 1 / std::sqrt(static_cast<double>(hidden));
    for (Index k = 0; k < parameters(); ++k) {
      weights[k] = (2 * random.uniform() - 1) * (k < W2_at() ? first : second);
    }
  }

  // y = MLP(x).
  void forward(const double* weights, Index count, const double* x, Index x_stride, double* y,
               Index y_stride, PerceptronTrace& trace, Executor& executor,
               const Kernels* kernels = fastest_kernels()) const {
    if (is_piecewise()) {
      trace.piecewise.build(hidden, out, weights, b1(weights), weights + W2_at(), b2(weights));
      grow(trace.segments, count);
      for_each_chunk(count, executor, [&](Index, Index first, Index some) {
        trace.piecewise.forward(some, x + first, y + first, y_stride, trace.segments.data() + first,
                                kernels);
      });
    } else if (kernels == nullptr) {
      plain_forward(weights, count, x, x_stride, y, y_stride);
    } else {
      const Index room = kernels->mlp_scratch(in, hidden, out);
      grow(trace.scratch, room * chunks(count));
      for_each_chunk(count, executor, [&](Index chunk, Index first, Index some) {
        kernels->mlp_forward(in, hidden, out, weights, b1(weights), weights + W2_at(), b2(weights),
                             some, x + first, x_stride, y + first, y_stride,
                             trace.scratch.data() + chunk * room);
      });
    }
  }

  // dweights += and dx += (not wanted where it is null), from x and dy, after forward() of that x.
  void backward(const double* weights, Index count, const double* x, Index x_stride,
                const double* dy, Index dy_stride, double* dx, Index dx_stride, double* dweights,
                PerceptronTrace& trace, Executor& executor,
                const Kernels* kernels = fastest_kernels()) const {
    double* const dW2 = dweights + W2_at();
    double *const db1 = biases ? dweights + b1_at() : nullptr, *const db2 = biases
                                                                                ? dweights + b2_at()
                                                                                : nullptr;
    if (is_piecewise()) {
      const Index room = trace.piecewise.sums_size();
      grow(trace.sums, room * chunks(count));
      for_each_chunk(count, executor, [&](Index chunk, Index first, Index some) {
        Piecewise::Sum* const sums = trace.sums.data() + chunk * room;
        std::fill(sums, sums + room, Piecewise::Sum{0, 0});
        trace.piecewise.backward(some, x + first, trace.segments.data() + first, dy + first,
                                 dy_stride, dx == nullptr ? nullptr : dx + first, sums);
      });
      for (Index chunk = 1; chunk < chunks(count); ++chunk) {
        for (Index k = 0; k < room; ++k) {
          const Piecewise::Sum& sum = trace.sums[static_cast<std::size_t>(chunk * room + k)];
          trace.sums[static_cast<std::size_t>(k)].dy += sum.dy;
          trace.sums[static_cast<std::size_t>(k)].xdy += sum.xdy;
        }
      }
      trace.piecewise.gradient(trace.sums.data(), weights, b1(weights), weights + W2_at(), dweights,
                               db1, dW2, db2);
    } else if (kernels == nullptr) {
      plain_backward(weights, count, x, x_stride, dy, dy_stride, dx, dx_stride, dweights);
    } else {
      const Index room = kernels->mlp_scratch(in, hidden, out);
      grow(trace.scratch, room * chunks(count));
      grow(trace.gradients, parameters() * chunks(count));
      for_each_chunk(count, executor, [&](Index chunk, Index first, Index some) {
        double* const gradient = trace.gradients.data() + chunk * parameters();
        std::fill(gradient, gradient + parameters(), 0.0);
        kernels->mlp_backward(
            in, hidden, out, weights, b1(weights), weights + W2_at(), some, x + first, x_stride,
            dy + first, dy_stride, dx == nullptr ? nullptr : dx + first, dx_stride, gradient,
            biases ? gradient + b1_at() : nullptr, gradient + W2_at(),
            biases ? gradient + b2_at() : nullptr, trace.scratch.data() + chunk * room);
      });
      for (Index chunk = 0; chunk < chunks(count); ++chunk) {
        for (Index k = 0; k < parameters(); ++k) {
          dweights[k] += trace.gradients[static_cast<std::size_t>(chunk * parameters() + k)];
        }
      }
    }
  }

  // The formula, value by value: what tests hold the rest against.
  void plain_forward(const double* weights, Index count, const double* x, Index x_stride, double* y,
                     Index y_stride) const {
    const double* const W2 = weights + W2_at();
    for (Index e = 0; e < count; ++e) {
      for (Index o = 0; o < out; ++o) y[e + o * y_stride] = biases ? b2(weights)[o] : 0;
      for (Index k = 0; k < hidden; ++k) {
        const double unit = std::max(activation(weights, k, x + e, x_stride), 0.0);
        for (Index o = 0; o < out; ++o) y[e + o * y_stride] += unit * W2[o + k * out];
      }
    }
  }

  void plain_backward(const double* weights, Index count, const double* x, Index x_stride,
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

 private:
  // Where each part begins among the weights.
  Index b1_at() const { return hidden * in; }
  Index W2_at() const { return hidden * in + (biases ? hidden : 0); }
  Index b2_at() const { return W2_at() + hidden * out; }

  const double* b1(const double* weights) const { return biases ? weights + b1_at() : nullptr; }
  const double* b2(const double* weights) const { return biases ? weights + b2_at() : nullptr; }

  bool is_piecewise() const { return in == 1 && Piecewise::fits(hidden); }

  // (X W1 + b1)_k, before the ReLU.
  double activation(const double* weights, Index k, const double* x, Index x_stride) const {
    double sum = biases ? weights[b1_at() + k] : 0;
    for (Index i = 0; i < in; ++i) sum += x[i * x_stride] * weights[i + k * in];
    return sum;
  }

  // Chunks of equal size, their number fixed by the work alone: partial sums are added in their
  // order, so that results do not depend on the threads. A chunk is some 20 microseconds of work at
  // least; eight of them keep four threads busy.
  Index chunks(Index count) const {
    const Index most = 8, least_values = is_piecewise() ? 1200 : 24000 / (hidden * (in + out)) + 48;
    return std::min(most, std::max<Index>(1, count / least_values));
  }

  // body(chunk, first, some): `some` values from `first` on.
  template <class Body>
  void for_each_chunk(Index count, Executor& executor, const Body& body) const {
    const Index number = chunks(count);
    // Whole cache lines and vectors, so that chunks do not meet in one.
    constexpr Index unit = 48;
    const Index size = ((count + number - 1) / number + unit - 1) / unit * unit;
    const auto task = [&](Index chunk) {
      const Index first = std::min(count, chunk * size);
      body(chunk, first, std::min(size, count - first));
    };
    if (number == 1) {
      task(0);
    } else {
      executor.run(number, task);
    }
  }

  template <class Value>
  static void grow(std::vector<Value>& values, Index size) {
    if (static_cast<Index>(values.size()) < size) values.resize(static_cast<std::size_t>(size));
  }
};

}  // namespace daggnn
