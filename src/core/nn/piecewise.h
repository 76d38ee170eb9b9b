// A perceptron of one number is a piecewise linear function of it: each hidden unit bends it at the
// knot t_k = -b1_k / W1_k. With the knots sorted, a value takes one search and one multiplication
// instead of one for each hidden unit, and the gradient of all weights follows from two sums for
// each segment between knots. Exact up to rounding.
//
//   H         hidden units; segment s = 0, ..., H holds the x with exactly s knots below them
//   slope, intercept   y_o = slope(s, o) x + intercept(s, o), (H + 1) x out
//   sums      for each segment and output: sum of dy and sum of x dy
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/types.h"
#include "linalg/simd/kernels.h"

namespace daggnn {

class Piecewise {
 public:
  using Segment = std::uint16_t;
  // Sums are kept in several copies, so that neighbours in the same segment do not wait for each
  // other.
  static constexpr Index copies = 4;

  struct Sum {
    double dy, xdy;
  };

  static bool fits(Index hidden) { return hidden < std::numeric_limits<Segment>::max(); }

  Index segments() const { return hidden_ + 1; }
  Index sums_size() const { return copies * segments() * out_; }

  // W1: H; W2: out x H; b1 and b2 may be null.
  void build(Index hidden, Index out, const double* W1, const double* b1, const double* W2,
             const double* b2);

  // Writes y and the segment of each x.
  void forward(Index count, const double* x, double* y, Index y_stride, Segment* segment,
               const Kernels* kernels) const;

  // dx += (where not null), and sums += over the count values; sums: sums_size() of them.
  void backward(Index count, const double* x, const Segment* segment, const double* dy,
                Index dy_stride, double* dx, Sum* sums) const;

  // dW1, db1, dW2, db2 += from the sums.
  void gradient(const Sum* sums, const double* W1, const double* b1, const double* W2, double* dW1,
                double* db1, double* dW2, double* db2);

 private:
  static double bias(const double* b1, Index k) { return b1 == nullptr ? 0 : b1[k]; }

  // Active left of all knots.
  static bool starts_active(const double* W1, const double* b1, Index k) {
    return W1[k] < 0 || (W1[k] == 0 && bias(b1, k) > 0);
  }

  void resize(Index hidden, Index out);

  // By insertion, from the order of the last time: knots move little in one step.
  void sort_knots(const double* W1, const double* b1);

  // How many knots lie below each x, by halving.
  void find(Index count, const double* x, Segment* segment, const Kernels* kernels) const;

  Index hidden_ = 0, out_ = 0;
  Index span_ = 1;  // a power of two above H: the knots, then infinity
  std::vector<Index> order_;
  std::vector<double> knots_, slope_, intercept_;
  std::vector<Sum> up_to_;
};

}  // namespace daggnn
