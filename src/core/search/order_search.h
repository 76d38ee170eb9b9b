// The search for the best network under a local score: over orders of the variables.
//
// Given an order, each variable takes its parents from those before it by grow and shrink: parents
// are added while that raises the score, then removed while that does. A move takes one variable to
// another place; the parents it and the passed variables had are where grow and shrink begin again.
// When no move helps, the order is perturbed and the search runs again; the best network is kept.
// Andrews et al. (2023, BOSS) and FLOP (arXiv 2510.04970) search so on linear data.
//
// Where there are many variables, each has a list of candidate parents: those that grow and shrink
// takes from all others regardless of any order (its Markov blanket, where the score is right), and
// those that take it. Only candidates of each other matter when one passes the other, so that a
// move costs as much as the variable has candidates. What takes the place of a parent that is
// passed, as its own parents do, becomes a candidate with the move. When the search is done, all
// other edges are tried once; those that raise the score become candidates and the search goes on.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "scores/local_score.h"

namespace daggnn {

struct Network {
  std::vector<Index> order;      // parents before children
  std::vector<Parents> parents;  // of each variable
  std::vector<double> scores;    // of each family
  double score = 0;              // their sum

  Matrix adjacency() const;  // m x m, 1 for an edge
};

struct SearchOptions {
  int restarts = 10;  // perturbed orders without a better network before the search ends
  Index maxp = std::numeric_limits<int>::max();  // the most parents of a variable
  std::uint64_t seed = 1;                        // of the perturbations
  // Up to so many variables, all allowed parents are candidates: there, screening costs about as
  // much as it saves.
  Index unscreened = 60;
  // Whether edges between variables that are no candidates are tried when the search is done.
  bool recheck = true;
};

// The candidate parents of each variable.
using Candidates = std::vector<Parents>;

// allowed, required: m x m, nonzero where an edge may be and where it must be; the required edges
// have no cycle. start: an order to begin with, or empty.
class OrderSearch {
 public:
  // candidates: those of an earlier search of the same variables, or empty; the search adds to
  // them. Without it, the search has candidates of its own.
  OrderSearch(const LocalScore& score, const Matrix& allowed, const Matrix& required,
              const SearchOptions& options, Executor& executor, Candidates* candidates = nullptr);

  Network run(const std::vector<Index>& start, Observer& observer);
  // From the order and the parents of a network.
  Network run_from(const Network& start, Observer& observer);
  Stop stopped() const { return stop_; }

  // What each edge contributes: the score of its family less that of the family without it. For an
  // absent edge between candidates that would close no cycle, what it would add (negative as a
  // rule); NaN elsewhere.
  Matrix gains(const Network& network) const;

 private:
  struct Family {
    Parents parents;
    double score;
  };
  struct Change {
    Index variable;
    Family family;
  };
  struct Move {
    Index variable, place;
    std::vector<Change> changes;
  };
  struct State {
    Network network;
    std::vector<Index> place;  // of each variable in the order
    Candidates candidates;
    Candidates related;  // of each variable: its candidates, and those that it is a candidate of
  };

  bool allowed(Index from, Index to) const { return allowed_[from + to * score_.variables()] != 0; }
  Family grow_and_shrink(Index child, Parents parents, const Parents& candidates) const;
  // The candidates of a child at a place below `end`, without `variable`; where variables are
  // screened, `further` ones too.
  Parents before(const State& state, Index child, Index end, Index variable = -1,
                 const Parents& further = {}) const;
  State begin(Observer& observer);
  // Climbs and perturbs until nothing is better.
  Network improve(State best);
  void screen();
  // The network of an order, of all allowed edges; candidates stay as they are.
  void build_from_all(const std::vector<Index>& order, State& state) const;
  // Makes variables candidates of a child, and the child one of theirs; false where all were.
  bool add_candidates(State& state, Index child, const Parents& found) const;
  void settle(State& state);
  // The network of an order; families are shared by the executor's threads. Those that have the
  // same candidates before them as in the present network stay.
  void build(const std::vector<Index>& order, Executor& executor, State& state) const;
  // The best place of a variable: the one it has, without changes, where none is better.
  Move best_move(const State& state, Index variable) const;
  void apply(Move& move, State& state) const;
  // Moves variables until none has a better place: of all, or, where variables are screened, of
  // those of `first` and what is related to changes. Returns how many it looked at.
  Index climb(State& state, const std::vector<Index>& first, Executor& executor) const;
  // `changed`: the variables that may have a better place then.
  State perturbed(const State& state, std::uint64_t seed, std::vector<Index>& changed) const;
  std::vector<Index> with_required_first(const std::vector<Index>& order) const;
  bool stopping(double score) const;

  const LocalScore& score_;
  std::vector<char> allowed_;  // m x m
  const SearchOptions options_;
  Executor& executor_;
  Candidates required_parents_;
  bool has_required_ = false, screened_;
  std::vector<Index> order_by_explained_;
  Candidates own_candidates_;
  Candidates& candidates_;
  Observer* observer_ = nullptr;
  std::thread::id caller_;  // the only thread that may ask the observer
  mutable std::atomic<Stop> stop_{Stop::none};
};

}  // namespace daggnn
