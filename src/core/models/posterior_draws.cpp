#include "models/posterior_draws.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "linalg/submatrix.h"

namespace daggnn {

namespace {

// Values among which a missing number is chosen, or a level of a factor that has more.
constexpr Index candidates = 12;
constexpr double missing = std::numeric_limits<double>::quiet_NaN();

class Redraw {
 public:
  Redraw(const Families& families, const Eigen::Ref<const Matrix>& observed, Index variable,
         Matrix& values, Random& random)
      : families_(families),
        of_(families.variables()[variable]),
        family_(families.of(variable)),
        observed_(observed),
        values_(values),
        random_(random) {
    for (Index c = 0; c < static_cast<Index>(families.variables().size()); ++c) {
      const Parents& parents = families.of(c).parents();
      if (std::binary_search(parents.begin(), parents.end(), variable)) children_.push_back(c);
    }
    for (Index r = 0; r < values.rows(); ++r) {
      if (observed_.row(r % observed_.rows()).segment(of_.first, of_.columns()).hasNaN())
        rows_.push_back(r);
    }
  }

  void run() {
    if (rows_.empty()) return;
    const Index count = static_cast<Index>(rows_.size());
    Matrix rows = rows_of(values_, rows_);
    const bool levels = of_.kind == Kind::discrete && of_.width <= candidates;
    const Expected expected = family_.expect(outputs_of(rows, families_.variables()));
    const Index tried = levels ? of_.width : candidates;
    std::vector<Matrix> choices;
    Matrix weights(count, tried);
    for (Index t = 0; t < tried; ++t) {
      if (levels) {
        rows.col(of_.first).setConstant(static_cast<double>(t));
        weights.col(t) = expected.mean.col(t).array().max(1e-300).log();
      } else {
        if (t > 0) propose(expected, rows);
        weights.col(t).setZero();
      }
      add_children(rows, weights, t);
      choices.push_back(rows.middleCols(of_.first, of_.columns()));
    }
    for (Index k = 0; k < count; ++k) {
      values_.row(rows_[k]).segment(of_.first, of_.columns()) =
          choices[chosen(weights.row(k))].row(k);
    }
  }

 private:
  // New values given the parents in the place of those that are missing.
  void propose(const Expected& expected, Matrix& rows) {
    std::vector<NoiseDraw> from(static_cast<std::size_t>(of_.columns()));
    for (Index k = 0; k < rows.rows(); ++k) {
      const Index row = rows_[k] % observed_.rows();
      for (Index c = of_.first; c < of_.first + of_.columns(); ++c) {
        if (std::isnan(observed_(row, c))) rows(k, c) = missing;
      }
      for (NoiseDraw& each : from) each = {random_.uniform(), random_.normal()};
      family_.draw(expected, k, from.data(), rows);
    }
  }

  void add_children(const Matrix& rows, Matrix& weights, Index t) const {
    if (children_.empty()) return;
    const Matrix outputs = outputs_of(rows, families_.variables());
    for (const Index child : children_) {
      const Expected expected = families_.of(child).expect(outputs);
      for (Index k = 0; k < rows.rows(); ++k) {
        weights(k, t) += families_.of(child).log_density(expected, k, rows);
      }
    }
  }

  // With a probability that is proportional to the exponential of its weight.
  std::size_t chosen(const Eigen::RowVectorXd& weights) {
    const Eigen::RowVectorXd shares = (weights.array() - weights.maxCoeff()).exp();
    double left = random_.uniform() * shares.sum();
    Index place = 0;
    while (place + 1 < shares.size() && left >= shares[place]) left -= shares[place++];
    return static_cast<std::size_t>(place);
  }

  const Families& families_;
  const Variable& of_;
  const FittedFamily& family_;
  const Eigen::Ref<const Matrix>& observed_;
  Matrix& values_;
  Random& random_;
  std::vector<Index> children_, rows_;
};

}  // namespace

void draw_missing(const Families& families, const Eigen::Ref<const Matrix>& observed,
                  Matrix& values, int sweeps, Random& random) {
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Index j = 0; j < static_cast<Index>(families.variables().size()); ++j) {
      Redraw(families, observed, j, values, random).run();
    }
  }
}

}  // namespace daggnn
