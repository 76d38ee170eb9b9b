#include "scores/index_score.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "linalg/submatrix.h"

namespace daggnn {

namespace {

// Prior variances of the coefficients' second differences, in units of the noise variance.
constexpr double rho_grid[] = {1e-3, 1e-2, 0.1, 1, 10, 100};
// Added to P, since a straight line has no second differences.
constexpr double straightness = 1e-3;
// Added to the diagonal of linear terms, so that collinear parents have a factorisation.
constexpr double ridge = 1e-9;
// The share of rows on each side that lie beyond the range of a spline.
constexpr double outer_quantile = 0.002;
// Gauss-Newton steps from every start, from the best of them, and where there are many rows, on all
// of them.
constexpr int first_steps = 3, last_steps = 15, all_rows_steps = 2;
// Where there are many rows, the steps before are taken on so many of them.
constexpr Index start_rows = 500;
// Where the climb over rho begins.
constexpr std::size_t first_rho = 2;
// Added to the diagonal of the normal equations of a step: along a direction itself nothing
// changes.
constexpr double flatness = 1e-6;
// A step is damped more until it helps; a smaller gain than this ends the climb.
constexpr double dampings[] = {1e-3, 0.1, 10};
constexpr double least_step_gain = 0.1;
// Rows for each slope and each free number of a direction, below which the charges for them, which
// hold for many rows, say little.
constexpr double least_rows = 20;
// Principal Hessian directions that are tried.
constexpr Index hessian_starts = 2;

}  // namespace

IndexScore::IndexScore(const std::vector<Matrix>& coordinates, std::vector<bool> numeric, double n,
                       IndexOptions options)
    : CoordinateScore(coordinates, std::move(numeric), n), options_(options) {
  penalty_ = second_differences(options.intervals + 3);
  penalty_.diagonal().array() += straightness;
  penalty_log_det_ = 2 * penalty_.llt().matrixLLT().diagonal().array().log().sum();
  if (rows() > start_rows) few_ = spread_rows(ranked_rows(), start_rows);
}

// The parents' features, the response, and what is the same for all directions.
struct IndexScore::Data {
  Matrix X;                // rows x p
  Vector y;                // rows
  double weight;           // of a row
  Eigen::LLT<Matrix> llt;  // of X'X
  Vector z;                // L^-1 X'y
  double left;             // y'y less the linear part
};

IndexScore::Data IndexScore::data(Index child, const Parents& parents,
                                  const std::vector<Index>& few) const {
  Data of;
  of.X = linear_features(parents);
  of.y = coordinates_[child].col(0);
  if (!few.empty()) {
    of.X = rows_of(of.X, few);
    of.X.rowwise() -= of.X.colwise().mean().eval();
    of.y = rows_of(of.y, few);
    of.y.array() -= of.y.mean();
  }
  of.weight = n_ / static_cast<double>(of.y.size());
  Matrix G = of.weight * (of.X.transpose() * of.X);
  G.diagonal().array() += ridge * n_;
  of.llt.compute(G);
  of.z = of.llt.matrixL().solve(of.weight * (of.X.transpose() * of.y));
  of.left = of.weight * of.y.squaredNorm() - of.z.squaredNorm();
  return of;
}

// The B-splines of all terms, with the linear terms projected out of their products.
struct IndexScore::Design {
  Matrix directions;
  std::vector<UniformSpline> splines;
  std::vector<std::vector<UniformSpline::Place>> places;  // [term][row]
  Vector means;                                           // of the B-splines
  Matrix half;                                            // L^-1 X'B
  Matrix schur;                                           // B'B
  Vector c;                                               // B'y
};

namespace {

// The range of a spline of these numbers.
UniformSpline spline_of(const Vector& u, Index intervals) {
  std::vector<double> sorted(u.data(), u.data() + u.size());
  const auto cut = static_cast<std::ptrdiff_t>(outer_quantile * static_cast<double>(u.size()));
  std::nth_element(sorted.begin(), sorted.begin() + cut, sorted.end());
  const double low = sorted[static_cast<std::size_t>(cut)];
  std::nth_element(sorted.begin(), sorted.end() - 1 - cut, sorted.end());
  const double high = *(sorted.end() - 1 - cut);
  return UniformSpline(low, std::max(high, low + 1e-9), intervals);
}

}  // namespace

IndexScore::Design IndexScore::design(const Data& data, const Matrix& directions) const {
  Design of;
  const Index rows = data.X.rows(), p = data.X.cols(), terms = directions.cols();
  const Index q = penalty_.rows();
  of.directions = directions;
  // Unit variance of an index: directions have no scale.
  Matrix U = data.X * directions;
  for (Index k = 0; k < terms; ++k) {
    const double spread = std::sqrt(U.col(k).squaredNorm() / static_cast<double>(rows));
    const double factor = 1 / std::max(spread, 1e-12);
    U.col(k) *= factor;
    of.directions.col(k) *= factor;
    of.splines.push_back(spline_of(U.col(k), options_.intervals));
    std::vector<UniformSpline::Place> places(static_cast<std::size_t>(rows));
    for (Index r = 0; r < rows; ++r) places[r] = of.splines.back().at(U(r, k));
    of.places.push_back(std::move(places));
  }
  const Matrix Xt = data.X.transpose();
  Matrix XB = Matrix::Zero(p, q * terms);
  of.schur = Matrix::Zero(q * terms, q * terms);
  of.c = Vector::Zero(q * terms);
  of.means = Vector::Zero(q * terms);
  for (Index k = 0; k < terms; ++k) {
    for (Index r = 0; r < rows; ++r) {
      const UniformSpline::Place& one = of.places[k][r];
      const Index at = k * q + one.first;
      for (Index a = 0; a < 4; ++a) {
        const double value = one.value[a];
        of.means[at + a] += value;
        of.c[at + a] += value * data.y[r];
        XB.col(at + a) += value * Xt.col(r);
        for (Index b = 0; b < 4; ++b) of.schur(at + b, at + a) += value * one.value[b];
      }
      for (Index l = 0; l < k; ++l) {
        const UniformSpline::Place& other = of.places[l][r];
        const Index from = l * q + other.first;
        for (Index a = 0; a < 4; ++a) {
          for (Index b = 0; b < 4; ++b) of.schur(from + b, at + a) += one.value[a] * other.value[b];
        }
      }
    }
  }
  of.schur.triangularView<Eigen::StrictlyLower>() = of.schur.transpose();
  of.means /= static_cast<double>(rows);
  of.half = data.llt.matrixL().solve(data.weight * XB);
  of.schur *= data.weight;
  of.schur.noalias() -= n_ * of.means * of.means.transpose();
  of.schur.noalias() -= of.half.transpose() * of.half;
  of.c = data.weight * of.c - of.half.transpose() * data.z;
  return of;
}

namespace {

Eigen::LLT<Matrix> factorised(Matrix A, const Matrix& penalty, double rho) {
  const Index q = penalty.rows();
  for (Index at = 0; at < A.rows(); at += q) A.block(at, at, q, q) += penalty / rho;
  return Eigen::LLT<Matrix>(A);
}

}  // namespace

NumericScore::Fit IndexScore::fit_at(const Data& data, const Design& design,
                                     const Eigen::LLT<Matrix>& llt, double rho) const {
  const double terms = static_cast<double>(design.directions.cols());
  const double p = static_cast<double>(data.X.cols());
  const double log_det = 2 * llt.matrixLLT().diagonal().array().log().sum() -
                         terms * penalty_log_det_ +
                         static_cast<double>(design.schur.rows()) * std::log(rho);
  const double unexplained = (data.left - llt.matrixL().solve(design.c).squaredNorm()) / n_;
  // The less noise there is, the better directions and slopes are known.
  const double per_number = std::log(n_ / std::max(unexplained, 1e-9)) / 2;
  return {unexplained, (p + terms * (p - 1)) * per_number + log_det / 2 + options_.index_charge};
}

double IndexScore::own_score(const Fit& fit) const {
  return -n_ / 2 * std::log(std::max(fit.unexplained, 1e-9)) - fit.charge;
}

// Where a climb stands at one rho.
struct IndexScore::Place {
  std::size_t rho;
  Eigen::LLT<Matrix> llt;
  double score;
};

IndexScore::Place IndexScore::place(const Data& data, const Design& design, std::size_t rho) const {
  Place at{rho, factorised(design.schur, penalty_, rho_grid[rho]), 0};
  at.score = own_score(fit_at(data, design, at.llt, rho_grid[rho]));
  return at;
}

// Climbs over the grid of rho.
void IndexScore::improve_rho(const Data& data, const Design& design, Place& best) const {
  const std::size_t first = best.rho;
  for (const int direction : {1, -1}) {
    while (direction > 0 ? best.rho + 1 < std::size(rho_grid) : best.rho > 0) {
      Place next = place(data, design, direction > 0 ? best.rho + 1 : best.rho - 1);
      if (!(next.score > best.score)) break;
      best = std::move(next);
    }
    if (best.rho != first) break;
  }
}

IndexScore::Regression IndexScore::solve(const Data& data, const Design& design,
                                         const Eigen::LLT<Matrix>& llt) const {
  const Index q = penalty_.rows();
  const Vector c = llt.solve(design.c);
  Regression result;
  result.slopes = data.llt.matrixU().solve(data.z - design.half * c);
  result.constant = design.means.dot(c);
  for (Index k = 0; k < design.directions.cols(); ++k) {
    result.terms.push_back({design.directions.col(k), design.splines[k], c.segment(k * q, q)});
  }
  return result;
}

Vector IndexScore::residuals_of(const Data& data, const Regression& solved) {
  Vector residuals = data.y - data.X * solved.slopes;
  residuals.array() += solved.constant;
  for (const Term& term : solved.terms) {
    const Vector u = data.X * term.direction;
    for (Index r = 0; r < u.size(); ++r) {
      residuals[r] -= term.spline.evaluate(u[r], term.coefficients);
    }
  }
  return residuals;
}

// With T, how the fit changes with each direction, less what slopes and splines can follow: T'T and
// the score vector T'r.
struct IndexScore::Newton {
  Matrix S;
  Vector gradient;
};

IndexScore::Newton IndexScore::newton(const Data& data, const Design& design,
                                      const Eigen::LLT<Matrix>& llt) const {
  const Index rows = data.X.rows(), p = data.X.cols(), terms = design.directions.cols();
  const Index q = penalty_.rows();
  const Regression now = solve(data, design, llt);
  Vector residuals = data.y - data.X * now.slopes;
  residuals.array() += now.constant;
  Matrix T(rows, p * terms);
  for (Index k = 0; k < terms; ++k) {
    Vector slope(rows);
    const Vector& c = now.terms[k].coefficients;
    for (Index r = 0; r < rows; ++r) {
      const UniformSpline::Place& place = design.places[k][r];
      double value = 0, derivative = 0;
      for (Index a = 0; a < 4; ++a) {
        value += place.value[a] * c[place.first + a];
        derivative += place.slope[a] * c[place.first + a];
      }
      residuals[r] -= value;
      slope[r] = derivative;
    }
    T.middleCols(k * p, p) = slope.asDiagonal() * data.X;
  }
  const Eigen::RowVectorXd T_means = T.colwise().mean();
  const Matrix Tt = T.transpose();
  Matrix TB = Matrix::Zero(p * terms, q * terms);
  for (Index k = 0; k < terms; ++k) {
    for (Index r = 0; r < rows; ++r) {
      const UniformSpline::Place& place = design.places[k][r];
      for (Index a = 0; a < 4; ++a) {
        TB.col(k * q + place.first + a) += place.value[a] * Tt.col(r);
      }
    }
  }
  Matrix BT = data.weight * TB.transpose() - n_ * design.means * T_means;
  const Matrix half = data.llt.matrixL().solve(data.weight * (data.X.transpose() * T));
  BT.noalias() -= design.half.transpose() * half;
  Newton result;
  result.S = data.weight * (Tt * T) - n_ * T_means.transpose() * T_means;
  result.S.noalias() -= half.transpose() * half;
  const Matrix inner = llt.matrixL().solve(BT);
  result.S.noalias() -= inner.transpose() * inner;
  result.gradient = data.weight * (Tt * residuals);
  return result;
}

struct IndexScore::Climb {
  double score = not_applicable;
  Matrix directions;
  std::size_t rho = first_rho;
};

// Steps at one rho; a rho that fits better is looked for at both ends, and where steps gain little.
IndexScore::Climb IndexScore::climb(const Data& data, Climb from, int steps) const {
  const Index p = data.X.cols();
  Design at = design(data, from.directions);
  Place best = place(data, at, from.rho);
  improve_rho(data, at, best);
  bool settled = p == 1;  // there is but one direction
  for (int k = 0; k < steps && !settled; ++k) {
    const Newton of = newton(data, at, best.llt);
    double gain = 0;
    for (const double damping : dampings) {
      Matrix S = of.S;
      S.diagonal() *= 1 + damping;
      S.diagonal().array() += flatness * n_;
      const Vector change = S.llt().solve(of.gradient);
      Design next_design = design(
          data, at.directions + Eigen::Map<const Matrix>(change.data(), p, at.directions.cols()));
      Place next = place(data, next_design, best.rho);
      gain = next.score - best.score;
      if (!(gain > 0)) continue;
      best = std::move(next);
      at = std::move(next_design);
      break;
    }
    if (gain > least_step_gain && k + 1 < steps) continue;
    const double before = best.score;
    improve_rho(data, at, best);
    settled = !(best.score > before + least_step_gain);
  }
  return {best.score, std::move(at.directions), best.rho};
}

namespace {

// The directions x'w along which the residuals bend most.
Matrix hessian_directions(const Matrix& X, const Vector& residuals, const Eigen::LLT<Matrix>& llt) {
  const Matrix H = X.transpose() * residuals.asDiagonal() * X;
  const Matrix inner = llt.matrixL().solve(H);
  Matrix whitened = llt.matrixL().solve(inner.transpose());
  whitened = (whitened + whitened.transpose()).eval() / 2;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(whitened);
  std::vector<Index> order(static_cast<std::size_t>(X.cols()));
  std::iota(order.begin(), order.end(), Index{0});
  std::sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::abs(eigen.eigenvalues()[a]) > std::abs(eigen.eigenvalues()[b]);
  });
  const Index count = std::min(hessian_starts, X.cols());
  Matrix result(X.cols(), count);
  for (Index k = 0; k < count; ++k) {
    result.col(k) = llt.matrixU().solve(eigen.eigenvectors().col(order[k]));
  }
  return result;
}

}  // namespace

IndexScore::Found IndexScore::search(Index child, const Parents& parents) const {
  const Data all = data(child, parents, {});
  const Data few = few_.empty() ? Data() : data(child, parents, few_);
  const Data& quick = few_.empty() ? all : few;
  const Index p = all.X.cols();
  const Vector slopes = quick.llt.matrixU().solve(quick.z);
  Vector residuals = quick.y - quick.X * slopes;
  Climb best, best_quick;
  best.directions.resize(p, 0);
  for (Index term = 1; term <= (p == 1 ? 1 : options_.terms); ++term) {
    if (least_rows * static_cast<double>(p + term * (p - 1)) > n_) break;
    Matrix starts = Matrix::Ones(1, 1);
    if (p > 1) starts = hessian_directions(quick.X, residuals, quick.llt);
    if (p > 1 && term == 1) {
      starts.conservativeResize(p, starts.cols() + 1);
      starts.col(starts.cols() - 1) = slopes;
    }
    Climb found;
    for (Index k = 0; k < starts.cols(); ++k) {
      Climb from = best;
      from.directions.conservativeResize(p, term);
      from.directions.col(term - 1) = starts.col(k);
      Climb tried = climb(quick, std::move(from), first_steps);
      if (tried.score > found.score) found = std::move(tried);
    }
    if (!(found.score > best_quick.score)) break;
    found = climb(quick, std::move(found), last_steps);
    best_quick = found;
    if (!few_.empty()) found = climb(all, std::move(found), all_rows_steps);
    if (!(found.score > best.score)) break;
    best = std::move(found);
    if (term < options_.terms) {
      const Design at = design(quick, best.directions);
      const auto llt = factorised(at.schur, penalty_, rho_grid[best.rho]);
      residuals = residuals_of(quick, solve(quick, at, llt));
    }
  }
  Found result;
  if (best.directions.cols() == 0) return result;
  const Design at = design(all, best.directions);
  for (const double rho : rho_grid) {
    result.fits.push_back(fit_at(all, at, factorised(at.schur, penalty_, rho), rho));
  }
  result.directions = std::move(best.directions);
  return result;
}

IndexScore::Found IndexScore::known(Index child, const Parents& parents) const {
  return known_.get(child, parents, [&] { return search(child, parents); });
}

std::vector<NumericScore::Fit> IndexScore::fits(Index child, Index, const Parents& parents) const {
  if (parents.empty()) return {};
  return known(child, parents).fits;
}

IndexScore::Regression IndexScore::regression(Index child, const Parents& parents,
                                              std::size_t fit) const {
  const Data of = data(child, parents, {});
  const Design at = design(of, known(child, parents).directions);
  const auto llt = factorised(at.schur, penalty_, rho_grid[fit]);
  Regression result = solve(of, at, llt);
  const Index p = of.X.cols();
  result.parameters =
      static_cast<double>(p + at.directions.cols() * (p - 1)) + llt.solve(at.schur).trace();
  return result;
}

Vector IndexScore::residuals(Index child, Index, const Parents& parents, std::size_t fit) const {
  const Data of = data(child, parents, {});
  const Design at = design(of, known(child, parents).directions);
  return residuals_of(of, solve(of, at, factorised(at.schur, penalty_, rho_grid[fit])));
}

}  // namespace daggnn
