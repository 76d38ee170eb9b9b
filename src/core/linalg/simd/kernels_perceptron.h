// The two-layer perceptron.
//
// A block of values at a time, and some of the hidden units at a time: their part of the hidden
// layer stays in the first-level cache, and no more of it ever exists.
// A part of kernels_body.h, which says how it is included.

constexpr Index block = 48;  // values; whole panels for every instruction set
constexpr Index units_at_once = 32;

static_assert(block % panel == 0, "a block consists of whole panels");

// x: planes x block, from planes `stride` apart; values beyond `count` are 0.
DAGGNN_TARGET inline void pack_block(Index planes, Index count, const double* x, Index stride,
                                     double* packed) {
  for (Index i = 0; i < planes; ++i) {
    const double* const from = x + i * stride;
    double* const to = packed + i * block;
    Index e = 0;
    for (; e + lanes <= count; e += lanes) store(to + e, load(from + e));
    for (; e < count; ++e) to[e] = from[e];
    for (; e < block; ++e) to[e] = 0;
  }
}

// The inputs of a block with a plane of ones behind them, so that b1 is one more row of W1.
DAGGNN_TARGET inline void pack_inputs(Index in, bool biases, Index count, const double* x,
                                      Index stride, double* packed) {
  pack_block(in, count, x, stride, packed);
  for (Index e = 0; biases && e < block; ++e) packed[in * block + e] = e < count ? 1 : 0;
}

// [W1; b1], rows x hidden with rows = in or in + 1.
DAGGNN_TARGET inline void join_weights(Index in, Index hidden, const double* W1, const double* b1,
                                       double* joined) {
  for (Index k = 0; k < hidden; ++k) {
    for (Index i = 0; i < in; ++i) *joined++ = W1[i + k * in];
    if (b1 != nullptr) *joined++ = b1[k];
  }
}

// y = MLP(x); b1 and b2 may be null. scratch as Kernels::mlp_scratch() says.
DAGGNN_TARGET inline void mlp_forward(Index in, Index hidden, Index out, const double* W1,
                                      const double* b1, const double* W2, const double* b2,
                                      Index count, const double* x, Index x_stride, double* y,
                                      Index y_stride, double* scratch) {
  const Index rows = in + (b1 == nullptr ? 0 : 1);
  double* const weights = scratch;                  // rows x hidden
  double* const x_block = weights + rows * hidden;  // rows x block
  double* const units = x_block + rows * block;     // units_at_once x block
  join_weights(in, hidden, W1, b1, weights);
  for (Index first = 0; first < count; first += block) {
    const Index here = count - first < block ? count - first : block;
    pack_inputs(in, b1 != nullptr, here, x + first, x_stride, x_block);
    for (Index o = 0; o < out; ++o) {
      for (Index e = 0; e < here; ++e) y[o * y_stride + first + e] = b2 == nullptr ? 0 : b2[o];
    }
    for (Index k = 0; k < hidden; k += units_at_once) {
      const Index some = hidden - k < units_at_once ? hidden - k : units_at_once;
      for (Index at = 0; at < here; at += panel) {
        panel_product<DAGGNN_TALL, Finish::relu>(
            some, rows, x_block + at, block, weights + k * rows, 1, rows, units + at, block, panel);
        last_panel_product<Finish::add>(out, some, units + at, block, W2 + k * out, out, 1,
                                        y + first + at, y_stride,
                                        here - at < panel ? here - at : panel);
      }
    }
  }
}

// sums[i][k] += x_i o units_k over the vectors of a block, for PLANES x and UNITS hidden units;
// sums are vectors, `across` values from one plane to the next.
template <int PLANES, int UNITS>
DAGGNN_INLINE void outer_tile(const double* x, const double* units, double* sums, Index across) {
  vec total[PLANES][UNITS];
#pragma GCC unroll 16
  for (int i = 0; i < PLANES; ++i) {
#pragma GCC unroll 16
    for (int k = 0; k < UNITS; ++k) total[i][k] = load(sums + i * across + k * lanes);
  }
  for (Index v = 0; v < block; v += lanes) {
    vec left[PLANES];
#pragma GCC unroll 16
    for (int i = 0; i < PLANES; ++i) left[i] = load(x + i * block + v);
#pragma GCC unroll 16
    for (int k = 0; k < UNITS; ++k) {
      const vec right = load(units + k * block + v);
#pragma GCC unroll 16
      for (int i = 0; i < PLANES; ++i) total[i][k] += left[i] * right;
    }
  }
#pragma GCC unroll 16
  for (int i = 0; i < PLANES; ++i) {
#pragma GCC unroll 16
    for (int k = 0; k < UNITS; ++k) store(sums + i * across + k * lanes, total[i][k]);
  }
}

template <int PLANES>
DAGGNN_TARGET inline void outer_planes(Index some, const double* x, const double* units,
                                       double* sums, Index across) {
  constexpr int together = PLANES > 3 ? 2 : 4;
  Index k = 0;
  for (; k + together <= some; k += together) {
    outer_tile<PLANES, together>(x, units + k * block, sums + k * lanes, across);
  }
  for (; k < some; ++k) outer_tile<PLANES, 1>(x, units + k * block, sums + k * lanes, across);
}

// The same for all planes and `some` units; sums is planes x hidden vectors.
DAGGNN_TARGET inline void outer(Index planes, Index hidden, Index some, const double* x,
                                const double* units, double* sums) {
  const Index across = hidden * lanes;
  while (planes > 0) {
    // Six planes at most; seven and eight are four and the rest.
    const Index group = planes <= 6 ? planes : planes < 9 ? 4 : 6;
    switch (group) {
      case 6:
        outer_planes<6>(some, x, units, sums, across);
        break;
      case 5:
        outer_planes<5>(some, x, units, sums, across);
        break;
      case 4:
        outer_planes<4>(some, x, units, sums, across);
        break;
      case 3:
        outer_planes<3>(some, x, units, sums, across);
        break;
      case 2:
        outer_planes<2>(some, x, units, sums, across);
        break;
      default:
        outer_planes<1>(some, x, units, sums, across);
        break;
    }
    planes -= group;
    x += group * block;
    sums += group * across;
  }
}

// dW1, db1, dW2, db2 += and dx += (where not null) from x and dy. scratch as mlp_scratch() says.
DAGGNN_TARGET inline void mlp_backward(Index in, Index hidden, Index out, const double* W1,
                                       const double* b1, const double* W2, Index count,
                                       const double* x, Index x_stride, const double* dy,
                                       Index dy_stride, double* dx, Index dx_stride, double* dW1,
                                       double* db1, double* dW2, double* db2, double* scratch) {
  const Index rows = in + (b1 == nullptr ? 0 : 1);
  double* const weights = scratch;                          // rows x hidden
  double* const x_block = weights + rows * hidden;          // rows x block
  double* const dy_block = x_block + rows * block;          // out x block
  double* const units = dy_block + out * block;             // units_at_once x block
  double* const dunits = units + units_at_once * block;     // units_at_once x block
  double* const W1_sums = dunits + units_at_once * block;   // rows x hidden vectors
  double* const W2_sums = W1_sums + rows * hidden * lanes;  // out x hidden vectors
  double* const b2_sums = W2_sums + out * hidden * lanes;   // out vectors
  join_weights(in, hidden, W1, b1, weights);
  for (double* at = W1_sums; at < b2_sums + out * lanes; ++at) *at = 0;

  for (Index first = 0; first < count; first += block) {
    const Index here = count - first < block ? count - first : block;
    pack_inputs(in, b1 != nullptr, here, x + first, x_stride, x_block);
    pack_block(out, here, dy + first, dy_stride, dy_block);
    for (Index o = 0; o < out; ++o) {
      vec bias = load(b2_sums + o * lanes);
      for (Index v = 0; v < block; v += lanes) bias += load(dy_block + o * block + v);
      store(b2_sums + o * lanes, bias);
    }
    for (Index k = 0; k < hidden; k += units_at_once) {
      const Index some = hidden - k < units_at_once ? hidden - k : units_at_once;
      for (Index at = 0; at < block; at += panel) {
        panel_product<DAGGNN_TALL, Finish::relu>(
            some, rows, x_block + at, block, weights + k * rows, 1, rows, units + at, block, panel);
        panel_product<DAGGNN_TALL, Finish::gate>(some, out, dy_block + at, block, W2 + k * out, 1,
                                                 out, dunits + at, block, panel, units + at);
        if (dx != nullptr && at < here) {
          last_panel_product<Finish::add>(in, some, dunits + at, block, W1 + k * in, in, 1,
                                          dx + first + at, dx_stride,
                                          here - at < panel ? here - at : panel);
        }
      }
      outer(rows, hidden, some, x_block, dunits, W1_sums + k * lanes);
      outer(out, hidden, some, dy_block, units, W2_sums + k * lanes);
    }
  }

  for (Index k = 0; k < hidden; ++k) {
    for (Index i = 0; i < in; ++i) {
      dW1[i + k * in] += sum(load(W1_sums + (i * hidden + k) * lanes));
    }
    for (Index o = 0; o < out; ++o) {
      dW2[o + k * out] += sum(load(W2_sums + (o * hidden + k) * lanes));
    }
    if (b1 != nullptr) db1[k] += sum(load(W1_sums + (in * hidden + k) * lanes));
  }
  for (Index o = 0; o < out && db2 != nullptr; ++o) db2[o] += sum(load(b2_sums + o * lanes));
}
