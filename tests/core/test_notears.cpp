#include "base/random.h"
#include "models/notears.h"

#include "expect.h"
#include "finite_differences.h"

using namespace daggnn;

namespace {

Matrix random_matrix(Index rows, Index columns, Random& random) {
  Matrix M(rows, columns);
  for (Index k = 0; k < M.size(); ++k) M(k) = random.normal();
  return M;
}

// X_j = sum_i A_ij X_i + noise along the order of the columns.
Matrix draw(const Matrix& A, Index n, Random& random) {
  Matrix X = random_matrix(n, A.rows(), random);
  for (Index j = 0; j < A.rows(); ++j) X.col(j) += X.leftCols(j) * A.col(j).head(j);
  X.rowwise() -= X.colwise().mean();
  return X;
}

Matrix chain(Index m) {
  Matrix A = Matrix::Zero(m, m);
  for (Index j = 1; j < m; ++j) A(j - 1, j) = j % 2 == 0 ? 1.2 : -0.9;
  return A;
}

Matrix binary(Index n, Index m, Random& random) {
  Matrix X(n, m);
  for (Index k = 0; k < X.size(); ++k) X(k) = random.uniform() < 0.4 ? 1 : 0;
  return X;
}

const Matrix all(Index m) { return Matrix::Ones(m, m); }
const Matrix none(Index m) { return Matrix::Zero(m, m); }

NotearsFit learn(const LinearLoss& loss, const Matrix& allowed, const NotearsControl& control) {
  Observer nobody;
  const Index m = loss.variables();
  return notears(loss, allowed, none(m), control, none(m),
                 Vector::Zero(loss.has_intercepts() ? m : 0), nobody);
}

}  // namespace

TEST(least_squares_is_the_mean_square_of_the_residuals) {
  Random random(1);
  const Matrix X = random_matrix(50, 4, random), A = random_matrix(4, 4, random);
  Matrix dA;
  Vector b, db;
  const LeastSquares loss(X.transpose() * X / 50);
  EXPECT_NEAR(loss.value(A, b, dA, db), (X - X * A).squaredNorm() / 100, 1e-10);
}

TEST(the_logistic_loss_is_the_mean_log_likelihood) {
  Random random(2);
  const Matrix X = binary(30, 3, random), A = random_matrix(3, 3, random);
  const Vector b = random_matrix(3, 1, random);
  Matrix dA;
  Vector db;
  const Logistic loss(X, Vector::Constant(30, 1.0 / 30));
  double slow = 0;
  for (Index r = 0; r < 30; ++r) {
    for (Index j = 0; j < 3; ++j) {
      const double p = 1 / (1 + std::exp(-(X.row(r).dot(A.col(j)) + b[j])));
      slow -= std::log(X(r, j) == 1 ? p : 1 - p) / 30;
    }
  }
  EXPECT_NEAR(loss.value(A, b, dA, db), slow, 1e-12);
}

TEST(a_missing_value_is_not_explained_and_explains_as_its_mean) {
  Matrix X(4, 2);
  X << 1, 0, 0, 1, 1, 1, std::nan(""), 0;
  Matrix filled = X;
  filled(3, 0) = 2.0 / 3;
  const Vector weights = Vector::Constant(4, 0.25);
  Matrix A(2, 2), dA;
  A << 0, 0.7, -0.4, 0;
  Vector b(2), db;
  b << 0.2, -0.1;
  const double value = Logistic(X, weights).value(A, b, dA, db);
  const double with_all = Logistic(filled, weights).value(A, b, dA, db);
  const double logit = b[0] + filled(3, 1) * A(1, 0);
  const double its_own = 0.25 * (std::log1p(std::exp(logit)) - filled(3, 0) * logit);
  EXPECT_NEAR(value, with_all - its_own, 1e-12);
}

TEST(gradients_of_the_lagrangian_agree_with_finite_differences) {
  Random random(3);
  const Index m = 4;
  const Matrix X = random_matrix(60, m, random);
  const LeastSquares squares(X.transpose() * X / 60);
  const Logistic logistic(binary(60, m, random), Vector::Constant(60, 1.0 / 60));
  Matrix allowed = all(m), exempt = none(m);
  allowed(0, 2) = 0;
  exempt(1, 3) = 1;
  for (const LinearLoss* loss :
       {static_cast<const LinearLoss*>(&squares), static_cast<const LinearLoss*>(&logistic)}) {
    for (const auto& [name, constraint] : constraint_names) {
      for (double penalty : {0.0, 0.3}) {
        NotearsControl control;
        control.constraint = constraint;
        control.penalty = penalty;
        NotearsObjective objective(*loss, allowed, exempt, control);
        objective.multipliers.lambda = 0.7;
        objective.multipliers.c = 3;
        Vector theta(objective.size()), dtheta(theta.size()), curvature(theta.size());
        for (Index k = 0; k < theta.size(); ++k) theta[k] = 0.1 + 0.3 * random.uniform();
        objective.unpack(theta);
        objective.fix_scale();
        objective(theta, dtheta, curvature);
        const Vector slope = dtheta;
        const Vector slow = finite_differences<Vector>(
            [&](const Vector& point) { return objective(point, dtheta, curvature); }, theta);
        EXPECT_NEAR((slope - slow).cwiseAbs().maxCoeff(), 0, 1e-7);
      }
    }
  }
}

TEST(packing_and_unpacking_give_the_same_weights) {
  Random random(4);
  const LeastSquares loss(Matrix::Identity(5, 5));
  for (double penalty : {0.0, 1.0}) {
    NotearsControl control;
    control.penalty = penalty;
    NotearsObjective objective(loss, all(5), none(5), control);
    Matrix A = random_matrix(5, 5, random);
    A.diagonal().setZero();
    objective.unpack(objective.pack(A, Vector()));
    EXPECT_NEAR((objective.A - A).cwiseAbs().maxCoeff(), 0, 0);
  }
}

TEST(every_constraint_finds_a_chain) {
  Random random(5);
  const Matrix truth = chain(6), X = draw(truth, 4000, random);
  const LeastSquares loss(X.transpose() * X / 4000);
  for (const auto& [name, constraint] : constraint_names) {
    NotearsControl control;
    control.constraint = constraint;
    const NotearsFit fit = learn(loss, all(6), control);
    EXPECT(fit.reason == Reason::converged);
    EXPECT_NEAR((fit.A - truth).cwiseAbs().maxCoeff(), 0, 0.1);
  }
}

TEST(an_edge_that_is_not_allowed_has_no_weight) {
  Random random(6);
  const Matrix X = draw(chain(4), 1000, random);
  Matrix allowed = all(4);
  allowed(0, 1) = 0;
  const LeastSquares loss(X.transpose() * X / 1000);
  EXPECT(learn(loss, allowed, NotearsControl()).A(0, 1) == 0);
}

TEST(a_large_penalty_leaves_no_edge) {
  Random random(7);
  const Matrix X = draw(chain(4), 1000, random);
  const LeastSquares loss(X.transpose() * X / 1000);
  NotearsControl control;
  control.penalty = 100;
  EXPECT(learn(loss, all(4), control).A.isZero(0));
}

TEST(a_learner_that_is_told_to_stop_returns_what_it_has) {
  struct Impatient final : Observer {
    int left;
    explicit Impatient(int polls) : left(polls) {}
    Stop poll(const Progress&) override { return left-- > 0 ? Stop::none : Stop::time_limit; }
  };
  Random random(8);
  const Matrix X = draw(chain(5), 500, random);
  const LeastSquares loss(X.transpose() * X / 500);
  for (int polls : {0, 1, 10, 60}) {
    Impatient observer(polls);
    const NotearsFit fit =
        notears(loss, all(5), none(5), NotearsControl(), none(5), Vector(), observer);
    EXPECT(fit.reason == Reason::time_limit);
    EXPECT(fit.A.allFinite() && fit.A.rows() == 5);
  }
}

TEST(without_a_tolerance_the_weight_of_the_constraint_reaches_its_end) {
  Random random(9);
  const Matrix X = draw(chain(4), 500, random);
  NotearsControl control;
  control.h_tolerance = 0;
  control.c_max = 1e6;
  EXPECT(learn(LeastSquares(X.transpose() * X / 500), all(4), control).reason == Reason::c_max);
}
