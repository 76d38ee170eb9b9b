// Missing values, drawn several times from what the rest of their row tells.
//
// Each incomplete variable is regressed on others in the rows where it is known: a number by least
// squares on smooth features, to which a residual of another row is added; a level by multinomial
// logit. The others are its Markov blanket in the network found so far, so that imputation and
// search take turns (structural EM, Friedman 1998, with draws instead of expectations); before
// there is a network, those that are most associated with it.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "data/samples.h"
#include "scores/local_score.h"

namespace daggnn {

class Imputation {
 public:
  Imputation(const Samples& samples, Index copies, std::uint64_t seed);

  // The completed rows, all copies below each other; a view of what this object holds.
  Samples completed() const;
  Matrix& values() { return values_; }
  // Draws all missing values anew, given the Markov blankets of a network; parents: of each
  // variable, or empty before there is a network.
  void draw(const std::vector<Parents>& parents, int sweeps);

 private:
  struct Column {
    Index variable, column;
    std::vector<Index> missing, known;  // rows
  };

  std::vector<Index> blanket(Index variable, const std::vector<Parents>& parents) const;
  std::vector<Index> most_associated(Index variable) const;
  Matrix features_of(const std::vector<Index>& variables, Index copy) const;
  void draw_column(const Column& column, const std::vector<Index>& from, Index copy);

  const Samples& samples_;
  const Index copies_;
  Random random_;
  Matrix values_;  // copies * n rows
  std::vector<Column> incomplete_;
};

bool has_missing(const Samples& samples);

}  // namespace daggnn
