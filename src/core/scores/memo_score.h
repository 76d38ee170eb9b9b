// A local score that remembers the families it was asked for: for scores that take longer than a
// look into a table.
#pragma once

#include "scores/family_table.h"

namespace daggnn {

class MemoScore final : public LocalScore {
 public:
  explicit MemoScore(const LocalScore& score) : score_(score) {}
  Index variables() const override { return score_.variables(); }
  double value(Index child, const Parents& parents) const override {
    return table_.get(child, parents, [&] { return score_.value(child, parents); });
  }

 private:
  const LocalScore& score_;
  mutable FamilyTable<double> table_;
};

}  // namespace daggnn
