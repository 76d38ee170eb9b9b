// The paper's model (sections 3.1 to 3.5): a variational autoencoder whose encoder and decoder pass
// the variables through one shared graph.
//
//   encoder   [M_Z | log S_Z] = (I - A^T) MLP(X; W1, W2)
//   decoder   [M_X | log S_X] = MLP((I - A^T)^-1 Z; W3, W4)
//
// clang-format off
//   b    rows of the minibatch         m    variables
//   d    the widest variable (components, or levels of a discrete one: one-hot); narrower ones are
//        padded with zeros, and the padding has no part in the loss
//   d_Z  components of Z               e_Z  d_Z, or 2 d_Z where S_Z is learned; e_X likewise
//   X    b x m x d, Z b x m x d_Z: tensors (linalg/tensor.h) with a sample to a row, so that
//        (I - A^T) acts as the product with B = I - A from the right
// clang-format on
//
//   loss = reconstruction + KL, the mean over the batch: minus the ELBO up to constants
//
// A missing value has no part in the reconstruction; the encoder sees an imputed value in its
// place, one for each variable and component, that is learned with the networks.
#pragma once

#include <vector>

#include "base/enumeration.h"
#include "base/executor.h"
#include "data/samples.h"
#include "likelihood/likelihood.h"
#include "linalg/gemm.h"
#include "linalg/tensor.h"
#include "models/model.h"
#include "nn/perceptron.h"

namespace daggnn {

// paper: as above. switched: the perceptron and the identity exchanged, encoder MLP((I - A^T) X),
// decoder (I - A^T)^-1 MLP(Z). linear: no perceptron at all; on continuous data with Z = M_Z the
// loss is the least squares of NOTEARS.
enum class Architecture { paper, switched, linear };
constexpr Name<Architecture> architecture_names[] = {{"paper", Architecture::paper},
                                                     {"switched", Architecture::switched},
                                                     {"linear", Architecture::linear}};

struct VaeOptions {
  Architecture architecture = Architecture::paper;
  Index hidden = 64;                  // units of each perceptron, >= 1
  Index latent = 0;                   // d_Z, >= 1; 0: as wide as the data, d
  bool biases = true;                 // b1 and b2 in the perceptrons
  Index monte_carlo = 0;              // L, samples of Z for each row; 0: Z = M_Z
  bool learn_encoder_spread = false;  // S_Z; else 1
  bool learn_decoder_spread = false;  // S_X of continuous variables; else 1

  void check() const;
};

class Vae final : public Model {
 public:
  // allowed: m x m, 1 where an edge i -> j may be, else 0. Samples and executor outlive the model.
  Vae(const Samples& samples, const Matrix& allowed, const VaeOptions& options, Executor& executor);

  Executor& executor() const override { return executor_; }
  Index variables() const override { return m_; }
  Index graph_parameters() const override { return m_ * m_; }
  Index parameters() const override { return imputed_at() + m_ * d_; }

  // A starts at 0, an imputed value at the mean of its variable.
  Vector initial(Random& random) const override;

  double loss(const Vector& theta, const Batch& batch, Vector& dtheta) override;

  void squared_weights(const Vector& theta, Matrix& S) const override;

  void squared_weights_backward(const Vector& theta, const Matrix& dS,
                                Vector& dtheta) const override;

  // The decoder's mean or probabilities for Z = M_Z.
  Matrix predict(const Vector& theta, const Samples& samples) const override;

  // Z ~ N(0, I) through the decoder; a level is drawn by its probability. A continuous variable is
  // its mean M_X, plus noise of spread S_X only where the data, not a convention, gave S_X.
  Matrix simulate(const Vector& theta, const Matrix& edges, Index n, Random& random) const override;

 private:
  // Rows that prediction and simulation handle at a time.
  static constexpr Index rows_at_once = 256;
  // Simple operations for the values that a variable has in a batch, roughly.
  static constexpr double work_per_value = 500;

  // Everything between X and the loss, and its gradients; kept from step to step.
  struct Workspace {
    Matrix B, B_inverse;    // m x m
    double* dA = nullptr;   // m x m, where the gradient is wanted; B = I - A
    bool dA_begun = false;  // something has been written there
    Tensor X, seen;         // d; seen is 0 where a value is missing, and empty where none is
    Tensor F, M;            // within and after the encoder; M = [M_Z | log S_Z], e_Z
    Tensor noise, Z;        // d_Z
    Tensor Y, O;            // within and after the decoder; O = [M_X | log S_X], e_X
    Tensor dX, dF, dM, dZ, dY, dO;
    Vector terms;  // of the loss, m
    PerceptronCache encoder, decoder;
    bool drawn = false;  // Z is not M_Z
  };

  bool has_networks() const { return options_.architecture != Architecture::linear; }
  bool graph_first() const { return options_.architecture == Architecture::switched; }

  // With Z = M_Z = MLP(X) B the decoder's Z B^-1 is MLP(X) itself, and the two gradients through B
  // cancel as well: no inverse is needed, and half of the products fall away.
  bool decoder_undoes_encoder(const Workspace& work) const { return !work.drawn && !graph_first(); }

  // Components of Z that belong to a variable: without networks, those of the variable itself.
  Index latent_width(Index j) const { return has_networks() ? d_Z_ : samples_.variables[j].width; }

  // Where each part begins in theta: A, the encoder, the decoder (without networks: log S_Z and
  // log S_X for each component), the imputed values (m for each component).
  Index encoder_at() const { return m_ * m_; }
  Index decoder_at() const {
    return encoder_at() + (has_networks() ? encoder_.parameters() : e_Z_ - d_Z_);
  }
  Index imputed_at() const {
    return decoder_at() + (has_networks() ? decoder_.parameters() : e_X_ - d_);
  }

  Eigen::Map<const Matrix> graph(const Vector& theta) const { return {theta.data(), m_, m_}; }

  static Index widest(const Samples& samples);

  Index outputs() const;

  // The mean of component k of variable j, or the frequency of its level k, over what is seen.
  double mean_of(Index j, Index k) const;

  void set_graph(const Vector& theta, const Matrix& allowed, Workspace& work) const;

  static const Matrix& inverse(Workspace& work) {
    if (work.B_inverse.size() == 0) work.B_inverse = work.B.inverse();
    return work.B_inverse;
  }

  // X: the rows of the batch, with imputed values where a value is missing.
  void gather(const Vector& theta, const Samples& samples, const Index* rows, Index count,
              Workspace& work) const;

  void imputed_backward(const Workspace& work, Vector& dtheta) const;

  // out = MLP(in), or in itself where there are no networks.
  void network_forward(const Perceptron& network, const double* weights, const Tensor& in,
                       PerceptronCache& trace, Tensor& out) const;

  // din += and dweights +=; din is null where it is not wanted.
  void network_backward(const Perceptron& network, const double* weights, const Tensor& in,
                        const Tensor& dout, PerceptronCache& trace, double* din,
                        double* dweights) const;

  // out = in B, plane by plane.
  void product_forward(const Tensor& in, const Matrix& B, Tensor& out) const;

  // din += dout B^T for the first `components` planes.
  void product_backward(const Tensor& dout, Index components, const Matrix& B, Tensor& din) const;

  // dA += scale * left^T right, summed over the planes.
  void graph_backward(double scale, const Tensor& left, const Tensor& right, Index components,
                      Workspace& work) const;

  void encode_forward(const Vector& theta, Workspace& work) const;

  // From dM, and dF as the decoder left it, to dA, the weights and dX.
  void encode_backward(const Vector& theta, Workspace& work, Vector& dtheta) const;

  // Z = M_Z, not needed where the decoder undoes the encoder.
  void take_mean(Workspace& work) const;

  // Z = M_Z, or M_Z + S_Z o noise; each column of noise has its own random stream.
  void sample_forward(std::uint64_t seed, Index draw, Workspace& work) const;

  // dM += from dZ; where the inverse was not needed, dF has it already.
  void sample_backward(Workspace& work) const;

  void decode_forward(const Vector& theta, Workspace& work) const;

  // From dO to the weights, dZ and dA; or to dF where the decoder undoes the encoder.
  // Out = In B^-1 gives dIn = dOut B^-T and dB = -Out^T dIn, and dA = -dB.
  void decode_backward(const Vector& theta, Workspace& work, Vector& dtheta) const;

  // Without networks log S is one parameter for each component: `count` more planes of `planes`.
  void append_log_spreads(const double* log_spreads, Index count, Tensor& planes) const;

  void log_spreads_backward(const Tensor& dplanes, Index first, double* dlog_spreads) const;

  // Calls body(j) for the columns of A.
  template <class Body>
  void for_each_child(const Body& body) const {
    for_each_block(executor_, m_, static_cast<double>(m_), [&](Index first, Index some) {
      for (Index j = first; j < first + some; ++j) body(j);
    });
  }

  // Calls body(j) for all variables, each of which does some work for every row of the batch.
  template <class Body>
  void for_each_variable(const Body& body) const {
    for_each_block(executor_, m_, work_per_value * static_cast<double>(d_),
                   [&](Index first, Index some) {
                     for (Index j = first; j < first + some; ++j) body(j);
                   });
  }

  // The sum of body(j) over all variables, added in their order.
  template <class Body>
  double sum_over_variables(Workspace& work, const Body& body) const {
    work.terms.resize(m_);
    for_each_variable([&](Index j) { work.terms[j] = body(j); });
    return work.terms.sum();
  }

  // The KL term; writes dM.
  double divergence_forward_backward(Workspace& work) const;

  // The reconstruction term of one of `draws` samples; writes dO.
  double reconstruction_forward_backward(Index draws, Workspace& work) const;

  void draw_variable(Index j, Index first, const Workspace& work, Random& random,
                     Matrix& result) const;

  const Samples& samples_;
  Matrix allowed_;
  std::vector<Index> forbidden_;  // entries of A that are not allowed
  const VaeOptions options_;
  Executor& executor_;
  const Index m_, d_, d_Z_, e_Z_, e_X_;
  const Perceptron encoder_, decoder_;
  // The values of a row side by side: a batch is rows from here and there, and in columns each
  // value would be far from the others.
  Matrix by_row_;
  bool incomplete_ = false;  // some value is missing
  Workspace workspace_;
};

}  // namespace daggnn
