// Rows given others, for neighbour_process.h: the last row of many small Cholesky factors.
// A part of kernels_body.h, which says how it is included.

// For `conditional_rows` rows at a time, each with `count` others: covariance holds, for others a
// in turn and the row itself last, the covariances with the others before a; values those of the
// others and of the row. The variance of each is 1 + rho, and rho scales the covariances. Writes
// the row's value less its mean given the others, in standard deviations, and its variance. Entry
// k of the r-th row stands at k * conditional_rows + r.
DAGGNN_TARGET inline void conditionals(Index count, const double* covariance, const double* values,
                                       double rho, double* standardised, double* variances) {
  vec factor[most_others][most_others], inverse[most_others], whitened[most_others];
  vec row[most_others];
  for (Index at = 0; at < conditional_rows; at += lanes) {
    const double* next = covariance + at;
    for (Index a = 0; a <= count; ++a) {
      for (Index b = 0; b < a; ++b, next += conditional_rows) row[b] = rho * load(next);
      vec variance = spread(1 + rho), residual = load(values + a * conditional_rows + at);
      for (Index c = 0; c < a; ++c) {
        const vec entry = row[c] * inverse[c];
        for (Index b = c + 1; b < a; ++b) row[b] -= entry * factor[b][c];
        variance -= entry * entry;
        residual -= entry * whitened[c];
        if (a < count) factor[a][c] = entry;
      }
      const vec root = square_root(variance);
      if (a < count) {
        inverse[a] = 1 / root;
        whitened[a] = residual * inverse[a];
      } else {
        store(standardised + at, residual / root);
        store(variances + at, variance);
      }
    }
  }
}
