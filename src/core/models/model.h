// What the trainer knows of a model: parameters and a minibatch in, loss and gradient out.
#pragma once

#include <cstdint>

#include "base/executor.h"
#include "base/random.h"
#include "base/types.h"
#include "data/samples.h"

namespace daggnn {

// A minibatch: which rows of the samples, and the seed of whatever the model draws for them.
struct Batch {
  const Index* rows;
  Index count;
  std::uint64_t seed;
};

class Model {
 public:
  virtual ~Model() = default;

  // Who does the model's work; the trainer's own goes there too.
  virtual Executor& executor() const {
    static SerialExecutor serial;
    return serial;
  }

  virtual Index variables() const = 0;  // m
  // theta holds the graph first (A, or its blocks), then the networks.
  virtual Index parameters() const = 0;
  virtual Index graph_parameters() const = 0;
  virtual Vector initial(Random& random) const = 0;

  // The mean loss over the batch, constraint and penalty not included; *writes* its gradient.
  virtual double loss(const Vector& theta, const Batch& batch, Vector& dtheta) = 0;

  // S = A o A. Where variables are joined by blocks, A_ij is the norm of a block. Edges that are
  // not allowed have S_ij = 0 whatever theta says.
  virtual void squared_weights(const Vector& theta, Matrix& S) const = 0;
  // A itself: with its sign where an edge is a single number, else the norm of its block.
  virtual void weights(const Vector& theta, Matrix& A) const {
    squared_weights(theta, A);
    A = A.cwiseSqrt();
  }
  // Chain rule: dtheta += (dS / dtheta)' dS.
  virtual void squared_weights_backward(const Vector& theta, const Matrix& dS,
                                        Vector& dtheta) const = 0;

  // Called before each epoch: renews the imputed values.
  virtual void impute(const Vector&) {}
  // The standardisation of the samples: a model made for other rows of the same variables must be
  // given it before it may use theta.
  virtual Vector standardisation() const { return {}; }
  virtual void set_standardisation(const Vector&) {}
  // theta with all normalisation by the batch folded into the weights: what predict() and
  // simulate() want. Training may go on from it.
  virtual Vector fold_normalisation(const Vector& theta) const { return theta; }

  // What the model expects of each variable, given the rows of `samples` (same variables as those
  // it was made for): n x outputs. A continuous variable has its width columns, a discrete one the
  // probability of each level.
  virtual Matrix predict(const Vector& theta, const Samples& samples) const = 0;
  // New rows from the model with no other edges than those with edges(i, j) != 0: n rows with the
  // columns of Samples::values.
  virtual Matrix simulate(const Vector& theta, const Matrix& edges, Index n,
                          Random& random) const = 0;
};

}  // namespace daggnn
