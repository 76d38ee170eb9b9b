// Climbing over orders: a move takes one variable to another place; the parents that it and the
// passed variables had are where grow and shrink begin again.
//
// What takes the place of a parent that is passed, as its own parents do, becomes a candidate with
// the move.
#pragma once

#include <memory>
#include <vector>

#include "base/executor.h"
#include "search/candidates.h"
#include "search/order_problem.h"

namespace daggnn {

struct OrderState {
  Network network;
  std::vector<Index> place;  // of each variable in the order
  Candidates candidates;
  // Of each variable; null, or none at all, until a climb needs it.
  std::vector<std::shared_ptr<const PreparedFamily>> prepared;

  void set(Index variable, Family family);
};

class OrderClimb {
 public:
  explicit OrderClimb(const OrderProblem& problem) : problem_(problem) {}

  // The network of an order. Families that have the same candidates before them as in the present
  // network stay.
  void build(const std::vector<Index>& order, Executor& executor, OrderState& state) const;
  // Finds the parents of some variables anew among the candidates before them, beginning with those
  // that they have.
  void refit(const std::vector<Index>& variables, Executor& executor, OrderState& state) const;
  // Moves variables until none has a better place: of all, or, where variables are screened, of
  // those of `first` and what is related to changes. Returns how many places it looked at.
  Index climb(OrderState& state, const std::vector<Index>& first, Executor& executor) const;

 private:
  struct Change {
    Index variable;
    Family family;
  };
  struct Move {
    Index variable, place;
    std::vector<Change> changes;
  };

  // The candidates of a child at a place below `end`, without `variable`; where variables are
  // screened, `further` ones too.
  Parents before(const OrderState& state, Index child, Index end, Index variable = -1,
                 const Parents& further = {}) const;
  // The best place of a variable: the one it has, without changes, where none is better.
  Move best_move(const OrderState& state, Index variable) const;
  void apply(Move& move, OrderState& state) const;
  void prepare(Index variable, OrderState& state) const;

  const OrderProblem& problem_;
};

}  // namespace daggnn
