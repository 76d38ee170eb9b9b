// Short vectors of doubles, and what every kernel does with them.
// A part of kernels_body.h, which says how it is included.

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
