// What is known of families that were asked for before; threads share it.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "scores/local_score.h"

namespace daggnn {

template <class Value>
class FamilyTable {
 public:
  // The value of a family, by compute() where it is not known yet.
  template <class Compute>
  Value get(Index child, const Parents& parents, const Compute& compute) {
    Parents family = parents;
    family.push_back(child);
    Part& part = parts_[Hash()(family) % parts_.size()];
    {
      const std::lock_guard<std::mutex> lock(part.mutex);
      const auto found = part.values.find(family);
      if (found != part.values.end()) return found->second;
    }
    Value value = compute();
    const std::lock_guard<std::mutex> lock(part.mutex);
    part.values.emplace(std::move(family), value);
    return value;
  }

 private:
  // The hash of Fowler, Noll and Vo (FNV-1a), a number at a time.
  struct Hash {
    std::size_t operator()(const Parents& family) const {
      std::uint64_t hash = 14695981039346656037ULL;
      for (const Index i : family) {
        hash = (hash ^ static_cast<std::uint64_t>(i + 1)) * 1099511628211ULL;
        hash ^= hash >> 29;
      }
      return static_cast<std::size_t>(hash);
    }
  };
  // Several parts, so that threads seldom wait for each other.
  struct Part {
    std::mutex mutex;
    std::unordered_map<Parents, Value, Hash> values;  // key: parents, then the child
  };
  std::array<Part, 16> parts_;
};

}  // namespace daggnn
