// The piecewise linear function of piecewise.h.
// A part of kernels_body.h, which says how it is included.

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
