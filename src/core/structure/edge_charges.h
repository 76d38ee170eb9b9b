// What edges are charged beside their parameters, so that of many possible edges few are present by
// chance.
//
// The charge is a multiple of log C(M, E), where E of M pairs of variables are joined: the prior of
// networks when their density is unknown and every number of edges is equally likely (Scott and
// Berger 2010). It depends on the number of edges alone, so that equivalent networks are charged
// the same. It is concave: a search that charges each edge the slope at the present number of edges
// finds networks whose exact charge is less than that search supposes, and a few such searches
// settle. The last of many edges is still charged a little: a network that is dense already would
// explain noise, or what the model does not know of, by more edges.
//
// An edge between variables with heavy tails is charged beside, for both ends.
#pragma once

#include "base/executor.h"
#include "base/types.h"
#include "data/samples.h"
#include "search/order_search.h"

namespace daggnn {

class EdgeCharges {
 public:
  // weight, least: as StructureOptions has them; tails: what each end of an edge is charged.
  EdgeCharges(double weight, double least, const EdgeRules& rules, Vector tails);

  // From now on, each edge is charged as the last one of so many.
  void expect(Index edges);
  Index expected() const { return expected_; }

  double of_edge(Index child, Index candidate) const {
    return slope_ + tails_[candidate] + tails_[child];
  }
  double of(Index child, const Parents& parents) const;
  // The sum of these, and what the network is charged whatever is expected.
  double of(const Network& network) const;
  double exact(const Network& network) const;

 private:
  double of_last(Index edges) const;

  double weight_, least_, slope_ = 0;
  Index pairs_, expected_ = 0;
  Vector tails_;
};

Index number_of_edges(const Network& network);

// tail_weight() of each variable, 0 where it has no density.
Vector tail_weights(const Samples& samples, const std::vector<bool>& continuous,
                    Executor& executor);

}  // namespace daggnn
