// The mechanism model, ours beside the paper's: X = phi(A' g(X)) + Z.
//
// The graph neural network of the paper used as the mechanism itself. For a DAG the map from X to Z
// has a Jacobian of determinant 1, so the likelihood of the residuals Z is that of the data,
// exactly.
//
//   n, m   rows of the batch, variables
//   C      continuous columns: a scalar has one, a vector one for each component
//   P, Q   features that the variables offer, outputs that they receive: a continuous column is one
//   of
//          each, a discrete variable one of each per level
//   Y      n x C   the continuous values in working units
//   F      n x P   features: g(Y), and the indicators of levels
//   B      P x Q   the blocks: B_ij leads from i to j. A_ij is the single number between two
//   scalars,
//                  else the norm of B_ij, its rows in units of standardised indicators
//   U      n x Q   U = F B + bias: phi(U) is the mean of a continuous column, the softmax of U over
//   a
//                  discrete variable's levels their probabilities
//   g,phi  scalar networks with a linear skip, shared by the variables. Each is rescaled to the
//   spread of
//          what it is given, over all columns together, so that A alone carries the scale:
//          otherwise A would shrink, phi amplify, and cycles hide under a small h
//
// Working units. With noise of the same variance for all variables, the columns share one unit,
// about the noise's standard deviation. With learned noise scales, Y = X exp(-log_noise) + location
// with standardised X, so that the noise has variance 1 in Y: the model is then the same whatever
// the units of each column are.
//
// Missing values are left out of the child's likelihood, and a parent's are replaced by their
// prediction, renewed by impute().
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/executor.h"
#include "data/samples.h"
#include "graph/graph.h"
#include "linalg/gemm.h"
#include "models/model.h"
#include "nn/normalisation.h"
#include "nn/scalar_network.h"

namespace daggnn {

enum class Noise { equal, learned };

struct MechanismOptions {
  Index feature_hidden = 8;  // hidden units of g; 0: g is the identity
  Index output_hidden = 8;   // hidden units of phi; 0: phi is the identity
  Noise noise = Noise::equal;

  void check() const {
    if (feature_hidden < 0 || output_hidden < 0) {
      throw Error("the number of hidden units must not be negative");
    }
  }
};

class Mechanism final : public Model {
 public:
  // allowed: m x m, 1 where an edge may be, else 0.
  Mechanism(const Samples& samples, const Matrix& allowed, const MechanismOptions& options,
            Executor& executor)
      : samples_(samples),
        allowed_(allowed),
        options_(options),
        executor_(executor),
        g_(options.feature_hidden),
        phi_(options.output_hidden) {
    options.check();
    lay_out();
    choose_units();
    find_gaps();
  }

  Executor& executor() const override { return executor_; }
  Index variables() const override { return samples_.m(); }
  Index parameters() const override { return at_.end; }
  Index graph_parameters() const override { return P_ * Q_; }
  Index features() const { return P_; }
  Index outputs() const { return Q_; }
  const MechanismOptions& options() const { return options_; }

  // No edges, g and phi the identity, and each variable's mean or frequencies.
  Vector initial(Random&) const override {
    Vector theta = Vector::Zero(parameters());
    theta.segment(at_.bias, Q_) = start_bias_;
    const std::vector<double> typical = typical_values();
    g_.initialise(theta.data() + at_.g, typical);
    phi_.initialise(theta.data() + at_.phi, typical);
    return theta;
  }

  double loss(const Vector& theta, const Batch& batch, Vector& dtheta) override {
    Pass& pass = pass_;
    pass.backward_follows = true;
    forward(theta, samples_, gaps_, batch.rows, batch.count, true, pass);
    dtheta.tail(dtheta.size() - P_ * Q_).setZero();  // backward() writes the rest
    const double value = likelihood(theta, pass, dtheta);
    backward(theta, pass, dtheta);
    return value;
  }

  void strengths(const Vector& theta, Matrix& S) const override {
    S.resize(variables(), variables());
    for_each_child([&](Index j, Vector& squares) {
      const Slot& to = slots_[j];
      const Eigen::Map<const Matrix> B(theta.data() + to.feature * P_, P_, to.width);
      squares = B.col(0).cwiseAbs2();
      for (Index k = 1; k < to.width; ++k) squares += B.col(k).cwiseAbs2();
      squares = squares.cwiseProduct(square_unit_);
      if (all_single()) {
        S.col(j) = squares.cwiseProduct(allowed_.col(j));
        return;
      }
      for (Index i = 0; i < variables(); ++i) {
        const Slot& from = slots_[i];
        double sum = 0;
        for (Index k = 0; k < from.width; ++k) sum += squares[from.feature + k];
        S(i, j) = allowed_(i, j) != 0 ? sum : 0;
      }
    });
  }

  void strengths_backward(const Vector& theta, const Matrix& dS, Vector& dtheta) const override {
    for_each_child([&](Index j, Vector& slopes) {
      const Slot& to = slots_[j];
      slopes.resize(P_);
      if (all_single()) {
        slopes = 2 * dS.col(j).cwiseProduct(allowed_.col(j));
      } else {
        for (Index i = 0; i < variables(); ++i) {
          const double slope = allowed_(i, j) != 0 ? 2 * dS(i, j) : 0;
          const Slot& from = slots_[i];
          for (Index k = 0; k < from.width; ++k) slopes[from.feature + k] = slope;
        }
      }
      slopes = slopes.cwiseProduct(square_unit_);
      const Eigen::Map<const Matrix> B(theta.data() + to.feature * P_, P_, to.width);
      Eigen::Map<Matrix> dB(dtheta.data() + to.feature * P_, P_, to.width);
      for (Index k = 0; k < to.width; ++k) dB.col(k) += slopes.cwiseProduct(B.col(k));
    });
  }

  void weights(const Vector& theta, Matrix& A) const override {
    const Eigen::Map<const Matrix> B(theta.data(), P_, Q_);
    strengths(theta, A);
    A = A.cwiseSqrt().eval();
    for (Index j = 0; j < variables(); ++j) {
      for (Index i = 0; i < variables(); ++i) {
        const Slot &from = slots_[i], &to = slots_[j];
        if (from.width == 1 && to.width == 1 && allowed_(i, j) != 0) {
          A(i, j) = B(from.feature, to.feature);
        }
      }
    }
  }

  void impute(const Vector& theta) override {
    if (!missing_) return;
    gaps_ = empty_gaps_;
    fill_gaps(theta, samples_, true, gaps_);
  }

  Vector units() const override {
    Vector all(2 * C_ + P_ + Q_);
    all << center_, scale_, row_unit_, start_bias_;
    return all;
  }
  void set_units(const Vector& all) override {
    if (all.size() != 2 * C_ + P_ + Q_) throw Error("the units are those of another model");
    center_ = all.head(C_);
    scale_ = all.segment(C_, C_);
    row_unit_ = all.segment(2 * C_, P_);
    square_unit_ = row_unit_.cwiseAbs2();
    start_bias_ = all.tail(Q_);
    find_gaps();
  }

  // theta with the scale of g and phi folded into their weights, and the spread of the noise noted:
  // what predict() and simulate() need. Training may go on from it.
  Vector settled(const Vector& theta) const override {
    const std::vector<Index> rows = some_rows(samples_.n(), settling_rows);
    Pass pass;
    forward(theta, samples_, gaps_, rows.data(), static_cast<Index>(rows.size()), true, pass);
    Vector result = theta;
    g_.scale(result.data() + at_.g, pass.g.factor);
    phi_.scale(result.data() + at_.phi, pass.phi.factor);
    for (const Slot& slot : slots_) {
      if (slot.kind == Kind::discrete) continue;
      for (Index k = 0; k < slot.width; ++k) {
        result[at_.spread + slot.column + k] =
            std::log(residual_square(pass, slot.column + k, slot.value + k)) / 2;
      }
    }
    return result;
  }

  // n x outputs: the mean of each continuous column in the data's units, the probability of each
  // level, from the other variables. theta from settled().
  Matrix predict(const Vector& theta, const Samples& samples) const override {
    Gaps gaps = gaps_of(samples);
    fill_gaps(theta, samples, false, gaps);
    Pass pass;
    const std::vector<Index> rows = some_rows(samples.n(), samples.n());
    forward(theta, samples, gaps, rows.data(), samples.n(), false, pass);
    Matrix prediction = pass.U;
    for (Index c = 0; c < C_; ++c) {
      for (Index r = 0; r < samples.n(); ++r) {
        prediction(r, output_of_[c]) = data_value(theta, c, pass.M(r, c));
      }
    }
    for (const Slot& slot : slots_) {
      if (slot.kind == Kind::discrete) softmax(prediction, slot);
    }
    return prediction;
  }

  // n new rows in the form of Samples::values, parents first; edges: m x m, of a DAG.
  Matrix simulate(const Vector& theta, const Matrix& edges, Index n,
                  Random& random) const override {
    const Eigen::Map<const Matrix> B(theta.data(), P_, Q_);
    Matrix F = Matrix::Zero(n, P_), values(n, samples_.values.cols());
    for (const Index j : topological_order(edges)) {
      const Slot& to = slots_[j];
      Matrix U = theta.segment(at_.bias + to.feature, to.width).transpose().replicate(n, 1);
      for (Index i = 0; i < variables(); ++i) {
        if (edges(i, j) == 0) continue;
        const Slot& from = slots_[i];
        U += F.middleCols(from.feature, from.width) *
             B.block(from.feature, to.feature, from.width, to.width);
      }
      if (to.kind == Kind::discrete) {
        draw_levels(U, to, random, F, values);
      } else {
        draw_numbers(theta, U, to, random, F, values);
      }
    }
    return values;
  }

 private:
  static constexpr Index settling_rows = 20000;  // enough to know a spread to 1%
  static constexpr double tiny_square = 1e-300;
  static constexpr int imputing_sweeps = 3;  // a gap's parents may be gaps, and theirs

  // Where a variable's features (and outputs: there are as many) and columns are.
  struct Slot {
    Kind kind;
    Index feature, width;
    Index column;  // of Y, if continuous
    Index value;   // of Samples::values
  };

  // Where the parts of theta begin; B is at 0.
  struct Layout {
    Index bias = 0, g = 0, phi = 0;
    Index log_noise = 0, location = 0;  // C each, with learned noise scales
    Index spread = 0;  // C: log standard deviations of the residuals, see settled()
    Index end = 0;
  };

  // The missing cells of one column, and what stands for them: a number in standard units, or
  // probabilities of levels.
  struct Gap {
    std::vector<Index> rows;
    Matrix stand_in;
  };
  using Gaps = std::vector<Gap>;

  // Everything between the rows and the loss, and its gradients; kept from step to step.
  struct Pass {
    bool backward_follows = false;
    Matrix X, Y,
        observed;    // X: before log_noise and location, where learned; observed: n x columns of
                     // the samples
    Matrix F, U, M;  // M: the means of the continuous columns
    Rescaling g, phi;
    std::vector<double> g_roots, phi_roots;  // see scalar_network.h
    Matrix dY, dF, dU, dH;                   // dY: only where learned
    Vector terms;                            // of the loss, for each variable
    Vector along;                            // see Rescaling, for each continuous column
    Matrix partial;                          // gradients of g and phi, a column for each chunk
  };

  void lay_out() {
    for (const Variable& variable : samples_.variables) {
      slots_.push_back({variable.kind, P_, variable.width, C_, variable.first});
      for (Index k = 0; variable.kind == Kind::continuous && k < variable.width; ++k) {
        output_of_.push_back(P_ + k);
        ++C_;
      }
      P_ += variable.width;
    }
    Q_ = P_;
    at_.bias = P_ * Q_;
    at_.g = at_.bias + Q_;
    at_.phi = at_.g + g_.parameters();
    at_.log_noise = at_.phi + phi_.parameters();
    at_.location = at_.log_noise + (learned() ? C_ : 0);
    at_.spread = at_.location + (learned() ? C_ : 0);
    at_.end = at_.spread + C_;
    allowed_ = (allowed_.array() != 0).cast<double>();
    allowed_.diagonal().setZero();
    for (Index j = 0; j < variables(); ++j) {
      for (Index i = 0; i < variables(); ++i) {
        if (allowed_(i, j) != 0) continue;
        const Slot& from = slots_[i];
        if (i > 0 && allowed_(i - 1, j) == 0) {
          forbidden_.back().width += from.width;
        } else {
          forbidden_.push_back({j, from.feature, from.width});
        }
      }
    }
  }

  // Each block is a single number.
  bool all_single() const { return P_ == variables(); }

  bool learned() const { return options_.noise == Noise::learned; }

  // Features in a row that child j may not have.
  struct Forbidden {
    Index child, feature, width;
  };

  // work(j, room) for each child j, on several threads; room: for P numbers.
  template <class Work>
  void for_each_child(const Work& work) const {
    const double share = static_cast<double>(P_) * static_cast<double>(Q_) /
                         static_cast<double>(std::max<Index>(1, variables()));
    for_each_block(executor_, variables(), share, [&](Index first, Index some) {
      static thread_local Vector room;
      for (Index j = first; j < first + some; ++j) work(j, room);
    });
  }

  // Variables in chunks whose number is fixed by the work alone: partial sums are added in their
  // order, so that results do not depend on the threads. A chunk is some 10 microseconds of work at
  // least; eight of them keep four threads busy.
  Index chunk_size(Index n) const {
    constexpr Index most = 8, least_values = 1200;
    const Index m = variables(), least = least_values * m / std::max<Index>(1, n * P_) + 1;
    return std::max(least, (m + most - 1) / most);
  }
  Index chunks(Index n) const {
    const Index size = chunk_size(n);
    return (variables() + size - 1) / size;
  }
  // body(chunk, first, last): the variables from `first` on, before `last`.
  template <class Body>
  void for_each_chunk(Index n, const Body& body) const {
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

  // work(column, count): the continuous columns of the variables from `first` on, before `last`,
  // as many at a time as stand side by side among the outputs too.
  template <class Work>
  void for_each_run(Index first, Index last, const Work& work) const {
    const Index end = last < variables() ? slots_[last].column : C_;
    for (Index c = first < variables() ? slots_[first].column : end; c < end;) {
      Index next = c + 1;
      while (next < end && output_of_[next] == output_of_[next - 1] + 1) ++next;
      work(c, next - c);
      c = next;
    }
  }

  // ---- units ------------------------------------------------------------------------------------

  void choose_units() {
    center_.setZero(C_);
    scale_.setOnes(C_);
    start_bias_.setZero(Q_);
    row_unit_.setOnes(P_);
    Vector mean(C_), spread(C_);
    for (const Slot& slot : slots_) {
      if (slot.kind == Kind::discrete) {
        count_levels(slot);
        continue;
      }
      for (Index k = 0; k < slot.width; ++k) {
        moments(slot.value + k, mean[slot.column + k], spread[slot.column + k]);
      }
    }
    square_unit_ = row_unit_.cwiseAbs2();
    if (C_ == 0) return;
    if (learned()) {
      center_ = mean;
      scale_ = spread;
    } else {
      // Where 0 is far from all values it means nothing, and would only spoil the arithmetic.
      constexpr double far = 10;
      for (Index c = 0; c < C_; ++c) {
        if (std::abs(mean[c]) > far * spread[c]) center_[c] = mean[c];
      }
      scale_.setConstant(common_unit(mean, spread));
    }
    for (Index c = 0; c < C_; ++c) start_bias_[output_of_[c]] = (mean[c] - center_[c]) / scale_[c];
  }

  // Working values of some rows of all columns together, sorted.
  std::vector<double> typical_values() const {
    std::vector<double> values = {0};
    for (const Index r : some_rows(samples_.n(), 500)) {
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

  void moments(Index column, double& mean, double& spread) const {
    double sum = 0, square = 0, count = 0;
    for (Index r = 0; r < samples_.n(); ++r) {
      const double x = samples_.values(r, column);
      if (std::isnan(x)) continue;
      sum += x;
      ++count;
    }
    mean = count > 0 ? sum / count : 0;
    for (Index r = 0; r < samples_.n(); ++r) {
      const double x = samples_.values(r, column);
      if (!std::isnan(x)) square += (x - mean) * (x - mean);
    }
    spread = square > 0 ? std::sqrt(square / count) : 1;
  }

  // About the standard deviation of noise that all columns have in common: the median of what is
  // left of each column once all the others have explained it linearly.
  double common_unit(const Vector& mean, const Vector& spread) const {
    constexpr Index block = 256;
    Matrix correlation = Matrix::Zero(C_, C_), Z(block, C_);
    for (Index top = 0; top < samples_.n(); top += block) {
      const Index rows = std::min(block, samples_.n() - top);
      for (const Slot& slot : slots_) {
        for (Index k = 0; slot.kind == Kind::continuous && k < slot.width; ++k) {
          const Index c = slot.column + k;
          for (Index r = 0; r < rows; ++r) {
            const double x = samples_.values(top + r, slot.value + k);
            Z(r, c) = std::isnan(x) ? 0 : (x - mean[c]) / spread[c];
          }
        }
      }
      gemm(C_, C_, rows, 1, {Z.data(), block, true}, {Z.data(), block}, 1, correlation.data(), C_,
           executor_);
    }
    correlation /= static_cast<double>(samples_.n());
    // Fewer rows than columns leave nothing unexplained: the ridge keeps the answer sensible.
    correlation.diagonal().array() += 0.01;
    const Vector precision =
        correlation.llt().solve(Matrix::Identity(C_, C_)).diagonal().cwiseMax(1);
    std::vector<double> left(static_cast<std::size_t>(C_));
    for (Index c = 0; c < C_; ++c) left[c] = spread[c] / std::sqrt(precision[c]);
    std::nth_element(left.begin(), left.begin() + C_ / 2, left.end());
    return left[C_ / 2];
  }

  void count_levels(const Slot& slot) {
    constexpr double smoothing = 0.5;  // so that a level that never occurs has a logarithm
    Vector frequency = Vector::Constant(slot.width, smoothing);
    for (Index r = 0; r < samples_.n(); ++r) {
      const double level = samples_.values(r, slot.value);
      if (!std::isnan(level)) ++frequency[static_cast<Index>(level)];
    }
    frequency /= frequency.sum();
    start_bias_.segment(slot.feature, slot.width) = frequency.array().log();
    row_unit_.segment(slot.feature, slot.width) =
        (frequency.array() * (1 - frequency.array())).sqrt();
  }

  double working_value(Index c, double x) const { return (x - center_[c]) / scale_[c]; }

  double data_value(const Vector& theta, Index c, double y) const {
    if (learned()) y = (y - theta[at_.location + c]) * std::exp(theta[at_.log_noise + c]);
    return center_[c] + scale_[c] * y;
  }

  // The mean square of what is left of a column, over the values that were observed. value: where
  // the column is in Samples::values, in which discrete variables have columns too.
  double residual_square(const Pass& pass, Index column, Index value) const {
    double square = 0, count = 0;
    for (Index r = 0; r < pass.Y.rows(); ++r) {
      if (missing_ && pass.observed(r, value) == 0) continue;
      const double residual = pass.Y(r, column) - pass.M(r, column);
      square += residual * residual;
      ++count;
    }
    return std::max(square, tiny_square) / std::max(count, 1.0);
  }

  // ---- missing values ---------------------------------------------------------------------------

  void find_gaps() {
    empty_gaps_ = gaps_ = gaps_of(samples_);
    for (const Gap& gap : gaps_) missing_ = missing_ || !gap.rows.empty();
  }

  Gaps gaps_of(const Samples& samples) const {
    Gaps gaps(static_cast<std::size_t>(samples.values.cols()));
    for (const Slot& slot : slots_) {
      const bool continuous = slot.kind == Kind::continuous;
      for (Index k = 0; k < (continuous ? slot.width : 1); ++k) {
        Gap& gap = gaps[slot.value + k];
        for (Index r = 0; r < samples.n(); ++r) {
          if (std::isnan(samples.values(r, slot.value + k))) gap.rows.push_back(r);
        }
        const Index count = static_cast<Index>(gap.rows.size());
        if (continuous) {
          const double mean = start_bias_[slot.feature + k];
          gap.stand_in = Matrix::Constant(count, 1, mean);
        } else {
          const Vector frequency = start_bias_.segment(slot.feature, slot.width).array().exp();
          gap.stand_in = frequency.transpose().replicate(count, 1);
        }
      }
    }
    return gaps;
  }

  static Index find_row(const Gap& gap, Index row) {
    return std::lower_bound(gap.rows.begin(), gap.rows.end(), row) - gap.rows.begin();
  }

  // Each gap's stand-in becomes its prediction from the others.
  void fill_gaps(const Vector& theta, const Samples& samples, bool rescaled, Gaps& gaps) const {
    std::vector<Index> rows;
    for (const Gap& gap : gaps) rows.insert(rows.end(), gap.rows.begin(), gap.rows.end());
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    if (rows.empty()) return;
    Pass pass;
    for (int sweep = 0; sweep < imputing_sweeps; ++sweep) {
      forward(theta, samples, gaps, rows.data(), static_cast<Index>(rows.size()), rescaled, pass);
      for (const Slot& slot : slots_) {
        if (slot.kind == Kind::discrete) {
          softmax(pass.U, slot);
          for (Index k = 0; k < gaps[slot.value].stand_in.rows(); ++k) {
            const Index r = position(rows, gaps[slot.value].rows[k]);
            gaps[slot.value].stand_in.row(k) = pass.U.row(r).segment(slot.feature, slot.width);
          }
          continue;
        }
        for (Index d = 0; d < slot.width; ++d) {
          Gap& gap = gaps[slot.value + d];
          const Index c = slot.column + d;
          for (Index k = 0; k < gap.stand_in.rows(); ++k) {
            const double x = data_value(theta, c, pass.M(position(rows, gap.rows[k]), c));
            gap.stand_in(k, 0) = working_value(c, x);
          }
        }
      }
    }
  }

  static Index position(const std::vector<Index>& sorted, Index row) {
    return std::lower_bound(sorted.begin(), sorted.end(), row) - sorted.begin();
  }

  // ---- forward and backward ---------------------------------------------------------------------

  // What g and phi keep for the way back, at most (2 MiB): more would leave the caches meanwhile.
  static constexpr Index most_roots = 1 << 18;

  // rescaled: g and phi take the spread of what they are given; else they are as theta says.
  void forward(const Vector& theta, const Samples& samples, const Gaps& gaps, const Index* rows,
               Index n, bool rescaled, Pass& pass) const {
    make_room(samples, n, pass);
    for_each_chunk(n, [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) gather(samples, gaps, rows, n, slots_[i], pass);
      features_forward(theta, first, last, pass);
    });
    if (rescaled && !g_.identity()) {
      pass.g.set_factor(n);
      for (Index c = 0; c < C_; ++c) pass.F.col(output_of_[c]) *= pass.g.factor;
    }
    gemm(n, Q_, P_, 1, {pass.F.data(), n}, {theta.data(), P_}, 0, pass.U.data(), n, executor_);
    for_each_chunk(
        n, [&](Index, Index first, Index last) { outputs_forward(theta, first, last, pass); });
    if (rescaled && !phi_.identity()) {
      pass.phi.set_factor(n);
      pass.M *= pass.phi.factor;
    }
  }

  void make_room(const Samples& samples, Index n, Pass& pass) const {
    pass.Y.resize(n, C_);
    if (learned()) pass.X.resize(n, C_);
    pass.F.resize(n, P_);
    pass.U.resize(n, Q_);
    pass.M.resize(n, C_);
    if (missing_) pass.observed.setOnes(n, samples.values.cols());
    pass.g.reset(C_);
    pass.phi.reset(C_);
    if (!pass.backward_follows) return;
    make_roots(g_, n, pass.g_roots);
    make_roots(phi_, n, pass.phi_roots);
    pass.dU.resize(n, Q_);
    pass.dH.resize(n, C_);
    if (learned()) pass.dY.setZero(n, C_);
    pass.terms.resize(variables());
    pass.along.setZero(C_);
    pass.partial.setZero(g_.parameters() + phi_.parameters(), chunks(n));
  }

  void make_roots(const ScalarNetwork& network, Index n, std::vector<double>& roots) const {
    const Index size = C_ * network.roots_size(n);
    roots.resize(static_cast<std::size_t>(size <= most_roots ? size : 0));
  }
  static double* roots_at(const ScalarNetwork& network, Index n, Index c,
                          std::vector<double>& roots) {
    return roots.empty() ? nullptr : roots.data() + c * network.roots_size(n);
  }

  // Values, stand-ins for missing ones, and indicators.
  void gather(const Samples& samples, const Gaps& gaps, const Index* rows, Index n,
              const Slot& slot, Pass& pass) const {
    if (slot.kind == Kind::discrete) {
      const Gap& gap = gaps[slot.value];
      const double* const levels = samples.values.data() + slot.value * samples.n();
      pass.F.middleCols(slot.feature, slot.width).setZero();
      for (Index r = 0; r < n; ++r) {
        const double level = levels[rows[r]];
        if (std::isnan(level)) {
          if (missing_) pass.observed(r, slot.value) = 0;
          pass.F.row(r).segment(slot.feature, slot.width) =
              gap.stand_in.row(find_row(gap, rows[r]));
        } else {
          pass.F(r, slot.feature + static_cast<Index>(level)) = 1;
        }
      }
      return;
    }
    for (Index k = 0; k < slot.width; ++k) {
      const Gap& gap = gaps[slot.value + k];
      const Index c = slot.column + k;
      const double* const values = samples.values.data() + (slot.value + k) * samples.n();
      double* const to = (learned() ? pass.X : pass.Y).col(c).data();
      const double center = center_[c], inverse = 1 / scale_[c];  // as working_value(), faster
      for (Index r = 0; r < n; ++r) to[r] = (values[rows[r]] - center) * inverse;
      if (gap.rows.empty()) continue;
      for (Index r = 0; r < n; ++r) {
        if (!std::isnan(to[r])) continue;
        if (missing_) pass.observed(r, slot.value + k) = 0;
        to[r] = gap.stand_in(find_row(gap, rows[r]), 0);
      }
    }
  }

  // Y, and g(Y) into F, of the variables from `first` on, before `last`.
  void features_forward(const Vector& theta, Index first, Index last, Pass& pass) const {
    const Index n = pass.Y.rows();
    for_each_run(first, last, [&](Index column, Index count) {
      for (Index c = column; c < column + count && learned(); ++c) {
        pass.Y.col(c) =
            (pass.X.col(c) * std::exp(-theta[at_.log_noise + c])).array() + theta[at_.location + c];
      }
      const double* const in = pass.Y.col(column).data();
      double* const out = pass.F.col(output_of_[column]).data();
      g_.forward(theta.data() + at_.g, n * count, in, out, roots_at(g_, n, column, pass.g_roots));
      for (Index c = 0; c < count; ++c) pass.g.look_at(column + c, n, in + c * n, out + c * n);
    });
  }

  // The bias onto U, and phi(U) into M.
  void outputs_forward(const Vector& theta, Index first, Index last, Pass& pass) const {
    const Index n = pass.U.rows();
    for (Index i = first; i < last; ++i) {
      for (Index q = slots_[i].feature; q < slots_[i].feature + slots_[i].width; ++q) {
        pass.U.col(q).array() += theta[at_.bias + q];
      }
    }
    for_each_run(first, last, [&](Index column, Index count) {
      const double* const in = pass.U.col(output_of_[column]).data();
      double* const out = pass.M.col(column).data();
      phi_.forward(theta.data() + at_.phi, n * count, in, out,
                   roots_at(phi_, n, column, pass.phi_roots));
      for (Index c = 0; c < count; ++c) pass.phi.look_at(column + c, n, in + c * n, out + c * n);
    });
  }

  // The mean negative log-likelihood of the batch, constants left out, and its gradient with
  // respect to Y as children (added), to U (written; where continuous, to the mean) and to
  // log_noise (added).
  double likelihood(const Vector& theta, Pass& pass, Vector& dtheta) const {
    const Index n = pass.Y.rows();
    for_each_chunk(n, [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        pass.terms[i] = slots_[i].kind == Kind::discrete
                            ? cross_entropy(pass, slots_[i])
                            : squared_error(theta, pass, slots_[i], dtheta);
      }
    });
    return pass.terms.sum() / static_cast<double>(n);
  }

  double squared_error(const Vector& theta, Pass& pass, const Slot& slot, Vector& dtheta) const {
    const Index n = pass.Y.rows();
    const double share = 1.0 / static_cast<double>(n);
    double total = 0;
    for (Index k = 0; k < slot.width; ++k) {
      const Index c = slot.column + k;
      auto residual = pass.dU.col(slot.feature + k);
      residual = pass.M.col(c) - pass.Y.col(c);
      if (missing_) residual = residual.cwiseProduct(pass.observed.col(slot.value + k));
      total += residual.squaredNorm() / 2;
      residual *= share;
      pass.along[c] = residual.dot(pass.M.col(c));
      if (!learned()) continue;
      pass.dY.col(c) -= residual;
      const double seen =
          missing_ ? pass.observed.col(slot.value + k).sum() : static_cast<double>(n);
      total += seen * theta[at_.log_noise + c];
      dtheta[at_.log_noise + c] += seen * share;
    }
    return total;
  }

  // The features of a discrete variable are its indicators: what is to be predicted is there
  // already.
  double cross_entropy(Pass& pass, const Slot& slot) const {
    const Index n = pass.U.rows();
    softmax(pass.U, slot);
    const auto probabilities = pass.U.middleCols(slot.feature, slot.width);
    const auto indicators = pass.F.middleCols(slot.feature, slot.width);
    auto dU = pass.dU.middleCols(slot.feature, slot.width);
    dU = (probabilities - indicators) / static_cast<double>(n);
    double total = 0;
    for (Index r = 0; r < n; ++r) {
      if (missing_ && pass.observed(r, slot.value) == 0) {
        dU.row(r).setZero();
        continue;
      }
      double likelihood = 0;
      for (Index k = 0; k < slot.width; ++k) likelihood += probabilities(r, k) * indicators(r, k);
      total -= std::log(std::max(likelihood, tiny_square));
    }
    return total;
  }

  // From dU as likelihood() wrote it, and dY, which is added to.
  void backward(const Vector& theta, Pass& pass, Vector& dtheta) const {
    const Index n = pass.Y.rows();
    const double along = pass.along.sum();
    for_each_chunk(n, [&](Index chunk, Index first, Index last) {
      outputs_backward(theta, along, chunk, first, last, pass, dtheta);
    });
    gemm(P_, Q_, n, 1, {pass.F.data(), n, true}, {pass.dU.data(), n}, 0, dtheta.data(), P_,
         executor_);
    clear_forbidden(dtheta);
    if (C_ > 0 && (!g_.identity() || learned())) features_backward(theta, pass, dtheta);
    for (Index chunk = 0; chunk < pass.partial.cols(); ++chunk) {
      dtheta.segment(at_.g, pass.partial.rows()) += pass.partial.col(chunk);
    }
  }

  // dU from that of the means to that of U itself, and the gradient of the bias.
  void outputs_backward(const Vector& theta, double along, Index chunk, Index first, Index last,
                        Pass& pass, Vector& dtheta) const {
    const Index n = pass.U.rows();
    for_each_run(first, last, [&](Index column, Index count) {
      if (phi_.identity()) return;
      const double* const U = pass.U.col(output_of_[column]).data();
      const double* const M = pass.M.col(column).data();
      double* const dU = pass.dU.col(output_of_[column]).data();
      double* const dH = pass.dH.col(column).data();
      std::copy(dU, dU + n * count, dH);
      std::fill(dU, dU + n * count, 0.0);
      for (Index c = 0; c < count; ++c) {
        pass.phi.backward(column + c, n, along, U + c * n, M + c * n, dH + c * n, dU + c * n);
      }
      phi_.backward(theta.data() + at_.phi, n * count, U, roots_at(phi_, n, column, pass.phi_roots),
                    dH, dU, pass.partial.col(chunk).data() + g_.parameters());
    });
    for (Index i = first; i < last; ++i) {
      for (Index q = slots_[i].feature; q < slots_[i].feature + slots_[i].width; ++q) {
        dtheta[at_.bias + q] = pass.dU.col(q).sum();
      }
    }
  }

  void features_backward(const Vector& theta, Pass& pass, Vector& dtheta) const {
    const Index n = pass.Y.rows();
    pass.dF.resize(n, P_);
    gemm(n, P_, Q_, 1, {pass.dU.data(), n}, {theta.data(), P_, true}, 0, pass.dF.data(), n,
         executor_);
    for (Index c = 0; c < C_; ++c) {
      pass.along[c] = pass.dF.col(output_of_[c]).dot(pass.F.col(output_of_[c]));
    }
    const double along = pass.along.sum();
    for_each_chunk(n, [&](Index chunk, Index first, Index last) {
      for_each_run(first, last, [&](Index column, Index count) {
        const double* const Y = pass.Y.col(column).data();
        const double* const F = pass.F.col(output_of_[column]).data();
        double* const dF = pass.dF.col(output_of_[column]).data();
        double* const dY = learned() ? pass.dY.col(column).data() : nullptr;
        for (Index c = 0; c < count && !g_.identity(); ++c) {
          pass.g.backward(column + c, n, along, Y + c * n, F + c * n, dF + c * n,
                          learned() ? dY + c * n : nullptr);
        }
        g_.backward(theta.data() + at_.g, n * count, Y, roots_at(g_, n, column, pass.g_roots), dF,
                    dY, pass.partial.col(chunk).data());
        for (Index c = column; c < column + count && learned(); ++c) {
          dtheta[at_.location + c] += pass.dY.col(c).sum();
          dtheta[at_.log_noise + c] -=
              pass.dY.col(c).dot(pass.X.col(c)) * std::exp(-theta[at_.log_noise + c]);
        }
      });
    });
  }

  // B is zero where no edge may be, and stays so.
  void clear_forbidden(Vector& dtheta) const {
    for (const Forbidden& block : forbidden_) {
      const Slot& to = slots_[block.child];
      for (Index q = to.feature; q < to.feature + to.width; ++q) {
        double* const from = dtheta.data() + q * P_ + block.feature;
        std::fill(from, from + block.width, 0.0);
      }
    }
  }

  static void softmax(Matrix& U, const Slot& slot) {
    auto block = U.middleCols(slot.feature, slot.width);
    for (Index r = 0; r < U.rows(); ++r) {
      double most = block(r, 0), sum = 0;
      for (Index k = 1; k < slot.width; ++k) most = std::max(most, block(r, k));
      for (Index k = 0; k < slot.width; ++k) sum += block(r, k) = std::exp(block(r, k) - most);
      for (Index k = 0; k < slot.width; ++k) block(r, k) /= sum;
    }
  }

  // ---- drawing ----------------------------------------------------------------------------------

  void draw_levels(Matrix& U, const Slot& slot, Random& random, Matrix& F, Matrix& values) const {
    softmax(U, {slot.kind, 0, slot.width, 0, 0});
    for (Index r = 0; r < U.rows(); ++r) {
      double left = random.uniform();
      Index level = 0;
      while (level + 1 < slot.width && left >= U(r, level)) left -= U(r, level++);
      F(r, slot.feature + level) = 1;
      values(r, slot.value) = static_cast<double>(level);
    }
  }

  void draw_numbers(const Vector& theta, const Matrix& U, const Slot& slot, Random& random,
                    Matrix& F, Matrix& values) const {
    for (Index k = 0; k < slot.width; ++k) {
      const Index c = slot.column + k;
      const double spread = std::exp(theta[at_.spread + c]);
      for (Index r = 0; r < U.rows(); ++r) {
        const double y = phi_(theta.data() + at_.phi, U(r, k)) + spread * random.normal();
        F(r, slot.feature + k) = g_(theta.data() + at_.g, y);
        values(r, slot.value + k) = data_value(theta, c, y);
      }
    }
  }

  // `count` of n rows, evenly spaced.
  static std::vector<Index> some_rows(Index n, Index count) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(n, count)));
    const double step =
        static_cast<double>(n) / static_cast<double>(std::max<std::size_t>(rows.size(), 1));
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows[k] = std::min(n - 1, static_cast<Index>(static_cast<double>(k) * step));
    }
    return rows;
  }

  const Samples& samples_;
  Matrix allowed_;
  const MechanismOptions options_;
  Executor& executor_;
  ScalarNetwork g_, phi_;
  std::vector<Slot> slots_;
  std::vector<Index> output_of_;  // the feature and output of each continuous column
  std::vector<Forbidden> forbidden_;
  Index C_ = 0, P_ = 0, Q_ = 0;
  Layout at_;
  Vector center_, scale_;  // of each continuous column
  Vector start_bias_;      // means and log frequencies
  Vector row_unit_;        // the unit of each feature in the norm of a block
  Vector square_unit_;     // its square
  bool missing_ = false;
  Gaps gaps_, empty_gaps_;  // with predictions, and with means and frequencies, as stand-ins
  Pass pass_;
};

}  // namespace daggnn
