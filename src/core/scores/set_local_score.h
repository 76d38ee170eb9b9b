// The scores for parent sets (set_scores.h: bnlearn's BIC, AIC and BDe, discrete or Gaussian) as
// local scores that a search can ask for one family at a time.
#pragma once

#include "scores/family_table.h"
#include "scores/set_scores.h"

namespace daggnn {

class SetLocalScore final : public LocalScore {
 public:
  explicit SetLocalScore(const SetScore& score) : score_(score) {}
  Index variables() const override { return score_.m(); }
  // Remembered: searches ask for the same families again and again.
  double value(Index child, const Parents& parents) const override;
  void additions(Index child, const Parents& parents, const Parents& candidates,
                 std::vector<double>& values) const override;

 private:
  const SetScore& score_;
  mutable FamilyTable<double> known_;
};

}  // namespace daggnn
