#include "constraint/acyclicity.h"

#include <algorithm>

namespace daggnn {

double Acyclicity::operator()(const Matrix& S, Matrix& dS) {
  dS.resizeLike(S);
  switch (constraint_) {
    case Constraint::polynomial:
      return polynomial(S, dS);
    case Constraint::exponential:
      return exponential(S, dS);
    case Constraint::logdet:
      return logdet(S, dS);
  }
  throw Error("unknown constraint");
}

double Acyclicity::polynomial(const Matrix& S, Matrix& dS) {
  const Index m = S.rows();
  const double bound = bound_of(S), size = static_cast<double>(m);
  const double scale = 1 / std::max(scale_, margin * bound), alpha = scale / size;
  // R = (I + alpha S)^(m - 1) - I: dS = alpha m (R + I)^T, and one more factor gives the trace.
  weights_.assign(1, 1.0);
  for (Index k = 1; k < m && !negligible(weights_.back(), bound * scale, k); ++k) {
    weights_.push_back(weights_.back() * static_cast<double>(m - k) /
                       (size * static_cast<double>(k)));
  }
  series(S, scale, R_);
  // tr (I + R)(I + alpha S) - m, column by column, from dS = R^T.
  row_sums_.resize(m);
  for_each_block(executor_, m, 2 * size, [&](Index first, Index some) {
    write_transposed(first, some, dS);
    for (Index j = first; j < first + some; ++j) {
      row_sums_[j] = dS(j, j) + alpha * (S(j, j) + dS.col(j).dot(S.col(j)));
      dS.col(j) *= alpha * size;
      dS(j, j) += alpha * size;
    }
  });
  return row_sums_.sum();
}

double Acyclicity::exponential(const Matrix& S, Matrix& dS) {
  const Index m = S.rows();
  const double bound = bound_of(S);
  const int squarings = bound > 1 ? static_cast<int>(std::ceil(std::log2(bound))) : 0;
  const double scale = std::ldexp(1.0, -squarings);
  weights_.assign(1, 1.0);
  for (Index k = 1; !negligible(weights_.back(), bound * scale, k); ++k) {
    weights_.push_back(weights_.back() / static_cast<double>(k));
  }
  series(S, scale, R_);
  // (I + R)^2 = I + 2 R + R R
  for (int k = 0; k < squarings; ++k) {
    other_ = R_;
    gemm(m, m, m, 1, {other_.data(), m}, {other_.data(), m}, 0, R_.data(), m, executor_);
    R_ += 2 * other_;
  }
  write_transposed(dS);
  dS.diagonal().array() += 1;
  return m == 0 ? 0 : R_.trace();
}

double Acyclicity::logdet(const Matrix& S, Matrix& dS) {
  const Index m = S.rows();
  const double s = std::max(scale_, margin * bound_of(S));
  R_ = -S;
  R_.diagonal().array() += s;
  const double log_determinant = invert_(R_, executor_);
  write_transposed(dS);
  return static_cast<double>(m) * std::log(s) - log_determinant;
}

void Acyclicity::series(const Matrix& S, double scale, Matrix& sum) {
  const Index m = S.rows();
  const Index degree = static_cast<Index>(weights_.size()) - 1;
  sum.resize(m, m);
  if (degree < 1) {
    sum.setZero();
    return;
  }
  Index p = 1;
  while (p * p < degree) ++p;
  const Index blocks = (degree + p - 1) / p;
  weights_.resize(at(blocks * p + 1), 0.0);
  double factor = 1;  // scale^k
  for (double& weight : weights_) {
    weight *= factor;
    factor *= scale;
  }
  powers_.resize(std::max(powers_.size(), at(p + 1)));
  for (Index k = 2; k <= p; ++k) powers_[at(k)].resize(m, m);
  other_.resize(m, m);
  const auto power = [&](Index k) -> const Matrix& { return k == 1 ? S : powers_[at(k)]; };
  // The terms of a block but for its last power, which the block above brings along.
  const auto add_block = [&](Index block, Index first, Index some, Matrix& to) {
    for (Index j = first; j < first + some; ++j) {
      for (Index k = 1; k < p; ++k) to.col(j) += weights_[at(block * p + k)] * power(k).col(j);
      if (block > 0) to(j, j) += weights_[at(block * p)];
    }
  };
  // Each block is written where the one above was not, and the last one to `sum`.
  const auto place = [&](Index block) -> Matrix& { return block % 2 == 0 ? sum : other_; };

  left_.set(m, m, 1, {S.data(), m}, executor_);
  left_.for_each_columns(m, p - 1, executor_, [&](Index first, Index some) {
    for (Index k = 2; k <= p; ++k) {
      left_.times({power(k - 1).data(), m}, first, some, false, powers_[at(k)].data(), m);
    }
    Matrix& to = place(blocks - 1);
    to.middleCols(first, some) = weights_[at(blocks * p)] * power(p).middleCols(first, some);
    add_block(blocks - 1, first, some, to);
  });
  left_.set(m, m, 1, {power(p).data(), m}, executor_);
  left_.for_each_columns(m, blocks - 1, executor_, [&](Index first, Index some) {
    for (Index block = blocks - 2; block >= 0; --block) {
      Matrix& to = place(block);
      left_.times({place(block + 1).data(), m}, first, some, false, to.data(), m);
      add_block(block, first, some, to);
    }
  });
}

void Acyclicity::write_transposed(Matrix& dS) const {
  const Index m = R_.rows();
  for_each_block(executor_, m, static_cast<double>(m),
                 [&](Index first, Index some) { write_transposed(first, some, dS); });
}

void Acyclicity::write_transposed(Index first, Index some, Matrix& dS) const {
  const Index m = R_.rows();
  constexpr Index side = 32;
  for (Index top = 0; top < m; top += side) {
    const Index rows = std::min(side, m - top);
    for (Index j = first; j < first + some; ++j) {
      for (Index i = top; i < top + rows; ++i) dS(i, j) = R_(j, i);
    }
  }
}

double Acyclicity::bound_of(const Matrix& S) {
  row_sums_.setZero(S.rows());
  for (Index j = 0; j < S.cols(); ++j) row_sums_ += S.col(j);
  return row_sums_.size() == 0 ? 0 : row_sums_.maxCoeff();
}

}  // namespace daggnn
