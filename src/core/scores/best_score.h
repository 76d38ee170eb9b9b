// The best of several scores for each family: the data decide, family by family, which model
// explains a child best after its complexity is charged.
#pragma once

#include <utility>
#include <vector>

#include "scores/local_score.h"

namespace daggnn {

class BestScore final : public LocalScore {
 public:
  // The scores outlive this one; where none is applicable, so is this one.
  explicit BestScore(std::vector<const LocalScore*> kinds) : kinds_(std::move(kinds)) {}
  Index variables() const override { return kinds_.front()->variables(); }
  double value(Index child, const Parents& parents) const override;
  void additions(Index child, const Parents& parents, const Parents& candidates,
                 std::vector<double>& values) const override;
  void removals(Index child, const Parents& parents, std::vector<double>& values) const override;
  void grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
            const LeastGain& least) const override;
  std::unique_ptr<const PreparedFamily> prepare(Index child, const Parents& parents) const override;

 private:
  std::vector<const LocalScore*> kinds_;
};

}  // namespace daggnn
