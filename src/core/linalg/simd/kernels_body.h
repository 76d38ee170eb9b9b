// The hot loops, written once in terms of short vectors and compiled for several instruction sets:
// kernels.cpp includes this file for each, with
//
// clang-format off
//   DAGGNN_SET      the namespace of the instruction set
//   DAGGNN_TARGET   the attribute that lets the compiler use it
//   DAGGNN_LANES    doubles in a vector
//   DAGGNN_TALL     vectors in the rows of a tile of a matrix product
//   DAGGNN_WIDE     columns of the tile; TALL * WIDE sums stay in registers
// clang-format on
//
// Nothing from the standard library or Eigen is called here: an inline function compiled for a new
// instruction set could be the copy that the linker keeps for everyone.
// No include guard: included more than once by design.

namespace daggnn {
namespace kernels {
namespace DAGGNN_SET {

constexpr Index lanes = DAGGNN_LANES;
constexpr Index panel = DAGGNN_TALL * lanes;  // rows of a tile

typedef double vec __attribute__((vector_size(8 * DAGGNN_LANES)));
// The same anywhere in memory.
typedef double loose __attribute__((vector_size(8 * DAGGNN_LANES), aligned(8), may_alias));

typedef std::int64_t integers __attribute__((vector_size(8 * DAGGNN_LANES)));

#define DAGGNN_INLINE DAGGNN_TARGET inline __attribute__((always_inline))

DAGGNN_INLINE vec load(const double* p) { return *reinterpret_cast<const loose*>(p); }
DAGGNN_INLINE void store(double* p, const vec& v) { *reinterpret_cast<loose*>(p) = v; }
DAGGNN_INLINE vec spread(double value) { return value - vec{}; }
// By halves: fewer additions wait for each other than from lane to lane.
DAGGNN_INLINE double sum(const vec& v) {
  double part[DAGGNN_LANES];
  store(part, v);
#pragma GCC unroll 4
  for (Index half = lanes / 2; half > 0; half /= 2) {
#pragma GCC unroll 4
    for (Index lane = 0; lane < half; ++lane) part[lane] += part[lane + half];
  }
  return part[0];
}

DAGGNN_INLINE vec square_root(const vec& v) {
#if DAGGNN_LANES == 8
  return _mm512_mask_sqrt_pd(v, 0xff, v);  // the masked form is quiet under -Wall
#elif DAGGNN_LANES == 4
  return _mm256_sqrt_pd(v);
#elif defined(__SSE2__)
  return _mm_sqrt_pd(v);
#else
  vec root = v;
  for (Index lane = 0; lane < lanes; ++lane) root[lane] = __builtin_sqrt(root[lane]);
  return root;
#endif
}

// What becomes of the sums of a tile: C =, C +=, C = max(., 0), or 0 where `gate` is not positive.
enum class Finish { write, add, relu, gate };

// A tile of C = A B, of `rows` <= TALL vectors and COLUMNS columns.
//   a     entry (row, k) at a[row + k * a_step]; TALL vectors of rows can be read
//   b     entry (k, j) at b[k * b_row + j * b_column]
//   gate  laid out as C
template <int TALL, int COLUMNS, Finish FINISH>
DAGGNN_TARGET inline void tile(Index K, const double* a, Index a_step, const double* b, Index b_row,
                               Index b_column, double* c, Index c_stride, Index rows,
                               const double* gate = nullptr) {
  vec sums[COLUMNS][TALL];
#pragma GCC unroll 16
  for (int j = 0; j < COLUMNS; ++j) {
#pragma GCC unroll 16
    for (int v = 0; v < TALL; ++v) sums[j][v] = vec{};
  }
  for (Index k = 0; k < K; ++k, a += a_step, b += b_row) {
    vec left[TALL];
#pragma GCC unroll 16
    for (int v = 0; v < TALL; ++v) left[v] = load(a + v * lanes);
#pragma GCC unroll 16
    for (int j = 0; j < COLUMNS; ++j) {
      const vec right = spread(b[j * b_column]);
#pragma GCC unroll 16
      for (int v = 0; v < TALL; ++v) sums[j][v] += left[v] * right;
    }
  }
  if (rows == TALL * lanes) {
#pragma GCC unroll 16
    for (int j = 0; j < COLUMNS; ++j) {
#pragma GCC unroll 16
      for (int v = 0; v < TALL; ++v) {
        double* const at = c + j * c_stride + v * lanes;
        vec value = sums[j][v];
        if (FINISH == Finish::add) value += load(at);
        if (FINISH == Finish::relu) value = value > 0 ? value : vec{};
        if (FINISH == Finish::gate) {
          value = load(gate + j * c_stride + v * lanes) > 0 ? value : vec{};
        }
        store(at, value);
      }
    }
    return;
  }
  // Only whole panels have a ReLU or a gate.
  double column[TALL * DAGGNN_LANES];
#pragma GCC unroll 16
  for (int j = 0; j < COLUMNS; ++j) {
#pragma GCC unroll 16
    for (int v = 0; v < TALL; ++v) store(column + v * lanes, sums[j][v]);
    double* const to = c + j * c_stride;
    for (Index r = 0; r < rows; ++r) to[r] = FINISH == Finish::add ? to[r] + column[r] : column[r];
  }
}

// One panel of rows times N columns, of which `rows` are wanted; arguments as for tile().
template <int TALL, Finish FINISH>
DAGGNN_TARGET inline void panel_product(Index N, Index K, const double* a, Index a_step,
                                        const double* b, Index b_row, Index b_column, double* c,
                                        Index c_stride, Index rows, const double* gate = nullptr) {
  for (; N >= DAGGNN_WIDE; N -= DAGGNN_WIDE) {
    tile<TALL, DAGGNN_WIDE, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
    b += DAGGNN_WIDE * b_column;
    c += DAGGNN_WIDE * c_stride;
    gate += gate == nullptr ? 0 : DAGGNN_WIDE * c_stride;
  }
  switch (N) {
#if DAGGNN_WIDE > 4
    case 7:
      tile<TALL, 7, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
      break;
    case 6:
      tile<TALL, 6, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
      break;
    case 5:
      tile<TALL, 5, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
      break;
    case 4:
      tile<TALL, 4, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
      break;
#endif
    case 3:
      tile<TALL, 3, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
      break;
    case 2:
      tile<TALL, 2, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
      break;
    case 1:
      tile<TALL, 1, FINISH>(K, a, a_step, b, b_row, b_column, c, c_stride, rows, gate);
      break;
    default:
      break;
  }
}

// The same for a panel that may be the last: it computes only the vectors that it needs.
template <Finish FINISH>
DAGGNN_TARGET inline void last_panel_product(Index N, Index K, const double* a, Index a_step,
                                             const double* b, Index b_row, Index b_column,
                                             double* c, Index c_stride, Index rows) {
#if DAGGNN_TALL > 2
  if (rows > 2 * lanes) {
    panel_product<3, FINISH>(N, K, a, a_step, b, b_row, b_column, c, c_stride, rows);
    return;
  }
#endif
  if (rows > lanes) {
    panel_product<2, FINISH>(N, K, a, a_step, b, b_row, b_column, c, c_stride, rows);
  } else {
    panel_product<1, FINISH>(N, K, a, a_step, b, b_row, b_column, c, c_stride, rows);
  }
}

DAGGNN_TARGET inline void last_panel_product(Index N, Index K, const double* a, Index a_step,
                                             const double* b, Index b_row, Index b_column,
                                             double* c, Index c_stride, Index rows, bool add) {
  if (add) {
    last_panel_product<Finish::add>(N, K, a, a_step, b, b_row, b_column, c, c_stride, rows);
  } else {
    last_panel_product<Finish::write>(N, K, a, a_step, b, b_row, b_column, c, c_stride, rows);
  }
}

// Panels of `panel` rows, each K x panel and contiguous; rows beyond M are 0. Entry (i, k) of the
// matrix is at a[i * a_row + k * a_column].
DAGGNN_TARGET inline void pack(Index M, Index K, double scale, const double* a, Index a_row,
                               Index a_column, double* packed) {
  for (Index first = 0; first < M; first += panel, packed += panel * K) {
    const Index rows = M - first < panel ? M - first : panel;
    const double* const block = a + first * a_row;
    if (a_row == 1 && rows == panel) {
      for (Index k = 0; k < K; ++k) {
#pragma GCC unroll 16
        for (Index i = 0; i < panel; i += lanes) {
          store(packed + k * panel + i, scale * load(block + k * a_column + i));
        }
      }
      continue;
    }
    for (Index at = 0; rows < panel && at < panel * K; at += lanes) store(packed + at, vec{});
    if (a_row == 1) {
      for (Index k = 0; k < K; ++k) {
        for (Index i = 0; i < rows; ++i) packed[k * panel + i] = scale * block[k * a_column + i];
      }
    } else {
      for (Index i = 0; i < rows; ++i) {
        for (Index k = 0; k < K; ++k)
          packed[k * panel + i] = scale * block[i * a_row + k * a_column];
      }
    }
  }
}

// C = A B or C += A B for N columns; B as for tile(). A is M x K in panels of rows, one every
// a_panel values, with a column every a_step: as pack() left it, or, if M is a number of whole
// panels, as it stands.
DAGGNN_TARGET inline void product(Index M, Index N, Index K, const double* a, Index a_panel,
                                  Index a_step, const double* b, Index b_row, Index b_column,
                                  double* c, Index c_stride, bool add) {
  // A block of A of depth x height stays in the second-level cache, the columns of B that meet it
  // in the first; small products have no need of that, nor of a copy of B.
  constexpr Index depth = 256, height = 240;
  if (K <= depth) {
    for (Index first = 0; first < M; first += panel) {
      last_panel_product(N, K, a + first / panel * a_panel, a_step, b, b_row, b_column, c + first,
                         c_stride, M - first < panel ? M - first : panel, add);
    }
    return;
  }
  double columns[depth * DAGGNN_WIDE];
  for (Index k = 0; k < K; k += depth) {
    const Index deep = K - k < depth ? K - k : depth;
    for (Index top = 0; top < M; top += height) {
      const Index bottom = M - top < height ? M : top + height;
      for (Index j = 0; j < N; j += DAGGNN_WIDE) {
        const Index wide = N - j < DAGGNN_WIDE ? N - j : DAGGNN_WIDE;
        const double* const from = b + k * b_row + j * b_column;
        for (Index q = 0; q < wide; ++q) {
          for (Index r = 0; r < deep; ++r) {
            columns[r * DAGGNN_WIDE + q] = from[r * b_row + q * b_column];
          }
        }
        for (Index first = top; first < bottom; first += panel) {
          last_panel_product(wide, deep, a + first / panel * a_panel + k * a_step, a_step, columns,
                             DAGGNN_WIDE, 1, c + first + j * c_stride, c_stride,
                             M - first < panel ? M - first : panel, add || k > 0);
        }
      }
    }
  }
}

// The two-layer perceptron
//
// A block of values at a time, and some of the hidden units at a time: their part of the hidden
// layer stays in the first-level cache, and no more of it ever exists.

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

// The piecewise linear function of piecewise.h

// How many of the sorted knots lie below each x: `size` is a power of two, infinity the last.
DAGGNN_TARGET inline void find_segments(Index count, const double* x, const double* knots,
                                        Index size, std::uint16_t* segment) {
  Index first = 0;
#if DAGGNN_LANES > 2
  // Up to so many knots, comparing with each beats halving with its loads that wait for each other
  // (gathers, on many machines slow by microcode, do not help).
  constexpr Index few = 128, together = 4;
  for (; size <= few && first + together * lanes <= count; first += together * lanes) {
    const double* const from = x + first;
    integers below[together] = {};
    for (const double* knot = knots; *knot < __builtin_inf(); ++knot) {
      const vec bound = spread(*knot);
#pragma GCC unroll 4
      for (Index v = 0; v < together; ++v) {
        below[v] += bound < load(from + v * lanes) ? integers{} + 1 : integers{};
      }
    }
    for (Index v = 0; v < together; ++v) {
      for (Index lane = 0; lane < lanes; ++lane) {
        segment[first + v * lanes + lane] = static_cast<std::uint16_t>(below[v][lane]);
      }
    }
  }
#endif
  // By halving without branches, several x at a time.
  constexpr Index some = 4;
  for (; first + some <= count; first += some) {
    Index below[some] = {0, 0, 0, 0};
    for (Index half = size / 2; half > 0; half /= 2) {
#pragma GCC unroll 4
      for (Index e = 0; e < some; ++e) {
        below[e] += knots[below[e] + half - 1] < x[first + e] ? half : 0;
      }
    }
#pragma GCC unroll 4
    for (Index e = 0; e < some; ++e) segment[first + e] = static_cast<std::uint16_t>(below[e]);
  }
  for (; first < count; ++first) {
    Index below = 0;
    for (Index half = size / 2; half > 0; half /= 2) {
      below += knots[below + half - 1] < x[first] ? half : 0;
    }
    segment[first] = static_cast<std::uint16_t>(below);
  }
}

// The smooth function of one number of scalar_network.h
//
// skip x + sum_k v_k s(w_k x + b_k) with s(a) = a q, s'(a) = q^3, q = 1 / sqrt(1 + a^2), a block of
// values at a time.

// Values whose x, dy and dx stay in the first-level cache while the units pass over them.
constexpr Index smooth_block = 1024;
// Units whose sums stay in registers.
constexpr Index smooth_units = DAGGNN_LANES == 8 ? 4 : 1;
// a^2 is far from overflow, also as a float, and s has long reached 1.
constexpr double far_out = 1e18;

// a, held within far_out; NaN stays NaN.
DAGGNN_INLINE vec held(const vec& a) {
  const vec most = spread(far_out);
  const vec below = a > most ? most : a;
  return below < -most ? -most : below;
}

// 1 / sqrt(1 + a^2): an estimate, improved until it is right to the last digits.
DAGGNN_INLINE vec inverse_root(const vec& a) {
  const vec t = 1 + a * a;
#if DAGGNN_LANES == 8
  // With an error e in t q^2 = 1 - e: q (1 - e)^(-1/2), up to e^3.
  const vec q = _mm512_mask_rsqrt14_pd(t, 0xff, t);
  const vec e = 1 - (t * q) * q;
  return q + (q * e) * (0.5 + e * (0.375 + 0.3125 * e));
#elif DAGGNN_LANES == 4
  // Newton's steps.
  vec q = _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(t)));
  const vec half = 0.5 * t;
#pragma GCC unroll 4
  for (int step = 0; step < 3; ++step) q += q * (0.5 - half * q * q);
  return q;
#else
  return 1 / square_root(t);
#endif
}

// Whether some unit may leave far_out.
DAGGNN_TARGET inline bool leaves(Index count, Index hidden, const double* weights,
                                 const double* x) {
  const double *const w = weights + 1 + hidden, *const b = w + hidden;
  vec most{};
  for (Index e = 0; e < count; e += lanes) {
    const vec value = load(x + e), size = value < 0 ? -value : value;
    most = size > most ? size : most;
  }
  double reach = 0;
  for (Index lane = 0; lane < lanes; ++lane) reach = most[lane] > reach ? most[lane] : reach;
  for (Index k = 0; k < hidden; ++k) {
    if (!(__builtin_fabs(w[k]) * reach + __builtin_fabs(b[k]) < far_out)) return true;
  }
  return false;
}

// y = f(x) for whole vectors; keeps q of each unit where roots is not null.
template <bool HELD>
DAGGNN_TARGET inline void smooth_forward_vectors(Index count, Index hidden, const double* weights,
                                                 const double* x, double* y, double* roots) {
  const double *const v = weights + 1, *const w = v + hidden, *const b = w + hidden;
  for (Index e = 0; e < count; e += lanes) {
    const vec value = load(x + e);
    vec total = weights[0] * value;
    for (Index k = 0; k < hidden; ++k) {
      const vec reached = w[k] * value + b[k], a = HELD ? held(reached) : reached;
      const vec q = inverse_root(a);
      if (roots != nullptr) store(roots + (e * hidden + k * lanes), q);
      total += v[k] * (a * q);
    }
    store(y + e, total);
  }
}

// The last values, fewer than a vector, in a vector of their own.
DAGGNN_INLINE void padded(Index count, const double* from, double* to) {
  for (Index e = 0; e < lanes; ++e) to[e] = e < count ? from[e] : 0;
}

// y = f(x); may work in place. roots: null, or room for `hidden` values for each x, their number
// rounded up to whole vectors.
DAGGNN_TARGET inline void smooth_forward(Index count, Index hidden, const double* weights,
                                         const double* x, double* y, double* roots) {
  const Index whole = count - count % lanes;
  if (leaves(whole, hidden, weights, x)) {
    smooth_forward_vectors<true>(whole, hidden, weights, x, y, roots);
  } else {
    smooth_forward_vectors<false>(whole, hidden, weights, x, y, roots);
  }
  if (whole == count) return;
  double last[DAGGNN_LANES];
  padded(count - whole, x + whole, last);
  smooth_forward_vectors<true>(lanes, hidden, weights, last, last,
                               roots == nullptr ? nullptr : roots + whole * hidden);
  for (Index e = whole; e < count; ++e) y[e] = last[e - whole];
}

// dx += (where not null) and dweights += of some units from `unit` on, for whole vectors.
template <bool HELD, int UNITS>
DAGGNN_TARGET inline void smooth_backward_units(Index count, Index hidden, Index unit,
                                                const double* weights, const double* x,
                                                const double* roots, const double* dy, double* dx,
                                                double* dweights) {
  const double *const v = weights + 1 + unit, *const w = v + hidden, *const b = w + hidden;
  vec v_sum[UNITS], w_sum[UNITS], b_sum[UNITS], steepness[UNITS];
#pragma GCC unroll 4
  for (int k = 0; k < UNITS; ++k) {
    v_sum[k] = w_sum[k] = b_sum[k] = vec{};
    steepness[k] = spread(v[k] * w[k]);
  }
  for (Index e = 0; e < count; e += lanes) {
    const vec value = load(x + e), slope = load(dy + e);
    vec dvalue{};
#pragma GCC unroll 4
    for (int k = 0; k < UNITS; ++k) {
      const vec reached = w[k] * value + b[k], a = HELD ? held(reached) : reached;
      const vec q =
          roots == nullptr ? inverse_root(a) : load(roots + (e * hidden + (unit + k) * lanes));
      const vec da = slope * q * (q * q);  // but for v
      v_sum[k] += slope * (a * q);
      w_sum[k] += da * value;
      b_sum[k] += da;
      dvalue += steepness[k] * da;
    }
    if (dx != nullptr) store(dx + e, load(dx + e) + dvalue);
  }
  double *const dv = dweights + 1 + unit, *const dw = dv + hidden, *const db = dw + hidden;
#pragma GCC unroll 4
  for (int k = 0; k < UNITS; ++k) {
    dv[k] += sum(v_sum[k]);
    dw[k] += v[k] * sum(w_sum[k]);
    db[k] += v[k] * sum(b_sum[k]);
  }
}

template <bool HELD>
DAGGNN_TARGET inline void smooth_backward_vectors(Index count, Index hidden, const double* weights,
                                                  const double* x, const double* roots,
                                                  const double* dy, double* dx, double* dweights) {
  for (Index first = 0; first < count; first += smooth_block) {
    const Index here = count - first < smooth_block ? count - first : smooth_block;
    const double *const values = x + first, *const slopes = dy + first;
    const double* const kept = roots == nullptr ? nullptr : roots + first * hidden;
    double* const dvalues = dx == nullptr ? nullptr : dx + first;
    vec skip_sum{};
    for (Index e = 0; e < here; e += lanes) {
      skip_sum += load(slopes + e) * load(values + e);
      if (dx != nullptr) {
        store(dvalues + e, load(dvalues + e) + weights[0] * load(slopes + e));
      }
    }
    dweights[0] += sum(skip_sum);
    Index k = 0;
    for (; k + smooth_units <= hidden; k += smooth_units) {
      smooth_backward_units<HELD, smooth_units>(here, hidden, k, weights, values, kept, slopes,
                                                dvalues, dweights);
    }
    for (; k < hidden; ++k) {
      smooth_backward_units<HELD, 1>(here, hidden, k, weights, values, kept, slopes, dvalues,
                                     dweights);
    }
  }
}

// dx += dy f'(x) (where dx is not null), dweights += their gradient; roots: from smooth_forward()
// for the same x, or null.
DAGGNN_TARGET inline void smooth_backward(Index count, Index hidden, const double* weights,
                                          const double* x, const double* roots, const double* dy,
                                          double* dx, double* dweights) {
  const Index whole = count - count % lanes;
  if (leaves(whole, hidden, weights, x)) {
    smooth_backward_vectors<true>(whole, hidden, weights, x, roots, dy, dx, dweights);
  } else {
    smooth_backward_vectors<false>(whole, hidden, weights, x, roots, dy, dx, dweights);
  }
  if (whole == count) return;
  double last[DAGGNN_LANES], slopes[DAGGNN_LANES], dlast[DAGGNN_LANES] = {};
  padded(count - whole, x + whole, last);
  padded(count - whole, dy + whole, slopes);
  smooth_backward_vectors<true>(lanes, hidden, weights, last,
                                roots == nullptr ? nullptr : roots + whole * hidden, slopes, dlast,
                                dweights);
  for (Index e = whole; dx != nullptr && e < count; ++e) dx[e] += dlast[e - whole];
}

// What normalisation.h needs of a column

// The mean of x, and the sum of squares around it.
DAGGNN_TARGET inline void moments(Index count, const double* x, double* mean, double* square) {
  const Index whole = count - count % lanes;
  vec sums{}, squares{};
  double rest = 0;
  for (Index e = 0; e < whole; e += lanes) sums += load(x + e);
  for (Index e = whole; e < count; ++e) rest += x[e];
  const double middle = (sum(sums) + rest) / static_cast<double>(count);
  rest = 0;
  for (Index e = 0; e < whole; e += lanes) {
    const vec gap = load(x + e) - middle;
    squares += gap * gap;
  }
  for (Index e = whole; e < count; ++e) rest += (x[e] - middle) * (x[e] - middle);
  *mean = middle;
  *square = sum(squares) + rest;
}

// dy = factor dy - y_share (y - y_mean), and dx += x_share (x - x_mean) where dx is not null.
DAGGNN_TARGET inline void rescale_backward(Index count, double factor, double y_share,
                                           double y_mean, const double* y, double* dy,
                                           double x_share, double x_mean, const double* x,
                                           double* dx) {
  Index e = 0;
  for (; e + lanes <= count; e += lanes) {
    store(dy + e, factor * load(dy + e) - y_share * (load(y + e) - y_mean));
    if (dx != nullptr) store(dx + e, load(dx + e) + x_share * (load(x + e) - x_mean));
  }
  for (; e < count; ++e) {
    dy[e] = factor * dy[e] - y_share * (y[e] - y_mean);
    if (dx != nullptr) dx[e] += x_share * (x[e] - x_mean);
  }
}

// One step of Adam (optim/adam.h) for `count` parameters with the same rate.
DAGGNN_TARGET inline void adam_step(Index count, double* theta, const double* dtheta, double* mean,
                                    double* square, double beta1, double beta2, double epsilon,
                                    double rate) {
  const vec keep1 = spread(beta1), take1 = spread(1 - beta1);
  const vec keep2 = spread(beta2), take2 = spread(1 - beta2);
  Index k = 0;
  for (; k + lanes <= count; k += lanes) {
    const vec slope = load(dtheta + k);
    const vec first = keep1 * load(mean + k) + take1 * slope;
    const vec second = keep2 * load(square + k) + take2 * slope * slope;
    store(mean + k, first);
    store(square + k, second);
    store(theta + k, load(theta + k) - rate * first / (square_root(second) + epsilon));
  }
  for (; k < count; ++k) {
    mean[k] = beta1 * mean[k] + (1 - beta1) * dtheta[k];
    square[k] = beta2 * square[k] + (1 - beta2) * dtheta[k] * dtheta[k];
    theta[k] -= rate * mean[k] / (__builtin_sqrt(square[k]) + epsilon);
  }
}

#undef DAGGNN_INLINE

inline const Kernels& table() {
  static const Kernels kernels{
      DAGGNN_NAME,     panel,       DAGGNN_WIDE,      lanes,         pack,
      product,         mlp_forward, mlp_backward,     find_segments, smooth_forward,
      smooth_backward, moments,     rescale_backward, adam_step};
  return kernels;
}

}  // namespace DAGGNN_SET
}  // namespace kernels
}  // namespace daggnn
