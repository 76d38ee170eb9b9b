// The paper's model (sections 3.1 to 3.5): a variational autoencoder whose encoder and decoder pass
// the variables through one shared graph.
//
//   encoder   [M_Z | log S_Z] = (I - A^T) MLP(X; W1, W2)
//   decoder   [M_X | log S_X] = MLP((I - A^T)^-1 Z; W3, W4)
//
//   b    rows of the minibatch         m    variables
//   d    the widest variable (components, or levels of a discrete one: one-hot); narrower ones are
//        padded with zeros, and the padding has no part in the loss
//   d_Z  components of Z               e_Z  d_Z, or 2 d_Z where S_Z is learned; e_X likewise
//   X    b x m x d, Z b x m x d_Z: planes (planes.h), a sample to a row, so that (I - A^T) acts as
//   the
//        product with B = I - A from the right
//   loss = reconstruction + KL, the mean over the batch: minus the ELBO up to constants
//
// A value that is missing has no part in the reconstruction, and the encoder sees a stand-in for
// it, one for each variable and component, that is learned with the networks.
#pragma once

#include <string>
#include <vector>

#include "executor.h"
#include "gemm.h"
#include "likelihood.h"
#include "model.h"
#include "network.h"
#include "planes.h"
#include "samples.h"

namespace daggnn {

// paper: as above. switched: the perceptron and the identity exchanged, encoder MLP((I - A^T) X),
// decoder (I - A^T)^-1 MLP(Z). linear: no perceptron at all; on continuous data with Z = M_Z the
// loss is the least squares of NOTEARS.
enum class Architecture { paper, switched, linear };

struct VaeOptions {
  Architecture architecture = Architecture::paper;
  Index hidden = 64;                  // units of each perceptron, >= 1
  Index latent = 0;                   // d_Z, >= 1; 0: as wide as the data, d
  bool biases = true;                 // b1 and b2 in the perceptrons
  Index monte_carlo = 0;              // L, samples of Z for each row; 0: Z = M_Z
  bool learn_encoder_spread = false;  // S_Z; else 1
  bool learn_decoder_spread = false;  // S_X of continuous variables; else 1

  void check() const {
    if (hidden < 1) throw Error("`hidden` must be a number from 1 to Inf.");
    if (latent < 0) throw Error("`latent` must be a number from 1 to Inf.");
    if (monte_carlo < 0) throw Error("`monte_carlo` must be a number from 0 to Inf.");
    if (architecture == Architecture::linear && latent != 0) {
      throw Error(
          "`latent` must not be given with `architecture = \"linear\"`: Z is as wide as X.");
    }
  }
};

class Vae final : public Model {
 public:
  // allowed: m x m, 1 where an edge i -> j may be, else 0. Samples and executor outlive the model.
  Vae(const Samples& samples, const Matrix& allowed, const VaeOptions& options, Executor& executor)
      : samples_(samples),
        allowed_(allowed),
        options_(options),
        executor_(executor),
        m_(samples.m()),
        d_(widest(samples)),
        d_Z_(options.latent == 0 ? d_ : options.latent),
        e_Z_(options.learn_encoder_spread ? 2 * d_Z_ : d_Z_),
        e_X_(options.learn_decoder_spread ? 2 * d_ : d_),
        encoder_{d_, options.hidden, e_Z_, options.biases},
        decoder_{d_Z_, options.hidden, e_X_, options.biases} {
    options.check();
    allowed_.diagonal().setZero();
    for (Index entry = 0; entry < m_ * m_; ++entry) {
      if (allowed_(entry) == 0) forbidden_.push_back(entry);
    }
    by_row_ = samples.values.transpose();
    for (Index r = 0; r < samples.n() && !incomplete_; ++r) {
      incomplete_ = samples.values.row(r).hasNaN();
    }
  }

  Executor& executor() const override { return executor_; }
  Index variables() const override { return m_; }
  Index graph_parameters() const override { return m_ * m_; }
  Index parameters() const override { return stand_ins_at() + m_ * d_; }

  // A starts at 0; a stand-in at the mean of what it stands for.
  Vector initial(Random& random) const override {
    Vector theta = Vector::Zero(parameters());
    if (has_networks()) {
      encoder_.initial(random, theta.data() + encoder_at());
      decoder_.initial(random, theta.data() + decoder_at());
    }
    for (Index j = 0; j < m_; ++j) {
      for (Index k = 0; k < samples_.variables[j].width; ++k) {
        theta[stand_ins_at() + k * m_ + j] = mean_of(j, k);
      }
    }
    return theta;
  }

  double loss(const Vector& theta, const Batch& batch, Vector& dtheta) override {
    Pass& pass = pass_;
    dtheta.tail(dtheta.size() - m_ * m_).setZero();
    pass.dA = dtheta.data();
    pass.dA_begun = false;
    set_graph(theta, allowed_, pass);
    gather(theta, samples_, batch.rows, batch.count, pass);
    encode_forward(theta, pass);
    double total = divergence_forward_backward(pass);
    pass.dF.reshape(batch.count, m_, pass.F.components());
    pass.dF.set_zero();
    const Index draws = std::max<Index>(1, options_.monte_carlo);
    for (Index draw = 0; draw < draws; ++draw) {
      sample_forward(batch.seed, draw, pass);
      decode_forward(theta, pass);
      total += reconstruction_forward_backward(draws, pass);
      decode_backward(theta, pass, dtheta);
      sample_backward(pass);
    }
    encode_backward(theta, pass, dtheta);
    stand_ins_backward(pass, dtheta);
    for (const Index entry : forbidden_) dtheta[entry] = 0;
    return total;
  }

  void strengths(const Vector& theta, Matrix& S) const override {
    S.resize(m_, m_);
    for_each_child(
        [&](Index j) { S.col(j) = graph(theta).col(j).cwiseProduct(allowed_.col(j)).cwiseAbs2(); });
  }

  void strengths_backward(const Vector& theta, const Matrix& dS, Vector& dtheta) const override {
    Eigen::Map<Matrix> dA(dtheta.data(), m_, m_);
    for_each_child([&](Index j) {
      dA.col(j) += 2 * graph(theta).col(j).cwiseProduct(allowed_.col(j)).cwiseProduct(dS.col(j));
    });
  }

  // The decoder's mean or probabilities for Z = M_Z.
  Matrix predict(const Vector& theta, const Samples& samples) const override {
    Matrix result(samples.n(), outputs());
    Pass pass;
    set_graph(theta, allowed_, pass);
    std::vector<Index> rows;
    for (Index first = 0; first < samples.n(); first += rows_at_once) {
      const Index count = std::min(rows_at_once, samples.n() - first);
      rows.resize(static_cast<std::size_t>(count));
      std::iota(rows.begin(), rows.end(), first);
      gather(theta, samples, rows.data(), count, pass);
      encode_forward(theta, pass);
      pass.drawn = false;
      take_mean(pass);
      decode_forward(theta, pass);
      Index output = 0;
      for (Index j = 0; j < m_; ++j) {
        const Variable& variable = samples_.variables[j];
        for (Index r = 0; r < count && variable.kind == Kind::discrete; ++r) {
          softmax(variable.width, pass.O.stride(), pass.O.column(0, j) + r,
                  pass.O.column(0, j) + r);
        }
        for (Index k = 0; k < variable.width; ++k, ++output) {
          result.col(output).segment(first, count) =
              Eigen::Map<const Vector>(pass.O.column(k, j), count);
        }
      }
    }
    return result;
  }

  // Z ~ N(0, I) through the decoder; a level is drawn by its probability. A continuous variable is
  // its mean M_X, plus noise of spread S_X only where the data, not a convention, gave S_X.
  Matrix simulate(const Vector& theta, const Matrix& edges, Index n,
                  Random& random) const override {
    Matrix result(n, samples_.values.cols());
    Pass pass;
    set_graph(theta, allowed_.cwiseProduct((edges.array() != 0).cast<double>().matrix()), pass);
    for (Index first = 0; first < n; first += rows_at_once) {
      const Index count = std::min(rows_at_once, n - first);
      pass.Z.reshape(count, m_, d_Z_);
      pass.drawn = true;
      for (Index e = 0; e < pass.Z.size(); ++e) pass.Z.data()[e] = random.normal();
      decode_forward(theta, pass);
      for (Index j = 0; j < m_; ++j) draw_variable(j, first, pass, random, result);
    }
    return result;
  }

 private:
  // Rows that prediction and simulation handle at a time.
  static constexpr Index rows_at_once = 256;
  // Simple operations for the values that a variable has in a batch, roughly.
  static constexpr double work_per_value = 500;

  // Everything between X and the loss, and its gradients; kept from step to step.
  struct Pass {
    Matrix B, B_inverse;    // m x m
    double* dA = nullptr;   // m x m, where the gradient is wanted; B = I - A
    bool dA_begun = false;  // something has been written there
    Planes X, seen;         // d; seen is 0 where a value is missing, and empty where none is
    Planes F, M;            // within and after the encoder; M = [M_Z | log S_Z], e_Z
    Planes noise, Z;        // d_Z
    Planes Y, O;            // within and after the decoder; O = [M_X | log S_X], e_X
    Planes dX, dF, dM, dZ, dY, dO;
    Vector terms;  // of the loss, m
    PerceptronTrace encoder, decoder;
    bool drawn = false;  // Z is not M_Z
  };

  bool has_networks() const { return options_.architecture != Architecture::linear; }
  bool graph_first() const { return options_.architecture == Architecture::switched; }

  // With Z = M_Z = MLP(X) B the decoder's Z B^-1 is MLP(X) itself, and the two gradients through B
  // cancel as well: no inverse is needed, and half of the products fall away.
  bool decoder_undoes_encoder(const Pass& pass) const { return !pass.drawn && !graph_first(); }

  // Components of Z that belong to a variable: without networks, those of the variable itself.
  Index latent_width(Index j) const { return has_networks() ? d_Z_ : samples_.variables[j].width; }

  // Where each part begins in theta: A, the encoder, the decoder (without networks: log S_Z and
  // log S_X for each component), the stand-ins (m for each component).
  Index encoder_at() const { return m_ * m_; }
  Index decoder_at() const {
    return encoder_at() + (has_networks() ? encoder_.parameters() : e_Z_ - d_Z_);
  }
  Index stand_ins_at() const {
    return decoder_at() + (has_networks() ? decoder_.parameters() : e_X_ - d_);
  }

  Eigen::Map<const Matrix> graph(const Vector& theta) const { return {theta.data(), m_, m_}; }

  static Index widest(const Samples& samples) {
    Index width = 1;
    for (const Variable& variable : samples.variables) width = std::max(width, variable.width);
    return width;
  }

  Index outputs() const {
    Index total = 0;
    for (const Variable& variable : samples_.variables) total += variable.width;
    return total;
  }

  // The mean of component k of variable j, or the frequency of its level k, over what is seen.
  double mean_of(Index j, Index k) const {
    const Variable& variable = samples_.variables[j];
    const bool discrete = variable.kind == Kind::discrete;
    double sum = 0, count = 0;
    for (Index r = 0; r < samples_.n(); ++r) {
      const double value = samples_.values(r, variable.first + (discrete ? 0 : k));
      if (std::isnan(value)) continue;
      sum += discrete ? static_cast<double>(value == static_cast<double>(k)) : value;
      ++count;
    }
    return count > 0 ? sum / count : 0;
  }

  void set_graph(const Vector& theta, const Matrix& allowed, Pass& pass) const {
    pass.drawn = options_.monte_carlo > 0;
    pass.B.resize(m_, m_);
    for_each_child([&](Index j) {
      pass.B.col(j) = -graph(theta).col(j).cwiseProduct(allowed.col(j));
      pass.B(j, j) += 1;
    });
    pass.B_inverse.resize(0, 0);
  }

  static const Matrix& inverse(Pass& pass) {
    if (pass.B_inverse.size() == 0) pass.B_inverse = pass.B.inverse();
    return pass.B_inverse;
  }

  // X: the rows of the batch, with stand-ins where a value is missing.
  void gather(const Vector& theta, const Samples& samples, const Index* rows, Index count,
              Pass& pass) const {
    pass.X.reshape(count, m_, d_);
    const bool training = &samples == &samples_, whole = !incomplete_ && training;
    const Index step = training ? by_row_.rows() : 1;
    pass.seen.reshape(whole ? 0 : count, m_, d_);
    for_each_variable([&](Index j) {
      const Variable& variable = samples.variables[j];
      for (Index k = 0; k < d_; ++k) {
        double* const x = pass.X.column(k, j);
        if (k >= variable.width) {
          std::fill(x, x + count, 0.0);
          continue;
        }
        const bool discrete = variable.kind == Kind::discrete;
        const Index column = variable.first + (discrete ? 0 : k);
        const double* const values =
            training ? by_row_.data() + column : samples.values.data() + column * samples.n();
        for (Index r = 0; r < count; ++r) {
          const double value = values[rows[r] * step];
          x[r] = discrete ? static_cast<double>(value == static_cast<double>(k)) : value;
        }
        if (whole) continue;
        double* const seen = pass.seen.column(k, j);
        const double stand_in = theta[stand_ins_at() + k * m_ + j];
        for (Index r = 0; r < count; ++r) {
          seen[r] = std::isnan(values[rows[r] * step]) ? 0 : 1;
          if (seen[r] == 0) x[r] = stand_in;
        }
      }
    });
  }

  void stand_ins_backward(const Pass& pass, Vector& dtheta) const {
    if (pass.seen.size() == 0) return;
    for (Index j = 0; j < m_; ++j) {
      for (Index k = 0; k < samples_.variables[j].width; ++k) {
        const double *const seen = pass.seen.column(k, j), *const dX = pass.dX.column(k, j);
        for (Index r = 0; r < pass.seen.rows(); ++r) {
          if (seen[r] == 0) dtheta[stand_ins_at() + k * m_ + j] += dX[r];
        }
      }
    }
  }

  // out = MLP(in), or in itself where there are no networks.
  void network_forward(const Perceptron& network, const double* weights, const Planes& in,
                       PerceptronTrace& trace, Planes& out) const {
    out.reshape(in.rows(), m_, has_networks() ? network.out : network.in);
    if (has_networks()) {
      network.forward(weights, in.stride(), in.data(), in.stride(), out.data(), out.stride(), trace,
                      executor_);
    } else {
      std::copy(in.data(), in.data() + out.size(), out.data());
    }
  }

  // din += and dweights +=; din is null where it is not wanted.
  void network_backward(const Perceptron& network, const double* weights, const Planes& in,
                        const Planes& dout, PerceptronTrace& trace, double* din,
                        double* dweights) const {
    if (has_networks()) {
      network.backward(weights, in.stride(), in.data(), in.stride(), dout.data(), dout.stride(),
                       din, in.stride(), dweights, trace, executor_);
    } else if (din != nullptr) {
      const Index size = in.stride() * network.in;
      for (Index e = 0; e < size; ++e) din[e] += dout.data()[e];
    }
  }

  // out = in B, plane by plane.
  void product_forward(const Planes& in, const Matrix& B, Planes& out) const {
    out.reshape(in.rows(), m_, in.components());
    for (Index k = 0; k < in.components(); ++k) {
      gemm(in.rows(), m_, m_, 1, {in.plane(k), in.rows()}, {B.data(), m_}, 0, out.plane(k),
           in.rows(), executor_);
    }
  }

  // din += dout B^T for the first `components` planes.
  void product_backward(const Planes& dout, Index components, const Matrix& B, Planes& din) const {
    for (Index k = 0; k < components; ++k) {
      gemm(dout.rows(), m_, m_, 1, {dout.plane(k), dout.rows()}, {B.data(), m_, true}, 1,
           din.plane(k), din.rows(), executor_);
    }
  }

  // dA += scale * left^T right, summed over the planes.
  void graph_backward(double scale, const Planes& left, const Planes& right, Index components,
                      Pass& pass) const {
    for (Index k = 0; k < components; ++k, pass.dA_begun = true) {
      gemm(m_, m_, left.rows(), scale, {left.plane(k), left.rows(), true},
           {right.plane(k), right.rows()}, pass.dA_begun ? 1 : 0, pass.dA, m_, executor_);
    }
  }

  void encode_forward(const Vector& theta, Pass& pass) const {
    const double* const weights = theta.data() + encoder_at();
    if (graph_first()) {
      product_forward(pass.X, pass.B, pass.F);
      network_forward(encoder_, weights, pass.F, pass.encoder, pass.M);
    } else {
      network_forward(encoder_, weights, pass.X, pass.encoder, pass.F);
      product_forward(pass.F, pass.B, pass.M);
    }
    if (!has_networks()) append_log_spreads(weights, e_Z_ - d_Z_, pass.M);
  }

  // From dM, and dF as the decoder left it, to dA, the weights and dX.
  void encode_backward(const Vector& theta, Pass& pass, Vector& dtheta) const {
    const double* const weights = theta.data() + encoder_at();
    double* const dweights = dtheta.data() + encoder_at();
    pass.dX.reshape(pass.X.rows(), m_, pass.seen.size() > 0 ? d_ : 0);
    pass.dX.set_zero();
    double* const dX = pass.seen.size() > 0 ? pass.dX.data() : nullptr;
    if (graph_first()) {
      network_backward(encoder_, weights, pass.F, pass.dM, pass.encoder, pass.dF.data(), dweights);
      graph_backward(-1, pass.X, pass.dF, d_, pass);
      product_backward(pass.dF, pass.dX.components(), pass.B, pass.dX);
    } else {
      graph_backward(-1, pass.F, pass.dM, pass.F.components(), pass);
      product_backward(pass.dM, pass.F.components(), pass.B, pass.dF);
      network_backward(encoder_, weights, pass.X, pass.dF, pass.encoder, dX, dweights);
    }
    if (!has_networks()) log_spreads_backward(pass.dM, d_Z_, dweights);
  }

  // Z = M_Z, not needed where the decoder undoes the encoder.
  void take_mean(Pass& pass) const {
    if (decoder_undoes_encoder(pass)) return;
    pass.Z.reshape(pass.M.rows(), m_, d_Z_);
    std::copy(pass.M.data(), pass.M.data() + pass.Z.size(), pass.Z.data());
  }

  // Z = M_Z, or M_Z + S_Z o noise; each column of noise has its own random stream.
  void sample_forward(std::uint64_t seed, Index draw, Pass& pass) const {
    take_mean(pass);
    if (!pass.drawn) return;
    const Index rows = pass.M.rows();
    pass.noise.reshape(rows, m_, d_Z_);
    pass.noise.set_zero();
    for (Index j = 0; j < m_; ++j) {
      for (Index k = 0; k < latent_width(j); ++k) {
        Random random(seed, static_cast<std::uint64_t>((draw * d_Z_ + k) * m_ + j));
        double *const noise = pass.noise.column(k, j), *const Z = pass.Z.column(k, j);
        for (Index r = 0; r < rows; ++r) {
          noise[r] = random.normal();
          if (options_.learn_encoder_spread) {
            noise[r] *= std::exp(bounded_log_spread(pass.M.column(d_Z_ + k, j)[r]));
          }
          Z[r] += noise[r];
        }
      }
    }
  }

  // dM += from dZ; where the inverse was not needed, dF has it already.
  void sample_backward(Pass& pass) const {
    if (decoder_undoes_encoder(pass)) return;
    for (Index e = 0; e < pass.dZ.size(); ++e) pass.dM.data()[e] += pass.dZ.data()[e];
    if (!pass.drawn || !options_.learn_encoder_spread) return;
    const double* const log_spread = pass.M.plane(d_Z_);
    double* const dlog_spread = pass.dM.plane(d_Z_);
    for (Index e = 0; e < pass.dZ.size(); ++e) {
      dlog_spread[e] +=
          pass.dZ.data()[e] * pass.noise.data()[e] * bounded_log_spread_backward(log_spread[e]);
    }
  }

  void decode_forward(const Vector& theta, Pass& pass) const {
    const double* const weights = theta.data() + decoder_at();
    if (graph_first()) {
      network_forward(decoder_, weights, pass.Z, pass.decoder, pass.Y);
      product_forward(pass.Y, inverse(pass), pass.O);
    } else if (decoder_undoes_encoder(pass)) {
      network_forward(decoder_, weights, pass.F, pass.decoder, pass.O);
    } else {
      product_forward(pass.Z, inverse(pass), pass.Y);
      network_forward(decoder_, weights, pass.Y, pass.decoder, pass.O);
    }
    if (!has_networks()) append_log_spreads(weights, e_X_ - d_, pass.O);
  }

  // From dO to the weights, dZ and dA; or to dF where the decoder undoes the encoder.
  // Out = In B^-1 gives dIn = dOut B^-T and dB = -Out^T dIn, and dA = -dB.
  void decode_backward(const Vector& theta, Pass& pass, Vector& dtheta) const {
    const double* const weights = theta.data() + decoder_at();
    double* const dweights = dtheta.data() + decoder_at();
    if (!has_networks()) log_spreads_backward(pass.dO, d_, dweights);
    if (decoder_undoes_encoder(pass)) {
      network_backward(decoder_, weights, pass.F, pass.dO, pass.decoder, pass.dF.data(), dweights);
      return;
    }
    pass.dY.reshape(pass.O.rows(), m_, pass.Y.components());
    pass.dY.set_zero();
    pass.dZ.reshape(pass.O.rows(), m_, d_Z_);
    pass.dZ.set_zero();
    if (graph_first()) {
      product_backward(pass.dO, e_X_, inverse(pass), pass.dY);
      graph_backward(1, pass.O, pass.dY, e_X_, pass);
      network_backward(decoder_, weights, pass.Z, pass.dY, pass.decoder, pass.dZ.data(), dweights);
    } else {
      network_backward(decoder_, weights, pass.Y, pass.dO, pass.decoder, pass.dY.data(), dweights);
      product_backward(pass.dY, d_Z_, inverse(pass), pass.dZ);
      graph_backward(1, pass.Y, pass.dZ, d_Z_, pass);
    }
  }

  // Without networks log S is one parameter for each component: `count` more planes of `planes`.
  void append_log_spreads(const double* log_spreads, Index count, Planes& planes) const {
    if (count == 0) return;
    planes.append(count);
    for (Index k = 0; k < count; ++k) {
      double* const plane = planes.plane(planes.components() - count + k);
      std::fill(plane, plane + planes.stride(), log_spreads[k]);
    }
  }

  void log_spreads_backward(const Planes& dplanes, Index first, double* dlog_spreads) const {
    for (Index k = first; k < dplanes.components(); ++k) {
      dlog_spreads[k - first] += Eigen::Map<const Vector>(dplanes.plane(k), dplanes.stride()).sum();
    }
  }

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
  double sum_over_variables(Pass& pass, const Body& body) const {
    pass.terms.resize(m_);
    for_each_variable([&](Index j) { pass.terms[j] = body(j); });
    return pass.terms.sum();
  }

  // The KL term; writes dM.
  double divergence_forward_backward(Pass& pass) const {
    const Index rows = pass.M.rows();
    const double share = 1 / static_cast<double>(rows);
    pass.dM.reshape(rows, m_, e_Z_);
    return sum_over_variables(pass, [&](Index j) {
      double total = 0;
      pass.dM.set_zero(j);
      for (Index k = 0; k < latent_width(j); ++k) {
        total += options_.learn_encoder_spread
                     ? daggnn::divergence_forward_backward(
                           rows, pass.M.column(k, j), pass.M.column(d_Z_ + k, j), share,
                           pass.dM.column(k, j), pass.dM.column(d_Z_ + k, j))
                     : unit_divergence_forward_backward(rows, pass.M.column(k, j), share,
                                                        pass.dM.column(k, j));
      }
      return total;
    });
  }

  // The reconstruction term of one of `draws` samples; writes dO.
  double reconstruction_forward_backward(Index draws, Pass& pass) const {
    const Index rows = pass.O.rows();
    const double share = 1 / static_cast<double>(rows * draws);
    pass.dO.reshape(rows, m_, e_X_);
    return sum_over_variables(pass, [&](Index j) {
      const Variable& variable = samples_.variables[j];
      double total = 0;
      pass.dO.set_zero(j);
      if (variable.kind == Kind::discrete) {
        return categorical_forward_backward(rows, variable.width, pass.O.stride(),
                                            pass.X.column(0, j), seen(pass, 0, j),
                                            pass.O.column(0, j), share, pass.dO.column(0, j));
      }
      for (Index k = 0; k < variable.width; ++k) {
        total +=
            options_.learn_decoder_spread
                ? normal_forward_backward(rows, pass.X.column(k, j), seen(pass, k, j),
                                          pass.O.column(k, j), pass.O.column(d_ + k, j), share,
                                          pass.dO.column(k, j), pass.dO.column(d_ + k, j))
                : unit_normal_forward_backward(rows, pass.X.column(k, j), seen(pass, k, j),
                                               pass.O.column(k, j), share, pass.dO.column(k, j));
      }
      return total;
    });
  }

  static const double* seen(const Pass& pass, Index k, Index j) {
    return pass.seen.size() == 0 ? nullptr : pass.seen.column(k, j);
  }

  void draw_variable(Index j, Index first, const Pass& pass, Random& random, Matrix& result) const {
    const Variable& variable = samples_.variables[j];
    std::vector<double> probabilities(static_cast<std::size_t>(variable.width));
    for (Index r = 0; r < pass.O.rows(); ++r) {
      if (variable.kind == Kind::continuous) {
        for (Index k = 0; k < variable.width; ++k) {
          double value = pass.O.column(k, j)[r];
          if (options_.learn_decoder_spread) {
            value += random.normal() * std::exp(bounded_log_spread(pass.O.column(d_ + k, j)[r]));
          }
          result(first + r, variable.first + k) = value;
        }
        continue;
      }
      Index level = 0;
      double rest = random.uniform();
      for (Index k = 0; k < variable.width; ++k) {
        probabilities[static_cast<std::size_t>(k)] = pass.O.column(k, j)[r];
      }
      softmax(variable.width, 1, probabilities.data(), probabilities.data());
      while (level + 1 < variable.width &&
             (rest -= probabilities[static_cast<std::size_t>(level)]) >= 0) {
        ++level;
      }
      result(first + r, variable.first) = static_cast<double>(level);
    }
  }

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
  Pass pass_;
};

}  // namespace daggnn
