// A good network by local search over orders of the nodes. In a given order every node takes its
// best set among the nodes before it, so an order stands for the best network that agrees with it.
// A move takes one node to another place; a perturbed copy of the best order is climbed from again
// and again (iterated local search, as in Scanagatta et al. 2017).
#pragma once

#include <algorithm>
#include <vector>

#include "base/observer.h"
#include "base/random.h"
#include "search/parent_sets.h"

namespace daggnn {

class ParentSetOrderSearch {
 public:
  ParentSetOrderSearch(const ParentSets& sets, std::uint64_t seed);

  // The best network of an order, improved by moves until none helps.
  ChosenSets climb(const std::vector<Index>& order);

  // Perturbs and climbs `rounds` times from the best order so far.
  ChosenSets perturb(Index rounds, Observer& observer, Stop& stop);

  const std::vector<Index>& order() const { return best_.order; }

 private:
  static constexpr Index most_moves = 8;      // in one perturbation
  static constexpr double least_gain = 1e-9;  // below it a move is rounding error

  struct State {
    std::vector<Index> order, position, set;  // set -1: none fits
    double score = no_score;
  };

  double score_of(Index set) const { return set < 0 ? lowest_ : sets_.score[set]; }

  // The first of the sets [from, to) of a node whose members are all before it; -1: none.
  template <typename Before>
  Index first_fit(Index from, Index to, Before before) const {
    for (Index s = from; s < to; ++s) {
      if (std::all_of(sets_.begin(s), sets_.end(s), before)) return s;
    }
    return -1;
  }

  Index best_set(const State& state, Index i) const {
    return first_fit(sets_.first[i], sets_.first[i + 1],
                     [&](Index p) { return state.position[p] < state.position[i]; });
  }

  State state_of(const std::vector<Index>& order) const;

  double total(const State& state) const;

  static void move(std::vector<Index>& order, Index from, Index to);

  void climb(State& state);

  // Takes node i to its best place; false if it is there.
  bool improve(State& state, Index i);

  // Passing the node j to its left, i loses a predecessor and j gains one.
  void look_left(const State& state, Index i, double& gain, Index& place) const;

  // Passing the node j to its right, i gains a predecessor and j loses one.
  void look_right(const State& state, Index i, double& gain, Index& place) const;

  void keep(const State& state) {
    if (state.score >= best_.score) best_ = state;
  }

  // Without sets where the best order leaves a node without one.
  ChosenSets network() const;

  const ParentSets& sets_;
  Random random_;
  State best_;
  double lowest_ = 0;
};

// An order to begin with: again and again the node that loses least by having no parents but those
// already placed comes next.
std::vector<Index> greedy_order(const ParentSets& sets);

}  // namespace daggnn
