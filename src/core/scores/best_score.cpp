#include "scores/best_score.h"

#include <algorithm>

namespace daggnn {

double BestScore::value(Index child, const Parents& parents) const {
  double best = kinds_.front()->value(child, parents);
  for (std::size_t k = 1; k < kinds_.size(); ++k) {
    best = std::max(best, kinds_[k]->value(child, parents));
  }
  return best;
}

}  // namespace daggnn
