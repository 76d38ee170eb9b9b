// The acyclicity constraint h: zero exactly where the graph of S has no cycle.
//
//   S   m x m, S = A o A >= 0: the squared weight of each edge
//   h   the value; dS = dh / dS, m x m
//
// Three choices: the paper's polynomial, the matrix exponential of NOTEARS (Zheng et al. 2018), and
// the log-determinant of DAGMA (Bello et al. 2022).
//
// The first two are series sum_k w_k S^k with w_k <= r^k / k! once S is scaled: some 16 terms are
// all that double precision can see, and 6 matrix products sum them (Paterson and Stockmeyer 1973),
// whatever m is. Nothing is negative, so nothing cancels: h comes out right to its last digits also
// where it is far below rounding error of the trace.
//
// The polynomial and the log-determinant have a scale above the spectral radius of S. If it
// followed S, the gradient would need the derivative of the scale too, and a bound on a spectral
// radius has none. So it is fixed by the caller, once for each round of the optimisation; value and
// gradient then belong to one function (as in DAGMA, which fixes s for each stage).
#pragma once

#include <cmath>
#include <vector>

#include "base/enumeration.h"
#include "base/executor.h"
#include "base/types.h"
#include "linalg/gemm.h"
#include "linalg/inverse.h"

namespace daggnn {

enum class Constraint { polynomial, exponential, logdet };
constexpr Name<Constraint> constraint_names[] = {{"polynomial", Constraint::polynomial},
                                                 {"exponential", Constraint::exponential},
                                                 {"logdet", Constraint::logdet}};

// The largest row sum bounds the spectral radius of a nonnegative matrix (Perron and Frobenius).
inline double spectral_bound(const Matrix& S) {
  return S.size() == 0 ? 0 : S.rowwise().sum().maxCoeff();
}

// Value and gradient of h; keeps its matrices from call to call.
class Acyclicity {
 public:
  // The scale is at least this times the largest row sum of S.
  static constexpr double margin = 1.01;
  // A scale that is fixed for a round is so many times the bound at its start: S may grow.
  static constexpr double room = 1.5;

  explicit Acyclicity(Constraint constraint, Executor& executor)
      : constraint_(constraint), executor_(executor) {}

  double scale() const { return scale_; }
  void set_scale(double scale) { scale_ = scale; }
  // Whether h has the scale that was set at S; beyond, it has the smallest that is large enough,
  // and the gradient leaves out how that one changes with S.
  bool covers(const Matrix& S) {
    return constraint_ == Constraint::exponential || margin * bound_of(S) <= scale_;
  }

  double operator()(const Matrix& S, Matrix& dS);

 private:
  // What is left out of a series, relative to what a cycle of two contributes.
  static constexpr double series_tolerance = 1e-14;

  // h = tr (I + alpha S)^m - m.
  // alpha = 1 / m with a scale of 1, and less with a larger one, so that (1 + alpha |eigenvalue|)^m
  // never exceeds e.
  double polynomial(const Matrix& S, Matrix& dS);

  // h = tr exp(S) - m, with exp(S) = exp(S / 2^s)^(2^s).
  double exponential(const Matrix& S, Matrix& dS);

  // h = -log det(s I - S) + m log s, with the scale s.
  double logdet(const Matrix& S, Matrix& dS);

  // Whether the terms from w_k T^k on may be left out, given w_(k - 1) and a bound on the norm of
  // T: compared with norm^2, since cycles begin to count at T^2.
  static bool negligible(double last, double norm, Index k) {
    const double terms = static_cast<double>(k);
    return k > 2 && last * std::pow(norm, terms - 2) / terms < series_tolerance;
  }

  // sum = w_1 T + w_2 T^2 + ... with T = scale * S and w = weights_, by Paterson and Stockmeyer:
  // the powers S, ..., S^p, then Horner's rule in S^p. Powers of S commute: with S or S^p on the
  // left each thread needs no columns but its own.
  void series(const Matrix& S, double scale, Matrix& sum);

  static std::size_t at(Index k) { return static_cast<std::size_t>(k); }

  // dS = R^T.
  void write_transposed(Matrix& dS) const;
  // Some columns of it, in squares that the first-level cache holds.
  void write_transposed(Index first, Index some, Matrix& dS) const;

  // spectral_bound(), without a vector of its own each time.
  double bound_of(const Matrix& S);

  Constraint constraint_;
  Executor& executor_;
  double scale_ = 1;
  std::vector<double> weights_;  // of the series
  std::vector<Matrix> powers_;   // powers_[k] = S^k, from k = 2 on
  LeftFactor left_;
  Matrix R_, other_;
  Vector row_sums_;
  DominantInverse invert_;
};

inline double acyclicity(Constraint constraint, const Matrix& S, Matrix& dS) {
  SerialExecutor executor;
  return Acyclicity(constraint, executor)(S, dS);
}

}  // namespace daggnn
