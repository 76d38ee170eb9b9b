// The two-layer perceptron of the paper, MLP(X) = ReLU(X W1 + b1) W2 + b2, applied to each value of
// a plane on its own: all variables and samples share the weights.
#pragma once

#include <algorithm>
#include <vector>

#include "base/executor.h"
#include "base/random.h"
#include "base/types.h"
#include "linalg/simd/kernels.h"
#include "nn/piecewise.h"

namespace daggnn {

// Cached activations: what forward() leaves for backward(), and workspace; kept from step to step.
struct PerceptronCache {
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
  void initial(Random& random, double* weights) const;

  // y = MLP(x).
  void forward(const double* weights, Index count, const double* x, Index x_stride, double* y,
               Index y_stride, PerceptronCache& cache, Executor& executor,
               const Kernels* kernels = fastest_kernels()) const;

  // dweights += and dx += (not wanted where it is null), from x and dy, after forward() of that x.
  void backward(const double* weights, Index count, const double* x, Index x_stride,
                const double* dy, Index dy_stride, double* dx, Index dx_stride, double* dweights,
                PerceptronCache& cache, Executor& executor,
                const Kernels* kernels = fastest_kernels()) const;

  // The formula, value by value: what tests hold the rest against.
  void plain_forward(const double* weights, Index count, const double* x, Index x_stride, double* y,
                     Index y_stride) const;

  void plain_backward(const double* weights, Index count, const double* x, Index x_stride,
                      const double* dy, Index dy_stride, double* dx, Index dx_stride,
                      double* dweights) const;

 private:
  // Where each part begins among the weights.
  Index b1_at() const { return hidden * in; }
  Index W2_at() const { return hidden * in + (biases ? hidden : 0); }
  Index b2_at() const { return W2_at() + hidden * out; }

  const double* b1(const double* weights) const { return biases ? weights + b1_at() : nullptr; }
  const double* b2(const double* weights) const { return biases ? weights + b2_at() : nullptr; }

  bool is_piecewise() const { return in == 1 && Piecewise::fits(hidden); }

  // (X W1 + b1)_k, before the ReLU.
  double activation(const double* weights, Index k, const double* x, Index x_stride) const;

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
