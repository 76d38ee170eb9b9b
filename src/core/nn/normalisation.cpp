#include "nn/normalisation.h"

#include <cmath>

namespace daggnn {

void Normalisation::set_factor(Index n) {
  const double floor = tiny * static_cast<double>(n * in_part.size());
  in_square = in_part.sum() + floor;
  out_square = out_part.sum() + floor;
  factor = std::sqrt(in_square / out_square);
}

void Normalisation::backward(Index column, Index n, double inner_product, const double* in,
                             const double* scaled, double* dscaled, double* din,
                             const Kernels* kernels) const {
  const double through_out = inner_product / (factor * out_square),
               through_in = inner_product / in_square;
  const double mean = factor * out_mean[column], middle = in_mean[column];
  if (kernels != nullptr) {
    kernels->rescale_backward(n, factor, through_out, mean, scaled, dscaled, through_in, middle, in,
                              din);
    return;
  }
  for (Index r = 0; r < n; ++r) {
    dscaled[r] = factor * dscaled[r] - through_out * (scaled[r] - mean);
  }
  for (Index r = 0; din != nullptr && r < n; ++r) din[r] += through_in * (in[r] - middle);
}

void Normalisation::accumulate_moments(Index n, const double* x, double& mean, double& square,
                                       const Kernels* kernels) {
  if (kernels != nullptr) {
    kernels->moments(n, x, &mean, &square);
    return;
  }
  const Eigen::Map<const Vector> column(x, n);
  mean = column.mean();
  square = (column.array() - mean).square().sum();
}

}  // namespace daggnn
