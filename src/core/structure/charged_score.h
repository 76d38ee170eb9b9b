// The best of several scores for each family, less what its edges are charged.
#pragma once

#include <utility>
#include <vector>

#include "scores/best_score.h"
#include "scores/memo_score.h"
#include "structure/edge_charges.h"

namespace daggnn {

class ChargedScore final : public LocalScore {
 public:
  // The scores and the charges outlive this one; charges may expect another number of edges later.
  // remember: whether families are kept in a table, for scores that are slower than that.
  ChargedScore(std::vector<const LocalScore*> kinds, const EdgeCharges& charges, bool remember)
      : best_(std::move(kinds)), memo_(best_), remember_(remember), charges_(charges) {}

  Index variables() const override { return best_.variables(); }
  double value(Index child, const Parents& parents) const override {
    return uncharged().value(child, parents) - charges_.of(child, parents);
  }
  void additions(Index child, const Parents& parents, const Parents& candidates,
                 std::vector<double>& values) const override;
  void removals(Index child, const Parents& parents, std::vector<double>& values) const override;
  void grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
            const LeastGain& least) const override;
  // The charges stay as they are while the family is asked.
  std::unique_ptr<const PreparedFamily> prepare(Index child, const Parents& parents) const override;

 private:
  const LocalScore& uncharged() const {
    if (remember_) return memo_;
    return best_;
  }

  BestScore best_;
  MemoScore memo_;
  bool remember_;
  const EdgeCharges& charges_;
};

}  // namespace daggnn
