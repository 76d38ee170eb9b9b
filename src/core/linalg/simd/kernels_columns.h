// Passes over columns of numbers: moments, normalisation and the step of Adam.
// A part of kernels_body.h, which says how it is included.

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

// y -= X w for `columns` columns of `count` numbers (linalg/combination.h).
DAGGNN_TARGET inline void subtract_combination(Index count, Index columns, const double* X,
                                               const double* w, double* y) {
  constexpr Index together = 4;
  Index e = 0;
  for (; e + together * lanes <= count; e += together * lanes) {
    vec sums[together];
#pragma GCC unroll 4
    for (Index v = 0; v < together; ++v) sums[v] = load(y + e + v * lanes);
    for (Index k = 0; k < columns; ++k) {
      const double* const x = X + e + k * count;
#pragma GCC unroll 4
      for (Index v = 0; v < together; ++v) sums[v] -= load(x + v * lanes) * w[k];
    }
#pragma GCC unroll 4
    for (Index v = 0; v < together; ++v) store(y + e + v * lanes, sums[v]);
  }
  for (; e + lanes <= count; e += lanes) {
    vec sums = load(y + e);
    for (Index k = 0; k < columns; ++k) sums -= load(X + e + k * count) * w[k];
    store(y + e, sums);
  }
  for (; e < count; ++e) {
    for (Index k = 0; k < columns; ++k) y[e] -= X[e + k * count] * w[k];
  }
}
