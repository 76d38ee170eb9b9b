#include "models/vae.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "likelihood/normal.h"

namespace daggnn {

void VaeOptions::check() const {
  if (hidden < 1) throw Error("`hidden` must be a number from 1 to Inf.");
  if (latent < 0) throw Error("`latent` must be a number from 1 to Inf.");
  if (monte_carlo < 0) throw Error("`monte_carlo` must be a number from 0 to Inf.");
  if (architecture == Architecture::linear && latent != 0) {
    throw Error("`latent` must not be given with `architecture = \"linear\"`: Z is as wide as X.");
  }
}

Vae::Vae(const Samples& samples, const Matrix& allowed, const VaeOptions& options,
         Executor& executor)
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

Vector Vae::initial(Random& random) const {
  Vector theta = Vector::Zero(parameters());
  if (has_networks()) {
    encoder_.initial(random, theta.data() + encoder_at());
    decoder_.initial(random, theta.data() + decoder_at());
  }
  for (Index j = 0; j < m_; ++j) {
    for (Index k = 0; k < samples_.variables[j].width; ++k) {
      theta[imputed_at() + k * m_ + j] = mean_of(j, k);
    }
  }
  return theta;
}

double Vae::loss(const Vector& theta, const Batch& batch, Vector& dtheta) {
  Workspace& work = workspace_;
  dtheta.tail(dtheta.size() - m_ * m_).setZero();
  work.dA = dtheta.data();
  work.dA_begun = false;
  set_graph(theta, allowed_, work);
  gather(theta, samples_, batch.rows, batch.count, work);
  encode_forward(theta, work);
  double total = divergence_forward_backward(work);
  work.dF.reshape(batch.count, m_, work.F.components());
  work.dF.set_zero();
  const Index draws = std::max<Index>(1, options_.monte_carlo);
  for (Index draw = 0; draw < draws; ++draw) {
    sample_forward(batch.seed, draw, work);
    decode_forward(theta, work);
    total += reconstruction_forward_backward(draws, work);
    decode_backward(theta, work, dtheta);
    sample_backward(work);
  }
  encode_backward(theta, work, dtheta);
  imputed_backward(work, dtheta);
  for (const Index entry : forbidden_) dtheta[entry] = 0;
  return total;
}

void Vae::squared_weights(const Vector& theta, Matrix& S) const {
  S.resize(m_, m_);
  for_each_child(
      [&](Index j) { S.col(j) = graph(theta).col(j).cwiseProduct(allowed_.col(j)).cwiseAbs2(); });
}

void Vae::squared_weights_backward(const Vector& theta, const Matrix& dS, Vector& dtheta) const {
  Eigen::Map<Matrix> dA(dtheta.data(), m_, m_);
  for_each_child([&](Index j) {
    dA.col(j) += 2 * graph(theta).col(j).cwiseProduct(allowed_.col(j)).cwiseProduct(dS.col(j));
  });
}

Matrix Vae::predict(const Vector& theta, const Samples& samples) const {
  Matrix result(samples.n(), outputs());
  Workspace work;
  set_graph(theta, allowed_, work);
  std::vector<Index> rows;
  for (Index first = 0; first < samples.n(); first += rows_at_once) {
    const Index count = std::min(rows_at_once, samples.n() - first);
    rows.resize(static_cast<std::size_t>(count));
    std::iota(rows.begin(), rows.end(), first);
    gather(theta, samples, rows.data(), count, work);
    encode_forward(theta, work);
    work.drawn = false;
    take_mean(work);
    decode_forward(theta, work);
    Index output = 0;
    for (Index j = 0; j < m_; ++j) {
      const Variable& variable = samples_.variables[j];
      const Likelihood& likelihood = likelihood_of(variable.distribution());
      for (Index r = 0; r < count; ++r) {
        likelihood.expect(variable.width, work.O.stride(), work.O.column(0, j) + r);
      }
      for (Index k = 0; k < variable.width; ++k, ++output) {
        result.col(output).segment(first, count) =
            Eigen::Map<const Vector>(work.O.column(k, j), count);
      }
    }
  }
  return result;
}

Matrix Vae::simulate(const Vector& theta, const Matrix& edges, Index n, Random& random) const {
  Matrix result(n, samples_.values.cols());
  Workspace work;
  set_graph(theta, allowed_.cwiseProduct((edges.array() != 0).cast<double>().matrix()), work);
  for (Index first = 0; first < n; first += rows_at_once) {
    const Index count = std::min(rows_at_once, n - first);
    work.Z.reshape(count, m_, d_Z_);
    work.drawn = true;
    for (Index e = 0; e < work.Z.size(); ++e) work.Z.data()[e] = random.normal();
    decode_forward(theta, work);
    for (Index j = 0; j < m_; ++j) draw_variable(j, first, work, random, result);
  }
  return result;
}

Index Vae::widest(const Samples& samples) {
  Index width = 1;
  for (const Variable& variable : samples.variables) width = std::max(width, variable.width);
  return width;
}

Index Vae::outputs() const {
  Index total = 0;
  for (const Variable& variable : samples_.variables) total += variable.width;
  return total;
}

double Vae::mean_of(Index j, Index k) const {
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

void Vae::set_graph(const Vector& theta, const Matrix& allowed, Workspace& work) const {
  work.drawn = options_.monte_carlo > 0;
  work.B.resize(m_, m_);
  for_each_child([&](Index j) {
    work.B.col(j) = -graph(theta).col(j).cwiseProduct(allowed.col(j));
    work.B(j, j) += 1;
  });
  work.B_inverse.resize(0, 0);
}

void Vae::gather(const Vector& theta, const Samples& samples, const Index* rows, Index count,
                 Workspace& work) const {
  work.X.reshape(count, m_, d_);
  const bool training = &samples == &samples_, whole = !incomplete_ && training;
  const Index step = training ? by_row_.rows() : 1;
  work.seen.reshape(whole ? 0 : count, m_, d_);
  for_each_variable([&](Index j) {
    const Variable& variable = samples.variables[j];
    for (Index k = 0; k < d_; ++k) {
      double* const x = work.X.column(k, j);
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
      double* const seen = work.seen.column(k, j);
      const double imputed = theta[imputed_at() + k * m_ + j];
      for (Index r = 0; r < count; ++r) {
        seen[r] = std::isnan(values[rows[r] * step]) ? 0 : 1;
        if (seen[r] == 0) x[r] = imputed;
      }
    }
  });
}

void Vae::imputed_backward(const Workspace& work, Vector& dtheta) const {
  if (work.seen.size() == 0) return;
  for (Index j = 0; j < m_; ++j) {
    for (Index k = 0; k < samples_.variables[j].width; ++k) {
      const double *const seen = work.seen.column(k, j), *const dX = work.dX.column(k, j);
      for (Index r = 0; r < work.seen.rows(); ++r) {
        if (seen[r] == 0) dtheta[imputed_at() + k * m_ + j] += dX[r];
      }
    }
  }
}

void Vae::network_forward(const Perceptron& network, const double* weights, const Tensor& in,
                          PerceptronCache& trace, Tensor& out) const {
  out.reshape(in.rows(), m_, has_networks() ? network.out : network.in);
  if (has_networks()) {
    network.forward(weights, in.stride(), in.data(), in.stride(), out.data(), out.stride(), trace,
                    executor_);
  } else {
    std::copy(in.data(), in.data() + out.size(), out.data());
  }
}

void Vae::network_backward(const Perceptron& network, const double* weights, const Tensor& in,
                           const Tensor& dout, PerceptronCache& trace, double* din,
                           double* dweights) const {
  if (has_networks()) {
    network.backward(weights, in.stride(), in.data(), in.stride(), dout.data(), dout.stride(), din,
                     in.stride(), dweights, trace, executor_);
  } else if (din != nullptr) {
    const Index size = in.stride() * network.in;
    for (Index e = 0; e < size; ++e) din[e] += dout.data()[e];
  }
}

void Vae::product_forward(const Tensor& in, const Matrix& B, Tensor& out) const {
  out.reshape(in.rows(), m_, in.components());
  for (Index k = 0; k < in.components(); ++k) {
    gemm(in.rows(), m_, m_, 1, {in.plane(k), in.rows()}, {B.data(), m_}, 0, out.plane(k), in.rows(),
         executor_);
  }
}

void Vae::product_backward(const Tensor& dout, Index components, const Matrix& B,
                           Tensor& din) const {
  for (Index k = 0; k < components; ++k) {
    gemm(dout.rows(), m_, m_, 1, {dout.plane(k), dout.rows()}, {B.data(), m_, true}, 1,
         din.plane(k), din.rows(), executor_);
  }
}

void Vae::graph_backward(double scale, const Tensor& left, const Tensor& right, Index components,
                         Workspace& work) const {
  for (Index k = 0; k < components; ++k, work.dA_begun = true) {
    gemm(m_, m_, left.rows(), scale, {left.plane(k), left.rows(), true},
         {right.plane(k), right.rows()}, work.dA_begun ? 1 : 0, work.dA, m_, executor_);
  }
}

void Vae::encode_forward(const Vector& theta, Workspace& work) const {
  const double* const weights = theta.data() + encoder_at();
  if (graph_first()) {
    product_forward(work.X, work.B, work.F);
    network_forward(encoder_, weights, work.F, work.encoder, work.M);
  } else {
    network_forward(encoder_, weights, work.X, work.encoder, work.F);
    product_forward(work.F, work.B, work.M);
  }
  if (!has_networks()) append_log_spreads(weights, e_Z_ - d_Z_, work.M);
}

void Vae::encode_backward(const Vector& theta, Workspace& work, Vector& dtheta) const {
  const double* const weights = theta.data() + encoder_at();
  double* const dweights = dtheta.data() + encoder_at();
  work.dX.reshape(work.X.rows(), m_, work.seen.size() > 0 ? d_ : 0);
  work.dX.set_zero();
  double* const dX = work.seen.size() > 0 ? work.dX.data() : nullptr;
  if (graph_first()) {
    network_backward(encoder_, weights, work.F, work.dM, work.encoder, work.dF.data(), dweights);
    graph_backward(-1, work.X, work.dF, d_, work);
    product_backward(work.dF, work.dX.components(), work.B, work.dX);
  } else {
    graph_backward(-1, work.F, work.dM, work.F.components(), work);
    product_backward(work.dM, work.F.components(), work.B, work.dF);
    network_backward(encoder_, weights, work.X, work.dF, work.encoder, dX, dweights);
  }
  if (!has_networks()) log_spreads_backward(work.dM, d_Z_, dweights);
}

void Vae::take_mean(Workspace& work) const {
  if (decoder_undoes_encoder(work)) return;
  work.Z.reshape(work.M.rows(), m_, d_Z_);
  std::copy(work.M.data(), work.M.data() + work.Z.size(), work.Z.data());
}

void Vae::sample_forward(std::uint64_t seed, Index draw, Workspace& work) const {
  take_mean(work);
  if (!work.drawn) return;
  const Index rows = work.M.rows();
  work.noise.reshape(rows, m_, d_Z_);
  work.noise.set_zero();
  for (Index j = 0; j < m_; ++j) {
    for (Index k = 0; k < latent_width(j); ++k) {
      Random random(seed, static_cast<std::uint64_t>((draw * d_Z_ + k) * m_ + j));
      double *const noise = work.noise.column(k, j), *const Z = work.Z.column(k, j);
      for (Index r = 0; r < rows; ++r) {
        noise[r] = random.normal();
        if (options_.learn_encoder_spread) {
          noise[r] *= std::exp(bounded_log_spread(work.M.column(d_Z_ + k, j)[r]));
        }
        Z[r] += noise[r];
      }
    }
  }
}

void Vae::sample_backward(Workspace& work) const {
  if (decoder_undoes_encoder(work)) return;
  for (Index e = 0; e < work.dZ.size(); ++e) work.dM.data()[e] += work.dZ.data()[e];
  if (!work.drawn || !options_.learn_encoder_spread) return;
  const double* const log_spread = work.M.plane(d_Z_);
  double* const dlog_spread = work.dM.plane(d_Z_);
  for (Index e = 0; e < work.dZ.size(); ++e) {
    dlog_spread[e] +=
        work.dZ.data()[e] * work.noise.data()[e] * bounded_log_spread_backward(log_spread[e]);
  }
}

void Vae::decode_forward(const Vector& theta, Workspace& work) const {
  const double* const weights = theta.data() + decoder_at();
  if (graph_first()) {
    network_forward(decoder_, weights, work.Z, work.decoder, work.Y);
    product_forward(work.Y, inverse(work), work.O);
  } else if (decoder_undoes_encoder(work)) {
    network_forward(decoder_, weights, work.F, work.decoder, work.O);
  } else {
    product_forward(work.Z, inverse(work), work.Y);
    network_forward(decoder_, weights, work.Y, work.decoder, work.O);
  }
  if (!has_networks()) append_log_spreads(weights, e_X_ - d_, work.O);
}

void Vae::decode_backward(const Vector& theta, Workspace& work, Vector& dtheta) const {
  const double* const weights = theta.data() + decoder_at();
  double* const dweights = dtheta.data() + decoder_at();
  if (!has_networks()) log_spreads_backward(work.dO, d_, dweights);
  if (decoder_undoes_encoder(work)) {
    network_backward(decoder_, weights, work.F, work.dO, work.decoder, work.dF.data(), dweights);
    return;
  }
  work.dY.reshape(work.O.rows(), m_, work.Y.components());
  work.dY.set_zero();
  work.dZ.reshape(work.O.rows(), m_, d_Z_);
  work.dZ.set_zero();
  if (graph_first()) {
    product_backward(work.dO, e_X_, inverse(work), work.dY);
    graph_backward(1, work.O, work.dY, e_X_, work);
    network_backward(decoder_, weights, work.Z, work.dY, work.decoder, work.dZ.data(), dweights);
  } else {
    network_backward(decoder_, weights, work.Y, work.dO, work.decoder, work.dY.data(), dweights);
    product_backward(work.dY, d_Z_, inverse(work), work.dZ);
    graph_backward(1, work.Y, work.dZ, d_Z_, work);
  }
}

void Vae::append_log_spreads(const double* log_spreads, Index count, Tensor& planes) const {
  if (count == 0) return;
  planes.append(count);
  for (Index k = 0; k < count; ++k) {
    double* const plane = planes.plane(planes.components() - count + k);
    std::fill(plane, plane + planes.stride(), log_spreads[k]);
  }
}

void Vae::log_spreads_backward(const Tensor& dplanes, Index first, double* dlog_spreads) const {
  for (Index k = first; k < dplanes.components(); ++k) {
    dlog_spreads[k - first] += Eigen::Map<const Vector>(dplanes.plane(k), dplanes.stride()).sum();
  }
}

double Vae::divergence_forward_backward(Workspace& work) const {
  const Index rows = work.M.rows();
  const double share = 1 / static_cast<double>(rows);
  work.dM.reshape(rows, m_, e_Z_);
  return sum_over_variables(work, [&](Index j) {
    double total = 0;
    work.dM.set_zero(j);
    for (Index k = 0; k < latent_width(j); ++k) {
      total += options_.learn_encoder_spread
                   ? daggnn::divergence_forward_backward(
                         rows, work.M.column(k, j), work.M.column(d_Z_ + k, j), share,
                         work.dM.column(k, j), work.dM.column(d_Z_ + k, j))
                   : unit_divergence_forward_backward(rows, work.M.column(k, j), share,
                                                      work.dM.column(k, j));
    }
    return total;
  });
}

double Vae::reconstruction_forward_backward(Index draws, Workspace& work) const {
  const Index rows = work.O.rows();
  const double share = 1 / static_cast<double>(rows * draws);
  work.dO.reshape(rows, m_, e_X_);
  return sum_over_variables(work, [&](Index j) {
    const Variable& variable = samples_.variables[j];
    work.dO.set_zero(j);
    Observations of{rows,
                    variable.width,
                    work.O.stride(),
                    work.X.column(0, j),
                    work.seen.size() == 0 ? nullptr : work.seen.column(0, j),
                    work.O.column(0, j),
                    share,
                    work.dO.column(0, j)};
    if (options_.learn_decoder_spread) {
      of.log_spread = work.O.column(d_, j);
      of.dlog_spread = work.dO.column(d_, j);
    }
    return likelihood_of(variable.distribution()).loss_forward_backward(of);
  });
}

void Vae::draw_variable(Index j, Index first, const Workspace& work, Random& random,
                        Matrix& result) const {
  const Variable& variable = samples_.variables[j];
  const Likelihood& likelihood = likelihood_of(variable.distribution());
  std::vector<double> expected(static_cast<std::size_t>(variable.width));
  for (Index r = 0; r < work.O.rows(); ++r) {
    for (Index k = 0; k < variable.width; ++k) {
      expected[static_cast<std::size_t>(k)] = work.O.column(k, j)[r];
    }
    if (variable.distribution() != Distribution::normal) {
      likelihood.expect(variable.width, 1, expected.data());
      const NoiseDraw from{random.uniform(), random.normal()};
      result(first + r, variable.first) = likelihood.draw(variable.width, 1, expected.data(), from);
      continue;
    }
    for (Index k = 0; k < variable.width; ++k) {
      double value = expected[static_cast<std::size_t>(k)];
      if (options_.learn_decoder_spread) {
        value += random.normal() * std::exp(bounded_log_spread(work.O.column(d_ + k, j)[r]));
      }
      result(first + r, variable.first + k) = value;
    }
  }
}

}  // namespace daggnn
