#include "search/subset_dp.h"

#include <algorithm>

namespace daggnn {

SubsetProgram::SubsetProgram(const ParentSets& sets) : sets_(sets), m_(sets.m()) {
  if (m_ > most_dp_nodes) throw Error("too many nodes for dynamic programming over subsets");
  for (Index s = 0; s < sets.size(); ++s) {
    std::uint64_t mask = 0;
    for (const Index* p = sets.begin(s); p != sets.end(s); ++p) mask |= std::uint64_t{1} << *p;
    masks_.push_back(mask);
  }
}

ChosenSets SubsetProgram::run(Executor& executor, Observer& observer, Stop& stop) {
  const std::uint64_t subsets = std::uint64_t{1} << m_;
  best_.assign(subsets, no_score);
  best_[0] = 0;
  // Subsets in the order of their numbers need only smaller ones. Those with the same high bits
  // form a block; blocks with equally many high bits do not need each other.
  const Index low_bits = std::min<Index>(m_, 12), high_bits = m_ - low_bits;
  std::vector<std::vector<std::uint64_t>> layers(high_bits + 1);
  for (std::uint64_t high = 0; high < (std::uint64_t{1} << high_bits); ++high) {
    layers[count_bits(high)].push_back(high);
  }
  for (const auto& layer : layers) {
    const std::size_t batch = 256;
    for (std::size_t done = 0; done < layer.size(); done += batch) {
      const std::size_t count = std::min(batch, layer.size() - done);
      executor.run(static_cast<Index>(count), [&](Index k) {
        const std::uint64_t from = layer[done + k] << low_bits;
        for (std::uint64_t low = 0; low < (std::uint64_t{1} << low_bits); ++low) fill(from | low);
      });
      stop = observer.poll(Progress());
      if (stop != Stop::none) return ChosenSets();
    }
  }
  return trace_back();
}

Index SubsetProgram::count_bits(std::uint64_t x) {
  Index count = 0;
  for (; x != 0; x &= x - 1) ++count;
  return count;
}

Index SubsetProgram::best_set(Index i, std::uint64_t S) const {
  for (Index s = sets_.first[i]; s < sets_.first[i + 1]; ++s) {
    if ((masks_[s] & ~S) == 0) return s;
  }
  return -1;
}

void SubsetProgram::fill(std::uint64_t S) {
  if (S == 0) return;
  double best = no_score;
  for (Index i = 0; i < m_; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if ((S & bit) == 0) continue;
    const double before = best_[S ^ bit];
    // Even the best set of all would not help.
    if (before + top(i) <= best) continue;
    const Index s = best_set(i, S ^ bit);
    if (s >= 0) best = std::max(best, before + sets_.score[s]);
  }
  best_[S] = best;
}

ChosenSets SubsetProgram::trace_back() const {
  ChosenSets network;
  std::uint64_t S = (std::uint64_t{1} << m_) - 1;
  if (best_[S] == no_score) return network;
  network.score = best_[S];
  network.set.assign(m_, -1);
  while (S != 0) {
    Index sink = -1;
    double best = no_score;
    for (Index i = 0; i < m_; ++i) {
      const std::uint64_t bit = std::uint64_t{1} << i;
      if ((S & bit) == 0 || best_[S ^ bit] == no_score) continue;
      const Index s = best_set(i, S ^ bit);
      if (s < 0 || best_[S ^ bit] + sets_.score[s] <= best) continue;
      best = best_[S ^ bit] + sets_.score[s];
      network.set[i] = s;
      sink = i;
    }
    S ^= std::uint64_t{1} << sink;
  }
  return network;
}

}  // namespace daggnn
