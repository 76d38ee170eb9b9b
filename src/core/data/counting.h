// Counts of the joint levels of discrete variables, for many sets of variables that share a prefix.
//
// A walk over sets pushes and pops variables; each pushed variable splits the observed joint levels
// (cells) of those before it. The last variable of a set is never pushed: only its counts in each
// cell are wanted. Two ways to get them, chosen by cost: rows are counted one by one, or the rows
// of a cell and those of a level are held as bits, and the common ones are counted 64 at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "data/samples.h"

namespace daggnn {

namespace bits {

using Word = std::uint64_t;
constexpr Index per_word = 64;

Index count_common_portable(const Word* a, const Word* b, Index words);

using CountCommon = Index (*)(const Word*, const Word*, Index);

// The fastest that this processor has.
CountCommon count_common();

}  // namespace bits

// Discrete data, by column and by level. Missing values are not known here.
class DiscreteData {
 public:
  explicit DiscreteData(const Samples& samples);

  Index n() const { return n_; }
  // The rows that those here stand for.
  Index total() const { return total_; }
  // How many each row stands for; empty where that is 1.
  const std::vector<Index>& counts() const { return counts_; }
  Index m() const { return static_cast<Index>(columns_.size()); }
  Index words() const { return words_; }
  Index levels(Index j) const { return columns_[j].levels; }
  const std::vector<std::int32_t>& codes(Index j) const { return columns_[j].codes; }
  // The rows in which variable j has the level, as bits.
  const bits::Word* rows(Index j, Index level) const {
    return columns_[j].rows.data() + level * words_;
  }

 private:
  struct Column {
    Index levels;
    std::vector<std::int32_t> codes;
    std::vector<bits::Word> rows;  // levels x words
  };
  Index n_, words_, total_;
  std::vector<Index> counts_;
  std::vector<Column> columns_;
};

class Counter {
 public:
  explicit Counter(const DiscreteData& data);

  void push(Index j);

  void pop() { --depth_; }

  // Calls visit(count) for each joint level of the pushed variables and j that was observed.
  template <typename Visit>
  void count(Index j, Visit visit) {
    const Prefix& prefix = prefixes_[depth_];
    const Index levels = data_.levels(j);
    const double cells = static_cast<double>(prefix.counts.size());
    const double by_bits = cells * static_cast<double>((levels - 1) * data_.words());
    const double by_rows =
        rows_per_word * static_cast<double>(data_.n()) + cells * static_cast<double>(levels);
    if (by_bits > by_rows || !data_.counts().empty()) {
      tabulate(prefix, j);
      for (const Index count : table_) {
        if (count > 0) visit(count);
      }
      return;
    }
    fill_rows(depth_);
    for (std::size_t cell = 0; cell < prefix.counts.size(); ++cell) {
      const bits::Word* rows = prefix.rows.data() + cell * data_.words();
      Index left = prefix.counts[cell];
      for (Index level = 0; level + 1 < levels && left > 0; ++level) {
        const Index count = count_common_(rows, data_.rows(j, level), data_.words());
        if (count > 0) visit(count);
        left -= count;
      }
      if (left > 0) visit(left);
    }
  }

 private:
  // Counting a row costs about as much as counting the common bits of three words.
  static constexpr double rows_per_word = 3;

  struct Part {
    Index cell, level;
  };
  struct Prefix {
    Index variable = -1;
    std::vector<Index> counts;        // of each observed cell
    std::vector<Part> parts;          // the cell of the shorter prefix, and the level, of each cell
    std::vector<std::int32_t> codes;  // the cell of each row
    std::vector<bits::Word> rows;     // cells x words, empty until wanted
  };

  Prefix& next();

  void tabulate(const Prefix& prefix, Index j);

  void fill_rows(Index depth);

  const DiscreteData& data_;
  bits::CountCommon count_common_;
  std::vector<Prefix> prefixes_;
  Index depth_ = 0;
  std::vector<Index> table_;
  std::vector<std::int32_t> number_;
};

}  // namespace daggnn
