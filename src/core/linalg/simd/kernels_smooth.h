// The smooth function of one number of scalar_network.h:
//
// skip x + sum_k v_k s(w_k x + b_k) with s(a) = a q, s'(a) = q^3, q = 1 / sqrt(1 + a^2), a block of
// values at a time.
// A part of kernels_body.h, which says how it is included.

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
