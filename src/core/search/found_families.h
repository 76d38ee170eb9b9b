// What grow and shrink found before, from the same parents among the same candidates: moves of a
// variable that are looked at again meet mostly the same families. Threads share it.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "search/network.h"

namespace daggnn {

class FoundFamilies {
 public:
  // The family by compute() where it is not known.
  template <class Compute>
  Family get(Index child, const Parents& parents, const Parents& candidates,
             const Compute& compute) {
    const Key key = key_of(child, parents, candidates);
    Part& part = parts_[key.first % parts_.size()];
    {
      const std::lock_guard<std::mutex> lock(part.mutex);
      const auto found = part.families.find(key);
      if (found != part.families.end()) return found->second;
    }
    Family family = compute();
    const std::lock_guard<std::mutex> lock(part.mutex);
    if (part.families.size() >= most_of_part) part.families.clear();
    part.families.emplace(key, family);
    return family;
  }

 private:
  // Two hashes of 64 bits: of 10^9 questions, two have the same with probability 10^-21.
  struct Key {
    std::uint64_t first, second;
    bool operator==(const Key& other) const {
      return first == other.first && second == other.second;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.second); }
  };
  static Key key_of(Index child, const Parents& parents, const Parents& candidates) {
    Key key{14695981039346656037ULL, 0x9e3779b97f4a7c15ULL};
    const auto add = [&](std::uint64_t number) {
      key.first = (key.first ^ number) * 1099511628211ULL;
      key.first ^= key.first >> 29;
      key.second = (key.second + number) * 0xbf58476d1ce4e5b9ULL;
      key.second ^= key.second >> 32;
    };
    add(static_cast<std::uint64_t>(child));
    add(parents.size());
    for (const Index i : parents) add(static_cast<std::uint64_t>(i));
    for (const Index i : candidates) add(static_cast<std::uint64_t>(i));
    return key;
  }

  // Some 30 MB of all parts together, where families have 20 parents.
  static constexpr std::size_t most_of_part = 8192;
  struct Part {
    std::mutex mutex;
    std::unordered_map<Key, Family, Hash> families;
  };
  std::array<Part, 16> parts_;
};

}  // namespace daggnn
