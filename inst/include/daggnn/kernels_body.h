// The hot loops, written once in terms of short vectors and compiled for several instruction sets:
// kernels.h includes this file for each, with
//
//   DAGGNN_SET      the namespace of the instruction set
//   DAGGNN_TARGET   the attribute that lets the compiler use it
//   DAGGNN_LANES    doubles in a vector
//   DAGGNN_TALL     vectors in the rows of a tile of a matrix product
//   DAGGNN_WIDE     columns of the tile; TALL * WIDE sums stay in registers
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

#define DAGGNN_INLINE DAGGNN_TARGET inline __attribute__((always_inline))

DAGGNN_INLINE vec load(const double* p) { return *reinterpret_cast<const loose*>(p); }
DAGGNN_INLINE void store(double* p, const vec& v) { *reinterpret_cast<loose*>(p) = v; }
DAGGNN_INLINE vec spread(double value) { return value - vec{}; }
DAGGNN_INLINE double sum(const vec& v) {
  double total = 0;
  for (Index lane = 0; lane < lanes; ++lane) total += v[lane];
  return total;
}

// A tile of C = A B (or C += where `add`), of `rows` <= TALL vectors and COLUMNS columns.
//   a  K x panel, packed: TALL vectors of rows for each k
//   b  K x COLUMNS, entry (k, j) at b[k * b_row + j * b_column]
template <int TALL, int COLUMNS>
DAGGNN_TARGET inline void tile(Index K, const double* a, const double* b, Index b_row,
                               Index b_column, double* c, Index c_stride, Index rows, bool add) {
  vec sums[COLUMNS][TALL];
#pragma GCC unroll 16
  for (int j = 0; j < COLUMNS; ++j) {
#pragma GCC unroll 16
    for (int v = 0; v < TALL; ++v) sums[j][v] = vec{};
  }
  for (Index k = 0; k < K; ++k, a += panel, b += b_row) {
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
        store(at, add ? load(at) + sums[j][v] : sums[j][v]);
      }
    }
    return;
  }
  double column[TALL * DAGGNN_LANES];
#pragma GCC unroll 16
  for (int j = 0; j < COLUMNS; ++j) {
#pragma GCC unroll 16
    for (int v = 0; v < TALL; ++v) store(column + v * lanes, sums[j][v]);
    for (Index r = 0; r < rows; ++r) {
      c[j * c_stride + r] = add ? c[j * c_stride + r] + column[r] : column[r];
    }
  }
}

// One panel of rows times N columns: `rows` of them count, the rest of the panel is padding.
template <int TALL>
DAGGNN_TARGET inline void panel_product(Index N, Index K, const double* a, const double* b,
                                        Index b_row, Index b_column, double* c, Index c_stride,
                                        Index rows, bool add) {
  Index j = 0;
  for (; j + DAGGNN_WIDE <= N; j += DAGGNN_WIDE) {
    tile<TALL, DAGGNN_WIDE>(K, a, b + j * b_column, b_row, b_column, c + j * c_stride, c_stride,
                            rows, add);
  }
#if DAGGNN_WIDE > 4
  if (j + 4 <= N) {
    tile<TALL, 4>(K, a, b + j * b_column, b_row, b_column, c + j * c_stride, c_stride, rows, add);
    j += 4;
  }
#endif
  if (j + 2 <= N) {
    tile<TALL, 2>(K, a, b + j * b_column, b_row, b_column, c + j * c_stride, c_stride, rows, add);
    j += 2;
  }
  if (j < N) {
    tile<TALL, 1>(K, a, b + j * b_column, b_row, b_column, c + j * c_stride, c_stride, rows, add);
  }
}

DAGGNN_TARGET inline void panel_product(Index N, Index K, const double* a, const double* b,
                                        Index b_row, Index b_column, double* c, Index c_stride,
                                        Index rows, bool add) {
  // A last panel that is nearly empty computes only the vectors that it needs.
#if DAGGNN_TALL > 2
  if (rows > 2 * lanes) {
    panel_product<3>(N, K, a, b, b_row, b_column, c, c_stride, rows, add);
    return;
  }
#endif
  if (rows > lanes) {
    panel_product<2>(N, K, a, b, b_row, b_column, c, c_stride, rows, add);
  } else {
    panel_product<1>(N, K, a, b, b_row, b_column, c, c_stride, rows, add);
  }
}

// Panels of `panel` rows, each K x panel and contiguous; rows beyond M are 0. Entry (i, k) of the
// matrix is at a[i * a_row + k * a_column].
DAGGNN_TARGET inline void pack(Index M, Index K, double scale, const double* a, Index a_row,
                               Index a_column, double* packed) {
  for (Index first = 0; first < M; first += panel, packed += panel * K) {
    const Index rows = M - first < panel ? M - first : panel;
    if (a_row == 1) {
      for (Index k = 0; k < K; ++k) {
        const double* const from = a + first + k * a_column;
        double* const to = packed + k * panel;
        Index i = 0;
        for (; i + lanes <= rows; i += lanes) store(to + i, scale * load(from + i));
        for (; i < rows; ++i) to[i] = scale * from[i];
        for (; i < panel; ++i) to[i] = 0;
      }
    } else {
      for (Index i = 0; i < panel; ++i) {
        const double* const from = a + (first + i) * a_row;
        for (Index k = 0; k < K; ++k) {
          packed[i + k * panel] = i < rows ? scale * from[k * a_column] : 0;
        }
      }
    }
  }
}

// C = A B or C += A B for N columns, from packed A (M x K); B as for tile().
DAGGNN_TARGET inline void product(Index M, Index N, Index K, const double* packed, const double* b,
                                  Index b_row, Index b_column, double* c, Index c_stride,
                                  bool add) {
  // A block of A of depth x height stays in the second-level cache, the columns of B that meet it
  // in the first; small products have no need of that, nor of a copy of B.
  constexpr Index depth = 256, height = 240;
  if (K <= depth) {
    for (Index first = 0; first < M; first += panel) {
      panel_product(N, K, packed + first * K, b, b_row, b_column, c + first, c_stride,
                    M - first < panel ? M - first : panel, add);
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
          panel_product(wide, deep, packed + first * K + k * panel, columns, DAGGNN_WIDE, 1,
                        c + first + j * c_stride, c_stride, M - first < panel ? M - first : panel,
                        add || k > 0);
        }
      }
    }
  }
}

// --- The two-layer perceptron, a block of values at a time, so that the hidden layer of the block
// --- stays in the first-level cache and is never stored for a whole batch.

// x: planes x panel, packed from planes `stride` apart; columns beyond `count` are 0.
DAGGNN_TARGET inline void pack_block(Index planes, Index count, const double* x, Index stride,
                                     double* packed) {
  for (Index i = 0; i < planes; ++i) {
    Index e = 0;
    for (; e + lanes <= count; e += lanes) store(packed + i * panel + e, load(x + i * stride + e));
    for (; e < count; ++e) packed[i * panel + e] = x[i * stride + e];
    for (; e < panel; ++e) packed[i * panel + e] = 0;
  }
}

// units: hidden x panel, before the ReLU: x W1 + b1.
DAGGNN_TARGET inline void activations(Index in, Index hidden, const double* W1, const double* b1,
                                      const double* x, double* units) {
  if (b1 == nullptr) {
    panel_product(hidden, in, x, W1, 1, in, units, panel, panel, false);
    return;
  }
  for (Index k = 0; k < hidden; ++k) {
    const vec bias = spread(b1[k]);
    for (Index v = 0; v < panel; v += lanes) store(units + k * panel + v, bias);
  }
  panel_product(hidden, in, x, W1, 1, in, units, panel, panel, true);
}

// y = MLP(x); scratch holds (in + hidden) * panel values. b1 and b2 may be null.
DAGGNN_TARGET inline void mlp_forward(Index in, Index hidden, Index out, const double* W1,
                                      const double* b1, const double* W2, const double* b2,
                                      Index count, const double* x, Index x_stride, double* y,
                                      Index y_stride, double* scratch) {
  double* const units = scratch + in * panel;
  for (Index first = 0; first < count; first += panel) {
    const Index rows = count - first < panel ? count - first : panel;
    pack_block(in, rows, x + first, x_stride, scratch);
    activations(in, hidden, W1, b1, scratch, units);
    for (Index at = 0; at < hidden * panel; at += lanes) {
      const vec unit = load(units + at);
      store(units + at, unit > 0 ? unit : vec{});
    }
    for (Index o = 0; o < out; ++o) {
      for (Index e = 0; e < rows; ++e) y[o * y_stride + first + e] = b2 == nullptr ? 0 : b2[o];
    }
    panel_product(out, hidden, units, W2, out, 1, y + first, y_stride, rows, true);
  }
}

// sums[i][k] += x_i o units_k over the vectors of a panel, for PLANES x and UNITS hidden units;
// sums are vectors, `across` apart from one plane to the next.
template <int PLANES, int UNITS>
DAGGNN_INLINE void outer(const double* x, const double* units, double* sums, Index across) {
  vec total[PLANES][UNITS];
#pragma GCC unroll 16
  for (int i = 0; i < PLANES; ++i) {
#pragma GCC unroll 16
    for (int k = 0; k < UNITS; ++k) total[i][k] = load(sums + i * across + k * lanes);
  }
#pragma GCC unroll 16
  for (Index v = 0; v < panel; v += lanes) {
    vec left[PLANES];
#pragma GCC unroll 16
    for (int i = 0; i < PLANES; ++i) left[i] = load(x + i * panel + v);
#pragma GCC unroll 16
    for (int k = 0; k < UNITS; ++k) {
      const vec right = load(units + k * panel + v);
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

// The same for all planes and units: sums is planes x hidden vectors.
DAGGNN_TARGET inline void outer(Index planes, Index hidden, const double* x, const double* units,
                                double* sums) {
  const Index across = hidden * lanes;
  Index i = 0;
  for (; i + 4 <= planes; i += 4) {
    Index k = 0;
    for (; k + 2 <= hidden; k += 2) {
      outer<4, 2>(x + i * panel, units + k * panel, sums + i * across + k * lanes, across);
    }
    if (k < hidden) {
      outer<4, 1>(x + i * panel, units + k * panel, sums + i * across + k * lanes, across);
    }
  }
  for (; i < planes; ++i) {
    Index k = 0;
    for (; k + 4 <= hidden; k += 4) {
      outer<1, 4>(x + i * panel, units + k * panel, sums + i * across + k * lanes, across);
    }
    for (; k < hidden; ++k) {
      outer<1, 1>(x + i * panel, units + k * panel, sums + i * across + k * lanes, across);
    }
  }
}

// dW1, db1, dW2, db2 += and dx += (where not null) from x and dy. scratch: mlp_scratch() values.
DAGGNN_TARGET inline void mlp_backward(Index in, Index hidden, Index out, const double* W1,
                                       const double* b1, const double* W2, Index count,
                                       const double* x, Index x_stride, const double* dy,
                                       Index dy_stride, double* dx, Index dx_stride, double* dW1,
                                       double* db1, double* dW2, double* db2, double* scratch) {
  double* const x_block = scratch;                         // in x panel
  double* const dy_block = x_block + in * panel;           // out x panel
  double* const units = dy_block + out * panel;            // hidden x panel
  double* const dunits = units + hidden * panel;           // hidden x panel
  double* const W1_sums = dunits + hidden * panel;         // in x hidden vectors
  double* const b1_sums = W1_sums + in * hidden * lanes;   // hidden vectors
  double* const W2_sums = b1_sums + hidden * lanes;        // out x hidden vectors
  double* const b2_sums = W2_sums + out * hidden * lanes;  // out vectors
  for (double* at = W1_sums; at < b2_sums + out * lanes; ++at) *at = 0;

  for (Index first = 0; first < count; first += panel) {
    const Index rows = count - first < panel ? count - first : panel;
    pack_block(in, rows, x + first, x_stride, x_block);
    pack_block(out, rows, dy + first, dy_stride, dy_block);
    activations(in, hidden, W1, b1, x_block, units);
    panel_product(hidden, out, dy_block, W2, 1, out, dunits, panel, panel, false);
    for (Index k = 0; k < hidden; ++k) {
      vec bias = load(b1_sums + k * lanes);
      for (Index v = 0; v < panel; v += lanes) {
        double *const unit = units + k * panel + v, *const dunit = dunits + k * panel + v;
        const vec value = load(unit);
        const vec slope = value > 0 ? load(dunit) : vec{};
        store(unit, value > 0 ? value : vec{});
        store(dunit, slope);
        bias += slope;
      }
      store(b1_sums + k * lanes, bias);
    }
    for (Index o = 0; o < out; ++o) {
      vec bias = load(b2_sums + o * lanes);
      for (Index v = 0; v < panel; v += lanes) bias += load(dy_block + o * panel + v);
      store(b2_sums + o * lanes, bias);
    }
    outer(in, hidden, x_block, dunits, W1_sums);
    outer(out, hidden, dy_block, units, W2_sums);
    if (dx != nullptr) {
      panel_product(in, hidden, dunits, W1, in, 1, dx + first, dx_stride, rows, true);
    }
  }

  for (Index k = 0; k < hidden; ++k) {
    for (Index i = 0; i < in; ++i) {
      dW1[i + k * in] += sum(load(W1_sums + (i * hidden + k) * lanes));
    }
    for (Index o = 0; o < out; ++o) {
      dW2[o + k * out] += sum(load(W2_sums + (o * hidden + k) * lanes));
    }
    if (db1 != nullptr) db1[k] += sum(load(b1_sums + k * lanes));
  }
  for (Index o = 0; o < out && db2 != nullptr; ++o) db2[o] += sum(load(b2_sums + o * lanes));
}

#undef DAGGNN_INLINE

inline const Kernels& table() {
  static const Kernels kernels{DAGGNN_NAME, panel,   DAGGNN_WIDE, lanes,
                               pack,        product, mlp_forward, mlp_backward};
  return kernels;
}

}  // namespace DAGGNN_SET
}  // namespace kernels
}  // namespace daggnn
