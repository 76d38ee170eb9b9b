#include "data/counting.h"

#include <utility>

namespace daggnn {

namespace bits {

Index count_common_portable(const Word* a, const Word* b, Index words) {
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
__attribute__((target("popcnt"))) static Index count_common_popcnt(const Word* a, const Word* b,
                                                                   Index words) {
  Index count = 0;
  for (Index w = 0; w < words; ++w) count += __builtin_popcountll(a[w] & b[w]);
  return count;
}
#endif

CountCommon count_common() {
#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
  static const CountCommon chosen =
      __builtin_cpu_supports("popcnt") ? count_common_popcnt : count_common_portable;
  return chosen;
#else
  return count_common_portable;
#endif
}

}  // namespace bits

DiscreteData::DiscreteData(const Samples& samples)
    : n_(samples.n()),
      words_((samples.n() + bits::per_word - 1) / bits::per_word),
      total_(samples.total > 0 ? static_cast<Index>(samples.total) : samples.n()) {
  if (samples.counts) {
    for (Index row = 0; row < n_; ++row) {
      counts_.push_back(static_cast<Index>(samples.counts[row]));
    }
  }
  for (const Variable& variable : samples.variables) {
    if (variable.kind != Kind::discrete) throw Error("counting needs discrete variables");
    Column column;
    column.levels = variable.width;
    column.codes.resize(n_);
    column.rows.assign(variable.width * words_, 0);
    for (Index row = 0; row < n_; ++row) {
      const Index level = static_cast<Index>(samples.values(row, variable.first));
      column.codes[row] = static_cast<std::int32_t>(level);
      column.rows[level * words_ + row / bits::per_word] |= bits::Word{1} << (row % bits::per_word);
    }
    columns_.push_back(std::move(column));
  }
}

Counter::Counter(const DiscreteData& data)
    : data_(data), count_common_(bits::count_common()), prefixes_(1) {
  Prefix& all = prefixes_[0];
  all.counts.assign(1, data.total());
  all.codes.assign(data.n(), 0);
  all.rows.assign(data.words(), ~bits::Word{0});
  if (data.n() % bits::per_word != 0) {
    all.rows.back() = (bits::Word{1} << (data.n() % bits::per_word)) - 1;
  }
}

void Counter::push(Index j) {
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
    prefix.parts.push_back({static_cast<Index>(cell) / levels, static_cast<Index>(cell) % levels});
  }
  const auto& codes = data_.codes(j);
  prefix.codes.resize(data_.n());
  for (Index row = 0; row < data_.n(); ++row) {
    prefix.codes[row] = number_[before.codes[row] * static_cast<std::size_t>(levels) + codes[row]];
  }
  prefix.variable = j;
}

Counter::Prefix& Counter::next() {
  if (++depth_ == static_cast<Index>(prefixes_.size())) prefixes_.emplace_back();
  Prefix& prefix = prefixes_[depth_];
  prefix.counts.clear();
  prefix.parts.clear();
  prefix.rows.clear();
  return prefix;
}

void Counter::tabulate(const Prefix& prefix, Index j) {
  const Index levels = data_.levels(j);
  table_.assign(prefix.counts.size() * levels, 0);
  const auto& codes = data_.codes(j);
  const auto cell = [&](Index row) {
    return prefix.codes[row] * static_cast<std::size_t>(levels) + codes[row];
  };
  if (data_.counts().empty()) {
    for (Index row = 0; row < data_.n(); ++row) ++table_[cell(row)];
  } else {
    for (Index row = 0; row < data_.n(); ++row) table_[cell(row)] += data_.counts()[row];
  }
}

void Counter::fill_rows(Index depth) {
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

}  // namespace daggnn
