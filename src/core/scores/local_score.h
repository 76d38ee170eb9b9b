// A local score: how well a set of parents explains a child, as a log-likelihood (or log evidence)
// with its complexity charged, in the units of the data. The score of a network is the sum over its
// families, so that searches need to know nothing else of the data, and networks found under
// different scores can be compared.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/types.h"

namespace daggnn {

using Parents = std::vector<Index>;  // sorted, distinct
// The gain, not negative, that a candidate must bring as one parent more, beside so many.
using LeastGain = std::function<double(std::size_t, Index)>;

// A family that is asked again and again for the score that one parent more would give.
class PreparedFamily {
 public:
  virtual ~PreparedFamily() = default;
  // candidate: neither the child nor a parent. Called from several threads.
  virtual double value_with(Index candidate) const = 0;
};

class LocalScore {
 public:
  virtual ~LocalScore() = default;
  virtual Index variables() const = 0;

  // The score of a family; the child is not among its parents. Called from several threads.
  virtual double value(Index child, const Parents& parents) const = 0;

  // The scores of the families that have one parent more: values[k] is that of parents and
  // candidates[k]. A kind of score overrides it where the families share work.
  virtual void additions(Index child, const Parents& parents, const Parents& candidates,
                         std::vector<double>& values) const;
  // The scores of the families that have one parent less: values[k] is that without parents[k].
  virtual void removals(Index child, const Parents& parents, std::vector<double>& values) const;
  // Adds the candidate whose gain exceeds the least one by most to the parents, while there is one
  // and there are fewer than maxp. The candidates are sorted; those that are parents already
  // do not matter.
  virtual void grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
                    const LeastGain& least) const;
  // The score outlives the family. A kind of score overrides it where the parents' part of the work
  // can be kept.
  virtual std::unique_ptr<const PreparedFamily> prepare(Index child, const Parents& parents) const;
};

// The parents and one more; the parents without their k-th.
Parents with_parent(const Parents& parents, Index candidate);
Parents without_parent(const Parents& parents, std::size_t k);

}  // namespace daggnn
