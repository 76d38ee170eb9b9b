#include "scores/joint_score.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/executor.h"
#include "linalg/gemm.h"
#include "scores/neighbour_process.h"

namespace daggnn {

namespace {

// Prior variances of the joint effect, in units of the noise variance.
constexpr double rho_grid[] = {0.1, 1, 10, 100, 1e3, 1e4};
// Where the climb over length scales and rho begins.
constexpr std::size_t first_length = 2, first_rho = 2;
// The same for nearest neighbours, which serve where functions vary over short distances and so
// are known roughly only.
constexpr double shortest_neighbour_length = 0.4;
constexpr std::size_t count_of_neighbour_lengths = 7;
constexpr double neighbour_rho[] = {0.1, 0.3, 1, 3, 10, 30};
constexpr std::size_t first_neighbour_length = 3, first_neighbour_rho = 2;
// Each length is the one before times the square root of 2.
double neighbour_length_at(std::size_t place) {
  return shortest_neighbour_length * std::exp2(static_cast<double>(place) / 2);
}
// With fewer parents, the centres reach all rows.
constexpr std::size_t least_parents_for_neighbours = 3;
// Added to the diagonal of Q: centres that nearly coincide.
constexpr double jitter = 1e-6;
// Added to the diagonal of linear terms, so that collinear parents have a factorisation.
constexpr double ridge = 1e-9;

}  // namespace

JointScore::JointScore(const std::vector<Matrix>& coordinates, std::vector<bool> numeric, double n,
                       JointOptions options)
    : CoordinateScore(coordinates, std::move(numeric), n), options_(std::move(options)) {
  const std::vector<Index> ranked = ranked_rows();
  const Index q = std::min(options_.centres, rows());
  centres_ = spread_rows(ranked, q);
  // Copies of a row are no neighbours that tell anything of it.
  if (options_.neighbours && static_cast<double>(rows()) <= n_) spread_ = spread_order(ranked);
  for (const double length : options_.lengths) {
    std::vector<Matrix> factors;
    for (const Matrix& Z : coordinates) {
      Matrix factor(rows(), q);
      for (Index c = 0; c < q; ++c) {
        const Eigen::RowVectorXd centre = Z.row(centres_[static_cast<std::size_t>(c)]);
        factor.col(c) =
            (-(Z.rowwise() - centre).rowwise().squaredNorm().array() / (2 * length * length)).exp();
      }
      factors.push_back(std::move(factor));
    }
    factor_.push_back(std::move(factors));
  }
}

// The linear terms, the kernel and the response, with the linear terms projected out.
struct JointScore::Design {
  Index linear = 0;
  Matrix D;                       // n x (linear + q + 1), centred
  Vector kernel_means;            // taken off
  Matrix Q;                       // q x q
  Eigen::LLT<Matrix> linear_llt;  // of the linear terms' products
  Matrix half;                    // L^-1 of their products with the rest
  Matrix schur;                   // of the kernel: K'K
  Vector c;                       // K'y
  double left;                    // y'y
};

Vector JointScore::linear_residuals(const Matrix& X, Index child) const {
  const auto y = coordinates_[child].col(0);
  Matrix G = X.transpose() * X;
  G.diagonal().array() += ridge * static_cast<double>(X.rows());
  return y - X * G.llt().solve(X.transpose() * y);
}

JointScore::Design JointScore::design(Index child, const Parents& parents,
                                      std::size_t length) const {
  const std::vector<Matrix>& factors = factor_[length];
  const Index q = static_cast<Index>(centres_.size());
  Design of;
  const Matrix X = linear_features(parents);
  of.linear = X.cols();
  const Index rows = this->rows();
  of.D.resize(rows, of.linear + q + 1);
  of.D.leftCols(of.linear) = X;
  auto K = of.D.middleCols(of.linear, q);
  K = factors[parents[0]];
  for (std::size_t k = 1; k < parents.size(); ++k) K.array() *= factors[parents[k]].array();
  of.Q.resize(q, q);
  for (Index r = 0; r < q; ++r) of.Q.row(r) = K.row(centres_[static_cast<std::size_t>(r)]);
  of.Q.diagonal().array() += jitter;
  of.kernel_means = K.colwise().mean().transpose();
  K.rowwise() -= of.kernel_means.transpose();
  of.D.col(of.linear + q) = coordinates_[child].col(0);
  const Index P = of.D.cols();
  Matrix G(P, P);
  SerialExecutor serial;
  gemm(P, P, rows, n_ / static_cast<double>(rows), {of.D.data(), rows, true}, {of.D.data(), rows},
       0, G.data(), P, serial);
  Matrix L = G.topLeftCorner(of.linear, of.linear);
  L.diagonal().array() += ridge * n_;
  of.linear_llt.compute(L);
  of.half = of.linear_llt.matrixL().solve(G.topRightCorner(of.linear, q + 1));
  Matrix S = G.bottomRightCorner(q + 1, q + 1);
  S.noalias() -= of.half.transpose() * of.half;
  of.schur = S.topLeftCorner(q, q);
  of.c = S.topRightCorner(q, 1);
  of.left = S(q, q);
  return of;
}

std::vector<NumericScore::Fit> JointScore::fits(Index child, Index, const Parents& parents) const {
  if (parents.size() < 2) return {};
  return known(child, parents).fits;
}

namespace {

// Calls rate(place) at `first`, then on both sides of it for as long as that gives more.
template <class Rate>
double climb_from(std::size_t first, std::size_t size, const Rate& rate) {
  double best = rate(first);
  bool upwards = false;
  for (std::size_t place = first + 1; place < size; ++place) {
    const double value = rate(place);
    if (!(value > best)) break;
    best = value;
    upwards = true;
  }
  for (std::size_t place = first; !upwards && place-- > 0;) {
    const double value = rate(place);
    if (!(value > best)) break;
    best = value;
  }
  return best;
}

}  // namespace

JointScore::Found JointScore::climb(Index child, const Parents& parents) const {
  Found found;
  std::size_t rho_start = first_rho;
  climb_from(std::min(first_length, options_.lengths.size() - 1), options_.lengths.size(),
             [&](std::size_t length) {
               const Design of = design(child, parents, length);
               const double charge =
                   static_cast<double>(of.linear) / 2 * std::log(n_) + options_.joint_charge;
               const double prior = 2 * of.Q.llt().matrixLLT().diagonal().array().log().sum();
               double best = not_applicable;
               return climb_from(rho_start, std::size(rho_grid), [&](std::size_t k) {
                 const Eigen::LLT<Matrix> llt(of.schur + of.Q / rho_grid[k]);
                 const double log_det = 2 * llt.matrixLLT().diagonal().array().log().sum() - prior +
                                        static_cast<double>(of.Q.rows()) * std::log(rho_grid[k]);
                 const double left = (of.left - llt.matrixL().solve(of.c).squaredNorm()) / n_;
                 // The less noise there is, the better the slopes are known.
                 const double precise =
                     -static_cast<double>(of.linear) / 2 * std::log(std::max(left, 1e-9));
                 const Fit fit{left, charge + precise + log_det / 2};
                 found.fits.push_back(fit);
                 found.at.push_back({length, rho_grid[k], 0});
                 const double value =
                     -n_ / 2 * std::log(std::max(fit.unexplained, 1e-9)) - fit.charge;
                 if (value > best) {
                   best = value;
                   rho_start = k;
                 }
                 return value;
               });
             });
  climb_neighbours(child, parents, found);
  return found;
}

void JointScore::climb_neighbours(Index child, const Parents& parents, Found& found) const {
  if (parents.size() < least_parents_for_neighbours || spread_.empty()) return;
  const Matrix X = linear_features(parents);
  const Vector y = linear_residuals(X, child);
  const NeighbourProcess process(X, spread_);
  const NeighbourProcess::Blocks response = process.response(y);
  const double linear = static_cast<double>(X.cols());
  std::size_t rho_start = first_neighbour_rho;
  std::size_t at = first_neighbour_length;
  NeighbourProcess::Blocks kernel = process.kernel(neighbour_length_at(at));
  climb_from(first_neighbour_length, count_of_neighbour_lengths, [&](std::size_t place) {
    const double length = neighbour_length_at(place);
    const auto next =
        std::lower_bound(options_.lengths.begin(), options_.lengths.end() - 1, length);
    for (; at < place; ++at) NeighbourProcess::lengthen(kernel);
    for (; at > place; --at) NeighbourProcess::shorten(kernel);
    double best = not_applicable;
    return climb_from(rho_start, std::size(neighbour_rho), [&](std::size_t k) {
      const auto [unexplained, log_det, standardised] =
          process.evidence(response, kernel, neighbour_rho[k]);
      const double left = std::max(unexplained, 1e-9);
      const Fit fit{unexplained,
                    linear / 2 * std::log(n_ / left) + options_.joint_charge + log_det / 2};
      found.fits.push_back(fit);
      found.at.push_back(
          {static_cast<std::size_t>(next - options_.lengths.begin()), neighbour_rho[k], length});
      const double value = -n_ / 2 * std::log(left) - fit.charge;
      if (value > best) {
        best = value;
        rho_start = k;
      }
      return value;
    });
  });
}

JointScore::Found JointScore::known(Index child, const Parents& parents) const {
  return known_.get(child, parents, [&] { return climb(child, parents); });
}

JointScore::Regression JointScore::solve(const Design& of, const Hyperparameters& at) const {
  const Index q = of.Q.rows();
  const Eigen::LLT<Matrix> llt(of.schur + of.Q / at.rho);
  Regression result{options_.lengths[at.length],   centres_, {}, llt.solve(of.c), of.kernel_means,
                    static_cast<double>(of.linear)};
  result.slopes = of.half.col(q) - of.half.leftCols(q) * result.kernel;
  of.linear_llt.matrixU().solveInPlace(result.slopes);
  result.parameters += llt.solve(of.schur).trace();
  return result;
}

JointScore::Regression JointScore::regression(Index child, const Parents& parents,
                                              std::size_t fit) const {
  const Hyperparameters at = known(child, parents).at[fit];
  return solve(design(child, parents, at.length), at);
}

Vector JointScore::residuals(Index child, Index, const Parents& parents, std::size_t fit) const {
  const Hyperparameters at = known(child, parents).at[fit];
  if (at.neighbour_length > 0) {
    const Matrix X = linear_features(parents);
    const NeighbourProcess process(X, spread_);
    return process
        .evidence(process.response(linear_residuals(X, child)), process.kernel(at.neighbour_length),
                  at.rho)
        .standardised;
  }
  const Design of = design(child, parents, at.length);
  const Regression solved = solve(of, at);
  const Index q = of.Q.rows();
  return of.D.col(of.linear + q) - of.D.leftCols(of.linear) * solved.slopes -
         of.D.middleCols(of.linear, q) * solved.kernel;
}

}  // namespace daggnn
