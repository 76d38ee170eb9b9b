// Random numbers of our own, so that the core needs no R and a stream can be made for any work
// item: splitmix64 to seed, xoshiro256++ (Blackman and Vigna 2021, <doi:10.1145/3460772>) to draw.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/types.h"

namespace daggnn {

class Random {
 public:
  // Streams of the same seed are independent of each other.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) {
    std::uint64_t z = mix(seed) ^ mix(stream + 0x632be59bd9b4e019ULL);
    for (auto& word : state_) word = mix(z += 0x9e3779b97f4a7c15ULL);
  }

  std::uint64_t bits() {
    const std::uint64_t result = rotate(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform on [0, 1), 53 bits.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

  // Standard normal, by the polar method.
  double normal() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    double u, v, s;
    do {
      u = 2 * uniform() - 1;
      v = 2 * uniform() - 1;
      s = u * u + v * v;
    } while (s >= 1 || s == 0);
    const double r = std::sqrt(-2 * std::log(s) / s);
    spare_ = v * r;
    has_spare_ = true;
    return u * r;
  }

  // Uniform on 0, ..., count - 1.
  Index below(Index count) { return static_cast<Index>(uniform() * static_cast<double>(count)); }

  void shuffle(std::vector<Index>& items) {
    for (std::size_t k = items.size(); k > 1; --k) {
      std::swap(items[k - 1], items[static_cast<std::size_t>(below(static_cast<Index>(k)))]);
    }
  }

 private:
  static std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  std::uint64_t state_[4];
  double spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace daggnn
