// Matrix products, by tiles whose sums stay in registers.
// A part of kernels_body.h, which says how it is included.

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
