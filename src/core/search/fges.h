// Greedy equivalence search: the best class of equivalent DAGs, one edge at a time.
//
// Chickering (2002), Optimal structure identification with greedy search, Journal of Machine
// Learning Research 3, 507-554: a forward phase applies the best Insert(u, v, C) while that raises
// the score, a backward phase the best Delete(u, v, C). Hauser and Buehlmann (2012), JMLR 13,
// 2409-2464: a turning phase applies Turn(u, v, C), and the phases are repeated until none of them
// finds anything. Ramsey et al. (2017), International Journal of Data Science and Analytics 3,
// 121-129 (FGES): candidates wait in a heap, and after a step only those are scored again whose
// neighbourhood has changed. No pair is left out because it is marginally independent, so the
// result is that of the plain search.
//
// Each operator stands for a DAG of the current class in which the parents of v are Pa(v) and C, a
// clique of nodes joined to v without direction. There it adds u -> v, removes it, or turns v -> u.
//
// Score equivalence. Linear Gaussian and discrete scores give the same value to all DAGs of a
// class, so that a class has a score, and the gain of an operator is what it adds. A score that
// tells directions apart, as the additive one does, gives different values to the DAGs of a class.
// The score of a class is then that of its best DAG, as far as turning covered edges one at a time
// finds it (Chickering 1995: all DAGs of a class are reached so). The gain of an operator is that
// of the one DAG that it stands for, which may be a poor one: it only says what to try first, and
// the operator is applied where the score of the class rises. Chickering's guarantee, that the best
// class is found when there are enough data, does not hold for such scores.
//
// Prior knowledge. The search visits only classes that have a DAG with all required edges and none
// of those that are not allowed, starting with the class of the required edges; the DAG that is
// returned is of this kind. At most maxp parents: equivalent DAGs have the same numbers of parents,
// so this holds for all DAGs of a class at once.
#pragma once

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/executor.h"
#include "base/observer.h"
#include "graph/pdag.h"
#include "scores/local_score.h"

namespace daggnn {

struct FgesOptions {
  Index maxp = std::numeric_limits<Index>::max();  // the most parents of a variable
  bool turning = true;                             // whether there is a turning phase
  bool iterate = true;                             // whether the phases are repeated
  bool equivalent = true;  // whether equivalent DAGs have the same score: see above
  // Smaller gains are rounding errors: pcalg's value, the square root of the machine precision.
  double least_gain = 1.490116e-08;
};

struct FgesFit {
  Pdag cpdag;        // of the class
  Pdag restricted;   // the CPDAG with the directions that follow from the prior knowledge
  Pdag dag;          // a DAG of the class that agrees with the prior knowledge
  double score = 0;  // of that DAG
  Index inserted = 0, deleted = 0, turned = 0;
  Stop stop = Stop::none;
};

class Fges {
 public:
  enum class Phase { forward, backward, turning };

  // allowed, required: m x m, nonzero where an edge may be and where it must be; the required edges
  // have no cycle.
  Fges(const LocalScore& score, const Matrix& allowed, const Matrix& required,
       const FgesOptions& options, Executor& executor);

  // Continues from the class of a DAG that agrees with the prior knowledge, and has at most maxp
  // parents for each node; without it the search begins with the required edges alone.
  void start_from(const Pdag& dag);

  FgesFit run(Observer& observer);

  // Applies the best operator of a phase; false where none has a gain or the observer asks to stop.
  bool step(Phase phase, Observer& observer);
  const Pdag& cpdag() const { return graph_; }
  double last_gain() const { return last_gain_; }

 private:
  struct Operator {
    double gain;
    Index from, to;
    Nodes clique;
    Index version;  // of `to` when the gain was computed
    bool operator<(const Operator& other) const;
  };
  // Insertions and turns that a path forbids, each listed with all steps of that path: one that
  // loses its step has to be looked at again.
  struct Forbidden {
    Operator candidate;
    bool waiting = true;
  };
  // Scores of one set of parents and one more: NaN where not computed yet.
  struct Additions {
    double base = 0;
    std::vector<double> with;
    Index used = 0;  // the last listing of the child's insertions that needed it
  };
  struct Job {
    Index from, to;  // from: of a deletion or turn
    Nodes clique;
    Nodes sources;         // of insertions
    Additions* additions;  // of insertions
    std::vector<Operator> found;
  };

  void begin(Phase phase);
  void push(Operator candidate);
  Operator pop();  // the best of all
  void clear(Index to);
  bool evaluate(Observer& observer);
  void list_insertions(Index v, std::vector<Job>& jobs);
  void list_deletions(Index v, std::vector<Job>& jobs) const;
  void list_turns(Index v, std::vector<Job>& jobs) const;
  void evaluate(Job& job) const;
  void evaluate_insertions(Job& job) const;
  // size: of the scores whose difference the gain is.
  double deletion_gain(const Job& job, double& size) const;
  double turn_gain(const Job& job, double& size) const;

  // Could an insertion agree with the prior knowledge, by what is seen around v alone?
  bool may_insert(Index u, Index v, const Nodes& parents, const Nodes& neighbours,
                  const Nodes& clique) const;
  bool separates(Index v, const Nodes& clique, const Nodes& shared) const;
  std::vector<Index> forbidding_path(const Operator& candidate) const;
  void forbid(const Operator& candidate, const std::vector<Index>& path);
  void forget_outdated();
  std::size_t step_number(Index i, Index j) const {
    return static_cast<std::size_t>(i * graph_.size() + j);
  }
  Pdag apply(const Operator& candidate) const;
  // A DAG of the class that agrees with the prior knowledge, if there is one.
  std::optional<Pdag> admissible_dag(const Pdag& cpdag) const;
  // Whether the class may and should be the next; prepares dag_ where it is.
  bool accept(const Pdag& next);
  void move_to(Pdag next);
  // Raises the score of a DAG within its class.
  void turn_covered_edges(Pdag& dag) const;
  double score_of(const Pdag& dag) const;
  bool is_stopped(Observer& observer);

  const LocalScore& score_;
  Matrix allowed_;
  const Matrix required_;
  bool free_ = true;  // no prior knowledge at all
  const FgesOptions options_;
  Executor& executor_;

  Pdag graph_;
  Phase phase_ = Phase::forward;
  bool started_ = false;
  Pdag dag_;               // where the DAGs of the class differ in score, the best that is known
  double best_score_ = 0;  // its score
  std::vector<std::vector<Operator>> heaps_;    // the operators into each node, the best first
  std::set<std::pair<double, Index>> leaders_;  // minus the gain of the best into a node, the node
  std::vector<Operator> refused_;  // by the prior knowledge, or by the score of the class
  std::vector<Forbidden> forbidden_;
  std::unordered_map<std::size_t, std::vector<std::size_t>> forbidden_by_;  // step: its operators
  std::size_t most_forbidden_ = 0;  // beyond this, those that are outdated are forgotten
  std::vector<Index> version_;      // of each node: rises when what is around it changes
  std::vector<bool> outdated_;      // nodes whose operators must be listed anew
  std::vector<std::map<Nodes, Additions>> additions_;
  std::vector<Index> listings_;  // how often the insertions of each node were listed
  double last_gain_ = 0;
  int round_ = 0;
  Index steps_ = 0;
  Stop stop_ = Stop::none;
};

}  // namespace daggnn
