// A perceptron of one number is a piecewise linear function of it: each hidden unit bends it at the
// knot t_k = -b1_k / W1_k. With the knots sorted, a value takes one search and one multiplication
// instead of one for each hidden unit, and the gradient of all weights follows from two sums for
// each segment between knots. Exact up to rounding.
//
//   H         hidden units; segment s = 0, ..., H holds the x with exactly s knots below them
//   slope, intercept   y_o = slope(s, o) x + intercept(s, o), (H + 1) x out
//   sums      for each segment and output: sum of dy and sum of x dy
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels.h"
#include "types.h"

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
             const double* b2) {
    resize(hidden, out);
    sort_knots(W1, b1);
    for (Index o = 0; o < out; ++o) {
      double slope = 0, intercept = b2 == nullptr ? 0 : b2[o];
      for (Index k = 0; k < hidden; ++k) {
        if (!starts_active(W1, b1, k)) continue;
        slope += W1[k] * W2[o + k * out];
        intercept += bias(b1, k) * W2[o + k * out];
      }
      double *const slopes = slope_.data() + o * segments(), *const intercepts =
                                                                 intercept_.data() + o * segments();
      slopes[0] = slope;
      intercepts[0] = intercept;
      for (Index s = 0; s < hidden; ++s) {
        const Index k = order_[static_cast<std::size_t>(s)];
        const double turn = W1[k] > 0 ? 1 : W1[k] < 0 ? -1 : 0;
        slopes[s + 1] = slope += turn * W1[k] * W2[o + k * out];
        intercepts[s + 1] = intercept += turn * bias(b1, k) * W2[o + k * out];
      }
    }
  }

  // Writes y and the segment of each x.
  void forward(Index count, const double* x, double* y, Index y_stride, Segment* segment,
               const Kernels* kernels) const {
    find(count, x, segment, kernels);
    for (Index o = 0; o < out_; ++o) {
      const double *const slopes = slope_.data() + o * segments(), *const intercepts =
                                                                       intercept_.data() +
                                                                       o * segments();
      double* const to = y + o * y_stride;
      for (Index e = 0; e < count; ++e) to[e] = slopes[segment[e]] * x[e] + intercepts[segment[e]];
    }
  }

  // dx += (where not null), and sums += over the count values; sums: sums_size() of them.
  void backward(Index count, const double* x, const Segment* segment, const double* dy,
                Index dy_stride, double* dx, Sum* sums) const {
    for (Index o = 0; o < out_; ++o) {
      const double* const slopes = slope_.data() + o * segments();
      const double* const from = dy + o * dy_stride;
      Sum* const here = sums + o * copies * segments();
      for (Index e = 0; e < count; ++e) {
        Sum& sum = here[segment[e] * copies + e % copies];
        sum.dy += from[e];
        sum.xdy += x[e] * from[e];
      }
      if (dx == nullptr) continue;
      for (Index e = 0; e < count; ++e) dx[e] += slopes[segment[e]] * from[e];
    }
  }

  // dW1, db1, dW2, db2 += from the sums.
  void gradient(const Sum* sums, const double* W1, const double* b1, const double* W2, double* dW1,
                double* db1, double* dW2, double* db2) {
    for (Index o = 0; o < out_; ++o) {
      // up_to[s]: over the segments before s.
      Sum total{0, 0};
      for (Index s = 0; s < segments(); ++s) {
        up_to_[static_cast<std::size_t>(s)] = total;
        for (Index copy = 0; copy < copies; ++copy) {
          const Sum& sum = sums[(o * segments() + s) * copies + copy];
          total.dy += sum.dy;
          total.xdy += sum.xdy;
        }
      }
      if (db2 != nullptr) db2[o] += total.dy;
      for (Index s = 0; s < hidden_; ++s) {
        const Index k = order_[static_cast<std::size_t>(s)];
        const Sum& below = up_to_[static_cast<std::size_t>(s + 1)];
        Sum active{0, 0};
        if (W1[k] > 0) {
          active = {total.dy - below.dy, total.xdy - below.xdy};
        } else if (W1[k] < 0) {
          active = below;
        } else if (bias(b1, k) > 0) {
          active = total;
        }
        dW2[o + k * out_] += W1[k] * active.xdy + bias(b1, k) * active.dy;
        dW1[k] += W2[o + k * out_] * active.xdy;
        if (db1 != nullptr) db1[k] += W2[o + k * out_] * active.dy;
      }
    }
  }

 private:
  static double bias(const double* b1, Index k) { return b1 == nullptr ? 0 : b1[k]; }

  // Active left of all knots.
  static bool starts_active(const double* W1, const double* b1, Index k) {
    return W1[k] < 0 || (W1[k] == 0 && bias(b1, k) > 0);
  }

  void resize(Index hidden, Index out) {
    if (hidden == hidden_ && out == out_) return;
    hidden_ = hidden;
    out_ = out;
    order_.resize(static_cast<std::size_t>(hidden));
    for (Index k = 0; k < hidden; ++k) order_[static_cast<std::size_t>(k)] = k;
    span_ = 1;
    while (span_ <= hidden) span_ *= 2;
    knots_.assign(static_cast<std::size_t>(span_), std::numeric_limits<double>::infinity());
    slope_.resize(static_cast<std::size_t>(segments() * out));
    intercept_.resize(slope_.size());
    up_to_.resize(static_cast<std::size_t>(segments()));
  }

  // By insertion, from the order of the last time: knots move little in one step.
  void sort_knots(const double* W1, const double* b1) {
    for (Index s = 0; s < hidden_; ++s) {
      const Index k = order_[static_cast<std::size_t>(s)];
      const double knot =
          W1[k] == 0 ? std::numeric_limits<double>::infinity() : -bias(b1, k) / W1[k];
      Index at = s;
      for (; at > 0 && knots_[static_cast<std::size_t>(at - 1)] > knot; --at) {
        knots_[static_cast<std::size_t>(at)] = knots_[static_cast<std::size_t>(at - 1)];
        order_[static_cast<std::size_t>(at)] = order_[static_cast<std::size_t>(at - 1)];
      }
      knots_[static_cast<std::size_t>(at)] = knot;
      order_[static_cast<std::size_t>(at)] = k;
    }
  }

  // How many knots lie below each x, by halving.
  void find(Index count, const double* x, Segment* segment, const Kernels* kernels) const {
    if (kernels != nullptr) {
      kernels->find_segments(count, x, knots_.data(), span_, segment);
      return;
    }
    for (Index e = 0; e < count; ++e) {
      Index below = 0;
      for (Index half = span_ / 2; half > 0; half /= 2) {
        below += knots_[static_cast<std::size_t>(below + half - 1)] < x[e] ? half : 0;
      }
      segment[e] = static_cast<Segment>(below);
    }
  }

  Index hidden_ = 0, out_ = 0;
  Index span_ = 1;  // a power of two above H: the knots, then infinity
  std::vector<Index> order_;
  std::vector<double> knots_, slope_, intercept_;
  std::vector<Sum> up_to_;
};

}  // namespace daggnn
