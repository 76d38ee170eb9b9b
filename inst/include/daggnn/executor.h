// Who does the work: the core splits it into tasks of fixed size and number, so that results do not
// depend on how many threads share them.
#pragma once

#include <functional>

#include "types.h"

namespace daggnn {

struct Executor {
  virtual ~Executor() = default;
  virtual int threads() const = 0;
  // Calls task(0), ..., task(count - 1), in any order and on any thread, and waits for all of them.
  virtual void run(Index count, const std::function<void(Index)>& task) = 0;
};

struct SerialExecutor final : Executor {
  int threads() const override { return 1; }
  void run(Index count, const std::function<void(Index)>& task) override {
    for (Index k = 0; k < count; ++k) task(k);
  }
};

}  // namespace daggnn
