// The design matrix of a fitted family: the features of its parents side by side.
#pragma once

#include <utility>
#include <vector>

#include "base/numbers.h"
#include "features/feature_map.h"
#include "scores/local_score.h"

namespace daggnn {

class Design {
 public:
  Design() = default;
  explicit Design(std::vector<FeatureMap> maps) : maps_(std::move(maps)) {}
  Design(NumberReader& reader, const std::vector<Variable>& variables, const Parents& parents);
  void write(NumberWriter& writer) const;

  Index size() const { return first(maps_.size()); }
  Index first(std::size_t parent) const;  // of its features
  Matrix evaluate(const Matrix& outputs) const;
  const std::vector<FeatureMap>& maps() const { return maps_; }

 private:
  std::vector<FeatureMap> maps_;  // one for each parent
};

}  // namespace daggnn
