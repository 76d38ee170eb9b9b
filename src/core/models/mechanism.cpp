#include "models/mechanism.h"

#include <cmath>

#include "data/standardisation.h"
#include "likelihood/likelihood.h"
#include "linalg/gemm.h"

namespace daggnn {

namespace {

// What g and phi keep for the way back, at most (2 MiB): more would leave the caches meanwhile.
constexpr Index most_roots = 1 << 18;

double* roots_at(const ScalarNetwork& network, Index n, Index c, std::vector<double>& roots) {
  return roots.empty() ? nullptr : roots.data() + c * network.roots_size(n);
}

}  // namespace

void MechanismOptions::check() const {
  if (feature_hidden < 0 || output_hidden < 0) {
    throw Error("the number of hidden units must not be negative");
  }
}

Mechanism::Mechanism(const Samples& samples, const Matrix& allowed, const MechanismOptions& options,
                     Executor& executor)
    : samples_(samples),
      options_(options),
      executor_(executor),
      g_(options.feature_hidden),
      phi_(options.output_hidden),
      graph_(allowed, spans_of(samples)) {
  options.check();
  lay_out();
  choose_units();
  find_missing_cells();
}

Vector Mechanism::initial(Random&) const {
  Vector theta = Vector::Zero(parameters());
  theta.segment(at_.bias, P_) = start_bias_;
  const std::vector<double> typical = typical_values();
  g_.initialise(theta.data() + at_.g, typical);
  phi_.initialise(theta.data() + at_.phi, typical);
  return theta;
}

double Mechanism::loss(const Vector& theta, const Batch& batch, Vector& dtheta) {
  Workspace& work = workspace_;
  work.backward_follows = true;
  forward(theta, samples_, missing_, batch.rows, batch.count, true, work);
  dtheta.tail(dtheta.size() - P_ * P_).setZero();  // backward() writes the rest
  const double value = likelihood(theta, work, dtheta);
  backward(theta, work, dtheta);
  return value;
}

// ---- layout and working units -------------------------------------------------------------------

std::vector<BlockGraph::Span> Mechanism::spans_of(const Samples& samples) {
  std::vector<BlockGraph::Span> spans;
  Index first = 0;
  for (const Variable& variable : samples.variables) {
    spans.push_back({first, variable.width});
    first += variable.width;
  }
  return spans;
}

void Mechanism::lay_out() {
  for (const Variable& variable : samples_.variables) {
    slots_.push_back(
        {variable.kind, variable.distribution(), P_, variable.width, C_, variable.first});
    for (Index k = 0; variable.kind == Kind::continuous && k < variable.width; ++k) {
      output_of_.push_back(P_ + k);
      through_phi_.push_back(slots_.back().through_phi());
      ++C_;
    }
    P_ += variable.width;
  }
  at_.bias = P_ * P_;
  at_.g = at_.bias + P_;
  at_.phi = at_.g + g_.parameters();
  at_.log_noise = at_.phi + phi_.parameters();
  at_.location = at_.log_noise + (learned() ? C_ : 0);
  at_.spread = at_.location + (learned() ? C_ : 0);
  at_.end = at_.spread + C_;
}

void Mechanism::choose_units() {
  center_.setZero(C_);
  scale_.setOnes(C_);
  start_bias_.setZero(P_);
  Vector feature_units = Vector::Ones(P_);
  std::vector<Index> columns;
  std::vector<Moments> of_column;
  for (std::size_t j = 0; j < slots_.size(); ++j) {
    const Slot& slot = slots_[j];
    if (slot.kind == Kind::discrete) {
      const Vector frequency = level_frequencies(samples_, samples_.variables[j]);
      start_bias_.segment(slot.feature, slot.width) = frequency.array().log();
      feature_units.segment(slot.feature, slot.width) =
          (frequency.array() * (1 - frequency.array())).sqrt();
      continue;
    }
    for (Index k = 0; k < slot.width; ++k) {
      columns.push_back(slot.value + k);
      of_column.push_back(moments(samples_, slot.value + k));
    }
  }
  graph_.set_feature_units(feature_units);
  if (C_ == 0) return;
  const double unit =
      learned() ? 1 : common_unit(samples_, columns, of_column, through_phi_, executor_);
  // Where 0 is far from all values it means nothing, and would only spoil the arithmetic.
  constexpr double far = 10;
  for (const Slot& slot : slots_) {
    for (Index k = 0; slot.kind == Kind::continuous && k < slot.width; ++k) {
      const Index c = slot.column + k;
      const bool standardised = learned() || !slot.through_phi();
      const double mean = of_column[c].mean, spread = of_column[c].spread;
      if (standardised || std::abs(mean) > far * spread) center_[c] = mean;
      scale_[c] = standardised ? spread : unit;
      double& bias = start_bias_[output_of_[c]];
      bias = slot.through_phi() ? working_value(c, mean) : mean;
      likelihood_of(slot.distribution).outputs_of_expected(1, 1, &bias);
    }
  }
}

Vector Mechanism::standardisation() const {
  Vector all(2 * C_ + 2 * P_);
  all << center_, scale_, graph_.feature_units(), start_bias_;
  return all;
}

void Mechanism::set_standardisation(const Vector& all) {
  if (all.size() != 2 * C_ + 2 * P_) throw Error("the standardisation is that of another model");
  center_ = all.head(C_);
  scale_ = all.segment(C_, C_);
  graph_.set_feature_units(all.segment(2 * C_, P_));
  start_bias_ = all.tail(P_);
  find_missing_cells();
}

std::vector<double> Mechanism::typical_values() const {
  std::vector<double> values = {0};
  for (const Index r : spaced_rows(samples_.n(), 500)) {
    for (const Slot& slot : slots_) {
      for (Index k = 0; slot.kind == Kind::continuous && k < slot.width; ++k) {
        const double x = samples_.values(r, slot.value + k);
        if (!std::isnan(x)) values.push_back(working_value(slot.column + k, x));
      }
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

double Mechanism::data_value(const Vector& theta, Index c, double y) const {
  if (learned() && through_phi_[c])
    y = (y - theta[at_.location + c]) * std::exp(theta[at_.log_noise + c]);
  return center_[c] + scale_[c] * y;
}

// A chunk is some 10 microseconds of work at least; eight of them keep four threads busy.
Index Mechanism::chunk_size(Index n) const {
  constexpr Index most = 8, least_values = 1200;
  const Index m = variables(), least = least_values * m / std::max<Index>(1, n * P_) + 1;
  return std::max(least, (m + most - 1) / most);
}

template <class Body>
void Mechanism::for_each_chunk(Index n, const Body& body) const {
  const Index size = chunk_size(n), number = chunks(n);
  const auto task = [&](Index chunk) {
    body(chunk, chunk * size, std::min(variables(), (chunk + 1) * size));
  };
  if (number == 1) {
    task(0);
  } else {
    executor_.run(number, task);
  }
}

template <class Work>
void Mechanism::for_each_run(Index first, Index last, bool through_phi, const Work& work) const {
  const Index end = last < variables() ? slots_[last].column : C_;
  const auto taken = [&](Index c) { return !through_phi || through_phi_[c]; };
  for (Index c = first < variables() ? slots_[first].column : end; c < end;) {
    Index next = c + 1;
    if (taken(c)) {
      while (next < end && taken(next) && output_of_[next] == output_of_[next - 1] + 1) ++next;
      work(c, next - c);
    }
    c = next;
  }
}

// ---- forward ------------------------------------------------------------------------------------

void Mechanism::forward(const Vector& theta, const Samples& samples, const Missing& missing,
                        const Index* rows, Index n, bool normalised, Workspace& work) const {
  make_room(samples, n, work);
  for_each_chunk(n, [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) gather(samples, missing, rows, n, slots_[i], work);
    features_forward(theta, first, last, work);
  });
  if (normalised && !g_.identity()) {
    work.g.set_factor(n);
    for (Index c = 0; c < C_; ++c) work.F.col(output_of_[c]) *= work.g.factor;
  }
  gemm(n, P_, P_, 1, {work.F.data(), n}, {theta.data(), P_}, 0, work.U.data(), n, executor_);
  for_each_chunk(
      n, [&](Index, Index first, Index last) { outputs_forward(theta, first, last, work); });
  if (normalised && !phi_.identity()) {
    work.phi.set_factor(n);
    for (Index c = 0; c < C_; ++c) {
      if (through_phi_[c]) work.M.col(c) *= work.phi.factor;
    }
  }
}

void Mechanism::make_room(const Samples& samples, Index n, Workspace& work) const {
  work.Y.resize(n, C_);
  if (learned()) work.X.resize(n, C_);
  const bool all_normal =
      std::all_of(through_phi_.begin(), through_phi_.end(), [](bool each) { return each; });
  work.raw.resize(n, all_normal ? 0 : C_);
  work.F.resize(n, P_);
  work.U.resize(n, P_);
  work.M.resize(n, C_);
  if (incomplete_) work.observed.setOnes(n, samples.values.cols());
  work.g.reset(C_);
  work.phi.reset(C_);
  if (!work.backward_follows) return;
  make_roots(g_, n, work.g_roots);
  make_roots(phi_, n, work.phi_roots);
  work.dU.resize(n, P_);
  work.dH.resize(n, C_);
  if (learned()) work.dY.setZero(n, C_);
  work.terms.resize(variables());
  work.inner_products.setZero(C_);
  work.partial.setZero(g_.parameters() + phi_.parameters(), chunks(n));
}

void Mechanism::make_roots(const ScalarNetwork& network, Index n,
                           std::vector<double>& roots) const {
  const Index size = C_ * network.roots_size(n);
  roots.resize(static_cast<std::size_t>(size <= most_roots ? size : 0));
}

void Mechanism::gather(const Samples& samples, const Missing& missing, const Index* rows, Index n,
                       const Slot& slot, Workspace& work) const {
  if (slot.kind == Kind::discrete) {
    gather_levels(samples, missing, rows, n, slot, work);
    return;
  }
  for (Index k = 0; k < slot.width; ++k) {
    const MissingCells& cells = missing[slot.value + k];
    const Index c = slot.column + k;
    const double* const values = samples.values.data() + (slot.value + k) * samples.n();
    double* const to = (learned() ? work.X : work.Y).col(c).data();
    const double center = center_[c], inverse = 1 / scale_[c];  // as working_value(), faster
    for (Index r = 0; r < n; ++r) to[r] = (values[rows[r]] - center) * inverse;
    for (Index r = 0; !through_phi_[c] && r < n; ++r) work.raw(r, c) = values[rows[r]];
    if (cells.rows.empty()) continue;
    for (Index r = 0; r < n; ++r) {
      if (!std::isnan(to[r])) continue;
      if (incomplete_) work.observed(r, slot.value + k) = 0;
      to[r] = cells.imputed(cells.position(rows[r]), 0);
    }
  }
}

void Mechanism::gather_levels(const Samples& samples, const Missing& missing, const Index* rows,
                              Index n, const Slot& slot, Workspace& work) const {
  const MissingCells& cells = missing[slot.value];
  const double* const levels = samples.values.data() + slot.value * samples.n();
  work.F.middleCols(slot.feature, slot.width).setZero();
  for (Index r = 0; r < n; ++r) {
    const double level = levels[rows[r]];
    if (std::isnan(level)) {
      if (incomplete_) work.observed(r, slot.value) = 0;
      work.F.row(r).segment(slot.feature, slot.width) = cells.imputed.row(cells.position(rows[r]));
    } else {
      work.F(r, slot.feature + static_cast<Index>(level)) = 1;
    }
  }
}

void Mechanism::features_forward(const Vector& theta, Index first, Index last,
                                 Workspace& work) const {
  const Index n = work.Y.rows();
  for_each_run(first, last, false, [&](Index column, Index count) {
    for (Index c = column; c < column + count && learned(); ++c) {
      if (!through_phi_[c]) {
        work.Y.col(c) = work.X.col(c);
        continue;
      }
      work.Y.col(c) =
          (work.X.col(c) * std::exp(-theta[at_.log_noise + c])).array() + theta[at_.location + c];
    }
    const double* const in = work.Y.col(column).data();
    double* const out = work.F.col(output_of_[column]).data();
    g_.forward(theta.data() + at_.g, n * count, in, out, roots_at(g_, n, column, work.g_roots));
    for (Index c = 0; c < count; ++c) {
      work.g.accumulate_moments(column + c, n, in + c * n, out + c * n);
    }
  });
}

void Mechanism::outputs_forward(const Vector& theta, Index first, Index last,
                                Workspace& work) const {
  const Index n = work.U.rows();
  for (Index i = first; i < last; ++i) {
    const Slot& slot = slots_[i];
    for (Index q = slot.feature; q < slot.feature + slot.width; ++q) {
      work.U.col(q).array() += theta[at_.bias + q];
    }
    if (slot.kind == Kind::discrete || slot.through_phi()) continue;
    const Likelihood& likelihood = likelihood_of(slot.distribution);
    for (Index r = 0; r < n; ++r) {
      double expected = work.U(r, slot.feature);
      likelihood.expect(1, 1, &expected);
      work.M(r, slot.column) = working_value(slot.column, expected);
    }
  }
  for_each_run(first, last, true, [&](Index column, Index count) {
    const double* const in = work.U.col(output_of_[column]).data();
    double* const out = work.M.col(column).data();
    phi_.forward(theta.data() + at_.phi, n * count, in, out,
                 roots_at(phi_, n, column, work.phi_roots));
    for (Index c = 0; c < count; ++c) {
      work.phi.accumulate_moments(column + c, n, in + c * n, out + c * n);
    }
  });
}

double Mechanism::likelihood(const Vector& theta, Workspace& work, Vector& dtheta) const {
  for_each_chunk(work.Y.rows(), [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      work.terms[i] = likelihood_of_variable(theta, slots_[i], work, dtheta);
    }
  });
  return work.terms.sum();
}

double Mechanism::likelihood_of_variable(const Vector& theta, const Slot& slot, Workspace& work,
                                         Vector& dtheta) const {
  const Index n = work.U.rows();
  const double share = 1.0 / static_cast<double>(n);
  const bool number = slot.kind == Kind::continuous;
  // The features of a discrete variable are its indicators: what is to be predicted is there.
  const double* const x = !number              ? work.F.col(slot.feature).data()
                          : slot.through_phi() ? work.Y.col(slot.column).data()
                                               : work.raw.col(slot.column).data();
  const double* const outputs =
      slot.through_phi() ? work.M.col(slot.column).data() : work.U.col(slot.feature).data();
  const double* const seen = incomplete_ ? work.observed.col(slot.value).data() : nullptr;
  double total = likelihood_of(slot.distribution)
                     .loss_forward_backward({n, slot.width, n, x, seen, outputs, share,
                                             work.dU.col(slot.feature).data()});
  for (Index k = 0; slot.through_phi() && k < slot.width; ++k) {
    const Index c = slot.column + k;
    const auto dmean = work.dU.col(slot.feature + k);
    work.inner_products[c] = dmean.dot(work.M.col(c));
    if (!learned()) continue;
    work.dY.col(c) -= dmean;
    const double observed =
        incomplete_ ? work.observed.col(slot.value + k).sum() : static_cast<double>(n);
    total += share * observed * theta[at_.log_noise + c];
    dtheta[at_.log_noise + c] += share * observed;
  }
  return total;
}

// ---- backward -----------------------------------------------------------------------------------

void Mechanism::backward(const Vector& theta, Workspace& work, Vector& dtheta) const {
  const Index n = work.Y.rows();
  const double inner_product = work.inner_products.sum();
  for_each_chunk(n, [&](Index chunk, Index first, Index last) {
    outputs_backward(theta, inner_product, chunk, first, last, work, dtheta);
  });
  gemm(P_, P_, n, 1, {work.F.data(), n, true}, {work.dU.data(), n}, 0, dtheta.data(), P_,
       executor_);
  graph_.clear_forbidden(dtheta);
  if (C_ > 0 && (!g_.identity() || learned())) features_backward(theta, work, dtheta);
  for (Index chunk = 0; chunk < work.partial.cols(); ++chunk) {
    dtheta.segment(at_.g, work.partial.rows()) += work.partial.col(chunk);
  }
}

void Mechanism::outputs_backward(const Vector& theta, double inner_product, Index chunk,
                                 Index first, Index last, Workspace& work, Vector& dtheta) const {
  const Index n = work.U.rows();
  for_each_run(first, last, true, [&](Index column, Index count) {
    if (phi_.identity()) return;
    const double* const U = work.U.col(output_of_[column]).data();
    const double* const M = work.M.col(column).data();
    double* const dU = work.dU.col(output_of_[column]).data();
    double* const dH = work.dH.col(column).data();
    std::copy(dU, dU + n * count, dH);
    std::fill(dU, dU + n * count, 0.0);
    for (Index c = 0; c < count; ++c) {
      work.phi.backward(column + c, n, inner_product, U + c * n, M + c * n, dH + c * n, dU + c * n);
    }
    phi_.backward(theta.data() + at_.phi, n * count, U, roots_at(phi_, n, column, work.phi_roots),
                  dH, dU, work.partial.col(chunk).data() + g_.parameters());
  });
  for (Index i = first; i < last; ++i) {
    for (Index q = slots_[i].feature; q < slots_[i].feature + slots_[i].width; ++q) {
      dtheta[at_.bias + q] = work.dU.col(q).sum();
    }
  }
}

void Mechanism::features_backward(const Vector& theta, Workspace& work, Vector& dtheta) const {
  const Index n = work.Y.rows();
  work.dF.resize(n, P_);
  gemm(n, P_, P_, 1, {work.dU.data(), n}, {theta.data(), P_, true}, 0, work.dF.data(), n,
       executor_);
  for (Index c = 0; c < C_; ++c) {
    work.inner_products[c] = work.dF.col(output_of_[c]).dot(work.F.col(output_of_[c]));
  }
  const double inner_product = work.inner_products.sum();
  for_each_chunk(n, [&](Index chunk, Index first, Index last) {
    for_each_run(first, last, false, [&](Index column, Index count) {
      const double* const Y = work.Y.col(column).data();
      const double* const F = work.F.col(output_of_[column]).data();
      double* const dF = work.dF.col(output_of_[column]).data();
      double* const dY = learned() ? work.dY.col(column).data() : nullptr;
      for (Index c = 0; c < count && !g_.identity(); ++c) {
        work.g.backward(column + c, n, inner_product, Y + c * n, F + c * n, dF + c * n,
                        learned() ? dY + c * n : nullptr);
      }
      g_.backward(theta.data() + at_.g, n * count, Y, roots_at(g_, n, column, work.g_roots), dF, dY,
                  work.partial.col(chunk).data());
      for (Index c = column; c < column + count && learned(); ++c) {
        if (!through_phi_[c]) continue;
        dtheta[at_.location + c] += work.dY.col(c).sum();
        dtheta[at_.log_noise + c] -=
            work.dY.col(c).dot(work.X.col(c)) * std::exp(-theta[at_.log_noise + c]);
      }
    });
  });
}

}  // namespace daggnn
