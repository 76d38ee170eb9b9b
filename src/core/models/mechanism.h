// The mechanism model, ours beside the paper's: X = phi(A' g(X)) + Z.
//
// The graph neural network of the paper used as the mechanism itself. For a DAG the map from X to Z
// has a Jacobian of determinant 1, so the likelihood of the residuals Z is that of the data,
// exactly.
//
// clang-format off
//   n, m   rows of the batch, variables
//   C      numeric columns: a scalar has one, a vector one for each component
//   P      features that the variables offer, and outputs that they receive: a numeric column is
//          one of each, a discrete variable has one of each per level
//   Y      n x C   the numbers in working units
//   F      n x P   features: g(Y), and the indicators of levels
//   B      P x P   the blocks of the graph, see block_graph.h
//   U      n x P   U = F B + bias: phi(U) is the mean of a number with normal noise; for all other
//                  variables the likelihood says what U is: logits of levels, a log rate
//   M      n x C   what is expected of the numbers, in working units
//   g,phi  scalar networks with a linear skip, shared by the variables. Each is normalised to the
//          spread of its input, over all columns together, so that A alone carries the scale:
//          otherwise A would shrink, phi amplify, and cycles hide under a small h
// clang-format on
//
// Working units. With noise of the same variance for all variables, the columns share one unit,
// about the noise's standard deviation. With learned noise scales, Y = X exp(-log_noise) + location
// with standardised X, so that the noise has variance 1 in Y: the model is then the same whatever
// the units of each column are. Numbers without normal noise stay standardised, since no noise
// would hold a learned scale.
//
// Missing values are left out of the child's likelihood, and a parent's are replaced by their
// prediction, renewed by impute().
//
//   mechanism.cpp           layout, working units, the loss and its gradient
//   mechanism_generate.cpp  imputation, predictions, simulated rows
#pragma once

#include <algorithm>
#include <vector>

#include "base/executor.h"
#include "data/missing_cells.h"
#include "data/samples.h"
#include "models/block_graph.h"
#include "models/model.h"
#include "nn/normalisation.h"
#include "nn/scalar_network.h"

namespace daggnn {

enum class Noise { equal, learned };
constexpr Name<Noise> noise_names[] = {{"equal", Noise::equal}, {"learned", Noise::learned}};

struct MechanismOptions {
  Index feature_hidden = 8;  // hidden units of g; 0: g is the identity
  Index output_hidden = 8;   // hidden units of phi; 0: phi is the identity
  Noise noise = Noise::equal;

  void check() const;
};

class Mechanism final : public Model {
 public:
  // allowed: m x m, 1 where an edge may be, else 0.
  Mechanism(const Samples& samples, const Matrix& allowed, const MechanismOptions& options,
            Executor& executor);

  Executor& executor() const override { return executor_; }
  Index variables() const override { return samples_.m(); }
  Index parameters() const override { return at_.end; }
  Index graph_parameters() const override { return P_ * P_; }
  Index features() const { return P_; }

  // No edges, g and phi the identity, and each variable's mean or frequencies.
  Vector initial(Random&) const override;

  double loss(const Vector& theta, const Batch& batch, Vector& dtheta) override;

  void squared_weights(const Vector& theta, Matrix& S) const override {
    graph_.squared_weights(theta, executor_, S);
  }
  void squared_weights_backward(const Vector& theta, const Matrix& dS,
                                Vector& dtheta) const override {
    graph_.squared_weights_backward(theta, dS, executor_, dtheta);
  }
  void weights(const Vector& theta, Matrix& A) const override {
    graph_.weights(theta, executor_, A);
  }

  void impute(const Vector& theta) override;

  Vector standardisation() const override;
  void set_standardisation(const Vector& all) override;

  // Also notes the spread of the noise.
  Vector fold_normalisation(const Vector& theta) const override;

  // n x outputs: the mean of each numeric column in the data's units, the probability of each
  // level, from the other variables. theta from fold_normalisation().
  Matrix predict(const Vector& theta, const Samples& samples) const override;

  // n new rows in the form of Samples::values, parents first; edges: m x m, of a DAG.
  Matrix simulate(const Vector& theta, const Matrix& edges, Index n, Random& random) const override;

 private:
  // Where a variable's features (and outputs: there are as many) and columns are.
  struct Slot {
    Kind kind;
    Distribution distribution;
    Index feature, width;
    Index column;  // of Y, if numeric
    Index value;   // of Samples::values

    // phi leads from the outputs to the mean.
    bool through_phi() const { return distribution == Distribution::normal; }
  };

  // Where the parts of theta begin; B is at 0.
  struct Layout {
    Index bias = 0, g = 0, phi = 0;
    Index log_noise = 0, location = 0;  // C each, with learned noise scales
    Index spread = 0;  // C: log standard deviations of the residuals, see fold_normalisation()
    Index end = 0;
  };

  using Missing = std::vector<MissingCells>;  // imputed numbers are in working units

  // Everything between the rows and the loss, and its gradients; kept from step to step.
  struct Workspace {
    bool backward_follows = false;
    Matrix X, Y;      // X: before log_noise and location, where learned
    Matrix raw;       // the values of numbers without normal noise, in the columns of Y
    Matrix observed;  // n x columns of the samples, 0 where missing
    Matrix F, U, M;
    Normalisation g, phi;
    std::vector<double> g_roots, phi_roots;  // see scalar_network.h
    Matrix dY, dF, dU, dH;                   // dY: only where learned
    Vector terms;                            // of the loss, for each variable
    Vector inner_products;                   // see Normalisation, for each numeric column
    Matrix partial;                          // gradients of g and phi, a column for each chunk
  };

  static std::vector<BlockGraph::Span> spans_of(const Samples& samples);
  void lay_out();
  void choose_units();
  bool learned() const { return options_.noise == Noise::learned; }

  // Variables in chunks whose number is fixed by the work alone: partial sums are added in their
  // order, so that results do not depend on the threads.
  Index chunk_size(Index n) const;
  Index chunks(Index n) const {
    const Index size = chunk_size(n);
    return (variables() + size - 1) / size;
  }
  // body(chunk, first, last): the variables from `first` on, before `last`.
  template <class Body>
  void for_each_chunk(Index n, const Body& body) const;
  // work(column, count): the numeric columns of the variables from `first` on, before `last`, as
  // many at a time as stand side by side among the outputs too. through_phi: only these.
  template <class Work>
  void for_each_run(Index first, Index last, bool through_phi, const Work& work) const;

  double working_value(Index c, double x) const { return (x - center_[c]) / scale_[c]; }
  double data_value(const Vector& theta, Index c, double y) const;
  // Working values of some rows of all columns together, sorted.
  std::vector<double> typical_values() const;

  // ---- forward and backward, mechanism.cpp ----

  // normalised: g and phi take the spread of their input; else they are as theta says.
  void forward(const Vector& theta, const Samples& samples, const Missing& missing,
               const Index* rows, Index n, bool normalised, Workspace& work) const;
  void make_room(const Samples& samples, Index n, Workspace& work) const;
  void make_roots(const ScalarNetwork& network, Index n, std::vector<double>& roots) const;
  // Values, imputed ones where they are missing, and indicators.
  void gather(const Samples& samples, const Missing& missing, const Index* rows, Index n,
              const Slot& slot, Workspace& work) const;
  void gather_levels(const Samples& samples, const Missing& missing, const Index* rows, Index n,
                     const Slot& slot, Workspace& work) const;
  // Y, and g(Y) into F, of the variables from `first` on, before `last`.
  void features_forward(const Vector& theta, Index first, Index last, Workspace& work) const;
  // The bias onto U, and what is expected into M.
  void outputs_forward(const Vector& theta, Index first, Index last, Workspace& work) const;
  // The mean negative log-likelihood of the batch, constants left out, and its gradient with
  // respect to Y as children (added), to U (written; through phi, to the mean) and to log_noise
  // (added).
  double likelihood(const Vector& theta, Workspace& work, Vector& dtheta) const;
  double likelihood_of_variable(const Vector& theta, const Slot& slot, Workspace& work,
                                Vector& dtheta) const;
  // From dU as likelihood() wrote it, and dY, which is added to.
  void backward(const Vector& theta, Workspace& work, Vector& dtheta) const;
  // dU from that of the means to that of U itself, and the gradient of the bias.
  void outputs_backward(const Vector& theta, double inner_product, Index chunk, Index first,
                        Index last, Workspace& work, Vector& dtheta) const;
  void features_backward(const Vector& theta, Workspace& work, Vector& dtheta) const;

  // ---- mechanism_generate.cpp ----

  // Missing cells with means and frequencies as imputed values.
  Missing missing_of(const Samples& samples) const;
  void find_missing_cells();
  // Imputes the prediction from the others for each missing cell.
  void impute_predictions(const Vector& theta, const Samples& samples, bool normalised,
                          Missing& missing) const;
  // The mean square of the residuals of a column, over the values that were observed. value: where
  // the column is in Samples::values, in which discrete variables have columns too.
  double residual_square(const Workspace& work, Index column, Index value) const;
  void draw(const Vector& theta, const Slot& slot, Matrix& U, Random& random, Matrix& F,
            Matrix& values) const;

  const Samples& samples_;
  const MechanismOptions options_;
  Executor& executor_;
  ScalarNetwork g_, phi_;
  BlockGraph graph_;
  std::vector<Slot> slots_;
  std::vector<Index> output_of_;   // the feature and output of each numeric column
  std::vector<bool> through_phi_;  // for each numeric column
  Index C_ = 0, P_ = 0;
  Layout at_;
  Vector center_, scale_;  // of each numeric column
  Vector start_bias_;      // outputs that expect means and frequencies
  bool incomplete_ = false;
  Missing missing_, initial_missing_;  // with predictions, and with means and frequencies
  Workspace workspace_;
};

}  // namespace daggnn
