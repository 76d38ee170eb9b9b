// A graph whose edges are blocks: B_ij holds a weight for each feature of i and each output of j.
//
// clang-format off
//   P     features, and outputs, of all variables together
//   B     P x P, at the beginning of theta; zero where no edge may be
//   A_ij  the single number between two scalars, else the norm of B_ij, its rows in units of
//         standardised indicators
// clang-format on
#pragma once

#include <vector>

#include "base/executor.h"
#include "base/types.h"

namespace daggnn {

class BlockGraph {
 public:
  // Where the features of a variable, and as many outputs, are.
  struct Span {
    Index first, width;
  };

  // allowed: m x m, nonzero where an edge may be.
  BlockGraph(const Matrix& allowed, std::vector<Span> spans);

  Index variables() const { return static_cast<Index>(spans_.size()); }
  Index features() const { return P_; }

  // The unit of each feature in the norm of a block.
  const Vector& feature_units() const { return units_; }
  void set_feature_units(const Vector& units);

  // S = A o A, its chain rule (dtheta += (dS / dtheta)' dS), and A.
  void squared_weights(const Vector& theta, Executor& executor, Matrix& S) const;
  void squared_weights_backward(const Vector& theta, const Matrix& dS, Executor& executor,
                                Vector& dtheta) const;
  void weights(const Vector& theta, Executor& executor, Matrix& A) const;

  // B is zero where no edge may be, and stays so.
  void clear_forbidden(Vector& dtheta) const;

 private:
  // Features in a row that child j may not have.
  struct Forbidden {
    Index child, feature, width;
  };

  // Each block is a single number.
  bool all_single() const { return P_ == variables(); }

  // work(j, room) for each child j, on several threads; room: for P numbers.
  template <class Work>
  void for_each_child(Executor& executor, const Work& work) const;

  std::vector<Span> spans_;
  Index P_ = 0;
  Matrix allowed_;
  std::vector<Forbidden> forbidden_;
  Vector units_, square_units_;
};

}  // namespace daggnn
