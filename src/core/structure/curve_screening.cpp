#include "structure/curve_screening.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "linalg/gemm.h"
#include "structure/features_of_data.h"

namespace daggnn {

namespace {

constexpr Index first_curves = 2;  // squares and cubes, nearly: looked at where an edge is missing

}  // namespace

bool curves_explain_more(const Samples& samples, const AdditiveScore& linear,
                         const Network& network, const EdgeRules& rules, const EdgeCharges& charges,
                         const StructureOptions& options, Executor& executor) {
  const Index m = samples.m(), n = samples.n();
  Matrix residuals(n, m);
  executor.run(m, [&](Index child) {
    const Vector left = linear.residuals(child, 0, network.parents[child], 0);
    residuals.col(child) = left / std::max(left.norm(), 1e-300);
  });
  const double rows = samples.effective_rows();
  // The log evidence of a curve whose functions have these products with the residuals.
  const auto evidence = [&](const double* c, Index count, Index functions) {
    double best = 0;
    for (const double rho : {0.01, 0.1, 1.0, 10.0, 100.0}) {
      double left = 1, log_det = 0;
      for (Index k = 0; k < functions; ++k) {
        const double precision = static_cast<double>((k + 2) * (k + 2)) / (rows * rho);
        if (k < count) left -= c[k] * c[k] / (1 + precision);
        log_det += std::log1p(1 / precision);
      }
      best = std::max(best, -rows / 2 * std::log(std::max(left, 1e-9)) - log_det / 2);
    }
    return best - options.curve_charge * std::log(static_cast<double>(m));
  };
  Vector gain = Vector::Zero(m);  // of each child
  constexpr Index block = 64;     // variables at a time
  for (Index first = 0; first < m; first += block) {
    const Index count = std::min(block, m - first);
    std::vector<Matrix> curves(static_cast<std::size_t>(count));
    executor.run(count, [&](Index k) {
      const Matrix all = features_of(samples, samples.variables[first + k], options.splines);
      curves[k] = all.rightCols(all.cols() - 1) / std::sqrt(static_cast<double>(n));
    });
    Matrix looked = Matrix::Zero(n, count * first_curves), products(m, count * first_curves);
    for (Index k = 0; k < count; ++k) {
      const Index some = std::min(first_curves, curves[k].cols());
      looked.middleCols(k * first_curves, some) = curves[k].leftCols(some);
    }
    gemm(m, looked.cols(), n, 1, {residuals.data(), n, true}, {looked.data(), n}, 0,
         products.data(), m, executor);
    executor.run(m, [&](Index child) {
      for (Index k = 0; k < count; ++k) {
        const Index i = first + k;
        if (i == child || curves[k].cols() == 0 || !rules.allowed(i, child)) continue;
        const double edge = charges.of_edge(child, i) + std::log(rows) / 2;
        double found = 0;
        if (std::binary_search(network.parents[child].begin(), network.parents[child].end(), i)) {
          const Vector c = curves[k].transpose() * residuals.col(child);
          found = evidence(c.data(), c.size(), c.size());
        } else {
          const Vector c = products.row(child).segment(k * first_curves, first_curves);
          // No prior explains more than least squares do.
          if (-rows / 2 * std::log1p(-std::min(c.squaredNorm(), 1 - 1e-9)) < edge) continue;
          found = evidence(c.data(), c.size(), curves[k].cols()) - edge;
        }
        gain[child] = std::max(gain[child], found);
      }
    });
  }
  return gain.sum() > options.tuning.gain_by_chance * static_cast<double>(m);
}

}  // namespace daggnn
