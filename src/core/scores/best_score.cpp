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

// Each kind shares work between families in its own way.
void BestScore::additions(Index child, const Parents& parents, const Parents& candidates,
                          std::vector<double>& values) const {
  kinds_.front()->additions(child, parents, candidates, values);
  std::vector<double> others;
  for (std::size_t k = 1; k < kinds_.size(); ++k) {
    kinds_[k]->additions(child, parents, candidates, others);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], others[i]);
  }
}

void BestScore::removals(Index child, const Parents& parents, std::vector<double>& values) const {
  kinds_.front()->removals(child, parents, values);
  std::vector<double> others;
  for (std::size_t k = 1; k < kinds_.size(); ++k) {
    kinds_[k]->removals(child, parents, others);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], others[i]);
  }
}

void BestScore::grow(Index child, Parents& parents, const Parents& candidates, Index maxp,
                     const LeastGain& least) const {
  if (kinds_.size() == 1) {
    kinds_.front()->grow(child, parents, candidates, maxp, least);
  } else {
    LocalScore::grow(child, parents, candidates, maxp, least);
  }
}

std::unique_ptr<const PreparedFamily> BestScore::prepare(Index child,
                                                         const Parents& parents) const {
  return kinds_.size() == 1 ? kinds_.front()->prepare(child, parents)
                            : LocalScore::prepare(child, parents);
}

}  // namespace daggnn
