#include "models/design.h"

namespace daggnn {

Design::Design(NumberReader& reader, const std::vector<Variable>& variables,
               const Parents& parents) {
  const OutputLayout layout(variables);
  for (const Index i : parents) maps_.emplace_back(reader, variables, i, layout);
}

void Design::write(NumberWriter& writer) const {
  for (const FeatureMap& map : maps_) map.write(writer);
}

Index Design::first(std::size_t parent) const {
  Index first = 0;
  for (std::size_t k = 0; k < parent; ++k) first += maps_[k].size();
  return first;
}

Matrix Design::evaluate(const Matrix& outputs) const {
  Matrix features(outputs.rows(), size());
  Index at = 0;
  for (const FeatureMap& map : maps_) {
    features.middleCols(at, map.size()) = map.evaluate(outputs);
    at += map.size();
  }
  return features;
}

}  // namespace daggnn
