// Scores for all parent sets at once: how well a set of parents P explains a variable i. All of
// them come from one number F(S) for each set S of variables,
//
//   score(i | P) = combine(F(P + i), F(P)),
//
// so that each joint of k + 1 variables serves k + 1 local scores. Values are those of bnlearn.
//
// clang-format off
//   BIC, AIC   F(S) = sum over cells of N log N
//              score = F(P + i) - F(P) - k (levels_i - 1) levels_P
//   BDe        F(S) = sum over cells of log G(N + a) - log G(a), a = iss / levels_S,
//                     G the gamma function
//              score = F(P + i) - F(P)
//   Gaussian   F(S) = log det of the correlations of S
//              score = the log-likelihood of the least squares fit with residual variance
//                      rss / (n - |P| - 1), minus k (|P| + 2)
// clang-format on
//
// where k is log(n) / 2 for BIC and 1 for AIC.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "base/enumeration.h"
#include "base/executor.h"
#include "data/counting.h"
#include "data/samples.h"

namespace daggnn {

enum class Score { bic, aic, bde };
constexpr Name<Score> score_names[] = {
    {"bic", Score::bic}, {"aic", Score::aic}, {"bde", Score::bde}};

// What is known of a set of variables.
struct Joint {
  double F = 0;
  double cells = 1;  // how many joint levels were observed; 1 for continuous variables
};

constexpr double no_score = -std::numeric_limits<double>::infinity();

// Walks over sets of variables; see Counter for the meaning of push and pop. One walker per task.
struct JointWalker {
  virtual ~JointWalker() = default;
  virtual void push(Index j) = 0;
  virtual void pop() = 0;
  virtual Joint joint(Index j) = 0;  // of the pushed variables and j
};

struct SetScore {
  virtual ~SetScore() = default;
  virtual Index m() const = 0;
  virtual std::unique_ptr<JointWalker> walker() const = 0;
  virtual Joint empty() const = 0;  // of no variables
  // `both` is P + i. P is sorted, without i.
  virtual double value(Index i, const Index* P, Index size, const Joint& both,
                       const Joint& parents) const = 0;
  // At least value(i, P), from what is known of P without its k-th member p: `rest` is P - p,
  // `rest_i` is P - p + i and `parents` is P.
  virtual double bound(Index i, const Index* P, Index size, const Joint& rest, const Joint& rest_i,
                       const Joint& parents) const = 0;
};

inline double penalty_weight(Score score, Index n) {
  return score == Score::bic ? std::log(static_cast<double>(n)) / 2 : 1;
}

// The term of a cell as a function of its count, from a table as far as it goes.
class CellTerms {
 public:
  // N log N.
  explicit CellTerms(Index size) : table_(size), concentration_(0) {
    for (Index N = 1; N < size; ++N) table_[N] = compute(N);
  }
  // log G(N + a) - log G(a) = log a + log(a + 1) + ... + log(a + N - 1).
  CellTerms(Index size, double concentration);
  double operator()(Index N) const {
    return N < static_cast<Index>(table_.size()) ? table_[N] : compute(N);
  }

 private:
  double compute(Index N) const;
  std::vector<double> table_;
  double concentration_;
};

class DiscreteScore final : public SetScore {
 public:
  // maxp: the most parents that will be asked for; iss: the imaginary sample size of BDe.
  DiscreteScore(const Samples& samples, Score score, double iss, Index maxp, Executor& executor);

  Index m() const override { return data_.m(); }
  std::unique_ptr<JointWalker> walker() const override;
  Joint empty() const override { return {terms({}, 1)(data_.total()), 1}; }

  double value(Index i, const Index* P, Index size, const Joint& both,
               const Joint& parents) const override {
    return (both.F - parents.F) / copies_ - penalty(i, P, size);
  }

  double bound(Index i, const Index* P, Index size, const Joint& rest, const Joint& rest_i,
               const Joint& parents) const override;

 private:
  // Entries in all tables of terms together: 128 MB at most.
  static constexpr Index table_budget = Index{1} << 24;

  class Walker final : public JointWalker {
   public:
    explicit Walker(const DiscreteScore& score) : score_(score), counter_(score.data_) {}
    void push(Index j) override {
      counter_.push(j);
      levels_.push_back(score_.data_.levels(j));
    }
    void pop() override {
      counter_.pop();
      levels_.pop_back();
    }
    Joint joint(Index j) override {
      const CellTerms& terms = score_.terms(levels_, score_.data_.levels(j));
      Joint joint{0, 0};
      counter_.count(j, [&](Index count) {
        joint.F += terms(count);
        ++joint.cells;
      });
      return joint;
    }

   private:
    const DiscreteScore& score_;
    Counter counter_;
    std::vector<Index> levels_;
  };

  // Of data that are elsewhere: each joint is asked for once.
  class AskingWalker final : public JointWalker {
   public:
    explicit AskingWalker(const DiscreteScore& score) : score_(score) {}
    void push(Index j) override { variables_.push_back(j); }
    void pop() override { variables_.pop_back(); }
    Joint joint(Index j) override;

   private:
    const DiscreteScore& score_;
    std::vector<Index> variables_;
  };

  double penalty(Index i, const Index* P, Index size) const;

  const CellTerms& terms(const std::vector<Index>& levels, Index last) const;

  // The terms of a joint depend on its number of cells alone.
  void make_bde_terms(Index most_variables, Executor& executor);

  DiscreteData data_;
  Score score_;
  double weight_, copies_, iss_;
  std::shared_ptr<const JointCounts> elsewhere_;
  mutable std::map<std::vector<Index>, Joint> asked_;
  std::map<double, CellTerms> terms_;  // by the number of cells; BIC and AIC have one entry
};

class GaussianScore final : public SetScore {
 public:
  GaussianScore(const Samples& samples, Score score);
  // Of n rows that are elsewhere. covariances: divided by n.
  GaussianScore(const Matrix& covariances, double n, Score score);

  Index m() const override { return correlations_.rows(); }
  std::unique_ptr<JointWalker> walker() const override { return std::make_unique<Walker>(*this); }
  Joint empty() const override { return {0, 1}; }

  // A variable that its parents determine has no density: no score, as in bnlearn.
  double value(Index i, const Index*, Index size, const Joint& both,
               const Joint& parents) const override;

  // The likelihood of a Gaussian has no bound before the fit.
  double bound(Index, const Index*, Index, const Joint&, const Joint&,
               const Joint&) const override {
    return -no_score;
  }

 private:
  // Below this share of its variance left, a variable counts as a linear function of the others.
  static constexpr double dependent = 1e-12;

  // Rows of the Cholesky factor of the correlations of the pushed variables.
  class Walker final : public JointWalker {
   public:
    explicit Walker(const GaussianScore& score) : score_(score) {}
    void push(Index j) override {
      const Joint with_j = joint(j);
      variables_.push_back(j);
      row_.push_back(std::sqrt(left_));
      factor_.push_back(row_);
      F_.push_back(with_j.F);
    }
    void pop() override {
      variables_.pop_back();
      factor_.pop_back();
      F_.pop_back();
    }
    Joint joint(Index j) override {
      const double before = F_.empty() ? 0 : F_.back();
      row_.clear();
      left_ = 1;
      for (std::size_t k = 0; k < variables_.size(); ++k) {
        double entry = score_.correlations_(variables_[k], j);
        for (std::size_t l = 0; l < k; ++l) entry -= factor_[k][l] * row_[l];
        row_.push_back(factor_[k][k] > 0 ? entry / factor_[k][k] : 0);
        left_ -= row_.back() * row_.back();
      }
      if (before == no_score || left_ < dependent) {
        left_ = 0;
        return {no_score, 1};
      }
      return {before + std::log(left_), 1};
    }

   private:
    const GaussianScore& score_;
    std::vector<Index> variables_;
    std::vector<std::vector<double>> factor_;
    std::vector<double> F_;  // of each prefix
    std::vector<double> row_;
    double left_ = 1;  // share of the variance of the last variable that the others leave
  };

  double n_, weight_;
  Vector squares_;       // centred sums of squares
  Matrix correlations_;  // m x m
};

}  // namespace daggnn
