#include "search/fges.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace daggnn {

namespace {

// Jobs between two looks at the observer.
constexpr std::size_t jobs_at_once = 256;

Nodes united(const Nodes& a, const Nodes& b) {
  Nodes result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

Nodes common(const Nodes& a, const Nodes& b) {
  Nodes result;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

Nodes without(const Nodes& a, const Nodes& b) {
  Nodes result;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result));
  return result;
}

bool contains(const Nodes& nodes, Index node) {
  return std::binary_search(nodes.begin(), nodes.end(), node);
}

// size: of the scores that the gain is a difference of. They are sums of many terms, so that some
// last bits of them mean nothing.
bool is_gain(double gain, double size, double least) {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  return std::isfinite(gain) && gain > std::max(least, rounding * size);
}

bool includes(const Nodes& nodes, const Nodes& subset) {
  return std::includes(nodes.begin(), nodes.end(), subset.begin(), subset.end());
}

}  // namespace

// The largest gain comes first; equal gains in the order of the nodes.
bool Fges::Operator::operator<(const Operator& other) const {
  if (gain != other.gain) return gain < other.gain;
  return std::tie(other.from, other.clique) < std::tie(from, clique);
}

// A heap for each node that operators lead to: when what is around the node changes, all of them go
// at once.
void Fges::push(Operator candidate) {
  const Index to = candidate.to;
  std::vector<Operator>& heap = heaps_[to];
  if (!heap.empty()) leaders_.erase({-heap.front().gain, to});
  heap.push_back(std::move(candidate));
  std::push_heap(heap.begin(), heap.end());
  leaders_.insert({-heap.front().gain, to});
}

Fges::Operator Fges::pop() {
  const Index to = leaders_.begin()->second;
  leaders_.erase(leaders_.begin());
  std::vector<Operator>& heap = heaps_[to];
  std::pop_heap(heap.begin(), heap.end());
  Operator best = std::move(heap.back());
  heap.pop_back();
  if (!heap.empty()) leaders_.insert({-heap.front().gain, to});
  return best;
}

void Fges::clear(Index to) {
  if (!heaps_[to].empty()) leaders_.erase({-heaps_[to].front().gain, to});
  heaps_[to].clear();
}

Fges::Fges(const LocalScore& score, const Matrix& allowed, const Matrix& required,
           const FgesOptions& options, Executor& executor)
    : score_(score),
      allowed_(allowed),
      required_(required),
      options_(options),
      executor_(executor),
      graph_(score.variables()),
      dag_(score.variables()) {
  const Index m = score.variables();
  Pdag start(m);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) {
      if (i == j || required_(i, j) == 0) continue;
      allowed_(i, j) = 1;
      allowed_(j, i) = 0;
      start.direct(i, j);
    }
  }
  start_from(start);
  allowed_.diagonal().setOnes();
  free_ = (allowed_.array() != 0).all();
  const std::size_t nodes = static_cast<std::size_t>(m);
  version_.assign(nodes, 0);
  outdated_.assign(nodes, true);
  listings_.assign(nodes, 0);
  heaps_.resize(nodes);
  additions_.resize(nodes);
}

void Fges::start_from(const Pdag& dag) {
  graph_ = cpdag_of(dag);
  started_ = false;
}

FgesFit Fges::run(Observer& observer) {
  FgesFit fit{graph_, graph_, graph_};
  const auto exhaust = [&](Phase phase, Index& count) {
    const Index before = count;
    while (step(phase, observer)) ++count;
    return count > before;
  };
  bool changed = true;
  while (changed && stop_ == Stop::none) {
    ++round_;
    changed = exhaust(Phase::forward, fit.inserted);
    changed = exhaust(Phase::backward, fit.deleted) || changed;
    if (options_.turning) changed = exhaust(Phase::turning, fit.turned) || changed;
    changed = changed && options_.iterate;
  }
  fit.cpdag = fit.restricted = graph_;
  for (Index i = 0; i < graph_.size(); ++i) {
    for (const Index j : graph_.neighbours(i)) {
      if (allowed_(j, i) == 0) fit.restricted.direct(i, j);
    }
  }
  apply_meek_rules(fit.restricted);
  fit.dag = options_.equivalent ? admissible_dag(graph_).value() : dag_;
  fit.score = score_of(fit.dag);
  fit.stop = stop_;
  return fit;
}

bool Fges::step(Phase phase, Observer& observer) {
  if (!started_ || phase != phase_) begin(phase);
  for (Operator& candidate : refused_) {
    if (candidate.version == version_[candidate.to]) push(std::move(candidate));
  }
  refused_.clear();
  if (!evaluate(observer)) return false;

  while (!leaders_.empty()) {
    const Operator candidate = pop();
    const std::vector<Index> path = forbidding_path(candidate);
    if (!path.empty()) {
      forbid(candidate, path);
      continue;
    }
    Pdag next = apply(candidate);
    const double before = best_score_;
    if (!accept(next)) {
      refused_.push_back(candidate);
      if (is_stopped(observer)) return false;
      continue;
    }
    last_gain_ = options_.equivalent ? candidate.gain : best_score_ - before;
    ++steps_;
    move_to(std::move(next));
    return true;
  }
  return false;
}

void Fges::begin(Phase phase) {
  if (!started_ && !options_.equivalent) {
    dag_ = admissible_dag(graph_).value();
    turn_covered_edges(dag_);
    best_score_ = score_of(dag_);
  }
  started_ = true;
  phase_ = phase;
  for (Index v = 0; v < graph_.size(); ++v) clear(v);
  refused_.clear();
  forbidden_.clear();
  forbidden_by_.clear();
  std::fill(outdated_.begin(), outdated_.end(), true);
  for (Index& version : version_) ++version;
}

// ---- Operators and their gains ----

// Fills the heap with the operators into nodes whose own are outdated; false when asked to stop.
bool Fges::evaluate(Observer& observer) {
  std::vector<Job> jobs;
  const auto run_jobs = [&] {
    for (std::size_t first = 0; first < jobs.size(); first += jobs_at_once) {
      if (is_stopped(observer)) return false;
      const std::size_t count = std::min(jobs_at_once, jobs.size() - first);
      executor_.run(static_cast<Index>(count),
                    [&](Index k) { evaluate(jobs[first + static_cast<std::size_t>(k)]); });
    }
    for (Job& job : jobs) {
      for (Operator& found : job.found) push(std::move(found));
    }
    jobs.clear();
    return true;
  };
  for (Index v = 0; v < graph_.size(); ++v) {
    if (!outdated_[v]) continue;
    if (phase_ == Phase::forward) list_insertions(v, jobs);
    if (phase_ == Phase::backward) list_deletions(v, jobs);
    if (phase_ == Phase::turning) list_turns(v, jobs);
    if (jobs.size() >= jobs_at_once && !run_jobs()) return false;
  }
  if (!run_jobs() || is_stopped(observer)) return false;
  std::fill(outdated_.begin(), outdated_.end(), false);
  return true;
}

// Insert(u, v, C): u and v are not adjacent; C is a clique of neighbours of v that contains those
// adjacent to u. One job for each C, since the sources u share the rest of the family.
void Fges::list_insertions(Index v, std::vector<Job>& jobs) {
  const Nodes parents = graph_.parents(v), neighbours = graph_.neighbours(v);
  const Index room = options_.maxp - 1 - static_cast<Index>(parents.size());
  Nodes sources;
  std::vector<Nodes> shared;  // neighbours of v that are adjacent to the source
  for (Index u = 0; u < graph_.size(); ++u) {
    if (u == v || graph_.adjacent(u, v) || (allowed_(u, v) == 0 && allowed_(v, u) == 0)) continue;
    sources.push_back(u);
    shared.push_back(common(neighbours, graph_.adjacent(u)));
  }
  const Index listing = ++listings_[v];
  if (room >= 0) {
    for (Nodes& clique : cliques(graph_, neighbours, room)) {
      Job job{-1, v, std::move(clique), {}, nullptr, {}};
      for (std::size_t k = 0; k < sources.size(); ++k) {
        if (includes(job.clique, shared[k]) &&
            (free_ || may_insert(sources[k], v, parents, neighbours, job.clique))) {
          job.sources.push_back(sources[k]);
        }
      }
      if (job.sources.empty()) continue;
      job.additions = &additions_[v][united(parents, job.clique)];
      job.additions->used = listing;
      jobs.push_back(std::move(job));
    }
  }
  // What the last listing needed may be needed again soon; the rest only fills the memory.
  for (auto each = additions_[v].begin(); each != additions_[v].end();) {
    each = each->second.used < listing - 1 ? additions_[v].erase(each) : std::next(each);
  }
}

// Delete(u, v, C): u -> v or u - v; C is a clique of neighbours of v adjacent to u.
void Fges::list_deletions(Index v, std::vector<Job>& jobs) const {
  const Nodes neighbours = graph_.neighbours(v);
  for (const Index u : graph_.adjacent(v)) {
    if (!graph_.leads(u, v) || required_(u, v) != 0 || required_(v, u) != 0) continue;
    const Nodes shared = common(neighbours, graph_.adjacent(u));
    for (Nodes& clique : cliques(graph_, shared, graph_.size())) {
      jobs.push_back({u, v, std::move(clique), {}, nullptr, {}});
    }
  }
}

// Turn(u, v, C): v - u, where C is a clique of other neighbours of v, not all of them adjacent to
// u, that keeps those that are not apart from the rest of those that are; or v -> u, where C is a
// clique of neighbours of v that contains those adjacent to u.
void Fges::list_turns(Index v, std::vector<Job>& jobs) const {
  const Nodes neighbours = graph_.neighbours(v);
  const Index room = options_.maxp - 1 - static_cast<Index>(graph_.parents(v).size());
  if (room < 0) return;
  for (const Index u : graph_.adjacent(v)) {
    if (!graph_.leads(v, u) || required_(v, u) != 0) continue;
    const bool compelled = graph_.directed(v, u);
    const Nodes shared = common(neighbours, graph_.adjacent(u));
    for (Nodes& clique : cliques(graph_, without(neighbours, {u}), room)) {
      const bool valid = compelled ? includes(clique, shared)
                                   : allowed_(u, v) != 0 && !includes(shared, clique) &&
                                         separates(v, clique, shared);
      if (valid) jobs.push_back({u, v, std::move(clique), {}, nullptr, {}});
    }
  }
}

void Fges::evaluate(Job& job) const {
  if (phase_ == Phase::forward) {
    evaluate_insertions(job);
    return;
  }
  double size = 0;
  const double gain = phase_ == Phase::backward ? deletion_gain(job, size) : turn_gain(job, size);
  if (is_gain(gain, size, options_.least_gain)) {
    job.found.push_back({gain, job.from, job.to, job.clique, version_[job.to]});
  }
}

void Fges::evaluate_insertions(Job& job) const {
  const Nodes parents = united(graph_.parents(job.to), job.clique);
  Additions& known = *job.additions;
  if (known.with.empty()) {
    known.with.assign(static_cast<std::size_t>(graph_.size()), std::nan(""));
    known.base = score_.value(job.to, parents);
  }
  Nodes fresh;
  for (const Index u : job.sources) {
    if (std::isnan(known.with[u])) fresh.push_back(u);
  }
  if (!fresh.empty()) {
    std::vector<double> values;
    score_.additions(job.to, parents, fresh, values);
    for (std::size_t k = 0; k < fresh.size(); ++k) known.with[fresh[k]] = values[k];
  }
  for (const Index u : job.sources) {
    const double gain = known.with[u] - known.base;
    if (is_gain(gain, std::abs(known.base), options_.least_gain)) {
      job.found.push_back({gain, u, job.to, job.clique, version_[job.to]});
    }
  }
}

double Fges::deletion_gain(const Job& job, double& size) const {
  const Nodes with = united(united(graph_.parents(job.to), job.clique), {job.from});
  const double before = score_.value(job.to, with);
  size = std::abs(before);
  return score_.value(job.to, without(with, {job.from})) - before;
}

double Fges::turn_gain(const Job& job, double& size) const {
  const Index u = job.from, v = job.to;
  const Nodes of_v = united(graph_.parents(v), job.clique);
  // Where v - u, u comes right after v and C: those of C that are adjacent to u are its parents
  // too.
  Nodes of_u = graph_.parents(u);
  if (graph_.undirected(u, v)) {
    of_u = united(of_u, common(job.clique, graph_.neighbours(u)));
  } else {
    of_u = without(of_u, {v});
  }
  const double before_v = score_.value(v, of_v), before_u = score_.value(u, united(of_u, {v}));
  size = std::abs(before_v) + std::abs(before_u);
  return score_.value(v, united(of_v, {u})) - before_v + score_.value(u, of_u) - before_u;
}

// ---- Which operators are valid ----

// With a parent or clique member that is not adjacent to u, u -> v becomes part of a collider at v,
// and v -> y follows for each neighbour y of v outside of the clique, which u is not adjacent to.
bool Fges::may_insert(Index u, Index v, const Nodes& parents, const Nodes& neighbours,
                      const Nodes& clique) const {
  bool collider = false;
  for (const Index w : clique) {
    if (graph_.adjacent(u, w)) continue;
    collider = true;
    if (allowed_(w, v) == 0) return false;
  }
  for (const Index w : parents) collider = collider || !graph_.adjacent(u, w);
  if (!collider) return true;
  if (allowed_(u, v) == 0) return false;
  for (const Index y : neighbours) {
    if (!contains(clique, y) && allowed_(v, y) == 0) return false;
  }
  return true;
}

// shared: the neighbours of v that are adjacent to u. Among the neighbours of v, is every path from
// the clique's other members to the other shared ones cut by those in both?
bool Fges::separates(Index v, const Nodes& clique, const Nodes& shared) const {
  const Nodes targets = without(shared, clique);
  const Nodes open = without(graph_.neighbours(v), common(clique, shared));
  // The members of a clique reach each other: one of them stands for all.
  Nodes queue{without(clique, shared).front()};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    if (contains(targets, queue[next])) return false;
    for (const Index y : common(open, graph_.adjacent(queue[next]))) {
      if (std::find(queue.begin(), queue.end(), y) == queue.end()) queue.push_back(y);
    }
  }
  return true;
}

// The path from v to u that u -> v would make a cycle of; empty where there is none.
std::vector<Index> Fges::forbidding_path(const Operator& candidate) const {
  const Index u = candidate.from, v = candidate.to;
  if (phase_ == Phase::forward) return semi_directed_path(graph_, v, u, candidate.clique, true);
  if (phase_ == Phase::turning && graph_.directed(v, u)) {
    return semi_directed_path(graph_, v, u, united(candidate.clique, graph_.neighbours(u)), false);
  }
  return {};
}

void Fges::forbid(const Operator& candidate, const std::vector<Index>& path) {
  if (forbidden_.size() > most_forbidden_) forget_outdated();
  for (std::size_t k = 1; k < path.size(); ++k) {
    forbidden_by_[step_number(path[k - 1], path[k])].push_back(forbidden_.size());
  }
  forbidden_.push_back({candidate});
}

void Fges::forget_outdated() {
  constexpr std::size_t gone = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> place(forbidden_.size(), gone);
  std::size_t kept = 0;
  for (std::size_t k = 0; k < forbidden_.size(); ++k) {
    const Operator& candidate = forbidden_[k].candidate;
    if (!forbidden_[k].waiting || candidate.version != version_[candidate.to]) continue;
    if (kept < k) forbidden_[kept] = std::move(forbidden_[k]);
    place[k] = kept++;
  }
  forbidden_.resize(kept);
  for (auto each = forbidden_by_.begin(); each != forbidden_by_.end();) {
    std::vector<std::size_t>& listed = each->second;
    for (std::size_t& k : listed) k = place[k];
    listed.erase(std::remove(listed.begin(), listed.end(), gone), listed.end());
    each = listed.empty() ? forbidden_by_.erase(each) : std::next(each);
  }
  most_forbidden_ = 2 * kept + 1000;
}

Pdag Fges::apply(const Operator& candidate) const {
  const Index u = candidate.from, v = candidate.to;
  // The DAG that the operator stands for.
  Pdag partial = graph_;
  for (const Index y : graph_.neighbours(v)) {
    const bool before = contains(candidate.clique, y) || (phase_ == Phase::backward && y == u);
    before ? partial.direct(y, v) : partial.direct(v, y);
  }
  if (phase_ == Phase::turning) {
    for (const Index y : partial.neighbours(u)) {
      contains(candidate.clique, y) ? partial.direct(y, u) : partial.direct(u, y);
    }
  }
  std::optional<Pdag> dag = consistent_extension(partial);
  if (!dag) throw std::logic_error("an operator of the equivalence search has no DAG");
  if (phase_ == Phase::backward) {
    dag->separate(u, v);
  } else {
    dag->direct(u, v);
  }
  return cpdag_of(*dag);
}

std::optional<Pdag> Fges::admissible_dag(const Pdag& cpdag) const {
  if (free_) return consistent_extension(cpdag);
  Pdag partial = cpdag;
  for (Index i = 0; i < cpdag.size(); ++i) {
    for (const Index j : cpdag.adjacent(i)) {
      if (!cpdag.leads(i, j) || allowed_(i, j) != 0) continue;
      if (!cpdag.leads(j, i) || allowed_(j, i) == 0) return {};
      partial.direct(j, i);
    }
  }
  std::optional<Pdag> dag = consistent_extension(partial);
  // The directions may make a collider that the class does not have.
  if (!dag || cpdag_of(*dag) != cpdag) return {};
  return dag;
}

// ---- Moving on ----

bool Fges::accept(const Pdag& next) {
  if (free_ && options_.equivalent) return true;
  std::optional<Pdag> dag = admissible_dag(next);
  if (!dag) return false;
  if (options_.equivalent) return true;
  turn_covered_edges(*dag);
  const double score = score_of(*dag);
  if (!is_gain(score - best_score_, std::abs(best_score_), options_.least_gain)) return false;
  dag_ = std::move(*dag);
  best_score_ = score;
  return true;
}

void Fges::move_to(Pdag next) {
  const std::size_t m = static_cast<std::size_t>(next.size());
  std::vector<bool> changed(m);
  for (Index i = 0; i < next.size(); ++i) changed[i] = next.differs_at(i, graph_);
  // An operator into v depends on the edges of v, and on which of its neighbours are adjacent to
  // each other and to u; a turn on the edges of u as well.
  for (Index v = 0; v < next.size(); ++v) {
    bool outdated = changed[v];
    for (const Index y : next.adjacent(v)) {
      const bool matters = phase_ == Phase::turning || next.undirected(v, y);
      outdated = outdated || (matters && changed[y]);
    }
    if (!outdated) continue;
    outdated_[v] = true;
    ++version_[v];
    clear(v);
  }
  // What a path has forbidden may be valid where the path is no longer there.
  for (Index i = 0; i < next.size(); ++i) {
    if (!changed[i]) continue;
    for (const Index j : graph_.adjacent(i)) {
      if (!graph_.leads(i, j) || next.leads(i, j)) continue;
      const auto listed = forbidden_by_.find(step_number(i, j));
      if (listed == forbidden_by_.end()) continue;
      for (const std::size_t k : listed->second) {
        Forbidden& each = forbidden_[k];
        if (each.waiting && each.candidate.version == version_[each.candidate.to]) {
          push(each.candidate);
        }
        each.waiting = false;
      }
      forbidden_by_.erase(listed);
    }
  }
  graph_ = std::move(next);
}

// An edge x -> y is covered where y has the parents of x and x, no others: turning it gives a DAG
// of the same class.
void Fges::turn_covered_edges(Pdag& dag) const {
  bool changed = true;
  while (changed) {
    changed = false;
    for (Index x = 0; x < dag.size(); ++x) {
      for (const Index y : Nodes(dag.adjacent(x))) {
        if (!dag.directed(x, y) || allowed_(y, x) == 0) continue;
        const Nodes of_x = dag.parents(x), of_y = dag.parents(y);
        if (of_y != united(of_x, {x})) continue;
        const double before_x = score_.value(x, of_x), before_y = score_.value(y, of_y);
        const double gain =
            score_.value(x, united(of_x, {y})) - before_x + score_.value(y, of_x) - before_y;
        const double size = std::abs(before_x) + std::abs(before_y);
        if (!is_gain(gain, size, options_.least_gain)) continue;
        dag.direct(y, x);
        changed = true;
      }
    }
  }
}

double Fges::score_of(const Pdag& dag) const {
  double sum = 0;
  for (Index v = 0; v < dag.size(); ++v) sum += score_.value(v, dag.parents(v));
  return sum;
}

bool Fges::is_stopped(Observer& observer) {
  if (stop_ == Stop::none) {
    Progress progress;
    progress.round = round_;
    progress.epoch = static_cast<int>(steps_);
    progress.edges = [this] { return graph_.edges(); };
    stop_ = observer.poll(progress);
  }
  return stop_ != Stop::none;
}

}  // namespace daggnn
