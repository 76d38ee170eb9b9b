#include <cmath>

#include "data/standardisation.h"
#include "graph/graph.h"
#include "likelihood/likelihood.h"
#include "models/mechanism.h"

namespace daggnn {

namespace {

constexpr Index folding_rows = 20000;  // enough to know a spread to 1%
constexpr double tiny_square = 1e-300;
constexpr int imputing_sweeps = 3;  // a cell's parents may be missing, and theirs

}  // namespace

void Mechanism::find_missing_cells() {
  initial_missing_ = missing_ = missing_of(samples_);
  incomplete_ = !incomplete_rows(missing_).empty();
}

Mechanism::Missing Mechanism::missing_of(const Samples& samples) const {
  Missing missing = find_missing(samples);
  for (const Slot& slot : slots_) {
    const bool number = slot.kind == Kind::continuous;
    Vector expected = start_bias_.segment(slot.feature, slot.width);
    const Likelihood& likelihood = likelihood_of(slot.distribution);
    if (number && slot.through_phi()) {
      for (Index k = 0; k < slot.width; ++k) {
        MissingCells& cells = missing[slot.value + k];
        cells.imputed = Matrix::Constant(static_cast<Index>(cells.rows.size()), 1, expected[k]);
      }
      continue;
    }
    likelihood.expect(slot.width, 1, expected.data());
    if (number) expected[0] = working_value(slot.column, expected[0]);
    MissingCells& cells = missing[slot.value];
    cells.imputed = expected.transpose().replicate(static_cast<Index>(cells.rows.size()), 1);
  }
  return missing;
}

void Mechanism::impute(const Vector& theta) {
  if (!incomplete_) return;
  missing_ = initial_missing_;
  impute_predictions(theta, samples_, true, missing_);
}

void Mechanism::impute_predictions(const Vector& theta, const Samples& samples, bool normalised,
                                   Missing& missing) const {
  const std::vector<Index> rows = incomplete_rows(missing);
  if (rows.empty()) return;
  Workspace work;
  for (int sweep = 0; sweep < imputing_sweeps; ++sweep) {
    const Index n = static_cast<Index>(rows.size());
    forward(theta, samples, missing, rows.data(), n, normalised, work);
    for (const Slot& slot : slots_) {
      for (Index k = 0; k < (slot.kind == Kind::discrete ? 1 : slot.width); ++k) {
        MissingCells& cells = missing[slot.value + k];
        for (std::size_t cell = 0; cell < cells.rows.size(); ++cell) {
          const Index r = position_in(rows, cells.rows[cell]);
          auto imputed = cells.imputed.row(static_cast<Index>(cell));
          if (slot.kind == Kind::discrete) {
            likelihood_of(slot.distribution).expect(slot.width, n, &work.U(r, slot.feature));
            imputed = work.U.row(r).segment(slot.feature, slot.width);
          } else {
            const Index c = slot.column + k;
            imputed(0) = working_value(c, data_value(theta, c, work.M(r, c)));
          }
        }
      }
    }
  }
}

double Mechanism::residual_square(const Workspace& work, Index column, Index value) const {
  double square = 0, count = 0;
  for (Index r = 0; r < work.Y.rows(); ++r) {
    if (incomplete_ && work.observed(r, value) == 0) continue;
    const double residual = work.Y(r, column) - work.M(r, column);
    square += residual * residual;
    ++count;
  }
  return std::max(square, tiny_square) / std::max(count, 1.0);
}

Vector Mechanism::fold_normalisation(const Vector& theta) const {
  const std::vector<Index> rows = spaced_rows(samples_.n(), folding_rows);
  Workspace work;
  forward(theta, samples_, missing_, rows.data(), static_cast<Index>(rows.size()), true, work);
  Vector result = theta;
  g_.scale(result.data() + at_.g, work.g.factor);
  phi_.scale(result.data() + at_.phi, work.phi.factor);
  for (const Slot& slot : slots_) {
    for (Index k = 0; slot.through_phi() && k < slot.width; ++k) {
      result[at_.spread + slot.column + k] =
          std::log(residual_square(work, slot.column + k, slot.value + k)) / 2;
    }
  }
  return result;
}

Matrix Mechanism::predict(const Vector& theta, const Samples& samples) const {
  Missing missing = missing_of(samples);
  impute_predictions(theta, samples, false, missing);
  Workspace work;
  const Index n = samples.n();
  const std::vector<Index> rows = spaced_rows(n, n);
  forward(theta, samples, missing, rows.data(), n, false, work);
  Matrix prediction = work.U;
  for (const Slot& slot : slots_) {
    for (Index r = 0; r < n; ++r) {
      if (slot.kind == Kind::discrete) {
        likelihood_of(slot.distribution).expect(slot.width, n, &prediction(r, slot.feature));
        continue;
      }
      for (Index k = 0; k < slot.width; ++k) {
        const Index c = slot.column + k;
        prediction(r, slot.feature + k) = data_value(theta, c, work.M(r, c));
      }
    }
  }
  return prediction;
}

Matrix Mechanism::simulate(const Vector& theta, const Matrix& edges, Index n,
                           Random& random) const {
  const Eigen::Map<const Matrix> B(theta.data(), P_, P_);
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
    draw(theta, to, U, random, F, values);
  }
  return values;
}

void Mechanism::draw(const Vector& theta, const Slot& slot, Matrix& U, Random& random, Matrix& F,
                     Matrix& values) const {
  const Likelihood& likelihood = likelihood_of(slot.distribution);
  for (Index r = 0; r < U.rows(); ++r) {
    if (slot.through_phi()) {
      for (Index k = 0; k < slot.width; ++k) {
        const Index c = slot.column + k;
        const double spread = std::exp(theta[at_.spread + c]);
        const double y = phi_(theta.data() + at_.phi, U(r, k)) + spread * random.normal();
        F(r, slot.feature + k) = g_(theta.data() + at_.g, y);
        values(r, slot.value + k) = data_value(theta, c, y);
      }
      continue;
    }
    likelihood.expect(slot.width, U.rows(), &U(r, 0));
    const NoiseDraw from{random.uniform(), random.normal()};
    const double value = likelihood.draw(slot.width, U.rows(), &U(r, 0), from);
    values(r, slot.value) = value;
    if (slot.kind == Kind::discrete) {
      F(r, slot.feature + static_cast<Index>(value)) = 1;
    } else {
      F(r, slot.feature) = g_(theta.data() + at_.g, working_value(slot.column, value));
    }
  }
}

}  // namespace daggnn
