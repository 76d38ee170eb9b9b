// Counts of the joint levels of discrete variables, for many sets of variables that share a prefix.
//
// A walk over sets pushes and pops variables; each pushed variable splits the observed joint levels
// (cells) of those before it. The last variable of a set is never pushed: only its counts in each
// cell are wanted. Two ways to get them, chosen by cost: rows are counted one by one, or the rows
// of a cell and those of a level are held as bits, and the common ones are counted 64 at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "samples.h"

namespace daggnn {

namespace bits {

using Word = std::uint64_t;
constexpr Index per_word = 64;

inline Index count_common_portable(const Word* a, const Word* b, Index words) {
  Index count = 0;
  for (Index w = 0; w < words; ++w) {
    Word x = a[w] & b[w];
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    count += static_cast<Index>((x * 0x0101010101010101ULL) >> 56);
  }
  return count;
}

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
__attribute__((target("popcnt"))) inline Index count_common_popcnt(const Word* a, const Word* b,
                                                                   Index words) {
  Index count = 0;
  for (Index w = 0; w < words; ++w) count += __builtin_popcountll(a[w] & b[w]);
  return count;
}
#endif

using CountCommon = Index (*)(const Word*, const Word*, Index);

// The fastest that this processor has.
inline CountCommon count_common() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  static const CountCommon chosen =
      __builtin_cpu_supports("popcnt") ? count_common_popcnt : count_common_portable;
  return chosen;
#else
  return count_common_portable;
#endif
}

}  // namespace bits

// Discrete data, by column and by level. Missing values are not known here.
class DiscreteData {
 public:
  explicit DiscreteData(const Samples& samples)
      : n_(samples.n()), words_((samples.n() + bits::per_word - 1) / bits::per_word) {
    for (const Variable& variable : samples.variables) {
      if (variable.kind != Kind::discrete) throw Error("counting needs discrete variables");
      Column column;
      column.levels = variable.width;
      column.codes.resize(n_);
      column.rows.assign(variable.width * words_, 0);
      for (Index row = 0; row < n_; ++row) {
        const Index level = static_cast<Index>(samples.values(row, variable.first));
        column.codes[row] = static_cast<std::int32_t>(level);
        column.rows[level * words_ + row / bits::per_word] |= bits::Word{1}
                                                              << (row % bits::per_word);
      }
      columns_.push_back(std::move(column));
    }
  }

  Index n() const { return n_; }
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
  Index n_, words_;
  std::vector<Column> columns_;
};

class Counter {
 public:
  explicit Counter(const DiscreteData& data)
      : data_(data), count_common_(bits::count_common()), prefixes_(1) {
    Prefix& all = prefixes_[0];
    all.counts.assign(1, data.n());
    all.codes.assign(data.n(), 0);
    all.rows.assign(data.words(), ~bits::Word{0});
    if (data.n() % bits::per_word != 0) {
      all.rows.back() = (bits::Word{1} << (data.n() % bits::per_word)) - 1;
    }
  }

  void push(Index j) {
    Prefix& prefix = next();
    const Prefix& before = prefixes_[depth_ - 1];
    // Cells of the new prefix are numbered in the order (old cell, level), empty ones left out.
    tabulate(before, j);
    const Index levels = data_.levels(j);
    number_.assign(table_.size(), -1);
    for (std::size_t cell = 0; cell < table_.size(); ++cell) {
      if (table_[cell] == 0) continue;
      number_[cell] = static_cast<std::int32_t>(prefix.counts.size());
      prefix.counts.push_back(table_[cell]);
      prefix.parts.push_back(
          {static_cast<Index>(cell) / levels, static_cast<Index>(cell) % levels});
    }
    const auto& codes = data_.codes(j);
    prefix.codes.resize(data_.n());
    for (Index row = 0; row < data_.n(); ++row) {
      prefix.codes[row] =
          number_[before.codes[row] * static_cast<std::size_t>(levels) + codes[row]];
    }
    prefix.variable = j;
  }

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
    if (by_bits > by_rows) {
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

  Prefix& next() {
    if (++depth_ == static_cast<Index>(prefixes_.size())) prefixes_.emplace_back();
    Prefix& prefix = prefixes_[depth_];
    prefix.counts.clear();
    prefix.parts.clear();
    prefix.rows.clear();
    return prefix;
  }

  void tabulate(const Prefix& prefix, Index j) {
    const Index levels = data_.levels(j);
    table_.assign(prefix.counts.size() * levels, 0);
    const auto& codes = data_.codes(j);
    for (Index row = 0; row < data_.n(); ++row) {
      ++table_[prefix.codes[row] * static_cast<std::size_t>(levels) + codes[row]];
    }
  }

  void fill_rows(Index depth) {
    Prefix& prefix = prefixes_[depth];
    if (!prefix.rows.empty()) return;
    fill_rows(depth - 1);
    const Index words = data_.words();
    prefix.rows.resize(prefix.counts.size() * words);
    for (std::size_t cell = 0; cell < prefix.counts.size(); ++cell) {
      const Part& part = prefix.parts[cell];
      const bits::Word* a = prefixes_[depth - 1].rows.data() + part.cell * words;
      const bits::Word* b = data_.rows(prefix.variable, part.level);
      bits::Word* both = prefix.rows.data() + cell * words;
      for (Index w = 0; w < words; ++w) both[w] = a[w] & b[w];
    }
  }

  const DiscreteData& data_;
  bits::CountCommon count_common_;
  std::vector<Prefix> prefixes_;
  Index depth_ = 0;
  std::vector<Index> table_;
  std::vector<std::int32_t> number_;
};

}  // namespace daggnn
