#include "models/block_graph.h"

#include <algorithm>
#include <utility>

namespace daggnn {

BlockGraph::BlockGraph(const Matrix& allowed, std::vector<Span> spans)
    : spans_(std::move(spans)), allowed_((allowed.array() != 0).cast<double>()) {
  allowed_.diagonal().setZero();
  for (const Span& span : spans_) P_ += span.width;
  set_feature_units(Vector::Ones(P_));
  for (Index j = 0; j < variables(); ++j) {
    for (Index i = 0; i < variables(); ++i) {
      if (allowed_(i, j) != 0) continue;
      if (i > 0 && allowed_(i - 1, j) == 0) {
        forbidden_.back().width += spans_[i].width;
      } else {
        forbidden_.push_back({j, spans_[i].first, spans_[i].width});
      }
    }
  }
}

void BlockGraph::set_feature_units(const Vector& units) {
  units_ = units;
  square_units_ = units.cwiseAbs2();
}

template <class Work>
void BlockGraph::for_each_child(Executor& executor, const Work& work) const {
  const double share = static_cast<double>(P_) * static_cast<double>(P_) /
                       static_cast<double>(std::max<Index>(1, variables()));
  for_each_block(executor, variables(), share, [&](Index first, Index some) {
    Vector room(P_);
    for (Index j = first; j < first + some; ++j) work(j, room);
  });
}

void BlockGraph::squared_weights(const Vector& theta, Executor& executor, Matrix& S) const {
  S.resize(variables(), variables());
  for_each_child(executor, [&](Index j, Vector& squares) {
    const Span& to = spans_[j];
    const Eigen::Map<const Matrix> B(theta.data() + to.first * P_, P_, to.width);
    squares = B.col(0).cwiseAbs2();
    for (Index k = 1; k < to.width; ++k) squares += B.col(k).cwiseAbs2();
    squares = squares.cwiseProduct(square_units_);
    if (all_single()) {
      S.col(j) = squares.cwiseProduct(allowed_.col(j));
      return;
    }
    for (Index i = 0; i < variables(); ++i) {
      const Span& from = spans_[i];
      double sum = 0;
      for (Index k = 0; k < from.width; ++k) sum += squares[from.first + k];
      S(i, j) = allowed_(i, j) != 0 ? sum : 0;
    }
  });
}

void BlockGraph::squared_weights_backward(const Vector& theta, const Matrix& dS, Executor& executor,
                                          Vector& dtheta) const {
  for_each_child(executor, [&](Index j, Vector& slopes) {
    const Span& to = spans_[j];
    if (all_single()) {
      slopes = 2 * dS.col(j).cwiseProduct(allowed_.col(j));
    } else {
      for (Index i = 0; i < variables(); ++i) {
        const double slope = allowed_(i, j) != 0 ? 2 * dS(i, j) : 0;
        const Span& from = spans_[i];
        for (Index k = 0; k < from.width; ++k) slopes[from.first + k] = slope;
      }
    }
    slopes = slopes.cwiseProduct(square_units_);
    const Eigen::Map<const Matrix> B(theta.data() + to.first * P_, P_, to.width);
    Eigen::Map<Matrix> dB(dtheta.data() + to.first * P_, P_, to.width);
    for (Index k = 0; k < to.width; ++k) dB.col(k) += slopes.cwiseProduct(B.col(k));
  });
}

void BlockGraph::weights(const Vector& theta, Executor& executor, Matrix& A) const {
  const Eigen::Map<const Matrix> B(theta.data(), P_, P_);
  squared_weights(theta, executor, A);
  A = A.cwiseSqrt().eval();
  for (Index j = 0; j < variables(); ++j) {
    for (Index i = 0; i < variables(); ++i) {
      const Span &from = spans_[i], &to = spans_[j];
      if (from.width == 1 && to.width == 1 && allowed_(i, j) != 0) {
        A(i, j) = B(from.first, to.first);
      }
    }
  }
}

void BlockGraph::clear_forbidden(Vector& dtheta) const {
  for (const Forbidden& block : forbidden_) {
    const Span& to = spans_[block.child];
    for (Index q = to.first; q < to.first + to.width; ++q) {
      double* const from = dtheta.data() + q * P_ + block.feature;
      std::fill(from, from + block.width, 0.0);
    }
  }
}

}  // namespace daggnn
