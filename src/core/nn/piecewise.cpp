#include "nn/piecewise.h"

namespace daggnn {

void Piecewise::build(Index hidden, Index out, const double* W1, const double* b1, const double* W2,
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

void Piecewise::forward(Index count, const double* x, double* y, Index y_stride, Segment* segment,
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

void Piecewise::backward(Index count, const double* x, const Segment* segment, const double* dy,
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

void Piecewise::gradient(const Sum* sums, const double* W1, const double* b1, const double* W2,
                         double* dW1, double* db1, double* dW2, double* db2) {
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

void Piecewise::resize(Index hidden, Index out) {
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

void Piecewise::sort_knots(const double* W1, const double* b1) {
  for (Index s = 0; s < hidden_; ++s) {
    const Index k = order_[static_cast<std::size_t>(s)];
    const double knot = W1[k] == 0 ? std::numeric_limits<double>::infinity() : -bias(b1, k) / W1[k];
    Index at = s;
    for (; at > 0 && knots_[static_cast<std::size_t>(at - 1)] > knot; --at) {
      knots_[static_cast<std::size_t>(at)] = knots_[static_cast<std::size_t>(at - 1)];
      order_[static_cast<std::size_t>(at)] = order_[static_cast<std::size_t>(at - 1)];
    }
    knots_[static_cast<std::size_t>(at)] = knot;
    order_[static_cast<std::size_t>(at)] = k;
  }
}

void Piecewise::find(Index count, const double* x, Segment* segment, const Kernels* kernels) const {
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

}  // namespace daggnn
