#include "features/moments.h"

#include <algorithm>

#include "linalg/gemm.h"

namespace daggnn {

Matrix feature_products(const std::vector<SplineBasis>& bases,
                        const Eigen::Ref<const Matrix>& values, Executor& executor) {
  std::vector<Index> first;
  Index columns = 1;
  for (const SplineBasis& basis : bases) {
    first.push_back(columns);
    columns += basis.size();
  }
  const Index n = values.rows();
  Matrix features(n, columns), products(columns, columns);
  features.col(0).setOnes();
  executor.run(static_cast<Index>(bases.size()), [&](Index j) {
    features.middleCols(first[j], bases[j].size()) = bases[j].evaluate(values.col(j));
  });
  gram(columns, n, 1, features.data(), products.data(), executor);
  return products;
}

Moments standardised(const Matrix& products, const std::vector<Index>& sizes,
                     const Vector& scales) {
  const Index P = products.rows() - 1;
  Moments moments;
  moments.n = products(0, 0);
  moments.sizes = sizes;
  const Vector means = products.col(0).tail(P) / moments.n;
  moments.gram = products.bottomRightCorner(P, P) / moments.n - means * means.transpose();
  const Vector variances = moments.gram.diagonal();
  moments.variances.resize(static_cast<Index>(sizes.size()));
  moments.tails.setZero(static_cast<Index>(sizes.size()));
  Index first = 0;
  for (std::size_t j = 0; j < sizes.size(); ++j) {
    const Index at = static_cast<Index>(j);
    if (!(variances[first] > 0)) throw Error("a variable must vary");
    moments.variances[at] = variances[first] * scales[at] * scales[at];
    first += sizes[j];
  }
  // A curve that the sample saw and all rows hardly see stays what it is.
  const Vector inverse = variances.cwiseMax(1e-12).cwiseSqrt().cwiseInverse();
  moments.gram = (inverse.asDiagonal() * moments.gram * inverse.asDiagonal()).eval();
  return moments;
}

}  // namespace daggnn
